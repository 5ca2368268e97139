//! Problem details (RFC 9457).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a request has no answer: the body of every answer with a status of 400 or more, as `application/problem+json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Which problem it is: a path of the server that says more about it. It never changes its meaning.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same in words.
    pub title: String,
    /// The status of the answer.
    #[schemars(range(min = 400, max = 599))]
    pub status: u16,
    /// What is wrong, and where.
    pub detail: String,
    /// The request: the same as in `X-Request-Id`.
    pub instance: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The member of the body that is wrong, as a JSON Pointer (RFC 6901).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The query parameter that is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The line of the body at which it stops being JSON, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}
