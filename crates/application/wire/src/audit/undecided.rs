//! What code leaves open, in batches for whoever understands both texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Polarity, Status, Strength};

/// A batch of obligations that code does not decide, and what is asked of whoever reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undecided {
    /// What is asked, in words.
    pub ask: String,
    /// How many obligations are undecided in all.
    pub of: usize,
    /// The obligations of this batch, at most 12.
    pub obligations: Vec<UndecidedObligation>,
    /// The obligations that code decided, in the first batch alone, at most 40. Whoever finds one broken that is kept here can say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<DecidedObligation>,
    /// The prompt and the report, whole, where both are short; in the first batch alone, and the obligations of every batch are shown without passages then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<WholeText>,
    /// Where the next batch begins; absent where this is the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// An obligation that code decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecidedObligation {
    /// Its id.
    pub id: String,
    /// The words of the prompt, cut to 160 bytes.
    pub quote: String,
    /// What code says of it.
    pub status: Status,
    /// The words of the report that it rests on, cut to 160 bytes; absent where there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub report: String,
}

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WholeText {
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// An obligation that code does not decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndecidedObligation {
    /// Its id: what a proposal names.
    pub id: String,
    /// The words of the prompt.
    pub quote: String,
    /// The words before it, where the quote is a part of a sentence or of a list; absent where the prompt is shown whole.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// How strongly the prompt puts it.
    pub strength: Strength,
    /// Whether it is to be done or left alone.
    pub polarity: Polarity,
    /// What code says of it.
    pub status: Status,
    /// What the report says nearest to it, the nearest first; absent where the report is shown whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<PassageInPlace>,
}

/// A passage of the report with the lines around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassageInPlace {
    /// The file that it stands in.
    pub file: String,
    /// The line before it, cut to 160 characters; empty where there is none.
    pub before: String,
    /// Its words, verbatim: what a proposal may quote, cut to 600 bytes.
    pub quote: String,
    /// The line behind it, cut to 160 characters; empty where there is none.
    pub after: String,
}
