//! More minutes on end at some tasks than the notes allow, before a rest from them.
//!
//! What is done otherwise meanwhile is a rest from them. A rest that is shorter than the notes say ends nothing.
//!
//! Example: "an hour of reading in one go at most, then 15 minutes away from it", and the plan reads from 9:00 to 10:30.
//!
//! Source: the rules of `docs/plan.md` (work on end).

use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::answer::{Item, Role};
use crate::model::{Constraint, Rule};
use crate::window::{Interval, minutes_between};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "run-long",
    gate: Gate::Constraint,
    summary: "more minutes on end at a task than the notes allow",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Run { tasks, minutes_max, rest } = rule else { return };
    let counts = |item: &&Item| match tasks.is_empty() {
        true => !matches!(item.role, Role::Break | Role::Buffer),
        false => item.tasks.iter().any(|task| tasks.contains(task)),
    };
    let mut timed: Vec<(Interval, &Item)> = Vec::new();
    for item in case.answer.items.iter().filter(counts) {
        match item.interval() {
            Some(when) => timed.push((when, item)),
            None => report
                .unchecked(format!("{} has no times, so how long it lasts on end is not checked", case.name(item))),
        }
    }
    timed.sort_by_key(|(when, item)| (*when, item.index));
    let mut run: Option<(Interval, bool)> = None;
    for (when, item) in timed {
        let (whole, is_said) = match run {
            Some((run, is_said)) if minutes_between(run.end, when.start) < *rest => {
                (Interval::new(run.start, run.end.max(when.end)), is_said)
            }
            _ => (when, false),
        };
        let is_long = whole.minutes() > *minutes_max;
        if is_long && !is_said {
            report.broken(
                item.index,
                format!(
                    "{} ends {} on end without a rest of {}; the notes allow {minutes_max} ({}).",
                    case.name(item),
                    counted(whole.minutes(), "minute"),
                    counted(*rest, "minute"),
                    quoted(constraint.text())
                ),
            );
        }
        run = Some((whole, is_long));
    }
}
