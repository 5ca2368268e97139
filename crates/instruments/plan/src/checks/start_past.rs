//! An item begins before the current time.
//!
//! Example: at 11:00, "9:30 to 10:00 answer the letters".
//!
//! Source: the rules of `docs/plan.md` (implicit constraints).

use super::{Case, Check, Gate, Report, Run};
use crate::model::{Clause, Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "start-past",
    gate: Gate::Constraint,
    summary: "an item begins before the current time",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, _: &Constraint, rule: &Rule, report: &mut Report) {
    if *rule != Rule::Contract(Clause::Past) {
        return;
    }
    let now = case.notes.now.timestamp();
    for item in &case.answer.items {
        if item.interval().is_some_and(|interval| interval.start < now) {
            report.broken(item.index, format!("{} begins before the current time, {}.", case.name(item), case.at(now)));
        }
    }
}
