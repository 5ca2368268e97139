//! More minutes are planned than there are.
//!
//! Counted as the contract has it: the timeboxes of all items against the free minutes that the notes state. The minutes of an
//! item that carries out an event of the notes, or of a break that lies in blocked time, are added to the free ones. Where the
//! notes state no time, nothing is compared; where they state it and leave none, what is planned breaks them (section 5.1:
//! "exceeding stated availability"), since the rule for overflow binds only where a minute is left. Under ambiguous times the most generous reading counts.
//!
//! Example: "free from 3 to 6", and the plan holds 240 minutes.
//!
//! Source: the contract for day plans, section 5.2.

use super::{Case, Check, Gate, Report, Run, counted};
use crate::budget::budget;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "time-overflow",
    gate: Gate::Overflow,
    summary: "more minutes are planned than there are",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let budget = budget(case);
    let overflow = budget.overflow_minutes();
    let planned = counted(budget.planned_minutes, "minute");
    if !budget.is_stated {
        report.unchecked("the notes state no time for work, so whether the plan fits in it is not checked");
    } else if budget.available_minutes > 0 && overflow > 0 {
        let available = budget.available_minutes;
        let mut sum = 0_i64;
        let over = case.answer.items.iter().find(|item| {
            sum = sum.saturating_add(item.minutes().unwrap_or_default().max(0));
            sum > available
        });
        report.broken(
            over.map(|item| item.index),
            format!("{planned} are planned, but only {available} are available: {overflow} too many."),
        );
    } else if overflow > 0 {
        report.broken(None, format!("{planned} are planned, but no minute is free."));
    }
}
