//! What came of the gates that were asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of the gates that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateReport {
    /// Whether the result passes all of them.
    pub passed: bool,
    /// What was asked for: conditions, and `score<NUMBER` for a score that must be reached.
    pub asked: Vec<String>,
    /// Why it does not pass, a sentence for each gate that failed.
    pub failures: Vec<String>,
}
