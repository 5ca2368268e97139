//! Somebody is not there when the plan meets them: another place, or outside their times.
//!
//! Example: "Ana is at the library from 10 to 12", and the plan meets her there at 13:00.
//!
//! Source: the rules of `docs/plan.md` (presence).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::matching::same_place;
use crate::model::{Constraint, Rule};
use crate::window::{Days, Interval, Window, holds, merged};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "person-elsewhere",
    gate: Gate::Constraint,
    summary: "somebody is not where and when the plan meets them",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Presence { who: Some(who), place, when, .. } = rule else { return };
    // Somebody who is at two places is met at one of them.
    let others: Vec<_> = case
        .constraints
        .iter()
        .filter(|it| it.id != constraint.id)
        .filter_map(|it| match &it.rule {
            Rule::Presence { who: Some(other), place, when, .. } if other == who => Some((place, when)),
            _ => None,
        })
        .collect();
    let met: Vec<_> = case.answer.items.iter().filter(|item| item.is_with(who, case.notes)).collect();
    report.under(when, |windows, report| {
        for item in &met {
            let elsewhere = item.place.as_deref().is_some_and(|own| !same_place(own, place));
            let absent = item.when.is_some_and(|when| !lies_in(when, windows));
            let met_otherwise = || {
                others.iter().any(|(place, when)| {
                    item.place.as_deref().is_none_or(|own| same_place(own, place))
                        && item.when.is_none_or(|own| when.iter().any(|windows| lies_in(own, windows)))
                })
            };
            if (!elsewhere && !absent) || met_otherwise() {
                continue;
            }
            let times: Vec<String> = windows.iter().take(3).map(|window| case.shown(*window)).collect();
            report.broken(
                item.index,
                format!(
                    "{} does not find {who}, who is at {place} {} ({}).",
                    case.name(item),
                    times.join(", "),
                    quoted(constraint.text())
                ),
            );
        }
    });
}

/// Whether a stretch lies within the windows of its kind.
fn lies_in(when: Window, windows: &[Window]) -> bool {
    match when {
        Window::Clock(interval) => {
            let times: Vec<Interval> = windows.iter().filter_map(|it| interval_of(*it)).collect();
            times.is_empty() || holds(&merged(times), interval)
        }
        Window::Days(days) => {
            let mut all = windows.iter().filter_map(|it| days_of(*it)).peekable();
            all.peek().is_none() || all.any(|window| window.contains(days))
        }
    }
}

const fn interval_of(window: Window) -> Option<Interval> {
    match window {
        Window::Clock(interval) => Some(interval),
        Window::Days(_) => None,
    }
}

const fn days_of(window: Window) -> Option<Days> {
    match window {
        Window::Days(days) => Some(days),
        Window::Clock(_) => None,
    }
}
