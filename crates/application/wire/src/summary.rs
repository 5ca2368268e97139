//! How often hard obligations were broken, week by week.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// How often hard obligations were broken, by week, agent and check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeeklySummary {
    /// The version of this JSON.
    pub schema_version: String,
    /// The zone in which weeks begin.
    pub timezone: String,
    /// The weeks, the oldest first; those without runs too.
    pub weeks: Vec<Week>,
    /// Runs whose result this version does not read; they are not counted.
    pub unread: u64,
}

/// One week.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Week {
    /// The week of ISO 8601: `2026-W04`.
    pub week: String,
    /// Its Monday.
    pub begins: String,
    /// The runs of all agents.
    pub all: Broken,
    /// Those of each agent, in the order of their names; runs that name none come first.
    pub agents: Vec<AgentWeek>,
}

/// One agent's week.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentWeek {
    /// The agent; `null` for runs that name none.
    pub agent: Option<String>,
    /// Its runs that could break one.
    pub runs: u64,
    /// Those that break one.
    pub broken: u64,
    /// Their share, 0 to 1.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How many of them each check found broken, in the order of their names.
    pub checks: Vec<CheckWeek>,
}

/// Runs, and how many of them break a hard obligation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// Runs that could break one.
    pub runs: u64,
    /// Those that break one.
    pub broken: u64,
    /// Their share, 0 to 1; 0 where there are no runs.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
}

/// What one check found in one week.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckWeek {
    /// The check.
    pub check: String,
    /// Runs in which it found a hard obligation broken.
    pub broken: u64,
    /// Their share of the agent's runs, 0 to 1.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
}
