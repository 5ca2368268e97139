//! What a chat model said of a task and of the candidates, and what code made of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;
use crate::model::{Aside, ModelCall};

/// What a chat model was asked of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelView {
    /// What it read in the task, with `--intake model`: no part of what was picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intake: Option<Intake>,
    /// How it was asked to choose, with `--rank model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Ranking>,
    /// What it proposed and was not taken.
    pub set_aside: Vec<Aside>,
    /// Every call, in order.
    pub calls: Vec<ModelCall>,
}

/// How a model was asked to choose among candidates. What it chose is what was picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Who was asked.
    pub model: String,
    /// How many candidates it was shown.
    pub shown: usize,
    /// Why it finds that no prompt serves the task, in its words; `null` where it does not.
    pub none: Option<String>,
    /// Why rules chose all the same; `null` where the model's reply was taken.
    pub why: Option<String>,
}

/// What a model read in a task, where its words stand there and code does not read the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Intake {
    /// Who was asked.
    pub model: String,
    /// What all of this rests on: `proposed by a model, located by code`.
    pub basis: String,
    /// What the task is, where code reads it otherwise or not at all.
    pub readings: Vec<IntakeReading>,
    /// What must hold beyond the constraints that code reads, in words of the task.
    pub constraints: Vec<Span>,
    /// What should be asked beyond what code asks.
    pub questions: Vec<IntakeQuestion>,
    /// Questions of code in other words.
    pub wordings: Vec<IntakeWording>,
    /// Why nothing came; `null` where an answer did.
    pub why: Option<String>,
    /// Bytes of the task that it did not see.
    pub unread_bytes: usize,
}

/// One thing that a task is said to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntakeReading {
    /// `intent`, `task_type`, `domain`, `stage` or `deliverable`.
    pub field: String,
    /// What it is.
    pub value: String,
    /// The words of the task that say so.
    pub span: Span,
}

/// A question that a model would ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntakeQuestion {
    /// What is missing.
    pub what: String,
    /// The question, in the model's words.
    pub question: String,
    /// The words of the task that make it needed.
    pub span: Span,
}

/// A question of code in other words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntakeWording {
    /// The question, as it stands in `clarification_questions`.
    pub question: String,
    /// The other words.
    pub wording: String,
}
