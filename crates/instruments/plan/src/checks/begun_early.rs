//! A task begins before the time that the notes give it.
//!
//! Without times it is not judged.
//!
//! Example: "call the bank, they open at 10", and the plan calls at 9:30.
//!
//! Source: the contract for day plans, section 5.1 (hard constraints).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "begun-early",
    gate: Gate::Constraint,
    summary: "a task begins before it may",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::NotBefore { task, from } = rule else { return };
    report.under(from, |from, report| {
        for item in &case.answer.items {
            let bound = task.map_or_else(|| item.is_work(), |task| item.tasks.contains(&task));
            if bound && item.interval().is_some_and(|interval| interval.start < *from) {
                report.broken(
                    item.index,
                    format!("{} begins before {} ({}).", case.name(item), case.at(*from), quoted(constraint.text())),
                );
            }
        }
    });
}
