//! A planner's answer has fewer than 3 items, or more than 7.
//!
//! A bare list of events is not bound by it.
//!
//! Source: the contract for day plans, section 3.2.

use super::{Case, Check, Gate, Report, Run};
use crate::model::{Clause, Constraint, Rule};

/// Fewest items of a plan.
pub const ITEMS_MIN: usize = 3;
/// Most items of a plan.
pub const ITEMS_MAX: usize = 7;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "item-count",
    gate: Gate::Constraint,
    summary: "a plan has fewer than 3 or more than 7 items",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, _: &Constraint, rule: &Rule, report: &mut Report) {
    if *rule != Rule::Contract(Clause::Count) {
        return;
    }
    let count = case.answer.items.len();
    if !(ITEMS_MIN..=ITEMS_MAX).contains(&count) {
        let noun = if count == 1 { "item" } else { "items" };
        // The first item too many, or the last of too few.
        let item = count.checked_sub(1).map(|last| last.min(ITEMS_MAX));
        report.broken(item, format!("the plan has {count} {noun}; it needs {ITEMS_MIN} to {ITEMS_MAX}."));
    }
}
