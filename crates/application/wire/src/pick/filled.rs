//! What was picked, ready to be used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Stage;

/// The prompts of a selection with values in the place of their placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilledChain {
    /// The task, as it was given.
    pub task: String,
    /// The prompts, in their order.
    pub prompts: Vec<FilledPrompt>,
    /// The placeholders of all prompts, in the order in which they first stand there.
    pub placeholders: Vec<Placeholder>,
    /// What has to be asked first, where nothing was picked.
    pub questions: Vec<String>,
}

/// A prompt of a chain, filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilledPrompt {
    /// Its place, from 1.
    pub rank: usize,
    /// The stage that it serves.
    pub stage: Stage,
    /// The prompt.
    pub prompt_id: String,
    /// What people call it; `null` where nobody said.
    pub title: Option<String>,
    /// Its text, filled.
    pub text: String,
}

/// A placeholder, `{{name}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placeholder {
    /// Its name.
    pub name: String,
    /// What stands in its place; `null` where nothing was given.
    pub value: Option<String>,
}

impl FilledChain {
    /// The names of the placeholders that nothing was given for.
    pub fn unfilled(&self) -> impl Iterator<Item = &str> {
        self.placeholders.iter().filter(|own| own.value.is_none()).map(|own| own.name.as_str())
    }
}
