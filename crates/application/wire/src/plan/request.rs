//! What a plan is asked for with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Preferences, Variant};
use crate::tools::{Generator, ItemsOrResponse, Reader};

/// The body of `POST /api/plan` (section 2.1 of the contract for day plans).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    /// The notes: tasks, constraints, deadlines, in prose or lists.
    pub context: String,
    /// The current time: RFC 3339 ("2026-01-25T11:00:00-05:00"), or without an offset, then in `timezone`.
    pub current_time: String,
    /// The zone that the notes are read in, by its IANA name ("America/Toronto").
    pub timezone: String,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendars: Option<Vec<CalendarText>>,
    /// An earlier plan of the day to go on with: the whole response of `POST /api/plan`, or a list of items as `POST /api/plan/check` takes it. What ended before
    /// the current time, what the notes check off and what `done` names stands as it is; the rest is planned anew, and `moved` says what became of each item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ItemsOrResponse>")]
    pub from: Option<Value>,
    /// Items of the earlier plan that are done, by their numbers from 1, whatever their times say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Vec<usize>>,
    /// How the plan is made; `v4_repair` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// Whether wishes bind; `soft` where it is not said.
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
    /// Whose work it is: a name of 1 to 512 bytes without control characters. It stands with the stored run, by which rules of alerts, lists and
    /// summaries tell agents apart; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 512))]
    pub agent: Option<String>,
}

/// A calendar that comes as a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarText {
    /// What it is called: the `file` of spans in it. `calendar.ics` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it holds: iCalendar, as calendars export it.
    pub text: String,
}
