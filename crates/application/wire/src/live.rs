//! Trajectories that are under way: steps that are posted, their scores, lists of trajectories, events.

mod read;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;
use crate::watch::{BrokenBan, Step, UpdateType};

pub use read::{STEPS_MAX, read_steps};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// A step of an agent's run, as it is posted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveStep {
    /// The trajectory, where it is not named otherwise; it has to be the same then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Its number; counted from 0 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// The instruction under which it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the agent said, verbatim; left out where it said nothing in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The goal of the whole task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_intent: Option<String>,
    /// The trajectory of the agent that called this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// Scores of a step: the members of a step of `watch`, but for the goal, which is named by the step at which it came into force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveScores {
    /// Its number, by whoever counts steps.
    pub step: i64,
    /// Intent Drift Score: 1 − cosine of output and current goal, 0 to 1; `null` where there is no text or no goal.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ids: Option<f64>,
    /// The mean of three views of how far the output is from the current goal, 0 to 1: the whole, its sentences, its words.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub goal_distance: Option<f64>,
    /// The place of the step at which the current goal came into force; `goals` has its words.
    pub goal_from: u64,
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

impl LiveScores {
    /// The scores of a step whose goal came into force at the step of this place.
    #[must_use]
    pub fn of(step: Step, goal_from: u64) -> Self {
        let Step { step, ids, goal_distance, goal: _, update_type, anchor_ids, echo, truncated, no_text, broken } =
            step;
        Self { step, ids, goal_distance, goal_from, update_type, anchor_ids, echo, truncated, no_text, broken }
    }

    /// The same as a step of `watch`.
    #[must_use]
    pub fn with_goal(self, goal: String) -> Step {
        let Self { step, ids, goal_distance, goal_from: _, update_type, anchor_ids, echo, truncated, no_text, broken } =
            self;
        Step { step, ids, goal_distance, goal, update_type, anchor_ids, echo, truncated, no_text, broken }
    }
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakenStep {
    /// Its UUIDv7.
    pub id: String,
    /// Its place in the trajectory, from 0, in the order in which steps were taken.
    pub number: u64,
    /// Its scores; absent where they were not waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<LiveScores>,
}

/// What is answered to steps that were posted: all of them are on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepsTaken {
    /// The version of this JSON.
    pub schema_version: String,
    /// The trajectory.
    pub trajectory_id: String,
    /// The steps, in the order in which they were given.
    pub steps: Vec<TakenStep>,
    /// The goals that scores name, by the place of the step at which each came into force.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub goals: BTreeMap<u64, String>,
}

/// A trajectory without its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrajectoryHead {
    /// What it is called.
    pub id: String,
    /// When its first step was taken: RFC 3339 in UTC.
    pub created_at: String,
    /// When its last one was.
    pub updated_at: String,
    /// The beginning of its initial intent, else of its first instruction; `null` where it has neither.
    pub intent: Option<String>,
    /// Who made its first step; `null` where nobody is named.
    pub agent: Option<String>,
    /// How many agents made its steps.
    pub agents: u64,
    /// How many steps it has.
    pub steps: u64,
    /// How many of them, from the first on, have scores.
    pub scored: u64,
    /// Of how many steps the members below tell. On a long trajectory they are not computed anew with every step.
    pub of_steps: u64,
    /// The mean of `ids` over all steps but the first, of the agent with the highest; `null` where there are none.
    #[serde(serialize_with = "number::six_decimals")]
    pub mean_ids: Option<f64>,
    /// The greatest `ids` behind a first step.
    #[serde(serialize_with = "number::six_decimals")]
    pub max_ids: Option<f64>,
    /// The number of the first step of a sustained change; `null` where there is none.
    pub onset: Option<i64>,
    /// How many alerts there are.
    pub alerts: u64,
    /// The embedder and what else made the scores; `null` where there are none.
    pub scorer: Option<String>,
}

/// Trajectories, those that changed last first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrajectoryList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The trajectories of this page.
    pub trajectories: Vec<TrajectoryHead>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A step of a trajectory, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptStep {
    /// Its UUIDv7.
    pub id: String,
    /// Its place in the trajectory, from 0.
    pub number: u64,
    /// Who made it; `null` where nobody is named.
    pub agent: Option<String>,
    /// The trajectory of the agent that called this one; `null` where none is named.
    pub parent: Option<String>,
    /// The instruction; `null` where there is none.
    pub prompt: Option<String>,
    /// What the agent said; `null` where it said nothing in words.
    pub output: Option<String>,
    /// Its scores; `null` where it has none yet.
    pub scores: Option<LiveScores>,
}

/// A page of a trajectory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrajectoryPage {
    /// The version of this JSON.
    pub schema_version: String,
    /// The trajectory.
    pub trajectory: TrajectoryHead,
    /// The steps of this page, in the order in which they were taken.
    pub steps: Vec<KeptStep>,
    /// The goals that scores of this page name, by the place of the step at which each came into force.
    pub goals: BTreeMap<u64, String>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
}

/// What is told to whoever follows a trajectory: a step has its scores. Its `number` is the event's id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepScored {
    /// The trajectory.
    pub trajectory_id: String,
    /// The step's UUIDv7.
    pub id: String,
    /// Its place in the trajectory, from 0.
    pub number: u64,
    /// Who made it; `null` where nobody is named.
    pub agent: Option<String>,
    /// Its scores.
    pub scores: LiveScores,
    /// The goal, where it came into force with this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
}
