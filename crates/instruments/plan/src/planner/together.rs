//! What the notes say of several tasks together: how long all of them may take, and how long they may be done on end.

use std::collections::BTreeSet;

use super::{Attempt, TASK_MINUTES_MAX, Unit};
use crate::checks::TIMEBOX_MINUTES_MIN;
use crate::model::{Constraint, Notes, Rule, Said, Unit as Total};
use crate::search::Rest;

/// Tasks that may not be done for long on end.
pub(crate) struct Run {
    /// The tasks.
    pub(super) tasks: BTreeSet<usize>,
    /// Most minutes on end.
    pub(super) minutes_max: i64,
    /// Shortest rest, in minutes.
    pub(super) rest: i64,
}

impl Run {
    /// Those that the notes state.
    pub(super) fn all(notes: &Notes) -> Vec<Self> {
        let run = |own: &Constraint| match &own.rule {
            Rule::Run { tasks, minutes_max, rest } if own.hard => {
                let all = || (0..notes.tasks.len()).collect();
                let tasks = if tasks.is_empty() { all() } else { tasks.iter().copied().collect() };
                Some(Self { tasks, minutes_max: (*minutes_max).max(TIMEBOX_MINUTES_MIN), rest: *rest })
            }
            _ => None,
        };
        notes.constraints.iter().filter_map(run).collect()
    }

    /// Whether any of these tasks is among them.
    pub(super) fn is_of(&self, tasks: &[usize]) -> bool {
        tasks.iter().any(|task| self.tasks.contains(task))
    }
}

impl Attempt<'_> {
    /// Whether tasks keep the totals that count some of them, `task` among these.
    pub(super) fn within_totals(&self, tasks: &[usize], task: usize) -> bool {
        let totals = self.notes.constraints.iter().filter(|own| own.hard).filter_map(|own| match &own.rule {
            Rule::Total { unit: Total::Minutes, tasks, max: Some(max), .. } if tasks.contains(&task) => {
                Some((tasks, *max))
            }
            _ => None,
        });
        let minutes = |counted: &[usize]| -> i64 {
            tasks.iter().filter(|task| counted.contains(task)).map(|task| self.minutes[*task]).sum()
        };
        totals.into_iter().all(|(counted, max)| minutes(counted) <= max)
    }

    /// Which units need a rest between them.
    pub(super) fn rest(&self, run: &Run, units: &[Unit]) -> Rest {
        let jobs = units.iter().enumerate().filter(|(_, unit)| run.is_of(&unit.tasks)).map(|(at, _)| at).collect();
        Rest { jobs, minutes: run.rest }
    }
}

/// What the notes say of several tasks together bounds the estimates of those among them of which they say nothing else.
pub(super) fn bounded_by_totals(notes: &Notes, said: &[Said], minutes: &mut [i64]) {
    for own in notes.constraints.iter().filter(|own| own.hard) {
        let Rule::Total { unit: Total::Minutes, tasks, min, max } = &own.rule else { continue };
        let is_open = |task: &usize| said[*task].minutes_min.is_none() && said[*task].minutes_max.is_none();
        let open: Vec<usize> = tasks.iter().copied().filter(is_open).collect();
        let known: i64 = tasks.iter().filter(|task| !is_open(task)).map(|task| minutes[*task]).sum();
        let Some(count) = i64::try_from(open.len()).ok().filter(|count| *count > 0) else { continue };
        for task in open {
            if let Some(max) = max {
                minutes[task] = minutes[task].min((max - known) / count).max(TIMEBOX_MINUTES_MIN);
            }
            if let Some(min) = min {
                minutes[task] = minutes[task].max((min - known + count - 1) / count).min(TASK_MINUTES_MAX);
            }
        }
    }
}
