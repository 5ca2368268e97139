//! What code leaves open of a session, in batches for whoever understands it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClaimKind, ClaimState, SessionAsk};

/// A batch of what code does not decide of a report and its session, and what is asked of whoever reads it: about 16,000 characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewUndecided {
    /// What is asked, in words.
    pub ask: String,
    /// How many turns of the user, sentences and calls there are in all batches.
    pub of: usize,
    /// What the user typed, turn by turn; a long turn without its middle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<SessionAsk>,
    /// The report, whole, where it is short; in the first batch alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Sentences of the report that code does not decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<UndecidedSentence>,
    /// The calls that do something, in their order, a line each: turn and call, tool, command line or files, how it ended; beneath it some of the lines that it takes out and puts in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// How many calls only look at what the user does not name, and stand in no line.
    pub looks: usize,
    /// Sentences past the first 500, which are not shown.
    pub sentences_left_out: usize,
    /// Where the next batch begins; absent where this is the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A sentence of the report that code does not decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndecidedSentence {
    /// Its words, cut to 600 bytes.
    pub quote: String,
    /// What code reads in it; absent where it reads no claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ClaimKind>,
    /// What became of that; absent where code reads no claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ClaimState>,
    /// Why, in one sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The calls nearest to it, last runs of tests and builds first, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<UndecidedCall>,
}

/// A call near a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndecidedCall {
    /// The call, as in `calls`.
    pub call: String,
    /// Lines of what it puts in (`+`), takes out (`-`) and gives back: those that share words with the sentence, and the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}
