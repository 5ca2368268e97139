//! The time between two items at different places is shorter than the way.
//!
//! The first way begins where and when the notes say that the planner arrives.
//!
//! Example: "library to station: 20 minutes", and the plan leaves the library at 12:00 to be at the station at 12:10.
//!
//! Source: the rules of `docs/plan.md` (travel time).

use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::matching::same_place;
use crate::model::{Constraint, Rule};
use crate::window::{Window, minutes_between};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "travel-short",
    gate: Gate::Constraint,
    summary: "there is no time for the way between two items",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Travel { from, to, minutes, both_ways } = rule else { return };
    for pair in case.stops.windows(2) {
        let [a, b] = pair else { continue };
        let (Window::Clock(leave), Window::Clock(arrive)) = (a.when, b.when) else { continue };
        let there = same_place(&a.place, from) && same_place(&b.place, to);
        let back = *both_ways && same_place(&a.place, to) && same_place(&b.place, from);
        if !there && !back {
            continue;
        }
        let left = minutes_between(leave.end, arrive.start);
        if left < *minutes {
            let named = b.item.or(a.item).and_then(|index| case.answer.items.get(index));
            let name = named.map_or_else(|| "the plan".to_owned(), |item| case.name(item));
            report.broken(
                named.map(|item| item.index),
                format!(
                    "{name} leaves {} for the way from {} to {}; it takes {minutes} ({}).",
                    counted(left.max(0), "minute"),
                    a.place,
                    b.place,
                    quoted(constraint.text())
                ),
            );
        }
    }
}
