//! Two items at once: one person has one time.
//!
//! Days of a journey may touch: who travels on day 4 is in two places on day 4. Breaks count like all else.
//!
//! Example: "10:00 to 11:30 write the report" and "11:00 to 12:00 call the bank".
//!
//! Source: the rules of `docs/plan.md` (implicit constraints).

use super::{Case, Check, Gate, Report, Run};
use crate::model::{Clause, Constraint, Rule};
use crate::window::Window;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "items-overlap",
    gate: Gate::Constraint,
    summary: "two items take place at once",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, _: &Constraint, rule: &Rule, report: &mut Report) {
    if *rule != Rule::Contract(Clause::Overlap) {
        return;
    }
    let mut timed: Vec<_> = case.answer.items.iter().filter_map(|item| item.when.map(|when| (when, item))).collect();
    timed.sort_by_key(|(when, item)| (*when, item.index));
    // The item that lasts longest so far: whatever begins before its end overlaps with it.
    let mut latest: Option<(Window, &crate::answer::Item)> = None;
    for (when, item) in timed {
        if let Some((other_when, other)) = latest
            && overlap(other_when, when)
        {
            report.broken(
                item.index.max(other.index),
                format!("{} and {} take place at once.", case.name(other), case.name(item)),
            );
        }
        if latest.is_none_or(|(other, _)| end(when) >= end(other)) {
            latest = Some((when, item));
        }
    }
}

/// Whether two stretches share more than the point where one gives way to the other.
fn overlap(a: Window, b: Window) -> bool {
    match (a, b) {
        (Window::Clock(a), Window::Clock(b)) => a.overlaps(b),
        (Window::Days(a), Window::Days(b)) => {
            let shared = a.last.min(b.last).saturating_sub(a.first.max(b.first));
            shared > 0 || (shared == 0 && a.first == b.first && a.last == b.last)
        }
        _ => false,
    }
}

/// What the ends of stretches of one kind are compared by; days after clock times.
fn end(window: Window) -> (bool, i128) {
    match window {
        Window::Clock(interval) => (false, interval.end.as_nanosecond()),
        Window::Days(days) => (true, i128::from(days.last)),
    }
}
