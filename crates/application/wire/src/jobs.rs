//! What takes long: how it stands, and what came of its parts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::audit::Judge;
use crate::request::AgentName;
use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// How a job stands.
    JobState {
        /// It waits for its turn.
        Queued = "queued", "waiting";
        /// It is under way.
        Running = "running", "under way";
        /// All of its parts are done.
        Done = "done", "done";
        /// It ended without all of them.
        Failed = "failed", "failed";
        /// Somebody wanted it no more.
        Cancelled = "cancelled", "cancelled";
        /// The server ended while it was under way.
        Interrupted = "interrupted", "interrupted";
    }
}

impl JobState {
    /// The state of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.name() == name)
    }

    /// Whether nothing more comes of a job in this state.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// What came of one part of a job: a run, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobItem {
    /// Its place in the job, from 0.
    pub number: u64,
    /// What it is called: a file or folder, as it was given.
    pub name: String,
    /// The run that it was stored as; `null` where there is none.
    pub run_id: Option<String>,
    /// Why there is none; `null` where there is one.
    pub error: Option<String>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Its UUIDv7.
    pub id: String,
    /// What is done, such as `audit`.
    pub kind: String,
    /// How it stands.
    pub state: JobState,
    /// When it was asked for: RFC 3339 in UTC.
    pub created_at: String,
    /// When it changed last.
    pub updated_at: String,
    /// How many parts it has.
    pub total: u64,
    /// How many of them are done, whatever came of them.
    pub done: u64,
    /// What is to be said of it; `null` where nothing is.
    pub message: Option<String>,
}

/// A job with what came of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRecord {
    /// The version of this JSON.
    pub schema_version: String,
    /// The job.
    pub job: Job,
    /// What came of the parts of this page, in their order.
    pub results: Vec<JobItem>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
}

/// Jobs, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The jobs of this page.
    pub jobs: Vec<Job>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A prompt and a report that a job audits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobPair {
    /// What it is called in the results; its place in the list, from 0, where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The user's own words: what was asked for, verbatim.
    pub prompt: String,
    /// What an agent made of it, in full: Markdown, HTML or plain text.
    pub report: String,
    /// Whose work it is, 1 to 512 bytes. It stands with the stored run, for rules of alerts, lists and summaries; no result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
}

/// The body of `POST /api/jobs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobBody {
    /// What is audited, one after the other.
    #[schemars(length(min = 1))]
    pub pairs: Vec<JobPair>,
    /// Who judges; `rules` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
}
