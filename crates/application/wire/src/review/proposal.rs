//! What somebody who understands an output proposes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cap, Recommendation, ReviewRelation};
use crate::audit::Origin;
use crate::model::ModelCall;

/// A judgement on a criterion, on a claim, or on what the user forbade or demanded. Code looks up the quotes, and refuses what it can refute; what it finds unmet or false stays so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewProposal {
    /// For `met`, `unmet`, `unreported`: the criterion's `id`, or its text, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// For `contradicted`, `supported`, `unsupported`: words of the output, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// For `broken`, `kept`: words that the user typed, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What is said of it.
    pub relation: ReviewRelation,
    /// The turn, from 1, in whose calls `quote` stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The words that say so, verbatim, at most 600 bytes: of a call where `turn` is given, else of the output. `met`, `contradicted` and `supported` cannot do without.
    #[serde(default)]
    pub quote: String,
    /// Why, in one sentence for a reader; at most 400 characters are kept.
    #[serde(default)]
    pub why: String,
}

/// What was proposed and is not taken: code could not locate it, or refutes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewSetAside {
    /// Its words.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// The verdict by code alone, where somebody proposed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewByCode {
    /// What to do with the output.
    pub recommendation: Recommendation,
    /// What holds the recommendation at review at best.
    pub capped_by: Vec<Cap>,
    /// How many claims the calls contradict.
    #[serde(default)]
    pub contradicted: usize,
    /// How many claims no call speaks of.
    #[serde(default)]
    pub unsupported: usize,
    /// How many calls break what the user forbade or demanded.
    #[serde(default)]
    pub broken: usize,
}

/// What was proposed of an output, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewProposed {
    /// Who proposed: `host`, whoever calls; or `person`.
    pub by: Origin,
    /// The person, by the name that they gave; absent where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Whether what `host` finds met or supported counts.
    pub trust_host: bool,
    /// What is not taken, and why.
    pub set_aside: Vec<ReviewSetAside>,
    /// The verdict by code alone.
    pub by_code: ReviewByCode,
}

/// What a chat model was asked, and how that ended. What of its proposals is taken has the origin `chat:NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewChat {
    /// The model's name at its server; its origin is `chat:` and this name.
    pub model: String,
    /// Tokens of all questions, as far as the server said.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as the server said.
    pub reply_tokens: u64,
    /// Every call, in order.
    pub calls: Vec<ModelCall>,
    /// What it was not asked, or gave nothing for, a sentence each.
    pub not_judged: Vec<String>,
    /// Why calls brought nothing; absent where each brought a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What of its proposals is not taken, and why.
    pub set_aside: Vec<ReviewSetAside>,
    /// The verdict by code alone.
    pub by_code: ReviewByCode,
}
