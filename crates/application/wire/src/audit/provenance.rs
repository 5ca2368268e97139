//! What an evaluation rests on: files, checks, and what a model said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DriftIncident, DriftType, Role};

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name, relative to the folder or zip that was given.
    pub file: String,
    /// Whether it is the ask or part of the answer.
    pub role: Role,
    /// Its length in bytes.
    pub bytes: usize,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
    /// What was left out of it and why.
    pub left_out: Vec<LeftOut>,
    /// What a reader should know about it (its encoding, a wrapper that was taken off).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A range of a file that was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Why ("repeats the ask").
    pub reason: String,
}

/// A check that exists, run or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id, as in `check` of an incident.
    pub id: String,
    /// What it looks for, in a few words.
    pub title: String,
    /// The type of the incidents that it gives.
    pub drift_type: DriftType,
    /// Whether it ran.
    pub enabled: bool,
    /// How many incidents it gave.
    pub incidents: usize,
    /// Why it did not run, or what its precision is known to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Something that a model proposed and code could not locate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// What was proposed: `obligation` or `incident`.
    pub what: String,
    /// The model's own words.
    pub text: String,
    /// Why it was set aside.
    pub reason: String,
}

/// What a model added and code located: same fields, its own list, no part in any count or score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelView {
    /// The model's name, as it was asked for.
    pub model: String,
    /// What it added; type and severity are set by code, severity at most 2 unless a rule finds the same place.
    pub drift_incidents: Vec<DriftIncident>,
    /// Questions that it would ask the user.
    pub questions: Vec<String>,
    /// The model's own totals, for comparison only.
    pub claimed: Option<ModelClaim>,
}

/// Totals that a model claimed for itself. Never used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelClaim {
    /// Its `overall_fidelity_score`.
    pub overall_fidelity_score: f64,
    /// Its `overall_drift_risk`, in its own spelling.
    pub overall_drift_risk: String,
    /// Its `usable_as_is`.
    pub usable_as_is: bool,
}
