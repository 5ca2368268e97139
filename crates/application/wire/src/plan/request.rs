//! What a plan is asked for with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Preferences, Variant};
use crate::tools::{Generator, Reader};

/// The body of `POST /api/plan` (section 2.1 of the contract for day plans).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    /// The notes: tasks, constraints, deadlines, in prose or lists.
    pub context: String,
    /// The current time: RFC 3339 ("2026-01-25T11:00:00-05:00"), or without an offset, then in `timezone`.
    pub current_time: String,
    /// The zone that the notes are read in, by its IANA name ("America/Toronto").
    pub timezone: String,
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
}
