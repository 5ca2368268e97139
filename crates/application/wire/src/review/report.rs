//! The review of one output.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Cap, ContradictionKind, CriterionStatus, Matcher, Profile, Recommendation, ReviewChat, ReviewProposed, SessionAsk,
    SessionBreak, SessionClaim, SessionDeed, SessionRead,
};
use crate::audit::Origin;
use crate::{Run, Span, number};

/// What came of reviewing an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the rules that it was made by; absent in results of programs that did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// The task that the output belongs to: as its last block names it, else made of output and settings.
    pub task_id: String,
    /// 0 to 1: (sum of weights + number of items) / (2 × number of items); `null` where there are no items.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub score: Option<f64>,
    /// Why there is no score; `null` where there is one.
    pub not_evaluable: Option<String>,
    /// What to do with the output.
    pub recommendation: Recommendation,
    /// What holds the recommendation at review at best, whether or not the score would make it better.
    pub capped_by: Vec<Cap>,
    /// Below this score a summary is returned.
    pub threshold: f64,
    /// How the house uses 🐛 and 🔒.
    pub profile: Profile,
    /// The same score for each group of categories.
    pub dimensions: Dimensions,
    /// In place of the output where a revision is requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The output, where no revision is requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_payload: Option<String>,
    /// What a reader should know, a sentence each.
    pub warnings: Vec<String>,
    /// What the output reports of itself, in its order.
    pub items: Vec<Item>,
    /// Items per category, of those that occur.
    pub categories: BTreeMap<String, usize>,
    /// Acceptance criteria: those that were given, else those of the last check-in.
    pub criteria: Vec<Criterion>,
    /// Claims that are found false.
    pub contradictions: Vec<Contradiction>,
    /// The session that the report was held against; absent where none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionRead>,
    /// What the user typed, all turns; absent without a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Vec<SessionAsk>>,
    /// The report, where it was read from the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// What the agent did, call by call; absent without a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deeds: Option<Vec<SessionDeed>>,
    /// What the report claims of that; absent without a session and without evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<SessionClaim>>,
    /// Calls that break what the user forbade or demanded; absent without a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Vec<SessionBreak>>,
    /// Calls that seem to break it: rules are not sure that the words forbid or demand it of them. No gate counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubtful_breaks: Vec<SessionBreak>,
    /// What somebody finds kept of that; absent where nobody says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<SessionBreak>,
    /// What was handed in as proposed of it, and the verdict by code alone; absent where nobody proposed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<ReviewProposed>,
    /// What a chat model was asked, and the verdict by code alone; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<ReviewChat>,
    /// Where the task stands, by the last check-in; `null` where there is none.
    pub check_in: Option<CheckIn>,
    /// Every check-in, in the order of the output.
    pub timeline: Vec<CheckIn>,
    /// Items whose sign has no weight: they report on criteria, and do not count.
    pub not_counted: Vec<NotCounted>,
    /// Lines of a reflection that is written as text.
    pub reflection: Vec<Labelled>,
    /// Sizes.
    pub tokens: Tokens,
    /// The output that was read.
    pub output: Output,
    /// What found partners of criteria beside words: the embedder's version; `null` where none was asked for.
    pub embedding_version: Option<String>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// Scores of groups of categories, 0 to 1; `null` where no item belongs to the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dimensions {
    /// `verified`, `bug`, `pitfall`.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub correctness: Option<f64>,
    /// `security`.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub security: Option<f64>,
    /// `edge_case`, `todo`, `clarification`.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub completeness: Option<f64>,
    /// `improvement`, `refactor`.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub style: Option<f64>,
}

/// One thing that an agent reports of its work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its sign, in its usual spelling.
    pub emoji: String,
    /// The category that the sign maps to.
    pub category: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it says that there is nothing of its kind ("🐛 none found"): it counts, and caps nothing.
    pub says_none: bool,
}

/// An item whose sign has no weight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotCounted {
    /// Its sign as it is written.
    pub mark: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A line of a reflection under a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    /// The label, without its colon.
    pub label: String,
    /// The line.
    pub span: Span,
}

/// An acceptance criterion and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name within this review: what a proposal names.
    #[serde(default)]
    pub id: String,
    /// The criterion.
    pub text: String,
    /// What became of it.
    pub status: CriterionStatus,
    /// Who says so.
    #[serde(default)]
    pub origin: Origin,
    /// What code says, where somebody else settled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_code: Option<CriterionStatus>,
    /// The item that reports on it, by its place in `items`; `null` where none does or its sign has no weight.
    pub item: Option<usize>,
    /// What reports on it; `null` where nothing does.
    pub reported_by: Option<ReportedBy>,
}

/// What reports on a criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportedBy {
    /// Its sign.
    pub mark: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What found it.
    pub matched: Matcher,
    /// How well it fits, 0 to 1; `null` where the criterion is the item itself.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fit: Option<f64>,
}

/// A claim that is found false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// What kind of claim it is.
    pub kind: ContradictionKind,
    /// Who finds it false.
    #[serde(default)]
    pub origin: Origin,
    /// The words that claim it.
    pub claim: String,
    /// What code computed; `null` beyond what a number can hold.
    #[serde(serialize_with = "number::six_decimals")]
    pub computed: Option<f64>,
    /// What is stated.
    #[serde(serialize_with = "number::six_decimals")]
    pub stated: Option<f64>,
    /// The unit of both; empty for a bare number.
    pub unit: String,
    /// Every place that a reader must see, the claim first.
    pub spans: Vec<Span>,
    /// One sentence for a reader.
    pub message: String,
    /// For a claim about other figures what refutes it, by its place in `contradictions`.
    pub refuted_by: Vec<usize>,
}

/// Where a task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckIn {
    /// The task; `null` where the block names none.
    pub task_id: Option<String>,
    /// Its status, in the agent's words.
    pub status: Option<String>,
    /// What comes next.
    pub next_steps: Vec<String>,
    /// The block.
    pub start: usize,
    /// One past the block's last byte.
    pub end: usize,
    /// Whether the block has no end.
    pub cut_off: bool,
}

/// Sizes in tokens, as `estimate` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// The output.
    pub full: usize,
    /// What is returned of it: itself or its summary.
    pub returned: usize,
    /// How both are estimated.
    pub estimate: String,
}

/// The output that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its name.
    pub file: String,
    /// Its length in bytes.
    pub bytes: usize,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// All of the last output of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FullPayload {
    /// The output, verbatim.
    pub full_output: String,
}

/// That a task was flagged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flagged {
    /// Always `true`: what could not be flagged is an error.
    pub success: bool,
}
