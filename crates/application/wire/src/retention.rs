//! What was deleted because it was kept long enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// What was deleted of a store, or would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PruneReport {
    /// The version of this JSON.
    pub schema_version: String,
    /// What nothing was added to since this moment: RFC 3339 in UTC.
    pub before: String,
    /// Whether it was counted alone.
    pub dry_run: bool,
    /// Runs, with the texts of their inputs.
    pub runs: u64,
    /// Tasks, with their messages and flags.
    pub tasks: u64,
    /// Messages of tasks that go on.
    pub messages: u64,
    /// Trajectories, with their steps and scores.
    pub trajectories: u64,
    /// Jobs that have ended.
    pub jobs: u64,
    /// Notices of alerts, and how rules stand that do not fire.
    #[serde(default)]
    pub alerts: u64,
}

impl PruneReport {
    /// How much it is, of all kinds.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.runs + self.tasks + self.messages + self.trajectories + self.jobs + self.alerts
    }
}
