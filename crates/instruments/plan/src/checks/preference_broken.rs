//! A wish of the notes is not granted.
//!
//! Wishes are soft: a plan may pass without them, unless the caller wants them kept (`--preferences hard`). What breaks a wish is
//! found by the check of the rule that it would be.
//!
//! Example: "would rather not meet after 12:30", and the plan meets at 14:00.
//!
//! Source: the rules of `docs/plan.md` (preferences).

use super::{ALL, Case, Check, Gate, Report, Run};
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "preference-broken",
    gate: Gate::Constraint,
    summary: "a wish is not granted",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Preference { wish } = rule else { return };
    if matches!(**wish, Rule::Preference { .. } | Rule::Contract(_)) {
        return;
    }
    for check in ALL {
        if let Run::Constraint(judge) = check.run {
            judge(case, constraint, wish, report);
        }
    }
}
