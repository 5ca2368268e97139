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
