//! The coefficients of support as a file: what they are, and how they were fitted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// Coefficients, as `steadfast-measure calibrate grounding` writes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingCoefficients {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The version of features and fit together.
    pub version: String,
    /// The version of the program that fitted them.
    pub program_version: String,
    /// One for words alone, and one for words and vectors.
    pub forms: Vec<GroundingForm>,
}

/// The coefficients of one form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingForm {
    /// `lexical` or `minilm`.
    pub form: String,
    /// What there is without any feature.
    #[serde(serialize_with = "number::share")]
    pub intercept: f64,
    /// One for each feature, in their order. The score is 1 / (1 + exp(−(intercept + Σ value · feature))).
    pub coefficients: Vec<GroundingCoefficient>,
    /// What a coefficient cost in the fit: half its square times this.
    pub ridge: f64,
    /// The parts of sets that it was fitted on: their tuning halves.
    pub fitted_on: Vec<GroundingSet>,
    /// From which score on a passage is supported, for each kind of question.
    pub thresholds: Vec<GroundingThreshold>,
    /// How often passages of a score are supported, on the kept halves, each side of each part weighing the same.
    pub reliability: Vec<GroundingPoint>,
}

/// A coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingCoefficient {
    /// The feature.
    pub feature: String,
    /// What it counts.
    #[serde(serialize_with = "number::share")]
    pub value: f64,
}

/// A part of a set that was fitted on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingSet {
    /// The set, and the part of it.
    pub set: String,
    /// Passages of its tuning half.
    pub rows: usize,
    /// Those of them that are supported.
    pub supported: usize,
}

/// From which score on a passage is supported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingThreshold {
    /// The set, and the part of it, whose tuning half it was fitted on.
    pub set: String,
    /// What it is the best by, on that half.
    pub objective: String,
    /// Among scores with at most this share of false alarms, by the upper end of their one-sided 95 % interval over groups of that half;
    /// where there is such a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_alarms_max: Option<f64>,
    /// The score.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
    /// The mean of both sides told rightly, on the tuning half: each fold of it by coefficients that were fitted without it.
    #[serde(serialize_with = "number::share")]
    pub balanced_accuracy_tuned: f64,
    /// The same on the kept half.
    #[serde(serialize_with = "number::share")]
    pub balanced_accuracy_kept: f64,
    /// Of what is supported in other words the share that is told not to be; on the tuning half, in folds as well.
    #[serde(serialize_with = "number::share")]
    pub false_alarms_tuned: f64,
    /// The same on the kept half.
    #[serde(serialize_with = "number::share")]
    pub false_alarms_kept: f64,
    /// Of what is told to be unsupported, the share that is; on the kept half.
    #[serde(serialize_with = "number::share")]
    pub precision_kept: f64,
    /// Of what is unsupported, the share that is told; on the kept half.
    #[serde(serialize_with = "number::share")]
    pub recall_kept: f64,
}

/// A point of the reliability curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundingPoint {
    /// The mean score of a bin.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
    /// The share of its passages that are supported.
    #[serde(serialize_with = "number::share")]
    pub supported: f64,
    /// The share of all passages that it holds.
    #[serde(serialize_with = "number::share")]
    pub share: f64,
}
