//! Tasks: what agents made of them, how it was evaluated, and what of it is an example.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// What somebody said of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskFlag {
    /// When it was said: RFC 3339 in UTC.
    pub at: String,
    /// `good`, `bad` or `unsure`.
    pub quality: String,
    /// In which respects.
    pub tags: Vec<String>,
}

/// A message of a task: a row of the task-evals document's `message_history`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskMessage {
    /// Its UUIDv7.
    pub id: String,
    /// Who speaks.
    pub role: String,
    /// All of what was said.
    pub content: String,
    /// When it was stored: RFC 3339 in UTC.
    pub created_at: String,
    /// Its score, 0 to 1; `null` where it could not be evaluated.
    pub eval_score: Option<f64>,
    /// Its summary; `null` where none was made.
    pub eval_summary: Option<String>,
    /// What followed from the score; `null` where it was not evaluated.
    pub recommendation: Option<String>,
    /// What the last flag says of it; `null` where none does.
    pub quality_flag: Option<String>,
    /// The tags of that flag.
    pub tags: Vec<String>,
    /// Whether it is a candidate for training.
    pub training_candidate: bool,
    /// The run that it was stored with; `null` where there is none.
    pub run_id: Option<String>,
}

/// A task with its messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The version of this JSON.
    pub schema_version: String,
    /// The task.
    pub task_id: String,
    /// When its first message was stored: RFC 3339 in UTC.
    pub created_at: String,
    /// When its last one was.
    pub updated_at: String,
    /// What was said of it, oldest first.
    pub flags: Vec<TaskFlag>,
    /// Its messages, oldest first.
    pub messages: Vec<TaskMessage>,
}

/// A task in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskHead {
    /// The task.
    pub task_id: String,
    /// When its first message was stored: RFC 3339 in UTC.
    pub created_at: String,
    /// When its last one was.
    pub updated_at: String,
    /// How many messages it has.
    pub messages: u64,
    /// How many of them are candidates for training.
    pub candidates: u64,
    /// What the last flag says; `null` where there is none.
    pub quality: Option<String>,
    /// The tags of that flag.
    pub tags: Vec<String>,
}

/// Tasks, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The tasks of this page.
    pub tasks: Vec<TaskHead>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A sequence that was flagged, for training: a line of the export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainingSequence {
    /// The version of this JSON.
    pub schema_version: String,
    /// The task.
    pub task_id: String,
    /// What its last flag says: `good` or `bad`.
    pub quality: String,
    /// The tags of that flag.
    pub tags: Vec<String>,
    /// When that flag was set: RFC 3339 in UTC.
    pub flagged_at: String,
    /// What made it a candidate, a line each: the flags in their order, then what each message scored.
    pub because: Vec<String>,
    /// The messages that are candidates, oldest first.
    pub messages: Vec<TaskMessage>,
}
