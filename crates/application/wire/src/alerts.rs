//! What is told when a rule fires, and when it is over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// How a rule stands for an agent.
    AlertState {
        /// Too much is wrong.
        Firing = "firing", "firing";
        /// It is well again.
        Resolved = "resolved", "resolved";
    }
}

/// A change of a rule for an agent: the body of a webhook, and what a command reads. No text of an agent stands in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertNotice {
    /// The version of this JSON.
    pub schema_version: String,
    /// The rule.
    pub rule: String,
    /// How it stands now.
    pub state: AlertState,
    /// What it looks at.
    pub metric: String,
    /// What is greater is wrong; `null` where the rule has another bound.
    pub above: Option<f64>,
    /// What is less is wrong; `null` where the rule has another bound.
    pub below: Option<f64>,
    /// The last value.
    pub value: f64,
    /// How many of the last values were wrong, or right where it is over.
    pub counted: usize,
    /// Of how many at most.
    pub of: usize,
    /// The agent; `null` where none is known.
    pub agent: Option<String>,
    /// The run, by its id, or the trajectory that the last value is of.
    pub subject: String,
    /// When the last value came about: RFC 3339 in UTC.
    pub at: String,
}
