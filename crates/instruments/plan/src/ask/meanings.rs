//! What words that nothing is bound to, or that are not sure, may mean: the answers that a question about them offers.

use steadfast_time::Limit;

use super::account::{Found, Loose};
use super::clauses::Clause;
use super::cues::Cue;
use super::events::usual_minutes;
use super::when::{Length, Stretch};
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after};

impl Found<'_> {
    /// What the loose part of a clause may mean for the tasks near it.
    pub(super) fn meanings(&self, clause: &Clause<'_>, near: &[usize], loose: &Loose) -> Vec<(String, Vec<Rule>)> {
        let mut all = Vec::new();
        let mut offer = |text: String, rules: Vec<Rule>| all.push((text, rules));
        match loose {
            Loose::Time(stretch) => self.offer_times(clause, stretch, near, &mut offer),
            Loose::Length(minutes) => {
                for task in near {
                    let rule = Rule::Duration { task: *task, minutes_min: Some(*minutes), minutes_max: Some(*minutes) };
                    offer(format!("{} takes {minutes} minutes", self.name(*task)), vec![rule]);
                }
                if let [first, then] = *near {
                    let text = format!("{} waits {minutes} minutes after {}", self.name(then), self.name(first));
                    offer(text, vec![Rule::Order { first, then, gap: *minutes }]);
                }
            }
            Loose::Denial(_) if clause.has(Cue::Must) => {
                for task in near.iter().take(1) {
                    offer(
                        format!("{} must be done", self.name(*task)),
                        vec![Rule::MustDo { task: *task, within: None }],
                    );
                }
            }
            Loose::Order(_) => {
                for (first, then) in self.pairs(clause, near) {
                    let text = format!("{} comes before {}", self.name(first), self.name(then));
                    offer(text, vec![Rule::Order { first, then, gap: 0 }]);
                }
            }
            Loose::Denial(_) | Loose::Deed | Loose::Figure(_) => {}
        }
        all
    }

    fn offer_times(
        &self,
        clause: &Clause<'_>,
        stretch: &Stretch,
        near: &[usize],
        offer: &mut dyn FnMut(String, Vec<Rule>),
    ) {
        let Some(when) = Readings::of(stretch.readings.clone()) else { return };
        let Some(first) = when.first().first().copied() else { return };
        let starts = || stretch.starts();
        let at = self.shown(first);
        let length = clause.when.lengths.first().and_then(|it: &Length| it.max.or(it.min));
        let lasting = |times: &Times| -> Times {
            let minutes = length.unwrap_or_else(|| usual_minutes(clause));
            let last = |own: &Interval| {
                if own.start < own.end { *own } else { Interval::new(own.start, minutes_after(own.start, minutes)) }
            };
            times.iter().map(last).collect()
        };
        let taken = Readings::of(when.iter().map(lasting).collect()).unwrap_or_else(|| when.clone());
        let is_range = first.start < first.end;
        let late = matches!(stretch.limit, Some(Limit::By | Limit::Until | Limit::Before));
        let name = clause.text.trim().to_owned();
        if is_range {
            for task in near {
                let rule = |only| Rule::TaskTimes { tasks: vec![*task], when: when.clone(), only };
                offer(format!("{} only {at}", self.name(*task)), vec![rule(true)]);
                offer(format!("{} not {at}", self.name(*task)), vec![rule(false)]);
            }
            offer(
                format!("my own time is taken {at}"),
                vec![Rule::FixedEvent { name, when: taken, with: Vec::new(), place: None }],
            );
            offer(format!("I work only {at}"), vec![Rule::Availability { who: None, when }]);
            return;
        }
        let Some(points) = starts() else { return };
        for task in near {
            let due = (
                format!("{} is done by {at}", self.name(*task)),
                Rule::Deadline { task: Some(*task), by: points.clone() },
            );
            let from = (
                format!("{} not before {at}", self.name(*task)),
                Rule::NotBefore { task: Some(*task), from: points.clone() },
            );
            let both = if late { [due, from] } else { [from, due] };
            for (text, rule) in both {
                offer(text, vec![rule]);
            }
        }
        offer(
            format!("something of mine takes place at {at}"),
            vec![Rule::FixedEvent { name, when: taken, with: Vec::new(), place: None }],
        );
        offer(format!("all work ends at {at}"), vec![Rule::Deadline { task: None, by: points }]);
    }

    /// Which task may come before which: those near, and those whose words the clause names.
    fn pairs(&self, clause: &Clause<'_>, near: &[usize]) -> Vec<(usize, usize)> {
        let stems = intent(clause.text);
        let Some(own) = near.first().copied() else { return Vec::new() };
        let named =
            |task: &usize| *task != own && self.notes.tasks[*task].intent.iter().any(|stem| stems.contains(stem));
        let mut others: Vec<usize> =
            (0..self.notes.tasks.len().min(super::holds::QUOTE_BYTES_MAX)).filter(named).take(1).collect();
        if others.is_empty() {
            others.extend(own.checked_sub(1));
        }
        others.into_iter().flat_map(|other| [(own, other), (other, own)]).collect()
    }
}
