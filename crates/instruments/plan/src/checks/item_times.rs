//! An item whose times cannot be: a start or end that no clock shows, an end before the start, a timebox that is longer than
//! the time between the two.
//!
//! A timebox that is shorter than that time is pointed out, but breaks nothing.
//!
//! Example: "10:00 to 10:30, timebox 60".
//!
//! Source: the rules of `docs/plan.md` (implicit constraints).

use super::{Case, Check, Gate, Report, Run, counted};
use crate::model::{Clause, Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "item-times",
    gate: Gate::Constraint,
    summary: "an item's start, end and timebox do not fit together",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, _: &Constraint, rule: &Rule, report: &mut Report) {
    if *rule != Rule::Contract(Clause::Times) {
        return;
    }
    for (index, fault) in &case.answer.faults {
        if let Some(item) = case.answer.items.get(*index) {
            report.broken(*index, format!("{}: {fault}.", case.name(item)));
        }
    }
    for item in &case.answer.items {
        let Some(interval) = item.interval() else { continue };
        if interval.is_empty() {
            report.broken(item.index, format!("{} ends before it has begun.", case.name(item)));
            continue;
        }
        let Some(timebox) = item.timebox_minutes else { continue };
        let minutes = interval.minutes();
        if timebox > minutes {
            report.broken(
                item.index,
                format!(
                    "{} has a timebox of {}, but only {minutes} between its start and its end.",
                    case.name(item),
                    counted(timebox, "minute")
                ),
            );
        } else if timebox < minutes {
            report.doubtful(
                item.index,
                format!("{} takes up {} for a timebox of {timebox}.", case.name(item), counted(minutes, "minute")),
            );
        }
    }
}
