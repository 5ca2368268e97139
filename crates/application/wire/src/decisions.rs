//! What people decide on findings: accept them, contest them, or take that back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// What is decided on a finding.
    DecisionKind {
        /// It is right, and lived with: it need not be shown again.
        Accept = "accept", "accepted";
        /// It is wrong.
        Contest = "contest", "contested";
        /// What was decided before holds no more.
        Withdrawn = "withdrawn", "withdrawn";
    }
}

/// A decision, as it is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionGiven {
    /// The finding, by its fingerprint: the `id` of an incident.
    pub finding: String,
    /// The check that found it: the `check` of the incident. Without it it is taken from the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The run in which it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// What is decided.
    pub decision: DecisionKind,
    /// Why, in words.
    pub reason: String,
    /// The last day on which it holds, such as `2026-03-31`; without it it has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// A decision, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its UUIDv7; in a file, which keeps one decision for each finding, a UUIDv8 of the finding.
    pub id: String,
    /// The finding, by its fingerprint.
    pub finding: String,
    /// The check that found it.
    pub check: String,
    /// The run in which it was seen; `null` where none is named or it was deleted.
    pub run_id: Option<String>,
    /// What was decided.
    pub decision: DecisionKind,
    /// Why.
    pub reason: String,
    /// Who decided: the name of the key that was used, or `local` where none is asked for; `null` where nobody said.
    pub author: Option<String>,
    /// The last day on which it holds; `null` where it has no end.
    pub until: Option<String>,
    /// Whether that day is over.
    pub expired: bool,
    /// When it was decided: RFC 3339 in UTC.
    pub created_at: String,
}

/// Decisions, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The decisions of this page.
    pub decisions: Vec<Decision>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// How findings of a check were last decided on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckDecisions {
    /// The check.
    pub check: String,
    /// Findings that were accepted.
    pub accepted: u64,
    /// Findings that were contested.
    pub contested: u64,
    /// Findings of which a decision was taken back.
    pub withdrawn: u64,
}

/// How findings were last decided on, by check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionCounts {
    /// The version of this JSON.
    pub schema_version: String,
    /// The checks, by name.
    pub checks: Vec<CheckDecisions>,
}

/// A file of decisions, `steadfast-accepted.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFile {
    /// The decisions, one for each finding.
    #[serde(default)]
    pub finding: Vec<AcceptedFinding>,
}

/// A decision on a finding, as a file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFinding {
    /// The finding, by its fingerprint.
    pub id: String,
    /// What was decided: `accept` or `contest`.
    pub decision: DecisionKind,
    /// Why, in words.
    pub reason: String,
    /// The last day on which it holds, such as `2026-03-31`; without it it has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was decided: a day, or RFC 3339.
    pub decided: String,
}
