//! Stored runs at a glance, and the texts that some of them were about.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::runs::StoredRun;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// How many runs of a verb came to what on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DayCount {
    /// The day, in UTC: `2026-01-25`.
    pub day: String,
    /// What was asked for.
    pub verb: String,
    /// What came of it, in a word; `null` where nothing is judged.
    pub verdict: Option<String>,
    /// The exit status.
    pub exit_status: u8,
    /// How many runs.
    pub runs: u64,
}

/// Stored runs at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overview {
    /// The version of this JSON.
    pub schema_version: String,
    /// The first day that is counted, in UTC.
    pub since: String,
    /// Counts by day, verb, verdict and exit status, in that order; days without a run are left out.
    pub counts: Vec<DayCount>,
    /// The newest runs that want looking at, of any day.
    pub attention: Vec<StoredRun>,
}

/// A text that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
}

/// The texts that a run was about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTexts {
    /// The version of this JSON.
    pub schema_version: String,
    /// The run.
    pub run_id: String,
    /// Each by the name that spans of the result use; empty where none were kept.
    pub texts: BTreeMap<String, String>,
    /// Those that did not fit.
    pub left_out: Vec<LeftOut>,
}
