//! Hours that are open for work, when somebody is free, and when somebody leaves.

use std::ops::Range;

use steadfast_time::Limit;

use super::clauses::{Clause, together};
use super::cues::Cue;
use super::lines::{Form, Line};
use super::statement::{Who, spot};
use super::tasks::span_of;
use super::when::{Shape, Stretch, day_end, day_start};
use super::{Last, Reader};
use crate::list::List;
use crate::model::{Readings, Rule, Times};
use crate::window::Interval;

/// Words with which people say when they work, and nothing else: a clause of these and of times states hours.
const WORKING: List = List("working");

/// Words of which one at least must stand beside a time that bounds the day.
const BOUNDS: List = List("day-bound");

/// The others of them: those that end it.
const ENDING: List = List("day-end");

/// A range as long as this or longer is the hours of the day.
const DAY_LONG_MINUTES_MIN: i64 = 360;

/// What may take up a day by itself.
const LONG_EVENTS: List = List("long-event");

/// Words that deny that work begins.
const DENYING: &[&str] = &["can't", "cannot", "not", "before", "don't", "won't", "earlier", "than"];

/// Where people work.
const PLACES: &[&str] = &[
    "office", "desk", "shop", "store", "studio", "lab", "campus", "clinic", "hospital", "library", "ward", "site",
    "work", "working", "shift", "school", "home", "wfh", "hours", "workshop", "salon", "garage", "kitchen", "court",
];

/// Longest statement of long hours at a place, in words beside the times.
const PLACED_WORDS_MAX: usize = 6;

/// A range without a word beside it is the hours of the day where it is at least so long.
const BARE_HOURS_MINUTES_MIN: i64 = 180;

/// Longest line that says nothing but the hours of the day, in bytes.
const HOURS_LINE_BYTES_MAX: usize = 80;

/// Longest clause that puts everything before a time, in words.
const EVERYTHING_WORDS_MAX: usize = 8;

/// "Office hours" as long as this or longer are hours of work; shorter ones are an event.
const OFFICE_HOURS_MINUTES_MIN: i64 = 240;

impl<'a> Reader<'a> {
    /// "I work 9 to 18", "at my desk from 9", "leaving at 5", "in the office until 4, then home".
    pub(super) fn own_hours(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let back = clause.has(Cue::Gone) || clause.words.iter().take(3).any(|word| word.low == "back");
        if back && *who == Who::Own && self.comes_back(clause) {
            return true;
        }
        // "Gone until 4": time that is taken, from an event on or from now.
        let away = clause.words.iter().any(|word| matches!(word.low.as_str(), "gone" | "away" | "back"));
        if clause.has(Cue::Gone) && (self.line_event.is_some() || away) {
            return false;
        }
        let times: Vec<&Stretch> =
            clause.when.stretches.iter().filter(|it| !it.past && it.today && it.shape != Shape::Days).collect();
        let last = times.last().map_or(0, |it| it.span.end);
        // "Out the door at 4:45 and not coming back": what is denied after the time changes nothing of it.
        let denied = clause
            .hits
            .iter()
            .any(|hit| hit.cue == Cue::Not && !clause.in_time(hit) && clause.words[hit.words.start].range.start < last);
        if *who != Who::Own || times.is_empty() || denied || clause.has(Cue::Guard) {
            return false;
        }
        let brackets = brackets(clause.text);
        let trailing =
            clause.hits.iter().find(|hit| hit.cue == Cue::Not && clause.words[hit.words.start].range.start >= last);
        let until = trailing.map_or(clause.words.len(), |hit| hit.words.start);
        let said: Vec<(usize, &str)> = clause
            .words
            .iter()
            .enumerate()
            .take(until)
            .filter(|(_, word)| !clause.is_timed(word) && !brackets.iter().any(|it| it.contains(&word.range.start)))
            .map(|(at, word)| (at, word.low.as_str()))
            .collect();
        let bounds = said.iter().any(|(_, word)| bounds_day(word));
        let bare = said.iter().all(|(_, word)| matches!(*word, "today" | "my" | "day" | "i'm" | "on"));
        let only_ranges = times.iter().all(|it| it.shape == Shape::Range && it.limit.is_none());
        let minutes: i64 = times.iter().filter_map(|it| it.readings.first()?.first()).map(|it| it.minutes()).sum();
        // "In the Leeds office today, 9.30 till half five": long hours at a place of work.
        let placed = only_ranges
            && minutes >= OFFICE_HOURS_MINUTES_MIN
            && said.iter().any(|(_, word)| PLACES.contains(word))
            && clause.verb().is_none_or(|at| clause.words[at].low == "work")
            && said.len() <= PLACED_WORDS_MAX;
        // Nothing that one attends lasts so long, but for what says so.
        let day_long = only_ranges
            && minutes >= DAY_LONG_MINUTES_MIN
            && !said.iter().any(|(_, word)| LONG_EVENTS.contains(word))
            && said.len() <= PLACED_WORDS_MAX
            && clause
                .verb()
                .is_none_or(|at| matches!(clause.words[at].low.as_str(), "work" | "plan" | "start" | "study"));
        let placed = placed || day_long;
        if !placed && (!(bounds || bare) || !said.iter().all(|(_, word)| is_working(word))) {
            return false;
        }
        if said
            .iter()
            .any(|(at, word)| *word == "hours" && at.checked_sub(1).is_some_and(|at| clause.words[at].low == "office"))
        {
            return false;
        }
        // "Out 12 to 1:15": gone for that time.
        if only_ranges && said.iter().any(|(_, word)| matches!(*word, "out" | "gone" | "off" | "away")) && !day_long {
            self.block(line, clause, None, None, wish);
            self.last = Some(Last::Blocked { who: None, wish });
            return true;
        }
        if only_ranges {
            let named = said.iter().any(|(_, word)| bounds_day(word) && *word != "day") || day_long;
            if !named && (minutes < BARE_HOURS_MINUTES_MIN || !clause_is_line(line, clause)) {
                return false;
            }
            // "Work 9–5. After work: …": who plans around it is at it then.
            if let Some(held) = self.held_by(&said).filter(|_| !wish) {
                self.block(line, clause, Some(held), None, false);
                return true;
            }
            self.open(line, clause, None, wish);
            self.last = Some(Last::Available { who: None, wish });
            return true;
        }
        // "…, done by 6" beside a task says when that is done.
        let of_task = self.line_task.is_some()
            && said
                .iter()
                .all(|(_, word)| matches!(*word, "done" | "out" | "finish" | "by" | "must" | "be" | "need" | "to"));
        if bare || of_task {
            return false;
        }
        // "15:10 leave for school": the way to something.
        let of_way = |two: &[(usize, &str)]| two[0].1.starts_with("leav") && matches!(two[1].1, "for" | "to");
        if !only_ranges
            && said.windows(2).any(of_way)
            && said.last().is_some_and(|(_, word)| !matches!(*word, "day" | "home"))
        {
            return false;
        }
        for stretch in times {
            if stretch.shape == Shape::Range && stretch.limit.is_none() {
                return false;
            }
            let before = said.iter().rev().find(|(at, word)| {
                clause.words[*at].range.start < stretch.span.end && bounds_day(word) && *word != "day"
            });
            let ending = before.is_some_and(|(_, word)| ENDING.contains(word));
            // "Out from 11:30": who goes then.
            let goes = before.is_some_and(|(_, word)| matches!(*word, "out" | "gone" | "off" | "leave" | "leaving"));
            let until = match stretch.limit {
                Some(Limit::From | Limit::After) if goes => true,
                Some(Limit::By | Limit::Until | Limit::Before) => true,
                Some(Limit::From | Limit::After) => false,
                None => ending,
            };
            let rule = if until {
                let by = if stretch.limit == Some(Limit::Before) || stretch.shape == Shape::Point {
                    stretch.starts()
                } else {
                    stretch.ends()
                };
                by.map(|by| Rule::Deadline { task: None, by })
            } else {
                stretch.starts().map(|from| Rule::NotBefore { task: None, from })
            };
            let Some(rule) = rule else { continue };
            let at = if let Rule::Deadline { by, .. } = &rule { Some(*by.first()) } else { None };
            let leaves = said
                .iter()
                .any(|(_, word)| matches!(*word, "leave" | "leaving" | "out" | "head" | "heading" | "go" | "going"));
            if let (Some(constraint), Some(at), true) =
                (self.state(spot(line, clause), rule, wish), at, leaves && !wish)
            {
                self.departs(constraint, at, Vec::new());
            }
        }
        true
    }

    /// "Siobhán in the Dublin office 9–5": when somebody else is at work.
    pub(super) fn others_hours(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let named = super::people::run(&clause.words, 0);
        let Some(person) = self.people.person(clause.text, &clause.words, &named) else { return false };
        let place = clause.words.get(named.end).is_some_and(|word| matches!(word.low.as_str(), "in" | "at" | "on"))
            && clause.words.iter().any(|word| PLACES.contains(&word.low.as_str()));
        let [stretch] = &clause.when.stretches[..] else { return false };
        let minutes = stretch.readings.first().and_then(|times| times.first()).map_or(0, |it| it.minutes());
        let long = stretch.shape == Shape::Range && stretch.limit.is_none() && minutes >= OFFICE_HOURS_MINUTES_MIN;
        if !place || !long || clause.verb().is_some() {
            return false;
        }
        self.open(line, clause, Some(person), false);
        true
    }

    /// "Short day, 10–16": a range beside words that speak of the day alone.
    pub(super) fn hours_of_line(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if self.line_task.is_some() || self.line_event.is_some() || line.text.len() > HOURS_LINE_BYTES_MAX {
            return false;
        }
        let all = super::words::words(&line.text);
        let own = clause.at..clause.at + clause.text.len();
        let of_day = |low: &str| {
            is_working(low)
                || matches!(low, "short" | "long" | "half" | "full" | "busy" | "quiet" | "easy" | "late" | "early")
        };
        let others: Vec<&str> =
            all.iter().filter(|word| !own.contains(&word.range.start)).map(|word| word.low.as_str()).collect();
        let minutes: i64 =
            clause.when.stretches.iter().filter_map(|it| it.readings.first()?.first()).map(|it| it.minutes()).sum();
        let says =
            others.is_empty() || others.iter().any(|low| bounds_day(low)) && others.iter().all(|low| of_day(low));
        if !says || minutes < BARE_HOURS_MINUTES_MIN {
            return false;
        }
        self.open(line, clause, None, false);
        self.last = Some(Last::Available { who: None, wish: false });
        true
    }

    /// "So only 9–11:30": the only time there is.
    pub(super) fn only(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let head = clause
            .words
            .iter()
            .find(|word| !matches!(word.low.as_str(), "so" | "and" | "but" | "that" | "means" | "leaves" | "me"));
        let ranges = clause.when.stretches.iter().all(|it| it.shape == Shape::Range && it.limit.is_none())
            && !clause.when.stretches.is_empty();
        let small = clause.words.iter().all(|word| {
            clause.is_timed(word) || is_working(&word.low) || matches!(word.low.as_str(), "that" | "means" | "leaves")
        });
        if !(ranges && small && head.is_some_and(|word| word.low == "only")) {
            return false;
        }
        self.open(line, clause, None, false);
        self.last = Some(Last::Available { who: None, wish: false });
        true
    }

    /// "Taxi 16:15, so everything before that": all of it by the time that was named last.
    pub(super) fn everything(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        let all = low.iter().take(4).any(|word| matches!(*word, "everything" | "all"));
        let joined =
            low.windows(2).any(|pair| matches!(pair[0], "by" | "before") && matches!(pair[1], "then" | "that"));
        // "… so everything else is after that".
        let after = low.windows(2).any(|pair| pair[0] == "after" && matches!(pair[1], "that" | "then"));
        if all && after && low.len() <= EVERYTHING_WORDS_MAX {
            let last = self.notes.constraints.iter().rev().find_map(|own| match &own.rule {
                Rule::Blocked { who: None, when, .. } | Rule::FixedEvent { when, .. } => {
                    Readings::of(when.iter().filter_map(|times| times.last().map(|it| it.end)).collect())
                }
                _ => None,
            });
            return last.is_some_and(|from| {
                self.state(spot(line, clause), Rule::NotBefore { task: None, from }, false).is_some()
            });
        }
        let (Some(by), true) = (self.last_time.clone(), all && joined && low.len() <= EVERYTHING_WORDS_MAX) else {
            return false;
        };
        self.state(spot(line, clause), Rule::Deadline { task: None, by }, false);
        true
    }

    /// "Hard stop 17:30 because of the train", "Sam leaves at 4": words beside those that bound the day.
    pub(super) fn ends(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let (leave, begin) = (clause.has(Cue::Leave), clause.has(Cue::Begin));
        let stretch = clause.when.stretches.iter().find(|it| !it.past && it.shape != Shape::Days);
        let Some(stretch) = stretch.filter(|_| leave || begin) else { return false };
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
        // What else is named, up to the reason, is what is to be done or out by then.
        let reason = clause
            .words
            .iter()
            .position(|word| matches!(word.low.as_str(), "because" | "since" | "for" | "due" | "as" | "so"));
        let until = reason.unwrap_or(clause.words.len());
        let cued = |at: usize| {
            clause.hits.iter().any(|hit| {
                matches!(hit.cue, Cue::Leave | Cue::Begin | Cue::Must | Cue::Need | Cue::Today)
                    && hit.words.contains(&at)
            })
        };
        let end = stretch.span.end;
        let mut own =
            clause.words.iter().enumerate().take(until).take_while(|(_, word)| word.range.start < end || !word.parted);
        let named = own.any(|(at, word)| {
            let low = word.low.as_str();
            !cued(at) && !clause.is_timed(word) && !is_working(low) && !DENYING.contains(&low)
        });
        if named {
            return false;
        }
        let Some(at) = stretch.starts() else { return false };
        let first = *at.first();
        let rule = if leave { Rule::Deadline { task: None, by: at } } else { Rule::NotBefore { task: None, from: at } };
        if let (Some(constraint), true) = (self.state(spot(line, clause), rule, wish), leave && !wish) {
            self.departs(constraint, first, Vec::new());
        }
        true
    }

    /// "I'm only free 9–12", "between the work hours of 9:00 to 17:00".
    pub(super) fn available(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
        let hours = clause.has(Cue::Hours);
        let clocked = clause.when.stretches.iter().filter(|it| it.shape != Shape::Days);
        let minutes: i64 = clocked.filter_map(|it| it.readings.first()?.first()).map(|it| it.minutes()).sum();
        let offered = clause.words.windows(2).any(|pair| pair[0].low == "office" && pair[1].low == "hours");
        if offered && *who == Who::Own && (1..OFFICE_HOURS_MINUTES_MIN).contains(&minutes) {
            self.take_place(line, clause, "office hours");
            return true;
        }
        let denied = clause.has(Cue::Not) || clause.has(Cue::Guard) || (clause.has(Cue::Busy) && !hours);
        if !(hours || clause.has(Cue::Free)) || denied {
            return false;
        }
        let timed =
            clause.when.stretches.iter().any(|it| !it.past && (it.shape != Shape::Days || clause.has(Cue::Free)));
        // "The autoclave is only free from 13:00": of something else.
        let free = clause.hit(Cue::Free).map_or(0, |hit| hit.words.start);
        let thing = clause.words.iter().take(free).any(|word| !clause.is_timed(word) && !is_working(&word.low));
        if thing && !hours && *who == Who::Own && line.form != Form::Prose {
            return false;
        }
        // "I've got the plumber at ten" says no hours.
        let bounded =
            clause.when.stretches.iter().any(|it| !it.past && (it.limit.is_some() || it.shape != Shape::Point));
        if !bounded && *who == Who::Own && !clause.has(Cue::Whole) {
            return false;
        }
        let arranged = clause.has(Cue::Arrange) || (clause.verb().is_some() && !clause.has(Cue::Free));
        if clause.has(Cue::Whole) || !timed {
            // Somebody who is free all the time is limited by nothing.
            return !hours && (clause.has(Cue::Whole) || matches!(who, Who::Person(_)));
        }
        // "…, open 10-13 and 15-18": the hours of what the line says is to be done.
        let opens = clause.at > 0 && clause.words.first().is_some_and(|word| word.low == "open");
        let task = self.line_task.filter(|_| opens && !wish && *who == Who::Own && line.form != Form::Prose);
        let zone = self.notes.now.time_zone().clone();
        if let (Some(task), Some(when)) = (task, together(clause, |it| it.times(&zone))) {
            self.state(spot(line, clause), Rule::TaskTimes { tasks: vec![task], when, only: true }, false);
            self.lengths(line, clause, task);
            return true;
        }
        self.open(line, clause, who.name(), wish);
        self.last = Some(Last::Available { who: who.name(), wish });
        self.arranged |= arranged;
        if arranged && let Some(task) = self.task(line, clause, &hours_words(clause)) {
            self.refer(line, clause, task, wish);
        }
        true
    }

    pub(super) fn open(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: Option<String>, wish: bool) {
        let zone = self.notes.now.time_zone().clone();
        let Some(mut when) = together(clause, |it| it.times(&zone)) else { return };
        // "From noon until 5": both bound one window.
        let begins = |it: &Stretch| matches!(it.limit, Some(Limit::From | Limit::After));
        let ends = |it: &Stretch| matches!(it.limit, Some(Limit::By | Limit::Until | Limit::Before));
        if let [a, b] = &clause.when.stretches[..]
            && (begins(a) && ends(b) || ends(a) && begins(b))
            && let (Some(a), Some(b)) = (a.times(&zone), b.times(&zone))
        {
            let both = a.iter().flat_map(|a| {
                b.iter().map(|b| {
                    crate::window::shared(&crate::window::merged(a.clone()), &crate::window::merged(b.clone()))
                })
            });
            if let Some(bounded) = Readings::of(both.filter(|times| !times.is_empty()).collect()) {
                when = bounded;
            }
        }
        if who.is_none() && !wish {
            self.remember_hours(&when);
        }
        self.state(spot(line, clause), Rule::Availability { who, when }, wish);
    }

    /// Hours by the clock, to settle other times by.
    pub(super) fn remember_hours(&mut self, when: &Readings<Times>) {
        let zone = self.notes.now.time_zone();
        let Some(first) = when.first().first() else { return };
        let (start, end) = (first.start.to_zoned(zone.clone()), first.end.to_zoned(zone.clone()));
        if start.date() == end.date() {
            self.hours = Some((start.time(), end.time()));
        }
    }
}

/// The first brackets of a text.
fn brackets(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('(').filter(|_| out.len() < BRACKETS_MAX) {
        let end = text[at + open..].find(')').map_or(text.len(), |close| at + open + close + 1);
        out.push(at + open..end);
        at = end;
    }
    out
}

/// Most brackets of a clause that are looked at.
const BRACKETS_MAX: usize = 8;

/// Whether a word beside a time bounds the day by it.
fn bounds_day(word: &str) -> bool {
    BOUNDS.contains(word) || ENDING.contains(word)
}

fn is_working(word: &str) -> bool {
    WORKING.contains(word)
}

/// Whether a clause is all of its line.
fn clause_is_line(line: &Line<'_>, clause: &Clause<'_>) -> bool {
    line.text.trim().trim_end_matches(['.', '!']).len() <= clause.text.trim().len()
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
