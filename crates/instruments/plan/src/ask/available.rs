//! Hours that are open for work, and when somebody is free.

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::statement::{Who, spot, together};
use super::tasks::span_of;
use super::when::Shape;
use super::{Last, Reader};
use crate::model::{Readings, Rule, Times};

impl<'a> Reader<'a> {
    /// "I'm only free 9–12", "between the work hours of 9:00 to 17:00".
    pub(super) fn available(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: &Who, wish: bool) -> bool {
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

    pub(super) fn open(&mut self, line: &Line<'a>, clause: &Clause<'_>, who: Option<String>, wish: bool) {
        let zone = self.notes.now.time_zone().clone();
        let Some(when) = together(clause, |it| it.times(&zone)) else { return };
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

/// The words that state hours, which are no part of a task's name.
fn hours_words(clause: &Clause<'_>) -> Vec<std::ops::Range<usize>> {
    let hours = clause.hits.iter().filter(|hit| hit.cue == Cue::Hours).filter_map(|hit| span_of(clause, &hit.words));
    let joined = clause
        .words
        .iter()
        .filter(|word| matches!(word.low.as_str(), "between" | "either" | "or"))
        .map(|word| word.range.clone());
    hours.chain(joined).collect()
}
