//! Leaving and coming back: the way to an event, time away, and what is done before one goes.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_evidence::Quote;

use super::Reader;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::statement::{Who, spot};
use super::when::{Shape, Stretch};
use crate::model::{Constraint, Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after, minutes_between};

/// Somebody who leaves for something that begins within so many minutes is on the way until then.
const WAY_MINUTES_MAX: i64 = 120;

/// Most events after a departure that are looked at.
const NEAR_EVENTS_MAX: usize = 64;

/// How long a way takes of which nothing else is said, in minutes.
const WAY_MINUTES: i64 = 30;
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
/// What is due so many minutes after one's own hours at most is done between their end and then.
const AFTER_HOURS_MINUTES_MAX: i64 = 180;

/// Tasks that are looked at so, at most.
const TASKS_AFTER_MAX: usize = 32;

impl<'a> Reader<'a> {
    pub(super) fn departs(&mut self, constraint: usize, at: Timestamp, purpose: Vec<String>) {
        self.departures.push(Departure { constraint, at, purpose, beside: self.line_event, returns: false });
        self.line_departure = Some(constraint);
    }

    /// "Leave at 14:50 for the pick-up", "leaving for the station at 15:20": the way to something.
    pub(super) fn leaves_for(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who) -> bool {
        let Some(leave) = clause.hit(Cue::Leave).cloned() else { return false };
        // "15:10 leave for school" as well.
        let mut points = clause.when.stretches.iter().filter(|it| !it.past && it.shape == Shape::Point);
        let behind = points.clone().find(|it| it.span.start >= clause.words[leave.words.start].range.end);
        let stretch = behind.or_else(|| points.find(|it| it.limit.is_none()));
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
        let end = name.iter().rposition(|word| !matches!(*word, "at" | "by" | "on" | "around")).map_or(0, |at| at + 1);
        let name = name.get(..end).unwrap_or_default().to_vec();
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
    pub(super) fn before_leaving(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) -> bool {
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        let goes = low.windows(3).any(|three| {
            three[0] == "before"
                && matches!(three[1], "i" | "we")
                && matches!(three[2], "leave" | "go" | "head" | "set")
        }) || low.windows(2).any(|two| two[0] == "before" && two[1] == "leaving");
        // "Before I go to lab": before what takes place there.
        if goes && self.goes_to(line, clause, task) {
            return true;
        }
        if let (true, Some(quote)) = (goes, self.quote(spot(line, clause))) {
            self.before_leaving.push((task, quote, self.departures.last().map(|it| it.at)));
        }
        goes
    }

    fn settle_leaving(&mut self) {
        let first = self.departures.iter().map(|it| it.at).min();
        let end = self.notes.constraints.iter().find_map(|it| match &it.rule {
            Rule::Deadline { task: None, by } => Some(*by.first()),
            _ => None,
        });
        for (task, quote, last) in std::mem::take(&mut self.before_leaving) {
            let Some(at) = last.or(first).or(end) else { continue };
            self.push(Rule::Deadline { task: Some(task), by: Readings::unique(at) }, quote);
        }
    }

    /// What people leave for: an event of the line or of the same name, else the next one that is near, takes the time from
    /// their leaving; where there is none, who only leaves is gone for the day.
    pub(super) fn settle_departures(&mut self) {
        self.settle_leaving();
        let mut events: Vec<(Timestamp, usize)> = Vec::new();
        for (at, constraint) in self.notes.constraints.iter().enumerate() {
            if let Rule::FixedEvent { when, .. } = &constraint.rule
                && !self.void.contains(&at)
            {
                events.extend(when.first().first().map(|it| (it.start, at)));
            }
        }
        events.sort_unstable();
        for departure in std::mem::take(&mut self.departures).into_iter().filter(|it| !it.returns) {
            let from = events.partition_point(|(start, _)| *start < departure.at);
            let near: Vec<(String, Timestamp, usize)> = events
                .iter()
                .skip(from)
                .take(NEAR_EVENTS_MAX)
                .take_while(|(start, _)| minutes_between(departure.at, *start) <= WAY_MINUTES_MAX)
                .filter_map(|(start, at)| self.event_name(*at).map(|name| (name, *start, *at)))
                .collect();
            let beside = near.iter().find(|(_, _, at)| departure.beside == Some(*at));
            let alike =
                || near.iter().find(|(name, ..)| intent(name).iter().any(|stem| departure.purpose.contains(stem)));
            let next = || near.first().filter(|_| !departure.purpose.is_empty());
            let found = beside.or_else(alike).or_else(next).map(|(name, start, _)| (name.clone(), *start));
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

    /// What is due after one's own hours is done between their end and then: "clinic 8.30 to 5, pick up Adam by 5:30".
    pub(super) fn settle_after_hours(&mut self) {
        let hours = self.notes.constraints.iter().find_map(|own| match &own.rule {
            Rule::Availability { who: None, when } if own.hard && when.is_unique() && when.first().len() == 1 => {
                Some((own.id.clone(), when.first()[0]))
            }
            _ => None,
        });
        let Some((id, hours)) = hours else { return };
        let after: Vec<(usize, Quote)> = self
            .notes
            .constraints
            .iter()
            .filter_map(|own| match &own.rule {
                Rule::Deadline { task: Some(task), by } if own.hard && by.is_unique() => {
                    let late = minutes_after(hours.end, AFTER_HOURS_MINUTES_MAX);
                    let by = *by.first();
                    (hours.end < by && by <= late).then(|| own.quote.clone().map(|quote| (*task, quote)))?
                }
                _ => None,
            })
            .collect();
        for (task, quote) in after.into_iter().take(TASKS_AFTER_MAX) {
            let begins = |own: &Constraint| matches!(own.rule, Rule::NotBefore { task: Some(of), .. } if of == task);
            if self.notes.constraints.iter().any(begins) {
                continue;
            }
            let name = self.notes.tasks[task].text.clone();
            self.assume(format!("\"{name}\" is due after the hours of the notes, and is done after them"));
            self.notes.excepted.push((id.clone(), task));
            self.push(Rule::NotBefore { task: Some(task), from: Readings::unique(hours.end) }, quote);
        }
    }
}
