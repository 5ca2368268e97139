//! Hours that are open for work, when somebody is free, and when somebody leaves.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::Limit;

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::{Form, Line};
use super::statement::{Who, spot, together};
use super::tasks::span_of;
use super::when::{Shape, Stretch, day_end, day_start};
use super::{Last, Reader};
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after, minutes_between};

/// Words with which people say when they work, and nothing else: a clause of these and of times states hours.
const WORKING: &[&str] = &[
    "signing",
    "sign",
    "til",
    "since",
    "telework",
    "remote",
    "remotely",
    "desk",
    "ish",
    "a",
    "afternoon",
    "early",
    "full",
    "half",
    "late",
    "long",
    "short",
    "all",
    "am",
    "and",
    "any",
    "anyway",
    "around",
    "as",
    "at",
    "available",
    "back",
    "be",
    "been",
    "begin",
    "beginning",
    "by",
    "campus",
    "can",
    "clinic",
    "clock",
    "clocking",
    "day",
    "desk",
    "do",
    "done",
    "door",
    "end",
    "ending",
    "ends",
    "finish",
    "finishing",
    "for",
    "free",
    "from",
    "get",
    "getting",
    "go",
    "going",
    "gone",
    "gotta",
    "hard",
    "have",
    "head",
    "heading",
    "here",
    "home",
    "hospital",
    "hours",
    "i",
    "i'll",
    "i'm",
    "i've",
    "im",
    "in",
    "is",
    "it",
    "just",
    "knock",
    "knocking",
    "lab",
    "latest",
    "leave",
    "leaving",
    "library",
    "login",
    "logoff",
    "logout",
    "hometime",
    "log",
    "logging",
    "me",
    "must",
    "my",
    "need",
    "normal",
    "now",
    "of",
    "off",
    "office",
    "on",
    "online",
    "only",
    "out",
    "over",
    "rest",
    "school",
    "shall",
    "sharp",
    "shift",
    "shop",
    "shut",
    "shutting",
    "site",
    "slot",
    "so",
    "start",
    "starting",
    "starts",
    "stop",
    "stopping",
    "store",
    "strictly",
    "studio",
    "sure",
    "tends",
    "the",
    "then",
    "there",
    "till",
    "time",
    "to",
    "today",
    "today's",
    "until",
    "up",
    "usual",
    "ward",
    "we",
    "we'll",
    "we're",
    "when",
    "will",
    "window",
    "wfh",
    "with",
    "work",
    "working",
    "works",
];

/// Words of which one at least must stand beside a time that bounds the day.
const BOUNDS: &[&str] = &[
    "signing",
    "sign",
    "telework",
    "in",
    "work",
    "working",
    "works",
    "hours",
    "shift",
    "desk",
    "office",
    "online",
    "start",
    "starting",
    "starts",
    "begin",
    "beginning",
    "finish",
    "finishing",
    "end",
    "ending",
    "ends",
    "leave",
    "leaving",
    "stop",
    "stopping",
    "log",
    "login",
    "logout",
    "logoff",
    "hometime",
    "door",
    "logging",
    "done",
    "off",
    "out",
    "home",
    "gone",
    "here",
    "site",
    "shop",
    "store",
    "studio",
    "lab",
    "campus",
    "clinic",
    "hospital",
    "library",
    "ward",
    "head",
    "heading",
    "knock",
    "knocking",
    "clock",
    "clocking",
    "wfh",
    "shut",
    "shutting",
    "day",
];

/// Of these, those that end it.
const ENDING: &[&str] = &[
    "signing",
    "sign",
    "finish",
    "logout",
    "logoff",
    "hometime",
    "door",
    "finishing",
    "end",
    "ending",
    "ends",
    "leave",
    "leaving",
    "stop",
    "stopping",
    "done",
    "off",
    "out",
    "home",
    "gone",
    "head",
    "heading",
    "knock",
    "knocking",
    "shut",
    "shutting",
];

/// A range as long as this or longer is the hours of the day.
const DAY_LONG_MINUTES_MIN: i64 = 360;

/// What may take up a day by itself.
const LONG_EVENTS: &[&str] = &[
    "flight",
    "train",
    "conference",
    "training",
    "course",
    "exam",
    "wedding",
    "trip",
    "travel",
    "travelling",
    "festival",
    "fair",
    "retreat",
    "hackathon",
    "offsite",
    "away",
    "out",
    "gone",
    "busy",
    "blocked",
    "unavailable",
    "closed",
    "sleep",
    "party",
    "surgery",
    "power",
    "outage",
    "maintenance",
    "deployment",
    "freeze",
    "kids",
    "babysitting",
];

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

/// Somebody who leaves for something that begins within so many minutes is on the way until then.
const WAY_MINUTES_MAX: i64 = 120;

/// How long a way takes of which nothing else is said, in minutes.
const WAY_MINUTES: i64 = 30;

/// Longest line that says nothing but the hours of the day, in bytes.
const HOURS_LINE_BYTES_MAX: usize = 80;

/// Longest clause that puts everything before a time, in words.
const EVERYTHING_WORDS_MAX: usize = 8;

/// "Office hours" as long as this or longer are hours of work; shorter ones are an event.
const OFFICE_HOURS_MINUTES_MIN: i64 = 240;

/// Somebody leaves: what was stated of it, until it is known what for.
#[derive(Clone, Debug)]
pub(super) struct Departure {
    /// Its constraint.
    constraint: usize,
    /// When.
    at: Timestamp,
    /// What for, as stems.
    purpose: Vec<String>,
    /// Whether the line speaks of an event as well.
    beside: Option<usize>,
    /// Whether it is said when somebody comes back.
    returns: bool,
}

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
        if *who != Who::Own || times.is_empty() || clause.has(Cue::Not) || clause.has(Cue::Guard) {
            return false;
        }
        let brackets = brackets(clause.text);
        let said: Vec<(usize, &str)> = clause
            .words
            .iter()
            .enumerate()
            .filter(|(_, word)| !clause.is_timed(word) && !brackets.iter().any(|it| it.contains(&word.range.start)))
            .map(|(at, word)| (at, word.low.as_str()))
            .collect();
        let bounds = said.iter().any(|(_, word)| BOUNDS.contains(word));
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
        if !placed && (!(bounds || bare) || !said.iter().all(|(_, word)| WORKING.contains(word))) {
            return false;
        }
        if said
            .iter()
            .any(|(at, word)| *word == "hours" && at.checked_sub(1).is_some_and(|at| clause.words[at].low == "office"))
        {
            return false;
        }
        if only_ranges {
            let named = said.iter().any(|(_, word)| BOUNDS.contains(word) && *word != "day") || day_long;
            if !named && (minutes < BARE_HOURS_MINUTES_MIN || !clause_is_line(line, clause)) {
                return false;
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
        for stretch in times {
            if stretch.shape == Shape::Range && stretch.limit.is_none() {
                return false;
            }
            let before = said.iter().rev().find(|(at, word)| {
                clause.words[*at].range.start < stretch.span.end && BOUNDS.contains(word) && *word != "day"
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

    /// "Short day, 10–16": a range beside words that speak of the day alone.
    pub(super) fn hours_of_line(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if self.line_task.is_some() || self.line_event.is_some() || line.text.len() > HOURS_LINE_BYTES_MAX {
            return false;
        }
        let all = super::words::words(&line.text);
        let own = clause.at..clause.at + clause.text.len();
        let of_day = |low: &str| {
            WORKING.contains(&low)
                || matches!(low, "short" | "long" | "half" | "full" | "busy" | "quiet" | "easy" | "late" | "early")
        };
        let others: Vec<&str> =
            all.iter().filter(|word| !own.contains(&word.range.start)).map(|word| word.low.as_str()).collect();
        let minutes: i64 =
            clause.when.stretches.iter().filter_map(|it| it.readings.first()?.first()).map(|it| it.minutes()).sum();
        let says =
            others.is_empty() || others.iter().any(|low| BOUNDS.contains(low)) && others.iter().all(|low| of_day(low));
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
            clause.is_timed(word)
                || WORKING.contains(&word.low.as_str())
                || matches!(word.low.as_str(), "that" | "means" | "leaves")
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
        let (Some(by), true) = (self.last_time.clone(), all && joined && low.len() <= EVERYTHING_WORDS_MAX) else {
            return false;
        };
        self.state(spot(line, clause), Rule::Deadline { task: None, by }, false);
        true
    }

    fn departs(&mut self, constraint: usize, at: Timestamp, purpose: Vec<String>) {
        self.departures.push(Departure { constraint, at, purpose, beside: self.line_event, returns: false });
        self.line_departure = Some(constraint);
    }

    /// "Leave at 14:50 for the pick-up", "leaving for the station at 15:20": the way to something.
    pub(super) fn leaves_for(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who) -> bool {
        let Some(leave) = clause.hit(Cue::Leave).cloned() else { return false };
        let stretch = clause.when.stretches.iter().find(|it| {
            !it.past && it.shape == Shape::Point && it.span.start >= clause.words[leave.words.start].range.end
        });
        let purpose = clause
            .words
            .iter()
            .enumerate()
            .skip(leave.words.end)
            .find(|(_, word)| matches!(word.low.as_str(), "for" | "to") && !clause.is_timed(word));
        let (Some(stretch), Some((joint, _)), Who::Own) = (stretch, purpose, who) else { return false };
        let named = clause.words.get(joint + 1..).unwrap_or_default();
        let name: Vec<&str> = named
            .iter()
            .take_while(|word| !clause.is_timed(word) && !word.parted)
            .map(|word| word.low.as_str())
            .collect();
        if name.is_empty()
            || name.iter().all(|word| matches!(*word, "the" | "day" | "home" | "good" | "today" | "be" | "my"))
        {
            return false;
        }
        // "Leave by 4:30 for the dentist at 5": what has a time of its own is an event too.
        let own: Vec<Range<usize>> = clause
            .when
            .stretches
            .iter()
            .filter(|it| {
                it.span.start > clause.words[joint].range.start && it.limit.is_none() && it.span != stretch.span
            })
            .map(|it| it.span.clone())
            .collect();
        let name = name.join(" ");
        if let Some(span) = own.first() {
            self.arrives(line, clause, name.trim_start_matches("the ").trim_start_matches("my "), span);
        }
        let Some(at) = stretch.starts() else { return false };
        let first = *at.first();
        let when: Vec<Times> = at.iter().map(|at| vec![Interval::new(*at, minutes_after(*at, WAY_MINUTES))]).collect();
        let Some(when) = Readings::of(when) else { return false };
        let rule = Rule::Blocked { name: Some(format!("way to {name}")), who: None, when };
        if let Some(constraint) = self.state(spot(line, clause), rule, false) {
            self.departs(constraint, first, intent(&name));
        }
        true
    }

    /// Who comes back ends the time that a departure began.
    pub(super) fn comes_back(&mut self, clause: &Clause<'_>) -> bool {
        let Some(at) = self.line_departure else { return false };
        let Some(departure) = self.departures.iter().position(|it| it.constraint == at) else { return false };
        let start = self.departures[departure].at;
        let Some(until) = clause.when.stretches.iter().find_map(Stretch::ends) else { return false };
        let readings: Vec<Times> =
            until.iter().filter(|end| **end > start).map(|end| vec![Interval::new(start, *end)]).collect();
        let (Some(when), Some(constraint)) = (Readings::of(readings), self.notes.constraints.get_mut(at)) else {
            return false;
        };
        constraint.rule = Rule::Blocked { name: Some("away".to_owned()), who: None, when };
        self.departures[departure].returns = true;
        true
    }

    /// "Before I leave": by the time at which the one who plans goes.
    pub(super) fn before_leaving(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        let goes = low.windows(3).any(|three| {
            three[0] == "before"
                && matches!(three[1], "i" | "we")
                && matches!(three[2], "leave" | "go" | "head" | "set")
        }) || low.windows(2).any(|two| two[0] == "before" && two[1] == "leaving");
        if let (true, Some(quote)) = (goes, self.quote(spot(line, clause))) {
            self.before_leaving.push((task, quote));
        }
    }

    fn settle_leaving(&mut self) {
        let first = self.departures.iter().map(|it| it.at).min();
        let end = self.notes.constraints.iter().find_map(|it| match &it.rule {
            Rule::Deadline { task: None, by } => Some(*by.first()),
            _ => None,
        });
        let Some(at) = first.or(end) else { return };
        for (task, quote) in std::mem::take(&mut self.before_leaving) {
            let id = format!("c{}", self.notes.constraints.len() + 1);
            let rule = Rule::Deadline { task: Some(task), by: Readings::unique(at) };
            self.deadlines.insert(quote.text().to_owned());
            self.notes.constraints.push(crate::model::Constraint { id, rule, quote: Some(quote), hard: true });
        }
    }

    /// What people leave for: an event of the line or of the same name, else the next one that is near, takes the time from
    /// their leaving; where there is none, who only leaves is gone for the day.
    pub(super) fn settle_departures(&mut self) {
        self.settle_leaving();
        for departure in std::mem::take(&mut self.departures).into_iter().filter(|it| !it.returns) {
            let start_of = |at: usize| match &self.notes.constraints.get(at)?.rule {
                Rule::FixedEvent { name, when, .. } => Some((name.clone(), when.first().first()?.start)),
                _ => None,
            };
            let near = |at: usize| {
                let (name, start) = start_of(at)?;
                let minutes = minutes_between(departure.at, start);
                (0..=WAY_MINUTES_MAX).contains(&minutes).then_some((name, start))
            };
            let all = 0..self.notes.constraints.len();
            let alike = || {
                all.clone().find_map(|at| {
                    let (name, start) = near(at)?;
                    intent(&name).iter().any(|stem| departure.purpose.contains(stem)).then_some((name, start))
                })
            };
            let next = || all.clone().filter_map(near).min_by_key(|(_, start)| *start);
            let found = departure
                .beside
                .and_then(near)
                .or_else(alike)
                .or_else(|| if departure.purpose.is_empty() { None } else { next() });
            let (Some((name, start)), Some(constraint)) = (found, self.notes.constraints.get_mut(departure.constraint))
            else {
                continue;
            };
            if start > departure.at {
                let when = Readings::unique(vec![Interval::new(departure.at, start)]);
                constraint.rule = Rule::Blocked { name: Some(format!("way to {name}")), who: None, when };
            }
        }
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
            !cued(at) && !clause.is_timed(word) && !WORKING.contains(&low) && !DENYING.contains(&low)
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
        let minutes: i64 =
            clause.when.stretches.iter().filter_map(|it| it.readings.first()?.first()).map(|it| it.minutes()).sum();
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
        let thing =
            clause.words.iter().take(free).any(|word| !clause.is_timed(word) && !WORKING.contains(&word.low.as_str()));
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

/// Whether a clause is all of its line.
fn clause_is_line(line: &Line<'_>, clause: &Clause<'_>) -> bool {
    line.form != Form::Cell && line.text.trim().trim_end_matches(['.', '!']).len() <= clause.text.trim().len()
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
