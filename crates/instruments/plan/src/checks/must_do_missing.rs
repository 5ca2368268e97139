//! A task that must be done is not in the plan, or not on its day.
//!
//! Found by the words of items' tasks; what `why` says does not count.
//!
//! Example: "must send the invoice today", and no item sends it.
//!
//! Source: the contract for day plans, section 5.1 (ignoring a stated "must do today").

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "must-do-missing",
    gate: Gate::Constraint,
    summary: "a task that must be done is not in the plan",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::MustDo { task, within } = rule else { return };
    let mut late = None;
    for item in case.items_of(*task) {
        match (item.interval(), within) {
            (Some(interval), Some(within)) if !within.contains(interval) => late = Some(item),
            _ => return,
        }
    }
    match late {
        Some(item) => report.broken(
            item.index,
            format!("{} is not done when it must be ({}).", case.name(item), quoted(constraint.text())),
        ),
        None => {
            let name = case.notes.tasks.get(*task).map_or_else(|| constraint.text(), |task| &task.text);
            report.broken(
                None,
                format!(
                    "{} must be done ({}), and nothing in the plan does it.",
                    quoted(name),
                    quoted(constraint.text())
                ),
            );
        }
    }
}
