//! What a vault holds, and what came of importing into it and searching it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Candidate, PromptRecord, Stage};
use crate::number;

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The version of this JSON.
    pub schema_version: String,
    /// Prompts that were not there.
    pub added: usize,
    /// Prompts that changed.
    pub changed: usize,
    /// Prompts that are as they were.
    pub unchanged: usize,
    /// Prompts of the same source that are no longer in it.
    pub removed: usize,
    /// Prompts whose text another one has, which is kept in their place.
    pub duplicates: usize,
    /// Prompts of this import that wait for somebody to look at what was inferred.
    pub queued: usize,
    /// What could not be read, and why.
    pub refused: Vec<ImportRefusal>,
    /// How many files were passed over, by the reason; a dry run tells which.
    pub passed_over: std::collections::BTreeMap<String, usize>,
}

/// What could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRefusal {
    /// Where: the file, and the line in it where one is known.
    pub place: String,
    /// Why.
    pub why: String,
}

/// A field that nobody gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inferred {
    /// The field.
    pub field: String,
    /// What was inferred.
    pub value: String,
    /// How sure that is, 0 to 1.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

/// A prompt that waits for somebody to look at it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueEntry {
    /// The prompt.
    pub prompt_id: String,
    /// What was inferred of it, the least sure first.
    pub inferred: Vec<Inferred>,
}

/// Prompts that wait for somebody to look at them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultQueue {
    /// The version of this JSON.
    pub schema_version: String,
    /// The least sure first.
    pub queue: Vec<QueueEntry>,
    /// How many there are in all.
    pub total: usize,
}

/// What a vault holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultStatus {
    /// The version of this JSON.
    pub schema_version: String,
    /// Prompts.
    pub prompts: usize,
    /// Prompts with a vector of the embedder that is in force.
    pub embedded: usize,
    /// What makes vectors; `null` where none was asked for yet.
    pub embedding_version: Option<String>,
    /// Prompts that wait for somebody to look at what was inferred.
    pub queued: usize,
    /// Prompts by stage, `unknown` among them.
    pub stages: std::collections::BTreeMap<String, usize>,
    /// Pairs of prompts that are nearly the same text.
    pub near_duplicates: usize,
    /// Good and bad words of feedback.
    pub feedback: usize,
}

/// What a query finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchResult {
    /// The version of this JSON.
    pub schema_version: String,
    /// What the query is found by, where it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qid: Option<String>,
    /// Whether vectors were used.
    pub vectors: bool,
    /// Candidates, best first.
    pub candidates: Vec<Candidate>,
}

/// Prompts of a vault, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The prompts of this page.
    pub prompts: Vec<PromptRow>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A prompt in a list: what was given of it, without its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptRow {
    /// Its name in the vault.
    pub prompt_id: String,
    /// What people call it; `null` where nobody said.
    pub title: Option<String>,
    /// The stage of work that it serves; `null` where nobody said.
    pub stage: Option<Stage>,
    /// What is done with it; `null` where nobody said.
    pub intent: Option<String>,
    /// What it works on; `null` where nobody said.
    pub task_type: Option<String>,
    /// The field that it belongs to; `null` where nobody said.
    pub domain: Option<String>,
    /// Draft, reviewed, retired …; `null` where nobody said.
    pub status: Option<String>,
    /// In which respects it may be looked for.
    pub tags: Vec<String>,
    /// The least confidence of what was inferred of it, 0 to 1; 1 where nothing was.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

/// All that is known of a prompt of a vault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultPrompt {
    /// The version of this JSON.
    pub schema_version: String,
    /// The prompt, as it was given.
    pub record: PromptRecord,
    /// What was inferred of it.
    pub inferred: Vec<Inferred>,
    /// How often it was said to be good.
    pub good: u32,
    /// How often it was said to be bad.
    pub bad: u32,
    /// The ids of prompts that are nearly the same text.
    pub near_duplicates: Vec<String>,
}
