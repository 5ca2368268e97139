//! Prompt and report that give no evaluation.

use steadfast_evidence::Reason;

use crate::ask::Contract;
use crate::assessed::Assessed;
use crate::status::Judged;

steadfast_evidence::vocabulary! {
    /// Why there is no evaluation.
    #[schemars(rename = "NotEvaluableReason")]
    WhyNot {
        /// The prompt holds nothing.
        PromptEmpty = "prompt_empty", "the prompt is empty";
        /// Nothing of the prompt could be read: it asks for nothing, or in another language.
        PromptUnread = "prompt_unread", "nothing of the prompt could be read";
        /// The report holds nothing.
        ReportEmpty = "report_empty", "the report is empty";
        /// No obligation could be judged: the report speaks of something else, or another language.
        NothingJudged = "nothing_judged", "no obligation could be judged";
    }
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
