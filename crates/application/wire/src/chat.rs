//! Chat models: what was recorded of them, what a dry run would send, what a check found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;
use crate::vocabulary::names;

/// The version of these JSON types.
pub const SCHEMA_VERSION: &str = "1";

/// A call as it is recorded: a line of a JSON lines file. It holds no key of a server and nothing of the question but a hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// A UUIDv8 of the question: role, model, messages without their random delimiters, form of the reply.
    pub key: String,
    /// What for, as settings name it.
    pub role: String,
    /// The model's name at its server.
    pub model: String,
    /// How many tokens it could take in.
    pub context_tokens: usize,
    /// How many attempts it took.
    pub attempts: u32,
    /// What the model wrote; `null` where the call failed.
    pub reply: Option<RecordedReply>,
    /// Why the call failed; `null` where it did not.
    pub failure: Option<String>,
}

/// What a model wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    /// Its words, as they came.
    pub text: String,
    /// Why it stopped.
    pub finish: RecordedFinish,
    /// Tokens of the question, where the server said.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, where the server said.
    pub reply_tokens: Option<u64>,
}

names! {
    /// Why a model stopped.
    RecordedFinish {
        /// It was done.
        Stop = "stop", "done";
        /// There was no room for more.
        Length = "length", "cut off";
        /// It, or a filter before it, declined.
        Declined = "declined", "declined";
        /// The server never said.
        Unsaid = "unsaid", "not said";
    }
}

/// What a dry run would send.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DryRun {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The calls, in order.
    pub calls: Vec<PlannedCall>,
    /// Their estimated tokens of questions together.
    pub question_tokens: u64,
    /// The most tokens that their replies may have together.
    pub reply_tokens_max: u64,
    /// What is not known beforehand.
    pub note: String,
}

/// A call that would be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedCall {
    /// What for, as settings name it.
    pub role: String,
    /// The model's name at its server.
    pub model: String,
    /// Scheme, host and port of the server.
    pub server: String,
    /// What would be said.
    pub messages: Vec<PlannedMessage>,
    /// How many tokens that is: bytes / 3, rounded up.
    pub question_tokens: u64,
    /// How many tokens the reply may have.
    pub reply_tokens_max: u64,
    /// What it may cost at most, in the unit of the prices; `null` where there are none.
    pub money_max: Option<f64>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedMessage {
    /// Who says it: `system`, `user` or `assistant`.
    pub speaker: String,
    /// What is said.
    pub text: String,
}

/// What `chat check` found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatCheck {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// Whether every model gave a reply that could be read.
    pub usable: bool,
    /// Each model that a role is set to, in the order of the first such role.
    pub models: Vec<CheckedModel>,
    /// The roles of plans that one model has at once: to judge is to judge itself.
    pub self_judged: Option<String>,
}

/// What was found of one model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedModel {
    /// The server, as settings name it.
    pub name: String,
    /// Scheme, host and port of the server.
    pub server: String,
    /// The model's name there.
    pub model: String,
    /// The roles that it has.
    pub roles: Vec<String>,
    /// How it is held to the form of a reply: `json_schema`, `json_object`, `tool` or `prompt`; `null` where that is not known.
    pub mode: Option<String>,
    /// How long the reply took, in milliseconds, all attempts and waits together.
    pub latency_ms: u64,
    /// How many attempts it took.
    pub attempts: u32,
    /// Tokens of the question, where the server said.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, where the server said.
    pub reply_tokens: Option<u64>,
    /// Why there is no reply that can be used; `null` where there is one.
    pub failure: Option<String>,
}

names! {
    /// A part of an exam.
    ExamPart {
        /// The model that judges reports (role `audit`).
        Audit = "audit", "audit";
        /// The model that reads notes (role `plan.extract`).
        Plan = "plan", "plan";
    }
}

/// What `chat exam` found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatExam {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The version of the rules that models were examined with: a mark of another version does not count.
    pub rules_version: String,
    /// When the exam began: RFC 3339.
    pub sat_at: String,
    /// Whether every part was passed.
    pub passed: bool,
    /// The parts.
    pub parts: Vec<ExaminedPart>,
}

/// What was found of the model of one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExaminedPart {
    /// Which part.
    pub part: ExamPart,
    /// The server, as settings name it.
    pub name: String,
    /// Scheme, host and port of the server.
    pub server: String,
    /// The model's name there.
    pub model: String,
    /// What the exam says of it.
    pub mark: ExamMark,
    /// Calls that were made.
    pub calls: usize,
    /// Those of them that brought no reply that can be used.
    pub failed_calls: usize,
    /// Why the first of these brought none; `null` where there is none.
    pub first_failure: Option<String>,
    /// Whether the part ended early, since no call brought a reply that can be used.
    pub ended_early: bool,
    /// Tokens of all questions, as far as the server said.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as the server said.
    pub reply_tokens: u64,
    /// What it cost, in the unit of the prices; `null` where there are none.
    pub money: Option<f64>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// What an exam says of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamMark {
    /// When it was sat: RFC 3339.
    pub sat_at: String,
    /// Pairs of reports, or notes.
    pub cases: usize,
    /// How many times each was judged.
    pub repeats: usize,
    /// Whether no figure lies beyond its bar.
    pub passed: bool,
    /// The figures.
    pub figures: Vec<ExamFigure>,
}

/// A figure of an exam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamFigure {
    /// Its name, as the documents explain it.
    pub name: String,
    /// Its value: `hits` of `of`, or `hits` for every thousand of `of` where its name says so; `null` where there was nothing to count.
    #[serde(serialize_with = "number::six_decimals")]
    pub value: Option<f64>,
    /// The 95 % interval of a share (Wilson); `null` where there is none.
    #[serde(serialize_with = "number::six_decimals_of_two")]
    pub ci95: Option<[f64; 2]>,
    /// How many counted.
    pub hits: usize,
    /// Of how many.
    pub of: usize,
    /// The same for rules alone; `null` where there is no such figure.
    #[serde(serialize_with = "number::six_decimals")]
    pub rules: Option<f64>,
    /// Where it must lie; `null` where it may lie anywhere.
    pub bar: Option<ExamBar>,
    /// Whether it lies there; `null` where it has no bar. A share that must reach a bar does not where there was nothing to count.
    pub met: Option<bool>,
}

/// Where a figure must lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamBar {
    /// At least here; `null` where there is no lower bar.
    pub least: Option<f64>,
    /// At most here; `null` where there is no upper bar.
    pub most: Option<f64>,
}

/// The marks that are kept of models: `chat-exams.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptMarks {
    /// One for each part, server and model, the latest.
    pub marks: Vec<KeptMark>,
}

/// The mark of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptMark {
    /// Which part.
    pub part: ExamPart,
    /// Scheme, host and port of the server.
    pub server: String,
    /// The model's name there.
    pub model: String,
    /// The version of the rules that it was examined with.
    pub rules_version: String,
    /// What the exam says of it.
    pub mark: ExamMark,
}
