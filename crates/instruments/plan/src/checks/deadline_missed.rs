//! A task ends after its deadline, or work after the end of all work.
//!
//! Every item that carries the task out has to end in time. Events of the notes and breaks are not bound by the end of all work.
//! Without times it is not judged.
//!
//! Example: "deck is due at 3", and the plan finishes it at 16:00.
//!
//! Source: the contract for day plans, section 5.1 (deadlines).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "deadline-missed",
    gate: Gate::Constraint,
    summary: "a task ends after its deadline",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Deadline { task, by } = rule else { return };
    report.under(by, |by, report| {
        for item in &case.answer.items {
            let bound = task.map_or_else(|| item.is_work(), |task| item.tasks.contains(&task));
            if bound && item.interval().is_some_and(|interval| interval.end > *by) {
                report.broken(
                    item.index,
                    format!("{} ends after {} ({}).", case.name(item), case.at(*by), quoted(constraint.text())),
                );
            }
        }
    });
}
