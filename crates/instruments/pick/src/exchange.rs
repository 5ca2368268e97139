//! A dialogue with a chat model about a task: what it is, what binds, what is missing, and how the questions that code asks could be worded.
//!
//! A model only proposes, and what it proposes is told beside what was picked: mode, scores and selection are made before it is asked.
//! [`accept`] takes what stands in the words of the task.

mod accept;
mod intake;

pub use accept::{Accepted, ProposedQuestion, Reading, WORDING_CHARACTERS_MAX, Wording, accept};
pub use intake::{Intake, Proposed, TASK_SHOWN_BYTES_MAX, Word};

/// Something that a model proposed and that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// What was proposed: `intent`, `task_type`, `domain`, `stage`, `deliverable`, `constraint`, `question`, `wording`.
    pub what: &'static str,
    /// The model's own words.
    pub text: String,
    /// Why it was not taken.
    pub reason: String,
}
