//! What a chat model says of steps that signals single out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AlertCause, StepSaid};
use crate::audit::Origin;
use crate::model::ModelCall;

/// What a chat model was asked of the steps that signals single out, and how that ended. It changes no score, no alert and no gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChat {
    /// The model's name at its server; its origin is `chat:` and this name.
    pub model: String,
    /// Tokens of all questions, as far as the server said.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as the server said.
    pub reply_tokens: u64,
    /// Every call, in order; none where no step is singled out.
    pub calls: Vec<ModelCall>,
    /// What it said of each step whose words were found.
    pub steps: Vec<JudgedStep>,
    /// What it was not asked, or gave nothing for, a sentence each.
    pub not_judged: Vec<String>,
    /// Why calls brought nothing; absent where each brought a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What it said and is not taken, and why.
    pub set_aside: Vec<StepSetAside>,
}

/// What a chat model says of one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedStep {
    /// The task.
    pub task_id: String,
    /// The agent; `null` where the input names none.
    pub agent: Option<String>,
    /// The step's number.
    pub step: i64,
    /// The alerts of code that it stands under; empty where its instruction is a high drift risk and no more.
    pub alerts: Vec<AlertCause>,
    /// Who says it: `chat:` and the model.
    pub origin: Origin,
    /// What is said of it.
    pub said: StepSaid,
    /// Whether it says otherwise than an alert of code, which stands all the same.
    pub dissents: bool,
    /// The words of the user that the step leaves or serves, verbatim; empty where it is unclear.
    pub asked: String,
    /// The words of the step that show it, verbatim; empty where it is unclear.
    pub quote: String,
    /// Why, in the model's words.
    pub why: String,
}

/// What was said of a step and is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepSetAside {
    /// The task.
    pub task_id: String,
    /// The agent; `null` where the input names none.
    pub agent: Option<String>,
    /// The step's number; `null` where it names no step that was asked about.
    pub step: Option<i64>,
    /// Its words.
    pub text: String,
    /// Why.
    pub reason: String,
}
