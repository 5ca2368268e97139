//! What somebody who understands both texts proposes of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Origin, Relation};

/// A judgement on one obligation, or on something that the report adds. Code looks up the quote, sets type and severity, and refuses what it can refute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The id of the obligation; `null` for what is added or invented, and for what the prompt asks that no obligation says (`asked`).
    #[serde(default)]
    pub obligation: Option<String>,
    /// Words of the prompt, verbatim, that ask for something and that no obligation rests on: code looks them up and makes an obligation of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// How the report stands to it.
    pub relation: Relation,
    /// The words of the report that say so, verbatim: one sentence or a part of it, at most 600 bytes. Empty where something is missing, or nothing breaks a ban.
    #[serde(default)]
    pub quote: String,
    /// Why, in one sentence for a reader; at most 400 characters are kept.
    #[serde(default)]
    pub why: String,
}

/// What one origin proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    /// Who proposes it: `host`, `person` or `chat:NAME`.
    pub by: Origin,
    /// The person, by the name that they gave; absent where it is none, or none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

/// Something that was proposed and is not taken: code could not locate it, or refutes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// What it is: `proposal`.
    pub what: String,
    /// The words of whoever proposed it.
    pub text: String,
    /// Why it was set aside.
    pub reason: String,
}
