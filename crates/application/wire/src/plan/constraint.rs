//! What the notes require.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Kind, ModelView, OpenQuestion, PlanProposed, SetApart, Unread};
use crate::{Run, Span};

/// One thing that the notes require, or that holds for every plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Unique within one result.
    pub id: String,
    /// What it requires.
    pub kind: Kind,
    /// The words of the notes that state it; for kind `contract` what the contract says.
    pub text: String,
    /// How it was understood, in one line.
    pub meaning: String,
    /// Where the notes say so; `null` for kind `contract` alone.
    pub span: Option<Span>,
    /// From when on, in its first reading: RFC 3339, or `Day n`; `null` where it has no beginning.
    pub start: Option<String>,
    /// Until when, in its first reading, in the same forms; `null` where it has no end.
    pub end: Option<String>,
    /// Every reading, each with all its times; left out where `start` and `end` say it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Vec<Times>>,
    /// Whether breaking it fails a plan.
    pub hard: bool,
    /// In a reading the ids of the tasks that it is about; left out where it is about all work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// In a reading, of an order what comes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<String>,
    /// In a reading, of an order what comes then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
    /// In a reading the least minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_min: Option<i64>,
    /// In a reading the most minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_max: Option<i64>,
    /// In a reading what an event is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// In a reading the tasks that it does not bind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
    /// In a reading who read it: `code` or `person`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// From when on; `null` where it has no beginning.
    pub start: Option<String>,
    /// Until when; `null` where it has no end.
    pub end: Option<String>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What is to be done, as a plan names it.
    pub task: String,
    /// Where the notes say so.
    pub span: Span,
    /// What constraints of the reading call it.
    #[serde(default)]
    pub id: String,
    /// The words of the notes.
    #[serde(default)]
    pub quote: String,
    /// How long it takes at least; `null` where the notes do not say.
    #[serde(default)]
    pub minutes: Option<i64>,
    /// Whether it must be done.
    #[serde(default)]
    pub must: bool,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
}

/// The notes that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanSource")]
pub struct Source {
    /// The name of their file.
    pub file: String,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// What was read in notes, without a plan: the answer of `plan constraints`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// The version of the document of a reading, which `constraints` of a request takes back.
    #[serde(default)]
    pub schema: String,
    /// The notes that were read.
    #[serde(default)]
    pub source: Source,
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the rules that it was made by; absent in results of programs that did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// The time that the notes were read at: RFC 3339.
    pub current_time: String,
    /// The zone that they were read in.
    pub timezone: String,
    /// What they require, in their order.
    pub constraints: Vec<Constraint>,
    /// What is to be done, in their order.
    pub tasks: Vec<Task>,
    /// What is nothing to plan today.
    #[serde(default)]
    pub set_apart: Vec<SetApart>,
    /// What is not understood.
    #[serde(default)]
    pub unread: Vec<Unread>,
    /// Questions whose answers become part of the reading, at most three at once.
    #[serde(default)]
    pub open_questions: Vec<OpenQuestion>,
    /// How surely the notes were read, 0 to 1.
    #[serde(default)]
    pub read_confidence: f64,
    /// What was settled without asking.
    pub assumptions: Vec<String>,
    /// What must be asked.
    pub questions: Vec<String>,
    /// What was proposed of the notes, and what became of it; absent where nobody proposed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<PlanProposed>,
    /// What a chat model was asked, and what came of it; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_view: Option<ModelView>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}
