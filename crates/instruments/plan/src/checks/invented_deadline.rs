//! The plan names a deadline that the notes do not know.
//!
//! A deadline is a time after "by", "before", "due" or "deadline". It is known if some constraint of the notes begins or ends at it, or
//! an item of the plan itself does; a day if the notes name it or have a time on it. "Due" or "deadline" without a time are known if the
//! notes have a deadline at all.
//!
//! Example: the notes give the report no time; "Finish the report, due by 5pm" invents one.
//!
//! Source: the contract for day plans, section 5.3 (deadlines not present in input).

use std::collections::BTreeSet;

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::mentions::{Known, deadlines};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "invented-deadline",
    gate: Gate::Invention,
    summary: "the plan names a deadline that the notes do not know",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let zone = case.notes.now.time_zone();
    let words = &case.known;
    let known = Known::new(case.notes);
    let mut own = BTreeSet::new();
    for interval in case.answer.items.iter().filter_map(|item| item.interval()) {
        for at in [interval.start, interval.end] {
            let local = at.to_zoned(zone.clone());
            own.extend(jiff::civil::Time::new(local.hour(), local.minute(), 0, 0).ok());
        }
    }
    for item in &case.answer.items {
        let mut seen = Vec::new();
        for due in deadlines(&item.task).into_iter().chain(deadlines(&item.why)) {
            if known.knows(&due, &own, words) || seen.contains(&due.words) {
                continue;
            }
            report.broken(
                item.index,
                format!("{} speaks of a deadline that the notes do not know: {}.", case.name(item), quoted(&due.words)),
            );
            seen.push(due.words);
        }
    }
}
