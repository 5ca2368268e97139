//! A timebox of a planner's answer is shorter than 5 minutes, or none at all.
//!
//! A bare list of events is not bound by it.
//!
//! Source: the contract for day plans, section 3.2.

use super::{Case, Check, Gate, Report, Run};
use crate::model::{Clause, Constraint, Rule};

/// Shortest timebox, in minutes.
pub const TIMEBOX_MINUTES_MIN: i64 = 5;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "timebox-min",
    gate: Gate::Constraint,
    summary: "a timebox is shorter than 5 minutes",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, _: &Constraint, rule: &Rule, report: &mut Report) {
    if *rule != Rule::Contract(Clause::Timebox) {
        return;
    }
    for item in &case.answer.items {
        match item.timebox_minutes {
            None => report.broken(item.index, format!("{} has no timebox.", case.name(item))),
            Some(minutes) if minutes < TIMEBOX_MINUTES_MIN => report.broken(
                item.index,
                format!(
                    "{} has a timebox of {minutes}; the shortest is {TIMEBOX_MINUTES_MIN} minutes.",
                    case.name(item)
                ),
            ),
            Some(_) => {}
        }
    }
}
