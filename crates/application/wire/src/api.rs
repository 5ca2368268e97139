//! What the routes of the HTTP API take and give beside the types that every door has in common.
//!
//! A body is closed: a member that its route does not know is refused by name. Where a route takes what a tool of the MCP server takes, it
//! takes its type. HTTP reads no clock for the caller, so what is read at a time names it.

mod components;
mod fields;
mod problem;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use components::{Components, Described, members};
pub use fields::{Fields, Published, UnknownField};
pub use problem::Problem;

use crate::audit::Judge;
use crate::plan::{CalendarText, Preferences};
use crate::review::Profile;
use crate::tools::{EmbedderChoice, ItemsOrResponse, WatchStep};
use crate::watch::Aggregate;

/// The body of `POST /api/audit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditBody {
    /// The user's own words: what was asked for, verbatim.
    pub prompt: String,
    /// What an agent made of it, in full: Markdown, HTML or plain text.
    pub report: String,
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
    /// How many incidents are listed at most, the most severe first; all where it is not said. Scores and counts are of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only incidents of at least this severity are listed: 0 none, 1 minor, 2 moderate, 3 major, 4 critical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4))]
    pub min_severity: Option<u8>,
    /// The `next_cursor` of the result before, to list the incidents after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The body of `POST /api/audit/lint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintBody {
    /// The user's own words: what is to be asked for, verbatim.
    pub prompt: String,
}

/// The body of `POST /api/plan/check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanCheckBody {
    /// The notes: tasks, constraints, deadlines, in prose or lists.
    pub context: String,
    /// The plan: a list of items, each an object with any of `task`, `why`, `timebox_minutes`, `start`, `end`, `with`, `place`; or the
    /// whole response of `POST /api/plan`.
    #[schemars(with = "ItemsOrResponse")]
    pub plan: Value,
    /// The current time: RFC 3339 ("2026-01-25T11:00:00-05:00"), or without an offset, then in `timezone`.
    pub current_time: String,
    /// The zone that the notes are read in, by its IANA name ("America/Toronto").
    pub timezone: String,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// Whether wishes bind; `soft` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Preferences>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// The body of `POST /api/plan/constraints`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanConstraintsBody {
    /// The notes: tasks, constraints, deadlines, in prose or lists.
    pub context: String,
    /// The current time: RFC 3339 ("2026-01-25T11:00:00-05:00"), or without an offset, then in `timezone`.
    pub current_time: String,
    /// The zone that the notes are read in, by its IANA name ("America/Toronto").
    pub timezone: String,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// Whether wishes bind; `soft` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Preferences>,
}

/// The body of `POST /api/watch`: steps, or a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchBody {
    /// The steps, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<WatchStep>>,
    /// Instead of `steps`: a log as text: JSON lines with a step each, chat messages, or OTLP/JSON spans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
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

/// One arm of a comparison: steps, or a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmBody {
    /// What the arm is called; `a.jsonl` or `b.jsonl` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The steps, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<WatchStep>>,
    /// Instead of `steps`: a log as text, or a result of `POST /api/watch` that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// The body of `POST /api/watch/compare`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareBody {
    /// The one arm.
    pub a: ArmBody,
    /// The other.
    pub b: ArmBody,
    /// The initial intent of tasks, by task id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intents: Option<BTreeMap<String, String>>,
    /// What makes vectors of the texts; `minilm` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderChoice>,
    /// What of a long output is compared with the goal; `whole` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<Aggregate>,
}

/// The body of `POST /api/review`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// All that a sub-agent gave back, verbatim, with the `<npl-block>` blocks in which it reports on its own work.
    pub output: String,
    /// What the task has to meet, a criterion each. Without them those count that the output's last check-in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<Vec<String>>,
    /// Below this score a summary is given in the place of the output; 0.6 where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub threshold: Option<f64>,
    /// How the house uses 🐛 and 🔒: `seed` where it is not said (a bug, a vulnerability), or `fixed` (mended, addressed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// What a summary may hold, in tokens of four characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_tokens: Option<usize>,
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// The body of `POST /api/tasks/{id}/flag`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlagBody {
    /// `good` or `bad`: its outputs are candidates for training; `unsure`: they are none.
    #[schemars(extend("enum" = ["good", "bad", "unsure"]))]
    pub quality: String,
    /// In which respects, a word or two each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// A text with the name of the file that it stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedText {
    /// Its name, whose ending says how it is read: `.md` is a prompt, `.jsonl` and `.csv` hold one a line.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// The body of `POST /api/vault/import`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportBody {
    /// What the texts come from. A later import of the same name takes the place of this one: what is no longer in it is removed.
    pub source: String,
    /// The texts.
    pub files: Vec<NamedText>,
}

/// A list of published schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaList {
    /// The schemas, in the order of their names.
    pub schemas: Vec<SchemaHead>,
}

/// A published schema in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaHead {
    /// Its name.
    pub name: String,
    /// What it is of.
    pub about: String,
}
