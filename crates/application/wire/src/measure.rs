//! What a measurement on labelled data gives.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// Figures of one or more sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The embedder of the sets that are measured with one; not there where none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// What made the figures, by name: the program, and the rules, coefficients and thresholds that the measured detectors rest on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub versions: BTreeMap<String, String>,
    /// A figure for each metric of each set.
    pub rows: Vec<Figure>,
    /// Sets that were asked for with all others and whose folder is not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl Default for Measurement {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            embedder: None,
            versions: BTreeMap::new(),
            rows: Vec::new(),
            missing: Vec::new(),
        }
    }
}

/// One metric on one set. Numbers are rounded to six decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The set.
    pub set: String,
    /// The metric, unique within the set.
    pub metric: String,
    /// Its value over all rows that are there; `null` where nothing counts for it.
    #[serde(serialize_with = "number::six_decimals")]
    pub value: Option<f64>,
    /// The 95 % interval, by bootstrap over rows, or over groups of rows that hang together, such as the steps of one run.
    #[serde(serialize_with = "number::six_decimals_of_two")]
    pub ci95: Option<[f64; 2]>,
    /// How many rows count for it.
    pub n: usize,
    /// What a few lines of rules reach on the whole set, where that was measured.
    pub floor: Option<f64>,
    /// What others report.
    pub published: Option<f64>,
    /// Its value over the rows that rules were tuned on.
    #[serde(serialize_with = "number::six_decimals")]
    pub tuned: Option<f64>,
    /// Its value over the rows kept aside.
    #[serde(serialize_with = "number::six_decimals")]
    pub kept: Option<f64>,
}

/// One labelled example, judged: enough to compute the figures again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedRow {
    /// The set.
    pub set: String,
    /// Which example.
    pub id: String,
    /// What was predicted.
    pub prediction: String,
    /// A score beside it.
    pub score: Option<f64>,
    /// What the label says.
    pub label: String,
    /// Whether rules were tuned on it.
    pub tuned: bool,
    /// What it counts for each metric.
    pub counts: Vec<Counted>,
}

/// What one example counts for one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// The metric.
    pub metric: String,
    /// Its counts: (over, under) of a ratio, (how many) of a sum, (hits, positives, rejections, negatives) of a balanced accuracy,
    /// (score, positive) of an area under the curve, (value) of a median. The last two are not summed.
    pub counts: Vec<f64>,
}
