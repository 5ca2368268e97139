//! A task gets fewer minutes than the notes give it, or more than they allow.
//!
//! All items that carry it out count together. An item that carries out several tasks has to hold all their minutes.
//!
//! Example: "tax return, 90 minutes", and the plan gives it 45.
//!
//! Source: the contract for day plans, section 5.1; the rules of `docs/plan.md` (a duration is a constraint).

use super::{Case, Check, Gate, Report, Run, TIMEBOX_MINUTES_MIN, counted, quoted};
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "duration-broken",
    gate: Gate::Constraint,
    summary: "a task gets fewer or more minutes than the notes give it",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Duration { task, minutes_min, minutes_max } = rule else { return };
    let (mut minutes, mut alone, mut last) = (0_i64, true, None);
    for item in case.items_of(*task) {
        last = Some(item);
        let Some(own) = item.minutes() else {
            report.unchecked(format!("{} has no minutes, so how long it takes is not checked", case.name(item)));
            return;
        };
        let others = item.tasks.iter().filter(|other| *other != task).fold(0_i64, |sum, other| {
            alone = false;
            sum.saturating_add(case.said.get(*other).and_then(|said| said.minutes_min).unwrap_or_default())
        });
        minutes = minutes.saturating_add(own.saturating_sub(others).max(0));
    }
    let Some(item) = last else { return };
    let said = quoted(constraint.text());
    match (minutes_min, minutes_max) {
        (Some(min), _) if minutes < *min => report.broken(
            item.index,
            format!(
                "{} gives {} {}; the notes say {} ({said}).",
                case.name(item),
                quoted(case.task(*task)),
                counted(minutes, "minute"),
                counted(*min, "minute")
            ),
        ),
        // An item takes five minutes at least, whatever it is.
        (_, Some(max)) if alone && minutes > (*max).max(TIMEBOX_MINUTES_MIN) => report.broken(
            item.index,
            format!(
                "{} gives {} {}; the notes allow {max} ({said}).",
                case.name(item),
                quoted(case.task(*task)),
                counted(minutes, "minute")
            ),
        ),
        _ => {}
    }
}
