//! What the tools of the MCP server take. Their doc comments are the reference that a model reads in `tools/list`.
//!
//! What a tool gives is the type that the command of the same name publishes. A text is given as such, or as a file in the folder
//! that the server may read, never as both.

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Error;
use crate::api::members;
use crate::audit::{DriftEvaluation, Judge};
use crate::pick::SearchResult;
use crate::plan::{CalendarText, PlanFile, Preferences, Variant};
use crate::review::Profile;
use crate::vocabulary::names;
use crate::watch::Aggregate;

/// Names of members of a result, at least one.
fn names_of_members<T: JsonSchema>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["array", "null"], "items": {"type": "string", "enum": members::<T>()}, "minItems": 1})
}

/// Incidents that `audit` lists where no limit is given.
pub const INCIDENTS_DEFAULT: usize = 10;

names! {
    /// What makes vectors of texts.
    EmbedderChoice {
        /// The sentence model all-MiniLM-L6-v2.
        Minilm = "minilm", "sentence model";
        /// Words and parts of words; needs no model.
        Lexical = "lexical", "words";
    }
}

names! {
    /// Who reads.
    Reader {
        /// The rules alone.
        Rules = "rules", "rules";
        /// A chat model as well.
        Model = "model", "a model";
    }
}

names! {
    /// Who makes a plan.
    Generator {
        /// The planner that is built in.
        BuiltIn = "built-in", "the built-in planner";
        /// A chat model.
        Model = "model", "a model";
    }
}

names! {
    /// The operating points that ship with the program.
    PointChoice {
        /// The one that was fitted on vaults by others.
        Default = "default", "the fitted point";
        /// That of the document which describes the instrument.
        Seed = "seed", "the document's point";
    }
}

names! {
    /// Whether something was of use.
    Word {
        /// It was.
        Good = "good", "good";
        /// It was not.
        Bad = "bad", "bad";
    }
}

/// Arguments of `audit`: either `run_path`, or a prompt and a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditArguments {
    /// The user's own words: what was asked for, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Instead of `prompt`: the file that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_path: Option<String>,
    /// What an agent made of it, in full: Markdown, HTML or plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Instead of `report`: the file that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_path: Option<String>,
    /// Instead of prompt and report: the folder or zip archive of a planner's run, which holds both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_path: Option<String>,
    /// Who judges; `rules` where it is not said. `both` and `model` also ask the chat models that the server's settings name, whose view
    /// stands in `model_view` and moves no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
    /// What the support score compares: `lexical` words alone, `minilm` vectors of sentences as well, which needs the embedding model; `lexical` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderChoice>,
    /// By which version of the rules, of those that the program has; the server's where it is not said. The result names it in `rules_version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
    /// How many incidents are listed at most, the most severe first; 10 where it is not said. Scores and counts are of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only incidents of at least this severity are listed: 0 none, 1 minor, 2 moderate, 3 major, 4 critical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4))]
    pub min_severity: Option<u8>,
    /// The `next_cursor` of the result before, to list the incidents after it; everything else stays as it was in that call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Only these members of the result are given; all of them where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names_of_members::<DriftEvaluation>")]
    pub fields: Option<Vec<String>>,
}

/// Arguments of `audit_lint`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditLintArguments {
    /// The user's own words: what is to be asked for, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Instead of `prompt`: the file that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_path: Option<String>,
}

/// Arguments of `audit_compare`: two audits, each as the id of a stored run, as JSON, or as a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditCompareArguments {
    /// What was before: the id of a stored run of `audit` (`run.id` of its result), or a whole result of `audit`, without `fields`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<RunOrEvaluation>")]
    pub a: Option<Value>,
    /// Instead of `a`: the file that holds a result of `audit`, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a_path: Option<String>,
    /// What is now, as `a`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<RunOrEvaluation>")]
    pub b: Option<Value>,
    /// Instead of `b`: the file that holds a result of `audit`, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b_path: Option<String>,
}

/// Either form of an audit that was made, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
enum RunOrEvaluation {
    Run(String),
    Evaluation(BTreeMap<String, Value>),
}

/// Arguments of `plan`: the request of `POST /api/plan`, with a time that may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanArguments {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Instead of `context`: the file that holds the notes. A date that its name begins with is the day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_path: Option<String>,
    /// The current time, such as 2026-01-25T11:00:00-05:00. Without it the clock of the machine is read, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_time: Option<String>,
    /// The zone of the notes by its IANA name, such as America/Toronto. Without it the offset of `current_time` holds, else the zone of
    /// the machine, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// Calendars beside those of `calendars`: the files that hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar_paths: Option<Vec<String>>,
    /// An earlier plan of the day to go on with: the whole result of `plan`, or a list of items as `plan_check` takes it. What ended before `current_time`, which
    /// has to be given then, what the notes check off and what `done` names stands as it is; the rest is planned anew, and `moved` says what became of each item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ItemsOrResponse>")]
    pub from: Option<Value>,
    /// Instead of `from`: the file that holds it, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_path: Option<String>,
    /// Items of the earlier plan that are done, by their numbers from 1, whatever their times say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Vec<usize>>,
    /// How the plan is made; `v4_repair` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Preferences>,
    /// Who reads the notes; `rules` where it is not said. With `model` the chat model that the server's settings name reads them as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extract: Option<Reader>,
    /// Who makes the plan; `built-in` where it is not said. What a model makes is proved by the same rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generator>,
    /// Whether a chat model is asked for an opinion on the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advise: Option<bool>,
    /// Files of the plan for other programs, each as a text of its own behind the result: `ics` events of a calendar (iCalendar), `tasks` Markdown task lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<PlanFile>>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// Arguments of `plan_check`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanCheckArguments {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Instead of `context`: the file that holds the notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_path: Option<String>,
    /// The plan: a list of items, each an object with any of `task`, `why`, `timebox_minutes`, `start`, `end`, `with`, `place`; or the
    /// whole result of `plan`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ItemsOrResponse>")]
    pub plan: Option<Value>,
    /// Instead of `plan`: the file that holds it, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_path: Option<String>,
    /// The current time, such as 2026-01-25T11:00:00-05:00. Without it the clock of the machine is read, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_time: Option<String>,
    /// The zone of the notes by its IANA name, such as America/Toronto. Without it the offset of `current_time` holds, else the zone of
    /// the machine, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// Calendars beside those of `calendars`: the files that hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar_paths: Option<Vec<String>>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Preferences>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// Either form of a plan, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
pub(crate) enum ItemsOrResponse {
    Items(Vec<BTreeMap<String, Value>>),
    Response(BTreeMap<String, Value>),
}

/// Arguments of `plan_constraints`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanConstraintsArguments {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Instead of `context`: the file that holds the notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_path: Option<String>,
    /// The current time, such as 2026-01-25T11:00:00-05:00. Without it the clock of the machine is read, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_time: Option<String>,
    /// The zone of the notes by its IANA name, such as America/Toronto. Without it the offset of `current_time` holds, else the zone of
    /// the machine, and the result says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// Calendars beside those of `calendars`: the files that hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar_paths: Option<Vec<String>>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Preferences>,
}

/// Arguments of `watch`: steps, or a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchArguments {
    /// The steps, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<WatchStep>>,
    /// Instead of `steps`: a log as text: JSON lines with a step each, chat messages, or OTLP/JSON spans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// Instead of `steps`: the file that holds the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_path: Option<String>,
    /// The initial intent of tasks, by task id. Without it the steps say it, else the first instruction is it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intents: Option<BTreeMap<String, String>>,
    /// What makes vectors of the texts; `minilm` where it is not said, which has to be fetched once. `lexical` needs no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderChoice>,
    /// What of a long output is compared with the goal; `whole` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<Aggregate>,
    /// Raise an alert where scores persist at this threshold or above. Without it alerts rest on changes for good and on broken bans
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alert: Option<f64>,
}

/// One step of an agent's run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchStep {
    /// Which task it belongs to.
    pub task_id: String,
    /// Its number; counted from 0 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// The instruction under which it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the agent said, verbatim; left out where it said nothing in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The goal of the whole task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_intent: Option<String>,
}

/// Arguments of `evaluate_output`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluateOutputArguments {
    /// All that a sub-agent gave back, verbatim, with the `<npl-block>` blocks in which it reports on its own work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Instead of `output`: the file that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_path: Option<String>,
    /// What the task has to meet, a criterion each. Without them those count that the output's last check-in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<Vec<String>>,
    /// Below this score a summary is given in the place of the output; 0.6 where it is not said. Approval needs 0.8 or this, whichever
    /// is higher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub threshold: Option<f64>,
    /// How the house uses 🐛 and 🔒: `seed` where it is not said (a bug, a vulnerability), or `fixed` (mended, addressed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// Arguments of `request_full_payload`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestFullPayloadArguments {
    /// The task, as `evaluate_output` named it.
    pub task_id: String,
}

/// What `request_full_payload` gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FullPayload {
    /// All of the last output of the task.
    pub full_output: String,
}

/// Arguments of `flag_sequence_quality`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlagSequenceQualityArguments {
    /// The task, as `evaluate_output` named it.
    pub task_id: String,
    /// `good` or `bad`: its outputs are candidates for training; `unsure`: they are none.
    #[schemars(extend("enum" = ["good", "bad", "unsure"]))]
    pub quality: String,
    /// In which respects, a word or two each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// Arguments of `pick`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickArguments {
    /// The task, verbatim.
    pub task: String,
    /// The day by which prompts are fresh or stale, such as 2026-01-26. Without it no prompt is either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether the candidates are listed with what speaks for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<bool>,
    /// What prompts must be, `FIELD=VALUE` each: `stage`, `intent`, `task_type`, `domain`, `tag`, `status` or `model`. Of several values of one
    /// field a prompt has to have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Vec<String>>,
    /// What prompts must not be, `FIELD=VALUE` each: `status` or `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude: Option<Vec<String>>,
    /// The thresholds that choose; `default` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operating_point: Option<PointChoice>,
    /// Who reads the task; `rules` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intake: Option<Reader>,
}

/// Arguments of `vault_search`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultSearchArguments {
    /// What is looked for, in words.
    pub query: String,
    /// How many prompts are given at most; 10 where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub k: Option<usize>,
    /// What prompts must be, `FIELD=VALUE` each, as for `pick`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Vec<String>>,
    /// What prompts must not be, `FIELD=VALUE` each, as for `pick`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude: Option<Vec<String>>,
    /// Only these members of the result are given; all of them where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names_of_members::<SearchResult>")]
    pub fields: Option<Vec<String>>,
}

/// Arguments of `feedback`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedbackArguments {
    /// What was picked, by the `trace_id` of the result.
    pub trace_id: String,
    /// Whether it was of use.
    pub verdict: Word,
    /// The prompts that this is said of; of all that were picked where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_ids: Option<Vec<String>>,
}

/// What `flag_sequence_quality` gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flagged {
    /// Always `true`: what could not be flagged is an error.
    pub success: bool,
}

/// The JSON Schema (draft 2020-12) of a tool's arguments, with nothing to look up elsewhere: many clients hand it to a model as
/// it is.
#[must_use]
pub fn arguments_schema<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<T>()
}

/// What a tool gives: the same value twice, for programs and for models.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value.
    pub value: Value,
    /// Its JSON on one line, members in the order of the type: [`to_json`](crate::to_json) without white space between them.
    pub text: String,
}

impl Answer {
    /// A published value as an answer.
    ///
    /// # Errors
    /// [`Error::Write`] where it has no JSON form; no type of this crate is without one.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let text = serde_json::to_string(value).map_err(Error::Write)?;
        Ok(Self { value: serde_json::to_value(value).map_err(Error::Write)?, text })
    }
}

/// Reads the arguments of a tool.
///
/// # Errors
/// What is wrong with them, in words.
pub fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| error.to_string())
}
