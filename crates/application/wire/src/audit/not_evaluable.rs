//! What is said where nothing can be evaluated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Assessed, AuditChat, GateReport, NotEvaluableReason, Obligation, Reading, Source};

/// What stands in the place of an evaluation where nothing can be evaluated: no score, and nothing of the seed's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotEvaluable {
    /// Why.
    pub not_evaluable: NotEvaluableBecause,
    /// The reading of the prompt; `null` where it could not be read.
    pub reading: Option<Reading>,
    /// How much was judged.
    pub assessed: Assessed,
    /// Every file that was read.
    pub sources: Vec<Source>,
    /// What the prompt obliges to, with the nearest passages of the report, for whoever decides.
    #[serde(default)]
    pub obligations: Vec<Obligation>,
    /// What a chat model was asked of what rules leave open; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<AuditChat>,
    /// Why calls of the chat model brought nothing; absent where all brought a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_failed: Option<String>,
    /// The gates that were asked for, and those that failed all the same; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<GateReport>,
}

/// Why nothing can be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotEvaluableBecause {
    /// Why, for programs.
    pub reason: NotEvaluableReason,
    /// The same for a reader, with the file.
    pub detail: String,
}
