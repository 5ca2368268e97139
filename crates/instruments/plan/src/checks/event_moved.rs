//! An item carries out an event of the notes, but not at the event's time.
//!
//! Of several events of one name the item has to lie in one. An item without times is not judged.
//!
//! Example: "standup 9:30-9:45", and the plan holds the standup at 10:00.
//!
//! Source: the contract for day plans, section 5.1 (meetings).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::{Constraint, Rule};
use crate::window::holds;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "event-moved",
    gate: Gate::Constraint,
    summary: "an event of the notes stands at another time",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::FixedEvent { name, when, .. } = rule else { return };
    for item in &case.answer.items {
        let Some(interval) = item.interval() else { continue };
        if !item.tasks.is_empty() || interval.is_empty() {
            continue;
        }
        let mut own = false;
        let in_another = item.events.iter().filter_map(|at| case.notes.constraints.get(*at)).any(|event| {
            own |= event.id == constraint.id;
            event.id != constraint.id
                && match &event.rule {
                    Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. } => {
                        when.iter().any(|times| holds(times, interval))
                    }
                    _ => false,
                }
        });
        if !own || in_another {
            continue;
        }
        report.under(when, |times, report| {
            if !holds(times, interval) {
                report.broken(
                    item.index,
                    format!(
                        "{} is not at its time: {} is {} ({}).",
                        case.name(item),
                        name,
                        case.all_times(times),
                        quoted(constraint.text())
                    ),
                );
            }
        });
    }
}
