//! What somebody who understands an output proposes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cap, Recommendation};
use crate::audit::Origin;
use crate::vocabulary::names;

names! {
    /// What is said of a criterion, or of a claim.
    ReviewRelation {
        /// The quote meets the criterion.
        Met = "met", "meets";
        /// The output leaves the criterion unmet.
        Unmet = "unmet", "leaves unmet";
        /// What was taken for a report on the criterion is none.
        Unreported = "unreported", "does not report";
        /// Other words of the output contradict the claim.
        Contradicted = "contradicted", "contradicts";
    }
}

/// A judgement on a criterion, or on a claim. Code looks up the quotes, and refuses what it can refute; what it finds unmet or false stays so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewProposal {
    /// The criterion: its `id` in the result, or its text, verbatim. Not for `contradicted`.
    #[serde(default)]
    pub criterion: Option<String>,
    /// For `contradicted`: the words of the output that claim something, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// What is said of it.
    pub relation: ReviewRelation,
    /// The words of the output that say so, verbatim, at most 600 bytes: an item, or a claim. `met` and `contradicted` cannot do without.
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
    /// Whether what `host` finds met lifts a cap.
    pub trust_host: bool,
    /// What is not taken, and why.
    pub set_aside: Vec<ReviewSetAside>,
    /// The verdict by code alone.
    pub by_code: ReviewByCode,
}
