//! What every format asks of an evaluation.

use std::collections::BTreeMap;

use steadfast_wire::audit::{DriftEvaluation, DriftIncident, Obligation, ObligationKind, Role};

use crate::standing::Standing;

/// Obligations in one state: those whose breach weighs most first, in the order of the ask among equals.
pub(crate) fn obligations(evaluation: &DriftEvaluation, state: Standing) -> Vec<&Obligation> {
    let mut found: Vec<_> =
        evaluation.obligations.iter().filter(|obligation| Standing::of(obligation) == state).collect();
    let worst = severities(evaluation);
    found.sort_by_key(|obligation| {
        let severity = worst.get(obligation.id.as_str()).copied().unwrap_or(0);
        (std::cmp::Reverse(severity), weight(obligation.kind))
    });
    found
}

/// Whether less than half of the obligations was assessed: what is said of the whole then says little.
pub(crate) fn is_thin(evaluation: &DriftEvaluation) -> bool {
    2 * evaluation.assessed.n < evaluation.assessed.of
}

/// That no incident was found, and in what.
#[must_use]
pub fn none_found(evaluation: &DriftEvaluation) -> String {
    let open = evaluation.assessed.of.saturating_sub(evaluation.assessed.n);
    if is_thin(evaluation) {
        format!("No drift incident was found in what was assessed; {} open.", are(open, "obligation"))
    } else {
        "No drift incident was found.".to_owned()
    }
}

/// What stands under "failures" and "actions" where there are none: as long as obligations are open, nobody knows that.
pub(crate) const fn no_failures(evaluation: &DriftEvaluation) -> (&'static str, &'static str) {
    if evaluation.assessed.n < evaluation.assessed.of {
        (
            "None was found in what was assessed.",
            "Decide what is open: the nearest words of the report stand beside it.",
        )
    } else {
        ("None.", "None.")
    }
}

/// "3 obligations are", "1 obligation is".
fn are(count: usize, what: &str) -> String {
    format!("{} {}", count_of(count, what), if count == 1 { "is" } else { "are" })
}

/// The ids of the incidents that break an obligation, or miss it.
pub(crate) fn incidents_of<'a>(
    evaluation: &'a DriftEvaluation,
    obligation: &'a Obligation,
) -> impl Iterator<Item = &'a str> {
    let own = evaluation.drift_incidents.iter().filter(|own| own.obligation.as_ref() == Some(&obligation.id));
    own.map(|own| own.id.as_str())
}

/// The worst severity of the incidents of each obligation.
fn severities(evaluation: &DriftEvaluation) -> BTreeMap<&str, u8> {
    let mut worst = BTreeMap::new();
    for incident in &evaluation.drift_incidents {
        if let Some(id) = &incident.obligation {
            let severity = worst.entry(id.as_str()).or_insert(0);
            *severity = incident.severity.max(*severity);
        }
    }
    worst
}

/// What a reader asks for first.
const fn weight(kind: ObligationKind) -> u8 {
    match kind {
        ObligationKind::Banned | ObligationKind::NonGoal => 0,
        ObligationKind::Constraint | ObligationKind::Budget | ObligationKind::Deadline => 1,
        ObligationKind::Metric | ObligationKind::Entity | ObligationKind::Place => 2,
        ObligationKind::Intent | ObligationKind::Problem | ObligationKind::Solution => 3,
        ObligationKind::Uncertainty | ObligationKind::Optional => 4,
    }
}

/// Incidents, those first that are not settled, most severe first; among equals the list's own order, which is the audit's.
pub(crate) fn by_severity(evaluation: &DriftEvaluation) -> Vec<&DriftIncident> {
    let mut incidents: Vec<_> = evaluation.drift_incidents.iter().collect();
    incidents.sort_by_key(|incident| (incident.is_settled(), std::cmp::Reverse(incident.severity)));
    incidents
}

/// How many incidents there are in all, listed or not.
pub(crate) fn total(evaluation: &DriftEvaluation) -> usize {
    evaluation.totals.incidents.max(evaluation.drift_incidents.len())
}

/// "12 × severity 3, 4 × severity 2" of the incidents given.
pub(crate) fn counted<'a>(incidents: impl Iterator<Item = &'a DriftIncident>) -> String {
    let mut counts: BTreeMap<std::cmp::Reverse<u8>, usize> = BTreeMap::new();
    for incident in incidents {
        *counts.entry(std::cmp::Reverse(incident.severity)).or_default() += 1;
    }
    let parts: Vec<_> = counts.iter().map(|(severity, count)| format!("{count} × severity {}", severity.0)).collect();
    parts.join(", ")
}

/// The seed's words for a severity.
pub(crate) const fn severity_word(severity: u8) -> &'static str {
    match severity {
        0 => "none",
        1 => "minor",
        2 => "moderate",
        3 => "major",
        _ => "critical",
    }
}

/// "1 file", "2 files".
pub(crate) fn count_of(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Files of one role, in the order of the sources.
pub(crate) fn files(evaluation: &DriftEvaluation, role: Role) -> Vec<&str> {
    let sources = evaluation.sources.iter();
    sources.filter(|source| source.role == role).map(|source| source.file.as_str()).collect()
}
