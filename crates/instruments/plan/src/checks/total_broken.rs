//! All of the plan together is shorter or longer than the notes say: days of a journey, or minutes of all items.
//!
//! A journey lasts from its first to its last day and is somewhere on each of them.
//!
//! Example: "10 days in total", and the plan ends on day 9.
//!
//! Source: the rules of `docs/plan.md` (total length).

use super::stay_broken::days_covered;
use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::answer::{Item, Role};
use crate::model::{Constraint, Rule, Unit};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "total-broken",
    gate: Gate::Constraint,
    summary: "the plan as a whole is too short or too long",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Total { unit, tasks, min, max } = rule else { return };
    let said = quoted(constraint.text());
    let items = &case.answer.items;
    let (total, noun) = match unit {
        Unit::Days => {
            let stays: Vec<_> = items.iter().filter_map(Item::days).collect();
            let (Some(first), Some(last)) =
                (stays.iter().map(|days| days.first).min(), stays.iter().map(|days| days.last).max())
            else {
                report.unchecked("the plan counts no days, so its length in days is not checked");
                return;
            };
            let total = crate::window::Days { first: first.min(1), last }.count();
            let spent = days_covered(stays.into_iter());
            if spent < total {
                let nowhere = counted(total - spent, "day");
                report.broken(None, format!("on {nowhere} of {total} the plan is nowhere ({said})."));
            }
            (total, "day")
        }
        Unit::Minutes => {
            let counts = |item: &&Item| {
                item.role != Role::Event && (tasks.is_empty() || item.tasks.iter().any(|task| tasks.contains(task)))
            };
            let own = items.iter().filter(counts).filter_map(Item::minutes);
            (own.fold(0_i64, |sum, minutes| sum.saturating_add(minutes.max(0))), "minute")
        }
    };
    if let Some(min) = min.filter(|min| total < *min) {
        report.broken(None, format!("the plan takes {}; the notes say {min} ({said}).", counted(total, noun)));
    }
    if let Some(max) = max.filter(|max| total > *max) {
        report.broken(None, format!("the plan takes {}; the notes allow {max} ({said}).", counted(total, noun)));
    }
}
