//! The reading of notes as a document, and questions whose answers become part of it.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Aside, Kind};
use crate::Span;

/// The version of the document of a reading.
pub const READING_SCHEMA_VERSION: &str = "1";

/// Words of the notes that are nothing to plan today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetApart {
    /// The words of the notes, verbatim.
    pub quote: String,
    /// Where they stand. Without it, or where other words stand there, the first place of the quote.
    #[serde(default)]
    pub span: Option<Span>,
    /// Why.
    #[serde(rename = "as")]
    pub aside: Aside,
}

/// Words of today that are bound to no task and no constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanUnread")]
pub struct Unread {
    /// The words of the notes, verbatim.
    pub quote: String,
    /// Where they stand.
    #[serde(default)]
    pub span: Option<Span>,
    /// What is not understood of them.
    #[serde(default)]
    pub why: String,
}

/// A question whose answer becomes part of the reading. `answers` takes the number of a choice, from 1, or its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenQuestion {
    /// Its id, the same for the same words of the same notes.
    pub id: String,
    /// The question.
    pub text: String,
    /// The words that it is about.
    pub span: Span,
    /// The answers that it offers.
    pub choices: Vec<String>,
    /// The answer that holds without one; `null` where none does.
    pub default: Option<String>,
    /// Whether its answers make different plans.
    pub changes_plan: bool,
}

/// An answer to an open question. On the command line it is `ID=TEXT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanAnswer {
    /// The id of the question.
    pub id: String,
    /// The number of a choice, from 1, or its words.
    pub answer: String,
}

impl FromStr for PlanAnswer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (id, answer) = text.split_once('=').ok_or("an answer is ID=TEXT, such as q120=2")?;
        Ok(Self { id: id.trim().to_owned(), answer: answer.trim().to_owned() })
    }
}

/// A reading that is handed in instead of the program's own: what `plan constraints` writes, corrected. Members that say how code understood
/// something (`meaning`, `readings`, `assumptions` …) are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanReading {
    /// The version of the document.
    #[serde(default)]
    pub schema: Option<String>,
    /// What is to be done.
    pub tasks: Vec<ReadingTask>,
    /// What is required.
    pub constraints: Vec<ReadingConstraint>,
    /// What is nothing to plan today.
    #[serde(default)]
    pub set_apart: Vec<SetApart>,
    /// What is still not understood: while there is any, no plan is recommended.
    #[serde(default)]
    pub unread: Vec<Unread>,
    /// Not read.
    #[serde(default)]
    pub source: Value,
    /// Not read.
    #[serde(default)]
    pub schema_version: Value,
    /// Not read.
    #[serde(default)]
    pub rules_version: Value,
    /// Not read.
    #[serde(default)]
    pub current_time: Value,
    /// Not read.
    #[serde(default)]
    pub timezone: Value,
    /// Not read.
    #[serde(default)]
    pub assumptions: Value,
    /// Not read.
    #[serde(default)]
    pub questions: Value,
    /// Not read.
    #[serde(default)]
    pub open_questions: Value,
    /// Not read.
    #[serde(default)]
    pub read_confidence: Value,
    /// Not read.
    #[serde(default)]
    pub proposed: Value,
    /// Not read.
    #[serde(default)]
    pub model_view: Value,
    /// Not read.
    #[serde(default)]
    pub run: Value,
}

/// Something to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadingTask {
    /// What constraints call it.
    pub id: String,
    /// What a plan calls it; the quote by default.
    #[serde(default)]
    pub task: Option<String>,
    /// The words of the notes, verbatim; those of `span` by default.
    #[serde(default)]
    pub quote: String,
    /// Where they stand.
    #[serde(default)]
    pub span: Option<Span>,
    /// How long it takes, where no constraint says so.
    #[serde(default)]
    pub minutes: Option<i64>,
    /// Whether it must be done.
    #[serde(default)]
    pub must: bool,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
    /// Whether it must be done in one piece.
    #[serde(default)]
    pub whole: bool,
}

/// Something required. Besides `id`, `kind` and `quote` it has the members of its kind, and no others:
///
/// - `fixed_event`: `start`, and `end` or `minutes_min`; without either it is taken to last 60 minutes, and one with `end` equal to `start` is a moment: 5 minutes.
///   `tasks`: those that are done then and at no other time.
/// - `blocked`: `start`, `end` or both. `except`: tasks that may be done all the same.
/// - `availability`: `start`, `end` or both, of `tasks` or of all work. Windows of one task that have no time in common are united, others hold together.
/// - `exclusion`: `tasks`, and `start`, `end` or both: not then; or `minutes_max` on end, then `minutes_min` (or 10) off.
/// - `deadline`: `end`, of `tasks` or of all work. `not_before`: `start`, likewise.
/// - `must_do`: `tasks`. `objective`: as many of `tasks` as can be done.
/// - `duration`: `tasks`, and `minutes_min`, `minutes_max` or both. What takes more than 180 minutes, or fits nowhere in one piece, is planned in parts, unless its task is `whole`.
/// - `order`: `first` and `then`, ids of tasks or of fixed events; `minutes_min`: so many minutes lie between the two at least.
/// - `total`: `minutes_min`, `minutes_max` or both, of `tasks` or of all work.
/// - `preference`: `tasks`, and `start`, `end` or both; any other kind is a wish with `hard: false`.
/// - `travel`: `start` and `end` of the way. `presence`, `connection`, `stay`, `contract`: as code read it, or left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadingConstraint {
    /// Its id.
    pub id: String,
    /// What it requires.
    pub kind: Kind,
    /// The words of the notes, verbatim.
    #[serde(alias = "quote")]
    pub text: String,
    /// Where they stand.
    #[serde(default)]
    pub span: Option<Span>,
    /// The ids of the tasks that it is about; none: all work.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Of an order what comes first: ids of tasks or of fixed events.
    #[serde(default)]
    pub first: Vec<String>,
    /// Of an order what comes then: ids of tasks or of fixed events.
    #[serde(default)]
    pub then: Vec<String>,
    /// From when on, RFC 3339.
    #[serde(default)]
    pub start: Option<String>,
    /// Until when, RFC 3339.
    #[serde(default)]
    pub end: Option<String>,
    /// At least so many minutes; of an order those between the two.
    #[serde(default)]
    pub minutes_min: Option<i64>,
    /// At most so many.
    #[serde(default)]
    pub minutes_max: Option<i64>,
    /// What an event is called.
    #[serde(default)]
    pub name: Option<String>,
    /// Tasks that it does not bind: they may be done during an event, or outside of the hours.
    #[serde(default)]
    pub except: Vec<String>,
    /// Whether breaking it fails a plan.
    #[serde(default = "yes")]
    pub hard: bool,
    /// Who read it. Not read.
    #[serde(default)]
    pub by: Value,
    /// Not read.
    #[serde(default)]
    pub meaning: Value,
    /// Not read.
    #[serde(default)]
    pub readings: Value,
}

const fn yes() -> bool {
    true
}
