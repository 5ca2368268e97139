//! Operating points as a file: thresholds, and how they were fitted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PickMode;
use crate::misread::Misread;
use crate::number;

/// Operating points of one name. `steadfast-measure calibrate pick` writes them; one that is written by hand needs `schema_version`, `name` and the
/// thresholds of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperatingPoints {
    /// The version of this JSON.
    pub schema_version: String,
    /// What selections call it.
    pub name: String,
    /// One for every vault, or one for vaults with vectors and one for words alone: their scores are not the same numbers.
    pub points: Vec<PointThresholds>,
}

/// Thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointThresholds {
    /// Whether it is for vaults with vectors (`true`), for words alone (`false`), or for both (not there).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<bool>,
    /// From this ambiguity on the task is asked about.
    #[serde(serialize_with = "number::share")]
    pub t_ambiguity: f64,
    /// A single prompt is chosen from this score on.
    #[serde(serialize_with = "number::share")]
    pub t_single: f64,
    /// A chain is chosen from this score on.
    #[serde(serialize_with = "number::share")]
    pub t_chain: f64,
    /// A chain has to be better than a single prompt by this much.
    #[serde(serialize_with = "number::share")]
    pub delta: f64,
    /// What a score is worth: scores rise, confidence does not fall. Between points the line holds; without any a score is its own confidence.
    #[serde(default)]
    pub curve: Vec<CurvePoint>,
    /// How it was fitted; not there where somebody wrote it by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<PointFit>,
}

/// A point of a confidence curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// The score of a selection.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
    /// How much a selection of that score succeeds, 0 to 1.
    #[serde(serialize_with = "number::share")]
    pub confidence: f64,
}

/// How an operating point was fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointFit {
    /// The version of the program.
    pub program_version: String,
    /// The embedder; not there for words alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// The objective in words: what a selection is worth, and how worths are summed.
    pub objective: String,
    /// Of the clear tasks of each vault at most this share may end in a question.
    pub abstain_max: f64,
    /// Parts of the tasks, by a hash of what they hang together by, each of which was held out once.
    pub folds: usize,
    /// Operating points that were tried.
    pub tried: usize,
    /// At these thresholds, which were fitted on all tasks.
    pub fitted: PointFigures,
    /// Every task under the thresholds that were fitted without its part.
    pub held_out: PointFigures,
}

/// Figures of an operating point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointFigures {
    /// The objective.
    #[serde(serialize_with = "number::share")]
    pub objective: f64,
    /// The figures of each set of tasks.
    pub sets: Vec<SetFigures>,
}

/// Figures of one set of tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetFigures {
    /// The set.
    pub set: String,
    /// What its tasks want: `single`, `several`, `question`, `gate`.
    pub wants: String,
    /// Tasks.
    pub tasks: usize,
    /// The mean of what selections are worth.
    #[serde(serialize_with = "number::share")]
    pub success: f64,
    /// The share of each mode, `single`, `chain` and `clarify`.
    pub modes: Vec<ModeShare>,
    /// The mean of what selections are worth over the tasks that got prompts; `null` where none did.
    #[serde(serialize_with = "number::six_decimals")]
    pub success_answered: Option<f64>,
}

/// How often a mode is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModeShare {
    /// The mode.
    pub mode: PickMode,
    /// Its share.
    #[serde(serialize_with = "number::share")]
    pub share: f64,
}

/// Reads a file of operating points.
///
/// # Errors
/// [`Misread`] with line and column.
pub fn read_points(text: &str) -> Result<OperatingPoints, Misread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| Misread::parser(1, &error))
}
