//! Prompts and tasks as others write them: JSON objects, a line each.

use serde::{Deserialize, Deserializer};

use crate::misread::Misread;

/// A prompt as somebody gives it: only its id and its text are needed, what is not known is ignored.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct GivenPrompt {
    /// Its name in the vault.
    pub prompt_id: String,
    /// The prompt.
    pub prompt_text: String,
    /// What people call it.
    #[serde(default)]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// In which respects it may be looked for: a list, or words parted by commas.
    #[serde(default, deserialize_with = "list")]
    pub tags: Vec<String>,
    /// The stage of work that it serves.
    #[serde(default)]
    pub stage: Option<String>,
    /// What is done with it.
    #[serde(default)]
    pub intent: Option<String>,
    /// What it works on.
    #[serde(default)]
    pub task_type: Option<String>,
    /// The field that it belongs to.
    #[serde(default)]
    pub domain: Option<String>,
    /// What it has to be given.
    #[serde(default)]
    pub expected_input: Option<String>,
    /// What it returns.
    #[serde(default)]
    pub expected_output: Option<String>,
    /// Draft, reviewed, retired …
    #[serde(default)]
    pub status: Option<String>,
    /// The models that it was tried with: a list, or words parted by commas.
    #[serde(default, deserialize_with = "list")]
    pub models_tested: Vec<String>,
    /// The id of the prompt that it is a variant of.
    #[serde(default)]
    pub parent_prompt: Option<String>,
    /// Where it came from.
    #[serde(default)]
    pub original_link: Option<String>,
    /// When it was changed.
    #[serde(default)]
    pub last_updated: Option<String>,
    /// When it was evaluated.
    #[serde(default)]
    pub last_evaluated: Option<String>,
    /// Anything else.
    #[serde(default)]
    pub notes: Option<String>,
}

/// A task as somebody gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GivenTask {
    /// What the answer is found by.
    pub qid: String,
    /// The task, or the query.
    pub query: String,
}

/// A list, a text with commas, or nothing.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        List(Vec<String>),
        Text(String),
        Nothing(()),
    }
    Ok(match Form::deserialize(deserializer)? {
        Form::List(list) => list,
        Form::Text(text) => text.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect(),
        Form::Nothing(()) => Vec::new(),
    })
}

/// Reads a line that holds a prompt. `line` is its number in the file, from 1.
///
/// # Errors
/// [`Misread`] with line and column.
pub fn read_prompt(line: usize, text: &str) -> Result<GivenPrompt, Misread> {
    serde_json::from_str(text).map_err(|error| Misread::parser(line, &error))
}

/// Reads a line that holds a task. `line` is its number in the file, from 1.
///
/// # Errors
/// [`Misread`] with line and column.
pub fn read_task(line: usize, text: &str) -> Result<GivenTask, Misread> {
    serde_json::from_str(text).map_err(|error| Misread::parser(line, &error))
}
