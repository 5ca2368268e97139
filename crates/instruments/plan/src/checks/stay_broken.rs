//! A stay at a place has fewer or more days than the notes give it, or there is none.
//!
//! Both ends count: from day 2 to day 4 are three days. Stays at one place count together, a day once.
//!
//! Example: "3 days in Porto", and the plan is there from day 1 to day 2.
//!
//! Source: the rules of `docs/plan.md` (length of stay).

use std::collections::BTreeSet;

use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::matching::same_place;
use crate::model::{Constraint, Rule};
use crate::window::Days;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "stay-broken",
    gate: Gate::Constraint,
    summary: "a stay has another length than the notes give it",
    run: Run::Constraint(judge),
};

/// The days of all stays, each once.
pub(super) fn days_covered(stays: impl Iterator<Item = Days>) -> i64 {
    let all: BTreeSet<Days> = stays.collect();
    let (mut days, mut last) = (0_i64, i64::MIN);
    for stay in all {
        let first = stay.first.max(last.saturating_add(1));
        days = days.saturating_add(Days { first, last: stay.last }.count());
        last = last.max(stay.last);
    }
    days
}

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Stay { place, days_min, days_max } = rule else { return };
    let there = case.answer.items.iter().filter(|item| item.place.as_deref().is_some_and(|own| same_place(own, place)));
    let (mut index, mut untimed) = (None, false);
    let days = days_covered(there.filter_map(|item| {
        index = index.or(Some(item.index));
        untimed |= item.days().is_none();
        item.days()
    }));
    if untimed && days == 0 {
        report.unchecked(format!("the stay at {place} has no days, so its length is not checked"));
        return;
    }
    let (short, long) = (days_min.is_some_and(|min| days < min), days_max.is_some_and(|max| days > max));
    if short || long {
        let wanted = match (days_min, days_max) {
            (Some(min), Some(max)) if min == max => counted(*min, "day"),
            (Some(min), Some(max)) => format!("{min} to {max} days"),
            (Some(min), None) => format!("at least {}", counted(*min, "day")),
            (None, max) => format!("at most {}", counted(max.unwrap_or_default(), "day")),
        };
        let there = if days == 0 { "not".to_owned() } else { counted(days, "day") };
        report.broken(
            index,
            format!("the plan is {there} at {place}; the notes say {wanted} ({}).", quoted(constraint.text())),
        );
    }
}
