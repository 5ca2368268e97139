//! How operating points did, by what was said of what they picked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;

/// How the operating points of a vault did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultResults {
    /// The version of this JSON.
    pub schema_version: String,
    /// Each operating point, by name and contents.
    pub points: Vec<PointResult>,
    /// Every pair of them.
    pub comparisons: Vec<PointComparison>,
}

/// How one operating point did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointResult {
    /// Its name. Where different contents have one name, a part of their hash stands behind it.
    pub operating_point: String,
    /// The SHA-256 of its thresholds and curve; `null` for selections that were kept before it was.
    pub sha256: Option<String>,
    /// Selections.
    pub selections: usize,
    /// Those of one prompt.
    pub single: usize,
    /// Those of several.
    pub chain: usize,
    /// Questions.
    pub clarify: usize,
    /// Selections that somebody said were good: the last word on each of their prompts was.
    pub good: usize,
    /// Selections of which the last word on some prompt was bad.
    pub bad: usize,
    /// Good ones over those of which anything was said; `null` where nothing was.
    #[serde(serialize_with = "number::six_decimals")]
    pub share_good: Option<f64>,
    /// Its 95 % interval: the score interval of Wilson (1927).
    #[serde(serialize_with = "number::six_decimals_of_two")]
    pub ci95: Option<[f64; 2]>,
}

/// How two operating points compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointComparison {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Share of good selections of the one less that of the other; `null` where nothing was said of one of them.
    #[serde(serialize_with = "number::six_decimals")]
    pub difference: Option<f64>,
    /// Its 95 % interval: the hybrid score interval of Newcombe (1998, method 10).
    #[serde(serialize_with = "number::six_decimals_of_two")]
    pub ci95: Option<[f64; 2]>,
    /// In words: which is better, or that there is not enough to say so.
    pub verdict: String,
}
