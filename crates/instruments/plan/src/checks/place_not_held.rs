//! The planner is not where the notes say that he has to be: at a place on certain days or at certain times, or there first.
//!
//! Journeys that count days have to hold a stay that covers the days, or touches them where the notes ask for some time in them.
//! By the clock, what has a place and lies in those times has to be at that place.
//!
//! Example: "conference in Porto from day 3 to day 5", and the plan leaves Porto on day 4.
//!
//! Source: the rules of `docs/plan.md` (presence).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::matching::same_place;
use crate::model::{Constraint, Extent, Rule};
use crate::window::{Days, Window};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "place-not-held",
    gate: Gate::Constraint,
    summary: "the plan is not where the notes say it has to be",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Presence { who: None, place, when, extent } = rule else { return };
    let said = quoted(constraint.text());
    let stays: Vec<Days> = case
        .answer
        .items
        .iter()
        .filter(|item| item.place.as_deref().is_some_and(|own| same_place(own, place)))
        .filter_map(crate::answer::Item::days)
        .collect();
    let counts_days = case.answer.items.iter().any(|item| item.days().is_some());
    report.under(when, |windows, report| {
        for window in windows {
            match window {
                Window::Days(days) if counts_days || case.answer.items.is_empty() => {
                    let held = stays.iter().any(|stay| match extent {
                        Extent::Throughout => stay.contains(*days),
                        Extent::Within => stay.overlaps(*days),
                    });
                    if !held {
                        let shown = case.shown(*window);
                        report.broken(None, format!("the plan is not at {place} on {shown} ({said})."));
                    }
                }
                Window::Clock(interval) if *extent == Extent::Throughout => {
                    let point = interval.start == interval.end;
                    for item in &case.answer.items {
                        let (Some(own), Some(at)) = (item.at.as_deref(), item.interval()) else { continue };
                        // A moment of arrival: what has a place and begins before it is nowhere yet.
                        let early = point && at.start < interval.start;
                        if early || (at.overlaps(*interval) && !same_place(own, place)) {
                            report.broken(
                                item.index,
                                format!("{} is at {own}, not at {place} ({said}).", case.name(item)),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
    });
}
