//! Prompt and report that give no evaluation.

use steadfast_evidence::Reason;

use crate::ask::Contract;
use crate::assessed::Assessed;
use crate::status::Judged;

/// Why there is no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyNot {
    /// The prompt holds nothing.
    PromptEmpty,
    /// Nothing of the prompt could be read.
    PromptUnread,
    /// The report holds nothing.
    ReportEmpty,
    /// No obligation could be judged.
    NothingJudged,
}

/// Prompt and report without an evaluation.
#[derive(Clone, Debug)]
pub struct NotJudged {
    /// Why there is none.
    pub why: WhyNot,
    /// The same for a reader.
    pub reason: Reason,
    /// What was read of the prompt, where it was read.
    pub contract: Option<Box<Contract>>,
    /// How much of it was judged.
    pub assessed: Assessed,
    /// Its obligations with what the report says nearest to each, for whoever decides.
    pub obligations: Vec<Judged>,
}

impl NotJudged {
    pub(crate) fn new(why: WhyNot, reason: String) -> Self {
        Self { why, reason: Reason(reason), contract: None, assessed: Assessed::default(), obligations: Vec::new() }
    }
}
