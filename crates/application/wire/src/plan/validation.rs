//! What came of checking a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Constraint, PlanProposed, Validity};
use crate::{Run, Span, number};

/// What came of checking a plan: in a response, and alone as the answer of `plan check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// The version of the rules that judged, where the validation stands alone; in a response its own `rules_version` says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// Whether it passes.
    pub status: Validity,
    /// Why it does not, a line each; empty where it passes.
    pub errors: Vec<String>,
    /// Counts, minutes and shares.
    pub metrics: Metrics,
    /// Every constraint that binds the plan, those of kind `contract` last.
    pub constraints: Vec<Constraint>,
    /// Everything that was found, what fails the plan and what does not.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// What was settled in reading the notes, where the validation stands alone; in a response its own `assumptions` say it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What must be asked about the notes, where the validation stands alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// What was proposed of the notes, and what became of it; absent where nobody proposed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<PlanProposed>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// The metrics of section 3.1 of the contract for day plans.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Constraints that bind the plan.
    pub constraints_declared: usize,
    /// Those that are certainly broken, wishes left out.
    pub constraints_violated: usize,
    /// Minutes that the notes leave, 0 where they state none or leave none.
    pub time_available_minutes: i64,
    /// Minutes of all timeboxes.
    pub time_planned_minutes: i64,
    /// Minutes planned beyond those available.
    pub time_overflow_minutes: i64,
    /// Meetings, deadlines and names that the notes do not have.
    pub hallucination_flags: usize,
    /// Advice, which fails no plan.
    pub human_feasibility_flags: usize,
    /// Tasks in the plan over tasks of the notes, 0 to 1. A number always: 1.0 where there is nothing to cover, which
    /// `context_coverage_assessed` tells.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub context_coverage_ratio: f64,
    /// Whether there is anything to cover: false where the notes hold no task, or the plan is a bare list of events.
    pub context_coverage_assessed: bool,
}

/// One thing that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The check's id.
    pub check: String,
    /// One sentence for a reader.
    pub message: String,
    /// The constraint that it breaks; `null` where it breaks none.
    pub constraint_id: Option<String>,
    /// The item that breaks it, counted from 0; `null` where it is none in particular.
    pub item_index: Option<usize>,
    /// Whether it fails the plan.
    pub hard: bool,
    /// The words of the notes that it rests on.
    pub ask_span: Option<Span>,
}
