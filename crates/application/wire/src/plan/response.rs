//! The plan with its proof.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Confidence, ModelView, OpenQuestion, PlanMove, PlanProposed, Status, Unread, Validation, Variant};
use crate::Run;

/// The response of section 3.1 of the contract for day plans, and beside its fields what they rest on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanResponse {
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the rules that it was made by; absent in results of programs that did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// Whether the plan may be presented.
    pub status: Status,
    /// Whether everything fits: `false` with a proof in `overload`; `null` where neither is known.
    pub feasible: Option<bool>,
    /// Why not everything fits; `null` where it is not proved.
    pub overload: Option<Overload>,
    /// The items, in the order of time.
    pub plan: Vec<PlanItem>,
    /// What was settled without asking.
    pub assumptions: Vec<String>,
    /// What must be asked.
    pub questions: Vec<String>,
    /// Questions whose answers become part of the reading, at most three at once.
    #[serde(default)]
    pub open_questions: Vec<OpenQuestion>,
    /// How surely the notes were read, 0 to 1: the share of what they ask that is bound to a task or a constraint.
    #[serde(default)]
    pub read_confidence: f64,
    /// What is not understood of the notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// What of the notes is nothing to plan today, and what is not understood and no question asks about; each with its reason, a line each: "“Tom does the shopping”: somebody else's".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_planned: Vec<String>,
    /// How sure the planner is. It decides nothing.
    pub confidence: Confidence,
    /// What came of checking the plan.
    pub validation: Validation,
    /// The time that the plan was made for: RFC 3339.
    pub current_time: String,
    /// The zone that the notes were read in.
    pub timezone: String,
    /// The way that it took: extract, plan, validate, and where it was needed repair and validate again.
    pub trace: Vec<TraceSpan>,
    /// How it was made, and of what.
    pub debug: Debug,
    /// What became of each item of an earlier plan; absent where the plan goes on with none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Vec<PlanMove>>,
    /// What chat models were asked, and what came of it; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_view: Option<ModelView>,
    /// What was proposed of the notes, and what became of it; absent where nobody proposed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<PlanProposed>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// One item of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanItem {
    /// What is to be done.
    pub task: String,
    /// For how many minutes.
    pub timebox_minutes: i64,
    /// Why, quoting the notes.
    pub why: String,
    /// From when: RFC 3339, or `Day n`; `null` where it is not said.
    pub start: Option<String>,
    /// Until when, in the same forms.
    pub end: Option<String>,
    /// With whom; left out where with nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Where; left out where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The ids of the constraints that bear on it.
    pub constraint_ids: Vec<String>,
}

/// Why not everything fits: the proof, and what to move or drop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overload {
    /// Minutes that the tasks need at least that must lie between `start` and `end`.
    pub needed_minutes: i64,
    /// Minutes that are free there.
    pub free_minutes: i64,
    /// What to move or drop.
    pub drop: Vec<String>,
    /// From here: RFC 3339; `null` where that side is open.
    pub start: Option<String>,
    /// To there.
    pub end: Option<String>,
    /// The tasks that must lie there.
    pub tasks: Vec<String>,
    /// The proof in one sentence.
    pub proof: String,
}

/// One step on the way to a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceSpan {
    /// `extract`, `plan`, `validate` or `repair`.
    pub span: String,
    /// What went in.
    #[serde(rename = "in")]
    pub input: String,
    /// What came out.
    #[serde(rename = "out")]
    pub output: String,
}

/// How a plan was made, and of what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Debug {
    /// How.
    pub variant: Variant,
    /// The first 200 characters of the notes, control characters shown.
    pub context_preview: String,
}
