//! A prompt of a vault.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Stage;

/// A prompt as the vault keeps it: section 4.1, and the title, description, tags and stage that many vaults have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptRecord {
    /// Its name in the vault, unique.
    pub prompt_id: String,
    /// The prompt.
    pub prompt_text: String,
    /// What people call it.
    #[serde(default)]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// In which respects it may be looked for.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The stage of work that it serves.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// What is done with it.
    pub intent: Option<String>,
    /// What it works on.
    pub task_type: Option<String>,
    /// The field that it belongs to.
    pub domain: Option<String>,
    /// What it has to be given.
    pub expected_input: Option<String>,
    /// What it returns.
    pub expected_output: Option<String>,
    /// Draft, reviewed, retired …
    pub status: Option<String>,
    /// The models that it was tried with.
    pub models_tested: Vec<String>,
    /// The id of the prompt that it is a variant of.
    pub parent_prompt: Option<String>,
    /// Where it came from.
    pub original_link: Option<String>,
    /// When it was changed: `YYYY-MM-DDTHH:MM:SSZ`; `null` where nobody said.
    pub last_updated: Option<String>,
    /// When it was evaluated: `YYYY-MM-DD`.
    pub last_evaluated: Option<String>,
    /// Anything else.
    pub notes: Option<String>,
    /// The SHA-256 of everything above, in hexadecimal.
    pub content_hash: String,
    /// What made its vector; empty where it has none.
    pub embedding_version: String,
}
