//! The list of tools: what each is called, what it is for, what it takes and gives.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::json;
use steadfast_wire::audit::{AuditComparison, DriftEvaluation};
use steadfast_wire::lint::PromptLint;
use steadfast_wire::pick::{Feedback, FinalOutput, SearchResult};
use steadfast_wire::plan::{Constraints, PlanResponse, Validation};
use steadfast_wire::review::Review;
use steadfast_wire::schema;
use steadfast_wire::tools::{
    AuditArguments, AuditCompareArguments, AuditLintArguments, EvaluateOutputArguments, FeedbackArguments,
    FlagSequenceQualityArguments, Flagged, FullPayload, PickArguments, PlanArguments, PlanCheckArguments,
    PlanConstraintsArguments, RequestFullPayloadArguments, VaultSearchArguments, WatchArguments, arguments_schema,
};
use steadfast_wire::watch::Watch;

use crate::Error;

/// The tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Audit,
    AuditLint,
    AuditCompare,
    Plan,
    PlanCheck,
    PlanConstraints,
    Watch,
    EvaluateOutput,
    RequestFullPayload,
    FlagSequenceQuality,
    Pick,
    VaultSearch,
    Feedback,
}

impl Call {
    const ALL: [Self; 13] = [
        Self::Audit,
        Self::AuditLint,
        Self::AuditCompare,
        Self::Plan,
        Self::PlanCheck,
        Self::PlanConstraints,
        Self::Watch,
        Self::EvaluateOutput,
        Self::RequestFullPayload,
        Self::FlagSequenceQuality,
        Self::Pick,
        Self::VaultSearch,
        Self::Feedback,
    ];

    /// The tool of this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|call| call.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::AuditLint => "audit_lint",
            Self::AuditCompare => "audit_compare",
            Self::Plan => "plan",
            Self::PlanCheck => "plan_check",
            Self::PlanConstraints => "plan_constraints",
            Self::Watch => "watch",
            Self::EvaluateOutput => "evaluate_output",
            Self::RequestFullPayload => "request_full_payload",
            Self::FlagSequenceQuality => "flag_sequence_quality",
            Self::Pick => "pick",
            Self::VaultSearch => "vault_search",
            Self::Feedback => "feedback",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Audit => "Audit a report against its prompt",
            Self::AuditLint => "Read a prompt by itself",
            Self::AuditCompare => "Compare two audits",
            Self::Plan => "Make a day plan and prove it",
            Self::PlanCheck => "Check a plan against notes",
            Self::PlanConstraints => "List what notes require",
            Self::Watch => "Follow an agent step by step",
            Self::EvaluateOutput => "Evaluate what a sub-agent gave back",
            Self::RequestFullPayload => "Read all of an evaluated output",
            Self::FlagSequenceQuality => "Flag a task as an example",
            Self::Pick => "Pick prompts for a task",
            Self::VaultSearch => "Search the vault of prompts",
            Self::Feedback => "Say whether picked prompts were of use",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Audit => {
                "Does the finished report still say what the prompt asked for? Finds what was dropped, broken, changed or made up: \
                 banned things used again, figures changed, invented facts, lost hedges, drift of scope. Every incident has a quote \
                 from the report and one from the prompt; scores, risk and `usable_as_is` are computed from the incidents. Lists the \
                 ten most severe incidents; `next_cursor` leads to the next ones."
            }
            Self::AuditLint => {
                "What can be said of a prompt before anybody works by it: which asks a report can be checked for and by which checks, which \
                 exclude each other, which words are vague, and of what it says nothing, so that whoever plans will probably make it up. \
                 Call it on a prompt that you are about to hand on; `audit` needs the report as well."
            }
            Self::AuditCompare => {
                "Holds two audits against each other: A is what was before, B what is now. Which obligations are newly broken, which are \
                 repaired, still broken or unmentioned, which incidents are new and which are gone. Takes ids of stored runs of `audit` or \
                 whole results of it."
            }
            Self::Plan => {
                "Makes a day plan of three to seven items from notes in prose, with calendars beside them where there are any, and proves that \
                 it keeps every constraint in them: fixed events, blocked windows, deadlines, order, travel, preferences. `status` is \
                 `recommended` or `rejected`; `validation` has each constraint with its words in the notes, `overload` says what to drop where \
                 not everything fits. With `from` it goes on with an earlier plan of the day, and `moved` says what became of each item."
            }
            Self::PlanCheck => {
                "Checks somebody else's day plan, yours for example, against notes: which constraints of the notes it breaks, \
                 with the words of the notes, which tasks it leaves out and which it invents. What cannot be checked for want of times \
                 stands in `unchecked`."
            }
            Self::PlanConstraints => {
                "Lists what notes require, without making a plan: tasks and constraints, each with its words, times and kind, and what \
                 had to be settled or asked where the notes can be read in more than one way."
            }
            Self::Watch => {
                "Step by step, is the agent still on the goal? Scores each output by how far it is from the goal in force (0 on it, 1 \
                 away), follows changes of the goal through the instructions, and says where the agent left it for good (`onset`) and \
                 what wants looking at (`alerts`), bans of the instruction that an output breaks among them."
            }
            Self::EvaluateOutput => {
                "Is what a sub-agent reports of its own work worth reading in full, and is it true? Scores the items of its reflection \
                 and check-in blocks (0 to 1), matches them with the acceptance criteria, and computes again what it says of its own sums, \
                 counts and tests. `recommendation` is `approve`, `review` or `request_revision`; below the threshold `summary` is \
                 given, else `full_payload`. The output is kept under `task_id`: `request_full_payload` gives all of it."
            }
            Self::RequestFullPayload => {
                "Gives all of the last output that was evaluated for a task, where its summary is not enough."
            }
            Self::FlagSequenceQuality => {
                "Says that what was kept of a task is a good or a bad example (or takes that back), so that it can be exported for \
                 training: `steadfast tasks export`."
            }
            Self::Pick => {
                "Which prompts of the vault, in which order, for this task, or what must be asked first? `mode` is `single`, `chain` or \
                 `clarify`; each prompt comes with its stage and why it was chosen. `feedback` with the `trace_id` says whether they were of use."
            }
            Self::VaultSearch => "Lists the prompts of the vault that fit a query best, with what speaks for each.",
            Self::Feedback => {
                "Says whether prompts that `pick` gave were of use: good ones are preferred from then on, bad ones are not."
            }
        }
    }
}

/// The tools as they are listed.
pub(crate) fn list() -> Result<Vec<Tool>, Error> {
    let object = |schema: rmcp::schemars::Schema| match schema.to_value() {
        serde_json::Value::Object(members) => Ok(members),
        other => Err(Error::Tools(format!("a schema is no object: {other}"))),
    };
    Call::ALL
        .into_iter()
        .map(|call| {
            let (takes, gives) = match call {
                Call::Audit => (arguments_schema::<AuditArguments>(), schema::<DriftEvaluation>()),
                Call::AuditLint => (arguments_schema::<AuditLintArguments>(), schema::<PromptLint>()),
                Call::AuditCompare => (arguments_schema::<AuditCompareArguments>(), schema::<AuditComparison>()),
                Call::Plan => (arguments_schema::<PlanArguments>(), schema::<PlanResponse>()),
                Call::PlanCheck => (arguments_schema::<PlanCheckArguments>(), schema::<Validation>()),
                Call::PlanConstraints => (arguments_schema::<PlanConstraintsArguments>(), schema::<Constraints>()),
                Call::Watch => (arguments_schema::<WatchArguments>(), schema::<Watch>()),
                Call::EvaluateOutput => (arguments_schema::<EvaluateOutputArguments>(), schema::<Review>()),
                Call::RequestFullPayload => {
                    (arguments_schema::<RequestFullPayloadArguments>(), schema::<FullPayload>())
                }
                Call::FlagSequenceQuality => (arguments_schema::<FlagSequenceQualityArguments>(), schema::<Flagged>()),
                Call::Pick => (arguments_schema::<PickArguments>(), schema::<FinalOutput>()),
                Call::VaultSearch => (arguments_schema::<VaultSearchArguments>(), schema::<SearchResult>()),
                Call::Feedback => (arguments_schema::<FeedbackArguments>(), schema::<Feedback>()),
            };
            // What is kept of a run is a record of the call; what is kept of a task is there to be asked for again.
            let reads = !matches!(call, Call::EvaluateOutput | Call::FlagSequenceQuality | Call::Pick | Call::Feedback);
            let annotations = ToolAnnotations::with_title(call.title())
                .read_only(reads)
                .destructive(false)
                .idempotent(reads)
                .open_world(false);
            let (takes, mut gives) = (object(takes)?, object(gives)?);
            if takes.get("properties").is_some_and(|properties| properties.get("fields").is_some()) {
                gives = partly(gives);
            }
            Ok(Tool::new(call.name(), call.description(), takes)
                .with_title(call.title())
                .with_raw_output_schema(Arc::new(gives))
                .with_annotations(annotations))
        })
        .collect()
}

/// The schema of a result of which `fields` may leave only some members: all that are there are as they always are.
fn partly(mut schema: JsonObject) -> JsonObject {
    let required = schema.remove("required").unwrap_or_else(|| json!([]));
    let of_no_fields = json!({"required": required});
    let about = "Where `fields` is given: only the members that it names.";
    schema.insert("anyOf".to_owned(), json!([of_no_fields, {"description": about, "minProperties": 1}]));
    schema
}
