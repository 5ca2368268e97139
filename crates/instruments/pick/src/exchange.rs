//! Dialogues with a chat model about a task: [`Intake`] asks what it is, what binds, what is missing, and how the questions that code asks could be worded;
//! [`Ranking`] asks which of the candidates serve it.
//!
//! A model only proposes. [`accept`] takes what stands in the words of the task: it is told beside what was picked. [`choose`] takes a ranking of prompts that were
//! shown, or nothing of it.

mod accept;
mod intake;
mod rank;

pub use accept::{Accepted, ProposedQuestion, Reading, WORDING_CHARACTERS_MAX, Wording, accept};
pub use intake::{Intake, Proposed, TASK_SHOWN_BYTES_MAX, Word};
pub use rank::{Choice, Chosen, ProposedRanking, RANKED_MAX, Ranking, choose};

/// Something that a model proposed and that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// What was proposed: `intent`, `task_type`, `domain`, `stage`, `deliverable`, `constraint`, `question`, `wording`, `prompt`, `why`, `none`.
    pub what: &'static str,
    /// The model's own words.
    pub text: String,
    /// Why it was not taken.
    pub reason: String,
}
