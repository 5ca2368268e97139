//! What an evaluation rests on: files and checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DriftType, Role};

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name, relative to the folder or zip that was given.
    pub file: String,
    /// Whether it is the ask or part of the answer.
    pub role: Role,
    /// Its length in bytes.
    pub bytes: usize,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
    /// What was left out of it and why.
    pub left_out: Vec<LeftOut>,
    /// What a reader should know about it (its encoding, a wrapper that was taken off).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A range of a file that was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Why ("repeats the ask").
    pub reason: String,
}

/// A check that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id, as in `check` of an incident.
    pub id: String,
    /// What it looks for, in a few words.
    pub title: String,
    /// The type of the incidents that it gives.
    pub drift_type: DriftType,
    /// How many incidents it gave.
    pub incidents: usize,
}
