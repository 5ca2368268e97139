//! What a clause states, by its phrases, who it speaks of and its times.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::Limit;

use super::clauses::Clause;
use super::cues::Cue;
use super::events::{names_event, usual_minutes};
use super::lines::{Form, Line};
use super::people::run;
use super::references::referred;
use super::tasks::span_of;
use super::when::{Shape, Stretch, day_end, day_start};
use super::{Last, Reader, Spot, is_listed};
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after, minutes_between};

/// Of whom a clause speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    /// The one who plans, or nobody in particular.
    Own,
    /// Somebody else.
    Person(String),
}

impl Who {
    fn name(&self) -> Option<String> {
        match self {
            Self::Own => None,
            Self::Person(name) => Some(name.clone()),
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads one clause.
    pub(super) fn clause(&mut self, line: &Line<'a>, clause: &Clause<'_>) {
        for what in &clause.when.assumptions {
            self.assume(what.clone());
        }
        if clause.text.trim_end().ends_with('?') && clause.verb().is_none() {
            self.ask(format!("the notes ask \"{}\"", clause.text.trim()));
            return;
        }
        for what in &clause.when.questions {
            self.ask(what.clone());
        }
        if is_of_the_answer(clause) || self.journey(line, clause) {
            return;
        }
        if clause.has(Cue::Most) && !clause.has(Cue::AtMost) {
            self.state(spot(line, clause), Rule::Objective { tasks: Vec::new() }, false);
            return;
        }
        if (clause.is_bare() && self.goes_on(line, clause)) || self.marks(line, clause) {
            return;
        }
        let who = self.who(clause);
        let wish = clause.has(Cue::Wish);
        self.bare_days.clear();
        self.bare_hours = None;
        if self.available(line, clause, &who, wish)
            || self.kept_free(line, clause)
            || self.busy(line, clause, &who, wish)
            || self.forbidden(line, clause, &who, wish)
            || self.ends(line, clause, &who, wish)
        {
            return;
        }
        self.last = None;
        if self.is_told(line, clause) {
            return;
        }
        if self.event(line, clause, wish) || self.wished(line, clause, wish) {
            return;
        }
        self.to_do(line, clause, wish);
    }

    /// A person named before the phrase that says something of them, or meant by a pronoun at the head.
    fn who(&mut self, clause: &Clause<'_>) -> Who {
        let says = |cue: Cue| {
            matches!(
                cue,
                Cue::Busy
                    | Cue::Free
                    | Cue::Not
                    | Cue::Wish
                    | Cue::Gone
                    | Cue::Present
                    | Cue::Leave
                    | Cue::Begin
                    | Cue::Need
            )
        };
        let until =
            clause.hits.iter().find(|hit| says(hit.cue) && !clause.in_time(hit)).map_or(0, |hit| hit.words.start);
        let mut found = Who::Own;
        let mut at = 0;
        while at < until.min(clause.words.len()) {
            let run = run(&clause.words, at);
            if let Some(person) = self.people.person(clause.text, &clause.words, &run) {
                found = Who::Person(person);
            }
            at = run.end.max(at + 1);
        }
        let head =
            clause.words.iter().find(|word| !matches!(word.low.as_str(), "and" | "but" | "so" | "also" | "then"));
        if found == Who::Own
            && head.is_some_and(|word| {
                matches!(
                    word.low.as_str(),
                    "he" | "she" | "they" | "his" | "her" | "their" | "he's" | "she's" | "they're"
                )
            })
            && let Some(person) = &self.person
        {
            found = Who::Person(person.clone());
        }
        if let Who::Person(person) = &found {
            self.person = Some(person.clone());
        }
        found
    }

    /// A time alone goes on with what the clause before it stated; a length alone belongs to the task of the line.
    fn goes_on(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if clause.when.stretches.is_empty() {
            if let (Some(task), false) = (self.line_task, clause.when.lengths.is_empty()) {
                self.lengths(line, clause, task);
            }
            return true;
        }
        match self.last.clone() {
            Some(Last::Blocked { who, wish }) => {
                self.limit_days(clause);
                self.block(line, clause, None, who, wish);
                true
            }
            Some(Last::Available { who, wish }) => {
                self.open(line, clause, who, wish);
                true
            }
            None => false,
        }
    }

    /// "Not on Monday. Tuesday. Wednesday before 4", "not on Monday after 4. Wednesday": of the days alone all of the day is
    /// meant, or as much as of the one beside them. Both readings are kept.
    fn limit_days(&mut self, clause: &Clause<'_>) {
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
    fn hours_of(&self, clause: &Clause<'_>) -> Option<(i64, i64)> {
        let zone = self.notes.now.time_zone();
        let limited = clause.when.stretches.iter().find(|it| it.limit.is_some() && it.shape == Shape::Point)?;
        let bounded = *limited.times(zone)?.first().first()?;
        let midnight = day_start(bounded.start, zone);
        Some((minutes_between(midnight, bounded.start), minutes_between(midnight, bounded.end)))
    }

    fn limit_day(&mut self, at: usize, hours: (i64, i64)) {
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

    /// "Must do today", "urgent": what is said of the task before it.
    fn marks(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let Some(task) = self.line_task else { return false };
        let marks = [Cue::Must, Cue::Today, Cue::Urgent, Cue::High, Cue::Low, Cue::Optional, Cue::OneGo, Cue::Need];
        let marked = |at: usize| clause.hits.iter().any(|hit| marks.contains(&hit.cue) && hit.words.contains(&at));
        let small = |low: &str| {
            matches!(
                low,
                "this"
                    | "one"
                    | "it"
                    | "is"
                    | "be"
                    | "do"
                    | "done"
                    | "get"
                    | "happen"
                    | "very"
                    | "really"
                    | "and"
                    | "but"
                    | "this"
            )
        };
        let only = clause.words.iter().enumerate().all(|(at, word)| {
            marked(at)
                || small(&word.low)
                || (clause.is_timed(word) && clause.when.stretches.iter().all(|it| it.shape == Shape::Days))
        });
        if !only {
            return false;
        }
        self.mark(line, clause, task);
        true
    }

    /// "I'm only free 9–12", "between the work hours of 9:00 to 17:00".
    fn available(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let hours = clause.has(Cue::Hours);
        let denied = clause.has(Cue::Not) || clause.has(Cue::Guard) || (clause.has(Cue::Busy) && !hours);
        if !(hours || clause.has(Cue::Free)) || denied {
            return false;
        }
        let timed =
            clause.when.stretches.iter().any(|it| !it.past && (it.shape != Shape::Days || clause.has(Cue::Free)));
        let arranged = clause.has(Cue::Arrange) || (clause.verb().is_some() && !clause.has(Cue::Free));
        if clause.has(Cue::Whole) || !timed {
            // Somebody who is free all the time is limited by nothing.
            return !hours && (clause.has(Cue::Whole) || matches!(who, Who::Person(_)));
        }
        self.open(line, clause, who.name(), wish);
        self.last = Some(Last::Available { who: who.name(), wish });
        self.arranged |= arranged;
        if arranged && let Some(task) = self.task(line, clause, &hours_words(clause)) {
            self.refer(line, clause, task, wish);
        }
        true
    }

    fn open(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: Option<String>, wish: bool) {
        let zone = self.notes.now.time_zone().clone();
        let Some(when) = together(clause, |it| it.times(&zone)) else { return };
        if who.is_none() && !wish {
            self.remember_hours(&when);
        }
        self.state(spot(line, clause), Rule::Availability { who, when }, wish);
    }

    /// Hours by the clock, to settle other times by.
    fn remember_hours(&mut self, when: &Readings<Times>) {
        let zone = self.notes.now.time_zone();
        let Some(first) = when.first().first() else { return };
        let (start, end) = (first.start.to_zoned(zone.clone()), first.end.to_zoned(zone.clone()));
        if start.date() == end.date() {
            self.hours = Some((start.time(), end.time()));
        }
    }

    /// "Keep 12 to 1 free", "block 9–11 for deep work".
    fn kept_free(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
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
            Some(name) => self.take_place(line, clause, &name),
            None => {
                self.block(line, clause, None, None, false);
                self.last = Some(Last::Blocked { who: None, wish: false });
            }
        }
        true
    }

    /// "Nancy is busy 10:00 to 10:30", "gone until 4".
    fn busy(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let gone = clause.has(Cue::Gone);
        let denied = clause.has(Cue::Not) && clause.has(Cue::Free);
        let busy = clause.has(Cue::Busy) && !clause.has(Cue::Need) && !is_head_verb(clause);
        let has = matches!(who, Who::Person(_))
            && !clause.has(Cue::Not)
            && clause.words.iter().take(4).any(|word| matches!(word.low.as_str(), "has" | "have"));
        if !(gone || busy || (denied && !wish) || (has && !clause.when.stretches.is_empty())) {
            return false;
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

    /// What blocked time is for: the event that the words name.
    fn reason(&self, clause: &Clause<'_>) -> Option<String> {
        let hit = clause.hit(Cue::Event)?;
        let span = span_of(clause, &hit.words)?;
        clause
            .text
            .get(span)
            .map(str::to_lowercase)
            .filter(|name| !matches!(name.as_str(), "meetings" | "calls" | "meeting"))
    }

    /// "Pick-up 15:15, gone until 4": from the event on.
    fn gone_from(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: &str, start: Timestamp) {
        let until = clause.when.stretches.iter().find_map(Stretch::ends);
        let Some(until) = until else { return };
        let readings: Vec<Times> =
            until.iter().filter(|end| **end > start).map(|end| vec![Interval::new(start, *end)]).collect();
        if let Some(when) = Readings::of(readings) {
            self.state(spot(line, clause), Rule::Blocked { name: Some(name.to_owned()), who: None, when }, false);
        }
    }

    fn block(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: Option<String>, who: Option<String>, wish: bool) {
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
    fn forbidden(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
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
        if person || (generic && of_work && (limited || days)) || (rest.iter().all(|word| is_small(word)) && limited) {
            if !(limited || days) {
                return person;
            }
            // "not before 10", "can't start before 10".
            self.block(line, clause, self.reason(clause), who.name(), wish);
            self.last = Some(Last::Blocked { who: who.name(), wish });
            return true;
        }
        let names = self.people.among(clause.text, clause.words.get(object..).unwrap_or_default());
        let mut words = String::new();
        for word in clause.words.iter().skip(object).filter(|word| !clause.is_timed(word)) {
            let in_cue = matches!(
                word.low.as_str(),
                "any"
                    | "more"
                    | "today"
                    | "book"
                    | "schedule"
                    | "plan"
                    | "do"
                    | "start"
                    | "want"
                    | "to"
                    | "have"
                    | "put"
            );
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
        // "call", "meet" beside a person say what is not to be done with them; the words of an item say so too.
        let when = if limited { together(clause, |it| it.times(&zone)) } else { self.other_day(clause, &zone) };
        self.state(spot(line, clause), Rule::Exclusion { intent: stems, who, place: None, when }, wish);
        true
    }

    /// The days of a clause where they are not today alone.
    fn other_day(&self, clause: &Clause<'_>, zone: &jiff::tz::TimeZone) -> Option<Readings<Times>> {
        let days = clause.when.stretches.iter().any(|it| !it.past);
        days.then(|| together(clause, |it| it.times(zone))).flatten()
    }

    /// Whether a denial forbids: it stands at the head, or after the one who plans. "It is not ready" forbids nothing.
    fn is_forbidding(&self, clause: &Clause<'_>, not: usize) -> bool {
        let before = clause.words.get(..not).unwrap_or_default();
        let head = before.iter().all(|word| {
            clause.is_timed(word)
                || matches!(
                    word.low.as_str(),
                    "please"
                        | "and"
                        | "but"
                        | "so"
                        | "also"
                        | "i"
                        | "we"
                        | "you"
                        | "really"
                        | "absolutely"
                        | "then"
                        | "today"
                        | "just"
                        | "ok"
                        | "i'd"
                        | "would"
                        | "rather"
                        | "prefer"
                        | "to"
                        | "should"
                        | "must"
                        | "am"
                        | "i'm"
                        | "do"
                        | "try"
                        | "strictly"
                        | "definitely"
                        | "ideally"
                        | "like"
                )
        });
        let word = clause.words.get(not).map_or("", |word| word.low.as_str());
        let past = matches!(word, "didn't" | "wasn't" | "isn't" | "doesn't" | "nope" | "aren't" | "couldn't");
        head && !past
    }

    /// "Leaving at 5", "hard stop 17:30", "starting at 10".
    fn ends(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let (leave, begin) = (clause.has(Cue::Leave), clause.has(Cue::Begin));
        let stretch = clause.when.stretches.iter().find(|it| !it.past && it.shape != Shape::Days);
        let Some(stretch) = stretch.filter(|_| (leave || begin) && clause.verb().is_none_or(|_| leave)) else {
            return false;
        };
        if stretch.shape == Shape::Range {
            return false;
        }
        if let Who::Person(person) = who {
            let zone = self.notes.now.time_zone().clone();
            let beyond = |it: &Interval| {
                if leave {
                    Interval::new(it.start, day_end(it.start, &zone))
                } else {
                    Interval::new(day_start(it.start, &zone), it.start)
                }
            };
            let readings = stretch.readings.iter().map(|times| times.iter().map(beyond).collect()).collect();
            if let Some(when) = Readings::of(readings) {
                self.state(spot(line, clause), Rule::Blocked { name: None, who: Some(person.clone()), when }, wish);
            }
            return true;
        }
        let Some(at) = stretch.starts() else { return false };
        let rule = if leave { Rule::Deadline { task: None, by: at } } else { Rule::NotBefore { task: None, from: at } };
        self.state(spot(line, clause), rule, wish);
        true
    }

    /// Whether a clause tells how things are or were, so that nothing is to be done.
    fn is_told(&self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let boxed = matches!(line.form, Form::Item { boxed: true });
        let past = !clause.when.stretches.is_empty() && clause.when.stretches.iter().all(|it| it.past);
        let state = clause.has(Cue::State) && clause.verb().is_none();
        (state && !boxed && !line.todo) || (past && !clause.when.stretches.iter().any(|it| it.today))
    }

    /// Something at its time: "standup 9:30", "lunch with Ana 12–1".
    fn event(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let at_its_time = clause.when.stretches.iter().any(|it| {
            it.limit.is_none()
                && !it.past
                && (matches!(it.shape, Shape::Point | Shape::Range) || (it.shape == Shape::Part && names_event(clause)))
        });
        if !at_its_time || wish || clause.has(Cue::Due) || clause.has(Cue::Arrange) {
            return false;
        }
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let mut name = self.name_of(clause, &cut);
        if intent(&name).is_empty() {
            name = clause.text.trim().to_owned();
        }
        // On another day it takes none of today's time.
        let own =
            clause.when.stretches.iter().any(|it| it.limit.is_none() && it.shape != Shape::Days && self.is_of_plan(it));
        if own {
            self.take_place(line, clause, &name);
        }
        true
    }

    /// Whether a time lies today, or on a day for which the notes state hours.
    fn is_of_plan(&self, it: &Stretch) -> bool {
        it.today
            || self.notes.constraints.iter().rev().take(AVAILABILITIES_MAX).any(|constraint| {
                let Rule::Availability { when, .. } = &constraint.rule else { return false };
                when.iter()
                    .flatten()
                    .any(|open| it.readings.iter().flatten().any(|own| own.start < open.end && open.start <= own.end))
            })
    }

    fn take_place(&mut self, line: &Line<'a>, clause: &Clause<'_>, name: &str) {
        let length = clause
            .when
            .lengths
            .iter()
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
        let mut lasting = |it: &Interval| {
            if it.start < it.end {
                return *it;
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
                readings = product(&readings, &each);
            }
        }
        let Some(when) = Readings::of(readings) else { return };
        let with = self.with(clause);
        let place = self.place(clause);
        if either {
            self.ask(format!("\"{}\": which of the times holds?", clause.text.trim()));
        }
        if assumed {
            self.assume(format!("\"{name}\" is taken to last {usual} minutes"));
        }
        self.places.extend(place.clone());
        self.meetings.insert(name.to_owned());
        let rule = Rule::FixedEvent { name: name.to_owned(), when, with, place };
        self.line_event = self.state(spot(line, clause), rule, false).or(self.line_event);
    }

    /// "Ideally mornings", "I'd prefer after lunch": a wish for all of the day.
    fn wished(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let timed = clause.when.stretches.iter().any(|it| !it.past);
        let names = clause.verb().is_some()
            || self.name_of(clause, &[]).split_whitespace().any(|word| !is_small(&word.to_lowercase()));
        if !wish || !timed || names {
            return false;
        }
        self.open(line, clause, None, true);
        self.last = Some(Last::Available { who: None, wish: true });
        true
    }

    /// Something to do, and what is said of when.
    fn to_do(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) {
        let verb = clause.verb().is_some();
        let needed = (clause.has(Cue::Need) || clause.has(Cue::Due) || clause.has(Cue::Must)) && !clause.has(Cue::Not);
        let boxed = matches!(line.form, Form::Item { boxed: true });
        let listed = is_listed(line.form)
            && !clause.has(Cue::State)
            && (line.todo
                || !clause.when.lengths.is_empty()
                || clause.has(Cue::Urgent)
                || clause.has(Cue::Optional)
                || self.is_noun_item(line, clause));
        let asks = clause.text.trim_end().ends_with('?');
        if !(verb || needed || boxed || line.todo || listed) || line.parked || (asks && !verb) {
            return;
        }
        // What is to be done on another day is none of today's.
        let elsewhere = clause.when.stretches.iter().any(|it| it.limit.is_none() && !it.today && !it.past);
        if elsewhere && !clause.has(Cue::Arrange) {
            self.assume(format!("\"{}\" is for another day", clause.text.trim()));
            return;
        }
        if self.is_same_meeting(clause) {
            return;
        }
        let before = self.line_task;
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let Some(task) = self.task(line, clause, &cut) else { return };
        self.arranged |= clause.has(Cue::Arrange);
        if clause.then
            && let Some(first) = before
        {
            self.state(spot(line, clause), Rule::Order { first, then: task }, wish);
        }
        self.refer(line, clause, task, wish);
        for stretch in clause.when.stretches.iter().filter(|it| !it.past) {
            self.bound(line, clause, task, stretch, wish);
        }
    }

    /// "Find a time that works", "they would like to meet as early as they can": said of the meeting that is arranged already.
    fn is_same_meeting(&self, clause: &Clause<'_>) -> bool {
        let arranges =
            clause.has(Cue::Arrange) || clause.words.iter().any(|word| matches!(word.low.as_str(), "meet" | "meeting"));
        self.arranged
            && arranges
            && clause.when.lengths.is_empty()
            && self.people.among(clause.text, &clause.words).is_empty()
    }

    /// What a time beside a task makes of it: by when it is due, or when it may begin.
    fn bound(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, stretch: &Stretch, wish: bool) {
        let point = stretch.shape == Shape::Point;
        let due = clause.has(Cue::Due);
        let task = Some(task);
        let limit = stretch.limit.or(if due { Some(Limit::By) } else { None });
        let rule = match limit {
            Some(Limit::By | Limit::Until) => stretch.ends().map(|by| Rule::Deadline { task, by }),
            Some(Limit::Before) => stretch.starts().map(|by| Rule::Deadline { task, by }),
            Some(Limit::After) => {
                let from = if point { stretch.starts() } else { stretch.ends() };
                from.map(|from| Rule::NotBefore { task, from })
            }
            Some(Limit::From) => stretch.starts().map(|from| Rule::NotBefore { task, from }),
            None if matches!(stretch.shape, Shape::Part | Shape::Range) => {
                if let Some(from) = stretch.starts() {
                    self.state(spot(line, clause), Rule::NotBefore { task, from }, wish);
                }
                stretch.ends().map(|by| Rule::Deadline { task, by })
            }
            None => None,
        };
        if let Some(rule) = rule {
            self.state(spot(line, clause), rule, wish);
        }
    }

    /// "Groceries", "tax return": an item that names a thing and says nothing of it.
    fn is_noun_item(&self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let item = matches!(line.form, Form::Item { .. });
        let says = clause.words.iter().any(|word| {
            matches!(
                word.low.as_str(),
                "is" | "are"
                    | "was"
                    | "were"
                    | "be"
                    | "been"
                    | "i"
                    | "i'm"
                    | "we"
                    | "it"
                    | "it's"
                    | "that"
                    | "has"
                    | "had"
                    | "will"
                    | "would"
                    | "can"
                    | "you"
                    | "they"
                    | "he"
                    | "she"
                    | "because"
                    | "if"
                    | "why"
                    | "how"
                    | "what"
                    | "who"
                    | "this"
                    | "not"
                    | "no"
            )
        });
        let long = clause.words.len() > NOUN_ITEM_WORDS_MAX;
        let dated = clause.when.stretches.iter().any(|it| !it.past && it.limit.is_some());
        item && !says && !long && (clause.words.len() <= 6 || dated)
    }
}

/// Longest item without a verb that is a task, in words.
const NOUN_ITEM_WORDS_MAX: usize = 10;

/// Most words of what is excluded.
const EXCLUDED_WORDS_MAX: usize = 4;

/// Constraints that are looked at for stated hours.
const AVAILABILITIES_MAX: usize = 200;

fn at_start(rule: &Rule) -> Option<Timestamp> {
    let Rule::FixedEvent { when, .. } = rule else { return None };
    when.first().first().map(|it| it.start)
}

fn spot<'l, 'a>(line: &'l Line<'a>, clause: &Clause<'_>) -> Spot<'l, 'a> {
    Spot { line, start: clause.at, end: clause.at + clause.text.len() }
}

/// The words that state hours, which are no part of a task's name.
fn hours_words(clause: &Clause<'_>) -> Vec<Range<usize>> {
    let hours = clause.hits.iter().filter(|hit| hit.cue == Cue::Hours).filter_map(|hit| span_of(clause, &hit.words));
    let joined = clause
        .words
        .iter()
        .filter(|word| matches!(word.low.as_str(), "between" | "either" | "or"))
        .map(|word| word.range.clone());
    hours.chain(joined).collect()
}

/// The denial of a clause, by its words; "don't forget to" denies nothing, nor does "no later than".
fn denial(clause: &Clause<'_>) -> Option<Range<usize>> {
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

fn is_small(word: &str) -> bool {
    word.len() < 3
        || matches!(
            word,
            "the"
                | "any"
                | "for"
                | "and"
                | "please"
                | "but"
                | "not"
                | "all"
                | "day"
                | "would"
                | "i'd"
                | "like"
                | "rather"
                | "prefer"
                | "ideally"
                | "preferably"
                | "best"
                | "then"
                | "things"
                | "start"
                | "keep"
        )
}

fn is_head_verb(clause: &Clause<'_>) -> bool {
    clause.verb().is_some_and(|at| clause.hit(Cue::Busy).is_none_or(|hit| hit.words.start > at + 1))
}

/// Sentences about the plan or answer that is asked for, not about the day.
fn is_of_the_answer(clause: &Clause<'_>) -> bool {
    let low: Vec<&str> = clause.words.iter().take(4).map(|word| word.low.as_str()).collect();
    let owned =
        matches!(low[..], ["your" | "the", "response" | "answer" | "output" | "reply" | "solution" | "plan", ..]);
    let makes = matches!(
        low[..],
        [
            "find"
                | "make"
                | "give"
                | "create"
                | "propose"
                | "suggest"
                | "produce"
                | "solve"
                | "generate"
                | "show"
                | "ignore"
                | "pretend",
            ..
        ]
    );
    let of_plan = clause.words.iter().skip(1).take(6).any(|word| {
        matches!(
            word.low.as_str(),
            "plan"
                | "schedule"
                | "itinerary"
                | "time"
                | "slot"
                | "problem"
                | "solution"
                | "constraints"
                | "instructions"
                | "rules"
        )
    });
    owned || (makes && of_plan)
}

/// All stretches of a clause that are not over, as the readings of one time: each of the first with each of the next.
fn together(clause: &Clause<'_>, times: impl Fn(&Stretch) -> Option<Readings<Times>>) -> Option<Readings<Times>> {
    let mut readings: Vec<Times> = Vec::new();
    for stretch in clause.when.stretches.iter().filter(|it| !it.past) {
        let each: Vec<Times> = times(stretch)?.iter().cloned().collect();
        readings = if readings.is_empty() { each } else { product(&readings, &each) };
    }
    readings.retain(|times| !times.is_empty());
    Readings::of(readings)
}

/// Most readings of one statement.
const READINGS_MAX: usize = 8;

fn product(a: &[Times], b: &[Times]) -> Vec<Times> {
    let mut out = Vec::new();
    for first in a {
        for then in b {
            if out.len() < READINGS_MAX {
                out.push([first.clone(), then.clone()].concat());
            }
        }
    }
    out
}
