//! The reading of a prompt as a document: what code, an agent or a person reads in it, to be looked at, edited and handed in again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EntityRole, ObligationKind, Origin, Polarity, Strength, UnreadWhy};
use crate::Span;

/// The version of the JSON of [`Contract`].
pub const CONTRACT_SCHEMA_VERSION: &str = "1.0";

/// What a prompt obliges to. `audit contract` writes it, and `--contract` takes it back: quotes are looked up in the prompt, and values in the quotes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The version of this JSON, see [`CONTRACT_SCHEMA_VERSION`].
    #[serde(default = "version")]
    pub schema: String,
    /// The prompt that was read.
    #[serde(default)]
    pub source: ContractSource,
    /// The obligations, in the order of the prompt.
    pub obligations: Vec<ContractObligation>,
    /// What looks like a request and is none of the obligations. Of a contract that is handed in it is not read.
    #[serde(default)]
    pub unread: Vec<Unread>,
}

fn version() -> String {
    CONTRACT_SCHEMA_VERSION.to_owned()
}

/// A prompt that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContractSource {
    /// The name of its file.
    #[serde(default)]
    pub file: String,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    #[serde(default)]
    pub sha256: String,
}

/// An obligation, as it was read. Of a contract that is handed in `id`, `kind` and `quote` are required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContractObligation {
    /// Its name within the contract: 1 to 64 bytes without white space.
    pub id: String,
    /// What it obliges to.
    pub kind: ObligationKind,
    /// The part that it plays, for an entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<EntityRole>,
    /// The words of the prompt, verbatim.
    pub quote: String,
    /// Where they stand. Without it, or where other words stand there, the first place of the quote in the prompt.
    #[serde(default)]
    pub span: Option<Span>,
    /// How strongly the prompt puts it; `must` by default.
    #[serde(default = "must")]
    pub strength: Strength,
    /// Whether it is to be done or left alone; `do` by default.
    #[serde(default = "positive")]
    pub polarity: Polarity,
    /// The figures, amounts and dates in its words, parted by `; `.
    #[serde(default)]
    pub value: Option<String>,
    /// Who read it: `code`, `chat:NAME`, `host` or `person`.
    #[serde(default)]
    pub by: Origin,
    /// The person who confirmed it. `--confirm` and the console set it; of a contract that comes over HTTP or MCP it is ignored.
    #[serde(default)]
    pub confirmed_by: Option<String>,
}

const fn must() -> Strength {
    Strength::Must
}

const fn positive() -> Polarity {
    Polarity::Do
}

/// Words of the prompt that look like a request and that no obligation rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unread {
    /// The words.
    pub quote: String,
    /// Where they stand.
    pub span: Span,
    /// Why they look like a request.
    pub why: UnreadWhy,
}

/// Which reading of the prompt an evaluation rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// SHA-256 of the obligations of the contract, as `audit contract` writes them, on one line of JSON that ends with a line feed.
    pub sha256: String,
    /// Who handed it in; `code` where nobody did.
    pub by: Origin,
    /// Those who confirmed obligations, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed_by: Vec<String>,
    /// Obligations that code reads in the prompt and a person's contract leaves out. They move nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<ContractObligation>,
    /// What of the prompt looks like a request and is none of the obligations: nothing is said of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// What of the contract was not heeded, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
