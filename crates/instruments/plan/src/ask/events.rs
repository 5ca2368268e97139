//! Times as notes write them, events at their times, and how long they last where nothing is said.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::{Anchor, DayPart, Expression, Limit, LimitWord, PartName, Reading};

use super::Reader;
use super::amend::OTHERS;
use super::clauses::{Clause, product};
use super::continued::FILLING;
use super::lines::Line;
use super::statement::spot;
use super::when::{Shape, Stretch};
use super::words::{Word, words};
use crate::list::List;
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after};

/// The expressions of a line: those of prose, and beside them what only notes write (`notation`) and the parts of a day without
/// an article ("over lunch", "ideally mornings").
pub(super) fn times(text: &str, anchor: &Anchor) -> Vec<Expression> {
    let mut found = steadfast_time::expressions(text, anchor);
    for it in &mut found {
        by_day(text, it);
    }
    // "Next week's rota", "Friday's deck": made today.
    found.retain(|it| super::parts::is_clock(it) || !is_possessive(text, it));
    // "Free till 5 now": it says nothing of when.
    found.retain(|it| !text.get(it.span.clone()).is_some_and(|shown| shown.eq_ignore_ascii_case("now")));
    let all = words(text);
    let parts = day_parts(&all, &found);
    merge(&mut found, parts);
    super::notation::add(text, &all, &mut found);
    found
}

/// Whether something belongs to a day, and is named by it.
fn is_possessive(text: &str, it: &Expression) -> bool {
    let rest = text.get(it.span.end..).unwrap_or_default();
    let owned = ["'s ", "\u{2019}s "].iter().any(|mark| rest.starts_with(mark));
    owned && it.readings.iter().all(|reading| matches!(reading, Reading::Date(_) | Reading::DateRange { .. }))
}

/// "During lunch 12:00–12:30": the range says when lunch is, so its name stands for no hour of its own.
pub(super) fn without_named_ranges(text: &str, found: &mut Vec<Expression>) {
    let named = |it: &Expression| {
        let lunch = |reading: &Reading| matches!(reading, Reading::DayPart { part, date: None } if part.name == PartName::Lunch);
        it.limit.is_none() && it.readings.iter().all(lunch)
    };
    let ranged = |it: &Expression| matches!(it.readings.first(), Some(Reading::TimeRange { .. }));
    let joined = |from: usize, to: usize| {
        let between = text.get(from..to).unwrap_or_default();
        let between =
            between.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ',' | ':' | '-' | '–' | '—'));
        matches!(between.to_ascii_lowercase().as_str(), "" | "from" | "is" | "between")
    };
    let said: Vec<usize> = found
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| named(&pair[0]) && ranged(&pair[1]) && joined(pair[0].span.end, pair[1].span.start))
        .map(|(at, _)| at)
        .collect();
    for at in said.into_iter().rev() {
        let name = found.remove(at);
        if let Some(range) = found.get_mut(at) {
            range.span.start = name.span.start;
        }
    }
}

/// Puts expressions together, in order; of two that overlap the first.
pub(super) fn merge(found: &mut Vec<Expression>, more: Vec<Expression>) {
    if more.is_empty() {
        return;
    }
    found.extend(more);
    found.sort_by_key(|it| (it.span.start, it.span.end));
    let mut end = 0;
    found.retain(|it| {
        let keeps = it.span.start >= end;
        if keeps {
            end = it.span.end;
        }
        keeps
    });
}

/// Parts of a day without an article.
fn day_parts(all: &[Word], found: &[Expression]) -> Vec<Expression> {
    let mut more = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let joint = at.checked_sub(1).and_then(|at| all.get(at));
        let before = joint.map_or("", |word| word.low.as_str());
        let part = match word.low.as_str() {
            "lunch" | "lunchtime"
                if matches!(before, "over" | "during" | "through" | "at" | "after" | "before" | "until" | "post") =>
            {
                Some(PartName::Lunch)
            }
            "mornings" | "morning" if !matches!(before, "good") => Some(PartName::Morning),
            "afternoons" | "afternoon" => Some(PartName::Afternoon),
            "evenings" => Some(PartName::Evening),
            _ => None,
        };
        let span = word.range.clone();
        if let Some(name) = part.filter(|_| super::notation::is_free(&span, found)) {
            let limit = match before {
                "after" | "post" => Some(Limit::After),
                "before" => Some(Limit::Before),
                "until" => Some(Limit::Until),
                _ => None,
            };
            let limit = limit.zip(joint).map(|(limit, word)| LimitWord { limit, span: word.range.clone() });
            let reading = Reading::DayPart { part: DayPart { name, edge: None }, date: None };
            more.push(expression(span, vec![reading], limit));
        }
    }
    more
}

pub(super) fn expression(span: Range<usize>, readings: Vec<Reading>, limit: Option<LimitWord>) -> Expression {
    Expression { span, readings, limit, zone: None, approximate: false, diagnostics: Vec::new(), parts: Vec::new() }
}

/// "09:30 daily": in notes of a day the name of a meeting and its time.
fn by_day(text: &str, it: &mut Expression) {
    let Some(Reading::Recurrence(again)) = it.readings.first() else { return };
    let (Some(at), true) = (again.at, again.weekdays.is_empty()) else { return };
    let shown = text.get(it.span.clone()).unwrap_or_default();
    let Some(cut) = shown.to_ascii_lowercase().find(" daily").filter(|cut| cut + " daily".len() == shown.len()) else {
        return;
    };
    it.span.end = it.span.start + cut;
    it.readings = vec![Reading::Time(at)];
}

/// How long things last of which nothing is said, in minutes.
const USUAL_MINUTES: &[(&[&str], i64)] = &[
    (&["standup", "stand-up", "scrum", "daily"], 15),
    (
        &[
            "call",
            "sync",
            "1:1",
            "1-1",
            "one-on-one",
            "check-in",
            "checkin",
            "catch-up",
            "catchup",
            "interview",
            "coffee",
            "pick-up",
            "pickup",
            "pick",
            "drop-off",
            "dropoff",
            "drop",
            "delivery",
            "collect",
        ],
        30,
    ),
];

/// What all else lasts.
const USUAL_MINUTES_ELSE: i64 = 60;

/// What nothing says the end of lasts so long at least, even if the next event begins before that.
const GUESSED_MINUTES_MIN: i64 = 10;

/// How long an event of these words usually lasts, in minutes.
pub(super) fn usual_minutes(clause: &Clause<'_>) -> i64 {
    let known = clause.words.iter().find_map(|word| {
        USUAL_MINUTES.iter().find(|(names, _)| names.contains(&word.low.as_str())).map(|(_, minutes)| *minutes)
    });
    known.unwrap_or(USUAL_MINUTES_ELSE)
}

/// Words beside the time at which an event is over.
const BESIDE_END: List = List("beside-end");

/// Words beside the length of an event.
const BESIDE_LENGTH: List = List("beside-length");

impl<'a> Reader<'a> {
    /// The event at the one time of a clause that stands at `span`.
    pub(super) fn arrives(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: &str, span: &Range<usize>) {
        let mut own = clause.clone();
        own.when.stretches.retain(|it| it.span == *span);
        self.take_place(line, &own, name);
    }

    pub(super) fn take_place(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: &str) {
        // "Be there 15 min before" says nothing of how long it lasts.
        let ahead = |it: &&super::when::Length| {
            let next = clause.words.iter().find(|word| word.range.start >= it.span.end);
            next.is_some_and(|word| {
                matches!(word.low.as_str(), "before" | "early" | "earlier" | "beforehand" | "ahead")
            })
        };
        let length = clause
            .when
            .lengths
            .iter()
            .filter(|it| !ahead(it))
            .find_map(|it| it.max.or(it.min))
            .filter(|minutes| (1..24 * 60).contains(minutes));
        let usual = usual_minutes(clause);
        let mut assumed = false;
        let own: Vec<&Stretch> = clause
            .when
            .stretches
            .iter()
            .filter(|it| it.limit.is_none() && it.shape != Shape::Days && !it.past)
            .collect();
        // "Morning: coffee 8:30–9:15": the clock says when.
        let clocked = own.iter().any(|it| it.shape != Shape::Part);
        let own: Vec<&Stretch> = own.into_iter().filter(|it| !clocked || it.shape != Shape::Part).collect();
        // "8:45 roll check (till 9:15)".
        let until = clause.when.stretches.iter().find(|it| it.limit == Some(Limit::Until) && it.shape == Shape::Point);
        let until = until.filter(|_| own.len() == 1).and_then(|it| it.readings.first()?.first()).map(|it| it.end);
        let mut lasting = |it: &Interval| {
            if it.start < it.end {
                return *it;
            }
            if let Some(end) = until.filter(|end| it.start < *end) {
                return Interval::new(it.start, end);
            }
            assumed |= length.is_none();
            Interval::new(it.start, minutes_after(it.start, length.unwrap_or(usual)))
        };
        // "At 3 or 4": one of them, and it is asked which.
        let either = own.windows(2).any(|pair| {
            let between = clause.text.get(pair[0].span.end..pair[1].span.start).unwrap_or_default();
            between.trim() == "or"
        });
        let mut readings: Vec<Times> = Vec::new();
        for (at, stretch) in own.iter().enumerate() {
            let each: Vec<Times> =
                stretch.readings.iter().map(|times| times.iter().map(&mut lasting).collect()).collect();
            if either || at == 0 {
                readings.extend(each);
            } else {
                readings = product(readings, &each);
            }
        }
        let Some(when) = Readings::of(readings) else { return };
        let with = self.with(clause);
        let place = self.place(clause);
        if either {
            self.ask(format!("\"{}\": which of the times holds?", clause.text.trim()));
        }
        let rule = Rule::FixedEvent { name: name.to_owned(), when, with, place };
        let stated = self.state(spot(line, clause), rule, false);
        match stated {
            Some(event) if assumed => self.guessed.push((event, usual)),
            None if assumed => self.assume(format!("\"{name}\" is taken to last {usual} minutes")),
            _ => {}
        }
        self.line_event = stated.or(self.line_event);
        self.last_event = self.line_event;
        self.last_thing = self.line_event.map(super::amend::Thing::Event).or(self.last_thing);
        self.events.extend(self.line_event.map(|at| (at, intent(name))));
    }

    /// Events of which nothing says when they are over last as long as usual, but not beyond the start of the next.
    pub(super) fn settle_guessed(&mut self) {
        let only = |rule: &Rule| match rule {
            Rule::FixedEvent { when, .. } if when.is_unique() && when.first().len() == 1 => Some(when.first()[0]),
            _ => None,
        };
        let mut starts: Vec<Timestamp> = self
            .notes
            .constraints
            .iter()
            .filter(|own| own.hard)
            .filter_map(|own| Some(only(&own.rule)?.start))
            .collect();
        starts.sort_unstable();
        for (event, usual) in std::mem::take(&mut self.guessed) {
            let Some(Rule::FixedEvent { name, when, .. }) =
                self.notes.constraints.get_mut(event).map(|own| &mut own.rule)
            else {
                continue;
            };
            let name = name.clone();
            let mut minutes = usual;
            if when.is_unique() && when.first().len() == 1 {
                let own = when.first()[0];
                // The notes said so further down.
                if own.minutes() != usual {
                    continue;
                }
                let next = starts.get(starts.partition_point(|at| *at <= own.start)).filter(|at| **at < own.end);
                if let Some(next) = next.filter(|at| Interval::new(own.start, **at).minutes() >= GUESSED_MINUTES_MIN) {
                    let shorter = Interval::new(own.start, *next);
                    minutes = shorter.minutes();
                    *when = Readings::unique(vec![shorter]);
                }
            }
            self.assume(format!("\"{name}\" is taken to last {minutes} minutes"));
        }
    }

    /// "…, ends 12:00", "…, until 2": when the event of the line is over.
    fn ends_at(&mut self, clause: &Clause<'_>) -> bool {
        let last = self.last_thing == self.line_event.map(super::amend::Thing::Event);
        let (Some(event), true, [stretch]) =
            (self.line_event, last || self.line_task.is_none(), &clause.when.stretches[..])
        else {
            return false;
        };
        let until = matches!(stretch.limit, Some(Limit::Until | Limit::By));
        let ends = clause
            .words
            .iter()
            .any(|word| matches!(word.low.as_str(), "ends" | "end" | "finishes" | "over" | "done" | "till" | "until"));
        let only = clause.words.iter().all(|word| {
            clause.is_timed(word)
                || FILLING.contains(&word.low)
                || OTHERS.contains(&word.low.as_str())
                || BESIDE_END.contains(&word.low)
        });
        if !((until || ends) && only && stretch.shape == Shape::Point) {
            return false;
        }
        let Some(Rule::FixedEvent { when, .. }) = self.notes.constraints.get_mut(event).map(|it| &mut it.rule) else {
            return false;
        };
        let Some(end) = stretch
            .readings
            .iter()
            .flatten()
            .map(|it| it.end)
            .find(|end| when.first().first().is_some_and(|it| it.start < *end))
        else {
            return false;
        };
        when.change(|it| it.end = end.max(it.start));
        true
    }

    /// "…, 20 min", "he said he'd be about an hour": how long the event of the line lasts.
    pub(super) fn lasts(&mut self, clause: &Clause<'_>) -> bool {
        if self.ends_at(clause) {
            return true;
        }
        let (Some(event), None, true) = (self.line_event, self.line_task, clause.when.stretches.is_empty()) else {
            return false;
        };
        let [length] = &clause.when.lengths[..] else { return false };
        let said = clause.words.iter().filter(|word| !clause.is_timed(word));
        let of_it = said.clone().all(|word| {
            let low = word.low.as_str();
            FILLING.contains(low) || OTHERS.contains(&low) || BESIDE_LENGTH.contains(low)
        });
        let (Some(minutes), true) = (length.max.or(length.min), of_it) else { return false };
        let Some(Rule::FixedEvent { when, .. }) = self.notes.constraints.get_mut(event).map(|it| &mut it.rule) else {
            return false;
        };
        if (1..24 * 60).contains(&minutes) {
            when.change(|it| it.end = minutes_after(it.start, minutes));
        }
        true
    }
}
