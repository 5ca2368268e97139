//! What has to come first comes second, or too little time lies between the two.
//!
//! Items without times are taken in the order of the plan. If only one of the two is in the plan, nothing is said.
//!
//! Example: "print the slides, then rehearse", and the plan rehearses first.
//!
//! Source: the contract for day plans, section 5.1; the rules of `docs/plan.md` (order is a constraint).

use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::answer::Item;
use crate::model::{Constraint, Rule};
use crate::window::minutes_between;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "order-reversed",
    gate: Gate::Constraint,
    summary: "two tasks stand in the wrong order",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Order { first, then, gap } = rule else { return };
    // The last item of the first task and the first item of the second.
    let end = |item: &&Item| (item.interval().map(|interval| interval.end), item.index);
    let start = |item: &&Item| (item.interval().map(|interval| interval.start), item.index);
    let (Some(before), Some(after)) = (case.items_of(*first).max_by_key(end), case.items_of(*then).min_by_key(start))
    else {
        return;
    };
    if before.index == after.index {
        return;
    }
    let reversed = match (before.interval(), after.interval()) {
        (Some(before), Some(after)) => before.end > after.start,
        _ => before.index > after.index,
    };
    if let (Some(first_time), Some(time), false) = (before.interval(), after.interval(), reversed) {
        let between = minutes_between(first_time.end, time.start);
        if between < *gap {
            report.broken(
                after.index,
                format!(
                    "{} begins {} after {} is done, not {gap} ({}).",
                    case.name(after),
                    counted(between, "minute"),
                    quoted(case.task(*first)),
                    quoted(constraint.text())
                ),
            );
        }
    }
    if reversed {
        report.broken(
            after.index,
            format!(
                "{} begins before {} is done ({}).",
                case.name(after),
                quoted(case.task(*first)),
                quoted(constraint.text())
            ),
        );
    }
}
