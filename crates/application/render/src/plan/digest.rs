//! What every format asks of a sheet.

use steadfast_wire::plan::{Finding, Metrics, Status, Validity};

use super::{Origin, Sheet};
use crate::digest::count_of;

/// Findings that fail a plan, or those that do not.
pub(super) fn findings<'a>(sheet: &Sheet<'a>, hard: bool) -> Vec<&'a Finding> {
    sheet.validation.findings.iter().filter(|finding| finding.hard == hard).collect()
}

/// Whether it may be presented, or passes.
pub(super) const fn is_good(sheet: &Sheet<'_>) -> bool {
    match sheet.origin {
        Origin::Made { status, .. } => matches!(status, Status::Recommended),
        Origin::Given { .. } => matches!(sheet.validation.status, Validity::Pass),
    }
}

/// The verdict in a word.
pub(super) const fn verdict(sheet: &Sheet<'_>) -> &'static str {
    match sheet.origin {
        Origin::Made { status, .. } => status.label(),
        Origin::Given { .. } => sheet.validation.status.label(),
    }
}

/// The counts in a line.
pub(crate) fn counts(metrics: &Metrics) -> Vec<String> {
    let minutes = if metrics.time_available_minutes > 0 {
        format!("{} of {} minutes planned", metrics.time_planned_minutes, metrics.time_available_minutes)
    } else {
        format!("{} minutes planned", metrics.time_planned_minutes)
    };
    let mut counts = vec![
        format!("{} of {} broken", metrics.constraints_violated, count_of(metrics.constraints_declared, "constraint")),
        minutes,
        format!("coverage {}", coverage(metrics)),
        count_of(metrics.hallucination_flags, "invention"),
    ];
    if metrics.time_overflow_minutes > 0 {
        counts.insert(2, format!("{} minutes too many", metrics.time_overflow_minutes));
    }
    if metrics.human_feasibility_flags > 0 {
        let pieces = if metrics.human_feasibility_flags == 1 { "piece" } else { "pieces" };
        counts.push(format!("{} {pieces} of advice", metrics.human_feasibility_flags));
    }
    counts
}

/// The share of tasks that the plan holds, or that there is nothing to cover.
pub(super) fn coverage(metrics: &Metrics) -> String {
    if metrics.context_coverage_assessed {
        format!("{:.0} %", metrics.context_coverage_ratio * 100.0)
    } else {
        "n/a".to_owned()
    }
}
