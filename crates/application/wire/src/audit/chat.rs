//! What came of asking a chat model for what rules leave open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chat::ExamMark;
use crate::model::ModelCall;

/// What a chat model was asked, and how that ended. What it proposes stands in `proposals`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditChat {
    /// The model's name at its server; its origin is `chat:` and this name.
    pub model: String,
    /// What `chat exam` says of it; absent where it has sat no exam with these rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<ExamMark>,
    /// Tokens of all questions, as far as the server said.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as the server said.
    pub reply_tokens: u64,
    /// Every call, in order.
    pub calls: Vec<ModelCall>,
    /// What it was not asked, or gave nothing for.
    pub not_judged: Vec<NotJudged>,
    /// What it found once and did not stand by when it was asked again; it counts nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<Unconfirmed>,
}

/// A finding that a chat model did not stand by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unconfirmed {
    /// The words of the prompt that it named; empty where it named none.
    pub asked: String,
    /// Its words of the report; empty where something was said to be left out. Nobody has looked them up.
    pub quote: String,
    /// Why it was a finding.
    pub why: String,
    /// Why it is none.
    pub reason: String,
}

/// A finding as it is shown to a chat model that is asked about it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Words of the prompt.
    pub asked: String,
    /// Words of the report.
    pub quote: String,
    /// Why it is said to depart.
    pub why: String,
    /// What stands around the words, where the report is not shown there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<String>,
}

/// Something that a chat model was not asked, or gave nothing for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotJudged {
    /// The ids of the obligations.
    pub obligations: Vec<String>,
    /// Whether it concerns what the ask demands beside the obligations, and what the answer adds.
    pub beyond: bool,
    /// Why.
    pub reason: String,
}
