//! A prompt as the vault keeps it.

use crate::stage::Stage;

/// A prompt with what is known of it. Only its id and its text are needed; what nobody said is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptRecord {
    /// Its name in the vault, unique.
    pub prompt_id: String,
    /// The prompt.
    pub prompt_text: String,
    /// What people call it.
    pub title: Option<String>,
    /// What it is for, in a sentence.
    pub description: Option<String>,
    /// In which respects it may be looked for.
    pub tags: Vec<String>,
    /// The stage of work that it serves.
    pub stage: Option<Stage>,
    /// What is done with it: create, analyze, decide …
    pub intent: Option<String>,
    /// What it works on: content, code, meeting …
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
    /// When it was changed: RFC 3339.
    pub last_updated: Option<String>,
    /// When it was evaluated: `YYYY-MM-DD`.
    pub last_evaluated: Option<String>,
    /// Anything else.
    pub notes: Option<String>,
}

/// Prompts by their places in a vault: those that a task needs, not all.
pub trait Records {
    /// The prompt of a place, where it is there.
    fn get(&self, place: usize) -> Option<&PromptRecord>;
}

impl Records for Vec<PromptRecord> {
    fn get(&self, place: usize) -> Option<&PromptRecord> {
        self.as_slice().get(place)
    }
}
