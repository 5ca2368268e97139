//! What people decided on incidents, and what changed since an earlier evaluation. Both stand beside the verdict and move nothing of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Disqualification, DriftIncident, Risk, UsableBecause};
use crate::decisions::DecisionKind;
use crate::number;

/// What somebody decided on an incident.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncidentDecision {
    /// What was decided: `accept` or `contest`.
    pub kind: DecisionKind,
    /// Why, in the words of who decided.
    pub reason: String,
    /// The last day on which it holds; `null` where it has no end.
    pub until: Option<String>,
    /// Whether that day is over: the incident counts again.
    pub expired: bool,
    /// When it was decided: RFC 3339.
    pub decided_at: String,
    /// Who decided, as far as that is known.
    pub author: Option<String>,
}

/// How many incidents were decided on, and what remains without those that are settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// Incidents that are accepted.
    pub accepted: usize,
    /// Incidents that are contested.
    pub contested: usize,
    /// Incidents on which a decision has expired: they count again.
    pub expired: usize,
    /// The day as of which this is so; absent where no decision has an end, so that the day changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// How that day was found, where it was not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumption: Option<String>,
    /// What gates look at.
    pub remaining: Remaining,
}

/// The verdict over the incidents that are neither accepted nor contested, by the functions of the verdict itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remaining {
    /// How many incidents there are.
    pub incidents: usize,
    /// The score, 0 to 5, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    #[schemars(range(min = 0.0, max = 5.0))]
    pub overall_fidelity_score: f64,
    /// The risk.
    pub overall_drift_risk: Risk,
    /// Whether it is usable as it is.
    pub usable_as_is: bool,
    /// Why it is usable as it is, or not.
    pub usable_because: UsableBecause,
    /// What disqualifies.
    pub disqualifiers: Vec<Disqualification>,
    /// The ids of the obligations that are broken or weakened.
    pub broken: Vec<String>,
    /// The ids of those that must be kept and that nothing in the answer comes near.
    pub missing: Vec<String>,
}

/// How the incidents stand against those of an earlier evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineComparison {
    /// The version of the rules of the earlier evaluation.
    pub rules_version: String,
    /// How many incidents it had.
    pub incidents: usize,
    /// Whether it was of the same prompt, byte for byte.
    pub same_prompt: bool,
    /// Incidents that it did not have.
    pub new: usize,
    /// Incidents that it had as well.
    pub known: usize,
    /// The ids of those that it had and that are no more, in its order.
    pub gone: Vec<String>,
}

impl DriftIncident {
    /// Whether it is accepted or contested today: gates pass over it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let settles = |own: &IncidentDecision| own.kind != DecisionKind::Withdrawn && !own.expired;
        self.decision.as_ref().is_some_and(settles)
    }
}

/// An earlier evaluation, as far as it is compared with: what else its JSON holds is not read, so that one of another version serves as well.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EarlierEvaluation {
    /// The version of its rules.
    pub rules_version: String,
    /// Its incidents.
    pub drift_incidents: Vec<EarlierIncident>,
    /// Its files.
    pub sources: Vec<EarlierSource>,
    /// Its counts.
    pub totals: EarlierTotals,
}

/// An incident of an earlier evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EarlierIncident {
    /// Its fingerprint.
    pub id: String,
}

/// A file of an earlier evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EarlierSource {
    /// Whether it is the ask.
    pub role: super::Role,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// The counts of an earlier evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EarlierTotals {
    /// All its incidents, listed or not.
    pub incidents: usize,
}
