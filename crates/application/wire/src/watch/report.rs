//! Scores of steps and trajectories.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Aggregate, AlertCause, Calibration, SCHEMA_VERSION, UpdateType, WatchChat};
use crate::{Run, number};

/// What came of following one or more trajectories. Scores are rounded to six decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the rules that it was made by; absent in results of programs that did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// What made vectors of the texts: `minilm` or `lexical`. Scores of different embedders are never compared.
    pub embedder: String,
    /// The embedder down to its weights.
    pub embedding_version: String,
    /// What of a long output was compared.
    pub aggregate: Aggregate,
    /// Every trajectory, in the order in which they began; of identical ones the first.
    pub trajectories: Vec<Trajectory>,
    /// What alerts rest on.
    pub alert: Alerting,
    /// Trajectories that are identical to one that is listed: they count once.
    pub duplicates: Vec<Duplicate>,
    /// What could not be read or scored, and where.
    pub problems: Vec<Problem>,
    /// What a chat model says of steps that signals single out; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<WatchChat>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

impl Watch {
    /// A report without trajectories.
    #[must_use]
    pub fn new(embedder: &str, embedding_version: &str, aggregate: Aggregate, alert: Alerting) -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            rules_version: None,
            embedder: embedder.to_owned(),
            embedding_version: embedding_version.to_owned(),
            aggregate,
            trajectories: Vec::new(),
            alert,
            duplicates: Vec::new(),
            problems: Vec::new(),
            chat: None,
            run: None,
        }
    }
}

/// One agent on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// The task.
    pub task_id: String,
    /// The agent; `null` where the input names none.
    pub agent: Option<String>,
    /// The task of the agent that called this one; `null` where it was called by none.
    pub parent: Option<String>,
    /// The goal at the first step; `null` where neither it nor any instruction is known.
    pub initial_intent: Option<String>,
    /// Its steps, in the order of the input.
    pub steps: Vec<Step>,
    /// The mean of `ids` over all steps but the first; `null` where there are none.
    #[serde(serialize_with = "number::six_decimals")]
    pub mean_ids: Option<f64>,
    /// Their maximum.
    #[serde(serialize_with = "number::six_decimals")]
    pub max_ids: Option<f64>,
    /// How far the goal moved from the initial intent to the last step, 0 to 1.
    #[serde(serialize_with = "number::six_decimals")]
    pub goal_shift: Option<f64>,
    /// The number of the first step of a sustained change to higher goal distances; `null` where there is none.
    pub onset: Option<i64>,
    /// What the onset rests on; `null` where there is none.
    pub onset_test: Option<Onset>,
    /// Stretches of steps that want looking at.
    pub alerts: Vec<Alert>,
}

/// One step, scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its number in the input.
    pub step: i64,
    /// Intent Drift Score: 1 − cosine of output and current goal, 0 to 1; `null` where there is no text or no goal.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ids: Option<f64>,
    /// The mean of three views of how far the output is from the current goal, 0 to 1: the whole, its sentences, its words.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub goal_distance: Option<f64>,
    /// The current goal.
    pub goal: String,
    /// What the instruction did to the goal; `null` where there is no instruction, or no thresholds are known for the embedder.
    pub update_type: Option<UpdateType>,
    /// 1 − cosine of output and initial intent, 0 to 1.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub anchor_ids: Option<f64>,
    /// The share of the output that repeats the instruction, in runs of five words, 0 to 1.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub echo: Option<f64>,
    /// Whether the output is longer than what the embedder reads.
    pub truncated: bool,
    /// Whether there is no output at all, which is not an empty one.
    pub no_text: bool,
    /// What the output uses although the initial intent or the instruction bans it.
    pub broken: Vec<BrokenBan>,
}

/// A banned term that an output uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrokenBan {
    /// The term, as the ask writes it.
    pub term: String,
    /// The words of the ask that ban it, verbatim.
    pub ban: String,
    /// The sentence of the output that uses it, verbatim.
    pub quote: String,
}

/// What an onset rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Onset {
    /// How likely a change as great is where the order of the scores means nothing.
    #[serde(serialize_with = "number::share")]
    pub p: f64,
    /// The mean goal distance before it.
    #[serde(serialize_with = "number::share")]
    pub before: f64,
    /// The mean goal distance from it on.
    #[serde(serialize_with = "number::share")]
    pub after: f64,
}

/// A stretch of steps that wants looking at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alert {
    /// The number of its first step.
    pub from_step: i64,
    /// The number of its last step.
    pub to_step: i64,
    /// Why.
    pub cause: AlertCause,
    /// One sentence for a reader, with quotes where it rests on words.
    pub message: String,
}

/// What alerts rest on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alerting {
    /// From which score on; `null` where alerts rest on onsets and bans alone.
    #[serde(serialize_with = "number::six_decimals")]
    pub threshold: Option<f64>,
    /// What the threshold rests on.
    pub calibration: Calibration,
    /// The share of trajectories without drift that raise an alert.
    #[serde(serialize_with = "number::six_decimals")]
    pub false_alarm_rate: Option<f64>,
    /// On what that share was measured.
    pub measured_on: String,
}

/// A trajectory that is identical to another of the same agent in instructions and outputs, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Duplicate {
    /// Its task.
    pub task_id: String,
    /// Its agent.
    pub agent: Option<String>,
    /// The task of the trajectory that is listed in its place.
    pub same_as: String,
}

/// What could not be read or scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The file, as it was named.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in that line, counted from 1.
    pub column: u64,
    /// What is wrong there.
    pub message: String,
}

/// One step of a stream: a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRecord {
    /// The task.
    pub task_id: String,
    /// The agent.
    pub agent: Option<String>,
    /// The step, its members beside those above.
    #[serde(flatten)]
    pub scores: Step,
}
