//! Time that is kept free or taken, and what is forbidden.

use jiff::Timestamp;
use steadfast_time::Limit;

use super::clauses::{Clause, together};
use super::cues::Cue;
use super::events::usual_minutes;
use super::lines::Line;
use super::manner::is_small;
use super::statement::{Who, spot};
use super::tasks::span_of;
use super::when::{Shape, Stretch, day_end, day_start};
use super::{Last, Reader};
use crate::list::List;
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after, minutes_between};

/// Words of a ban that are no part of what it rules out.
const IN_BAN: List = List("in-ban");

/// Words that may stand before the denial of a ban.
const BEFORE_BAN: List = List("before-ban");

/// Denials that forbid nothing.
const NO_BAN: List = List("no-ban");

impl<'a> Reader<'a> {
    /// "Keep 12 to 1 free", "block 9–11 for deep work".
    pub(super) fn kept_free(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let Some(guard) = clause.hit(Cue::Guard) else { return false };
        let timed = clause.when.stretches.iter().any(|it| !it.past && it.limit.is_none() && it.shape != Shape::Days);
        // "no meetings" denies; "keep" alone says nothing.
        let keeps = clause.words.get(guard.words.start).is_some_and(|word| word.low == "keep");
        let free =
            clause.has(Cue::Free) || clause.words.iter().any(|word| matches!(word.low.as_str(), "clear" | "empty"));
        if !timed || clause.has(Cue::Not) || (keeps && !free) {
            return false;
        }
        let purpose = clause.words.iter().position(|word| word.low == "for" && !clause.is_timed(word));
        let words = purpose.and_then(|at| clause.words.get(at + 1)).map(|word| word.range.start);
        let name =
            words.and_then(|start| clause.text.get(start..)).map(|text| text.trim_end_matches(['.', '!']).to_owned());
        match name.filter(|name| !intent(name).is_empty()) {
            Some(name) if !wish => self.take_place(line, clause, &name),
            name => {
                self.block(line, clause, name, None, wish);
                self.last = Some(Last::Blocked { who: None, wish });
            }
        }
        true
    }

    /// "Nancy is busy 10:00 to 10:30", "gone until 4".
    pub(super) fn busy(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let gone = clause.has(Cue::Gone);
        let denied = clause.has(Cue::Not) && clause.has(Cue::Free);
        let busy = clause.has(Cue::Busy) && !clause.has(Cue::Need) && !is_head_verb(clause);
        let has = matches!(who, Who::Person(_))
            && !clause.has(Cue::Not)
            && clause.words.iter().take(4).any(|word| matches!(word.low.as_str(), "has" | "have"));
        if !(gone || busy || (denied && !wish) || (has && !clause.when.stretches.is_empty())) {
            return false;
        }
        // "I'm out by 3:30": the end of the day.
        let end = clause.when.stretches.iter().find(|it| !it.past && it.limit == Some(steadfast_time::Limit::By));
        let goes = clause.words.iter().any(|word| word.low == "out");
        if let (Some(by), Who::Own, true) = (end.and_then(Stretch::starts), who, goes && !gone) {
            self.state(spot(line, clause), Rule::Deadline { task: None, by }, wish);
            return true;
        }
        let whole = clause.has(Cue::Whole);
        if clause.when.stretches.iter().all(|it| it.past) {
            if whole && clause.when.lengths.len() + clause.when.stretches.len() <= 1 && busy {
                let zone = self.notes.now.time_zone();
                let now = self.notes.now.timestamp();
                let today = Interval::new(day_start(now, zone), day_end(now, zone));
                let when = Readings::unique(vec![today]);
                self.state(spot(line, clause), Rule::Blocked { name: None, who: who.name(), when }, wish);
                return true;
            }
            return matches!(who, Who::Person(_));
        }
        let event = self.line_event.filter(|_| gone && *who == Who::Own);
        let name =
            match event.and_then(|at| self.notes.constraints.get(at)).map(|it| (it.rule.clone(), at_start(&it.rule))) {
                Some((Rule::FixedEvent { name, .. }, Some(start))) => {
                    self.gone_from(line, clause, &name, start);
                    return true;
                }
                _ => self.reason(clause),
            };
        self.block(line, clause, name, who.name(), wish);
        self.last = Some(Last::Blocked { who: who.name(), wish });
        true
    }

    /// A line that holds a range and nothing that it is the time of: it is taken.
    pub(super) fn unnamed(&mut self, line: &Line<'a>) {
        let ranges: Vec<Stretch> = std::mem::take(&mut self.pending)
            .into_iter()
            .filter(|it| it.shape == Shape::Range && it.limit.is_none() && !it.past)
            .collect();
        for stretch in ranges {
            if let Some(when) = Readings::of(stretch.readings) {
                let spot = super::Spot { line, start: 0, end: line.text.len() };
                self.state(spot, Rule::Blocked { name: None, who: None, when }, false);
            }
        }
    }

    /// "Calls only after 2pm": such things are ruled out at all other times of the day.
    pub(super) fn only_then(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let Some(only) = clause.words.iter().position(|word| word.low == "only") else { return false };
        let named: Vec<&str> = clause
            .words
            .iter()
            .filter(|word| !clause.is_timed(word) && word.low != "only" && !is_small(&word.low))
            .map(|word| word.low.as_str())
            .collect();
        let limited = clause.when.stretches.iter().find(|it| {
            !it.past && it.today && (it.limit.is_some() || it.shape == Shape::Part || it.shape == Shape::Range)
        });
        let (Some(stretch), [thing]) = (limited, &named[..]) else { return false };
        let plural = thing.ends_with('s') && clause.words.first().is_some_and(|word| word.low == *thing) && only > 0;
        if !plural || self.line_task.is_some() {
            return false;
        }
        let zone = self.notes.now.time_zone().clone();
        let now = self.notes.now.timestamp();
        let whole = vec![Interval::new(day_start(now, &zone), day_end(now, &zone))];
        let Some(open) = stretch.times(&zone) else { return false };
        let when = Readings::of(
            open.iter().map(|times| crate::window::without(&whole, &crate::window::merged(times.clone()))).collect(),
        );
        self.state(spot(line, clause), Rule::Exclusion { intent: intent(thing), who: None, place: None, when }, wish);
        true
    }

    /// What blocked time is for: the event that the words name.
    pub(super) fn reason(&self, clause: &Clause<'_>) -> Option<String> {
        let hit = clause.hit(Cue::Event)?;
        let span = span_of(clause, &hit.words)?;
        clause
            .text
            .get(span)
            .map(str::to_lowercase)
            .filter(|name| !matches!(name.as_str(), "meetings" | "calls" | "meeting"))
    }

    /// "Pick-up 15:15, gone until 4": from the event on.
    pub(super) fn gone_from(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: &str, start: Timestamp) {
        let until = clause.when.stretches.iter().find_map(Stretch::ends);
        let Some(until) = until else { return };
        let readings: Vec<Times> =
            until.iter().filter(|end| **end > start).map(|end| vec![Interval::new(start, *end)]).collect();
        if let Some(when) = Readings::of(readings) {
            self.state(spot(line, clause), Rule::Blocked { name: Some(name.to_owned()), who: None, when }, false);
        }
    }

    pub(super) fn block(
        &mut self,
        line: &Line<'a>,
        clause: &Clause<'_>,
        name: Option<String>,
        who: Option<String>,
        wish: bool,
    ) {
        let zone = self.notes.now.time_zone().clone();
        // A moment without a length blocks an hour, as an event would.
        let minutes = clause.when.lengths.iter().find_map(|it| it.min).unwrap_or_else(|| usual_minutes(clause));
        let times = |it: &Stretch| {
            if it.shape == Shape::Point && it.limit.is_none() {
                let lasting = |times: &Times| {
                    times.iter().map(|it| Interval::new(it.start, minutes_after(it.start, minutes))).collect()
                };
                return Readings::of(it.readings.iter().map(lasting).collect());
            }
            it.times(&zone)
        };
        if let Some(when) = together(clause, times) {
            let at = self.state(spot(line, clause), Rule::Blocked { name, who, when }, wish);
            let bare = clause.when.stretches.iter().all(|it| it.shape == Shape::Days && it.limit.is_none());
            match (at.filter(|_| bare), self.bare_hours) {
                (Some(at), Some(hours)) => self.limit_day(at, hours),
                (at, None) => self.bare_days.extend(at),
                _ => {}
            }
            if !bare {
                self.bare_hours = self.hours_of(clause);
            }
        }
    }

    /// "Don't book over lunch", "no deep work today", "don't call Sam", "can not meet on Monday after 11".
    pub(super) fn forbidden(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let Some(not) = denial(clause) else { return false };
        let own = self.is_forbidding(clause, not.start);
        let person = matches!(who, Who::Person(_));
        if !own && !person && !wish {
            return false;
        }
        let object = not.end;
        let generic = clause.words.iter().enumerate().skip(object).all(|(at, word)| {
            let said = |hit: &super::words::Hit| hit.cue == Cue::Anything && hit.words.contains(&at);
            clause.is_timed(word) || is_small(&word.low) || clause.hits.iter().any(said)
        });
        let zone = self.notes.now.time_zone().clone();
        let limited =
            clause.when.stretches.iter().any(|it| !it.past && (it.shape != Shape::Days || it.limit.is_some()));
        let days = clause.when.stretches.iter().any(|it| it.shape == Shape::Days && !it.past);
        let rest: Vec<&str> = clause
            .words
            .iter()
            .skip(object)
            .filter(|word| !clause.is_timed(word))
            .map(|word| word.low.as_str())
            .collect();
        let of_work = rest.is_empty()
            || rest
                .iter()
                .all(|word| !matches!(*word, "meeting" | "meetings" | "call" | "calls" | "appointments" | "events"));
        // "No meetings 12 to 1, sacred": the time itself is kept.
        let guarded = limited && clause.has(Cue::Guard);
        if guarded
            || person
            || (generic && of_work && (limited || days))
            || (rest.iter().all(|word| is_small(word)) && limited)
        {
            if !(limited || days) {
                return person;
            }
            // "not before 10", "can't start before 10".
            self.block(line, clause, self.reason(clause), who.name(), wish);
            self.last = Some(Last::Blocked { who: who.name(), wish });
            return true;
        }
        // "No testing while the deploy runs": the reason names nothing that is ruled out.
        let reason = clause.words.iter().skip(object).position(|word| {
            matches!(word.low.as_str(), "while" | "because" | "since" | "cos" | "when")
                || word.parted && clause.text.get(..word.range.start).is_some_and(|head| head.ends_with('('))
        });
        let end = reason.map_or(clause.words.len(), |at| object + at);
        let names = self.people.among(clause.text, clause.words.get(object..end).unwrap_or_default());
        let mut words = String::new();
        for word in clause.words.iter().take(end).skip(object).filter(|word| !clause.is_timed(word)) {
            let in_cue = IN_BAN.contains(&word.low);
            if !in_cue && !names.iter().any(|name| name.to_lowercase().contains(word.low.trim_end_matches("'s"))) {
                words.push_str(clause.text.get(word.range.clone()).unwrap_or_default());
                words.push(' ');
            }
        }
        let mut stems = intent(&words);
        stems.truncate(EXCLUDED_WORDS_MAX);
        let who = names.first().cloned();
        if stems.is_empty() && who.is_none() {
            return own;
        }
        // "Never finish later than 6": the end of the day.
        let late =
            clause.when.stretches.iter().find(|it| {
                it.today && it.shape == Shape::Point && matches!(it.limit, Some(Limit::After | Limit::From))
            });
        let ends = |stem: &String| matches!(stem.as_str(), "finish" | "stop" | "end" | "work");
        if let (Some(by), true) = (late.and_then(Stretch::starts), who.is_none() && stems.iter().all(ends)) {
            return self.state(spot(line, clause), Rule::Deadline { task: None, by }, wish).is_some();
        }
        // "call", "meet" beside a person say what is not to be done with them; the words of an item say so too.
        let when = if limited { together(clause, |it| it.times(&zone)) } else { self.other_day(clause, &zone) };
        self.state(spot(line, clause), Rule::Exclusion { intent: stems, who, place: None, when }, wish);
        true
    }

    /// The days of a clause where they are not today alone.
    pub(super) fn other_day(&self, clause: &Clause<'_>, zone: &jiff::tz::TimeZone) -> Option<Readings<Times>> {
        let days = clause.when.stretches.iter().any(|it| !it.past);
        days.then(|| together(clause, |it| it.times(zone))).flatten()
    }

    /// Whether a denial forbids: it stands at the head, or after the one who plans. "It is not ready" forbids nothing.
    pub(super) fn is_forbidding(&self, clause: &Clause<'_>, not: usize) -> bool {
        let before = clause.words.get(..not).unwrap_or_default();
        let head = before.iter().all(|word| clause.is_timed(word) || BEFORE_BAN.contains(&word.low));
        let word = clause.words.get(not).map_or("", |word| word.low.as_str());
        let past = NO_BAN.contains(word);
        head && !past
    }

    /// "Not on Monday. Tuesday. Wednesday before 4", "not on Monday after 4. Wednesday": of the days alone all of the day is
    /// meant, or as much as of the one beside them. Both readings are kept.
    pub(super) fn limit_days(&mut self, clause: &Clause<'_>) {
        let (limit, days) = (self.hours_of(clause), std::mem::take(&mut self.bare_days));
        match limit {
            Some(hours) => {
                for at in days {
                    self.limit_day(at, hours);
                }
                self.bare_hours = Some(hours);
            }
            None => self.bare_days = days,
        }
    }

    /// The part of its day that the limited time of a clause leaves or takes, in minutes after midnight.
    pub(super) fn hours_of(&self, clause: &Clause<'_>) -> Option<(i64, i64)> {
        let zone = self.notes.now.time_zone();
        let limited = clause.when.stretches.iter().find(|it| it.limit.is_some() && it.shape == Shape::Point)?;
        let bounded = *limited.times(zone)?.first().first()?;
        let midnight = day_start(bounded.start, zone);
        Some((minutes_between(midnight, bounded.start), minutes_between(midnight, bounded.end)))
    }

    pub(super) fn limit_day(&mut self, at: usize, hours: (i64, i64)) {
        let Some(constraint) = self.notes.constraints.get_mut(at) else { return };
        let rule =
            if let Rule::Preference { wish } = &mut constraint.rule { &mut **wish } else { &mut constraint.rule };
        let Rule::Blocked { when, .. } = rule else { return };
        let part = |it: &Interval| {
            Interval::new(minutes_after(it.start, hours.0), minutes_after(it.start, hours.1).min(it.end))
        };
        let mut readings: Vec<Times> = when.iter().cloned().collect();
        let limited: Vec<Times> = when.iter().map(|times| times.iter().map(part).collect()).collect();
        readings.extend(limited);
        if let Some(both) = Readings::of(readings) {
            *when = both;
        }
        let text = constraint.text().to_owned();
        self.ask(format!("\"{text}\": all of the day, or the hours that are named beside it?"));
    }
}

/// Most words of what is excluded.
const EXCLUDED_WORDS_MAX: usize = 4;

fn at_start(rule: &Rule) -> Option<Timestamp> {
    let Rule::FixedEvent { when, .. } = rule else { return None };
    when.first().first().map(|it| it.start)
}

/// The denial of a clause, by its words; "don't forget to" denies nothing, nor does "no later than".
fn denial(clause: &Clause<'_>) -> Option<std::ops::Range<usize>> {
    let positive = |at: usize| {
        clause.hits.iter().any(|hit| {
            matches!(hit.cue, Cue::Need | Cue::Due | Cue::AtMost | Cue::Least | Cue::Must | Cue::Low)
                && hit.words.contains(&at)
        })
    };
    let hit = clause.hits.iter().find(|hit| hit.cue == Cue::Not && !clause.in_time(hit) && !positive(hit.words.start));
    if let Some(hit) = hit {
        return Some(hit.words.clone());
    }
    // "would like to avoid", "do not want": wishes that deny.
    let hit = clause.hits.iter().find(|hit| hit.cue == Cue::Wish)?;
    let words = clause.words.get(hit.words.clone())?;
    words
        .iter()
        .any(|word| matches!(word.low.as_str(), "not" | "avoid" | "don't" | "doesn't"))
        .then(|| hit.words.clone())
}

fn is_head_verb(clause: &Clause<'_>) -> bool {
    clause.verb().is_some_and(|at| clause.hit(Cue::Busy).is_none_or(|hit| hit.words.start > at + 1))
}
