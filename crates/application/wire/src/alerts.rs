//! What is told when a rule fires, and when it is over; how rules stand, and what was told of them.

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

names! {
    /// How far the telling of a notice has come.
    DeliveryState {
        /// It is not told yet.
        Waiting = "waiting", "waiting";
        /// It was told.
        Told = "told", "told";
        /// It was not told, and is not tried again.
        Failed = "failed", "not told";
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
    /// Of how many at most; 0 where it is over because the rule was changed or taken out.
    pub of: usize,
    /// The agent; `null` where none is known.
    pub agent: Option<String>,
    /// The run, by its id, or the trajectory that the last value is of.
    pub subject: String,
    /// When the last value came about: RFC 3339 in UTC.
    pub at: String,
}

/// A rule, as the settings have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertRule {
    /// What it is called.
    pub name: String,
    /// What it looks at.
    pub metric: String,
    /// What is greater is wrong; `null` where the rule has another bound.
    pub above: Option<f64>,
    /// What is less is wrong; `null` where the rule has another bound.
    pub below: Option<f64>,
    /// How many of the last `n` values have to be wrong for it to fire.
    pub k: usize,
    /// How many of the last values count.
    pub n: usize,
    /// How many of the last `recover_n` values have to be right for it to be over.
    pub recover_k: usize,
    /// How many of the last values count while it fires.
    pub recover_n: usize,
    /// How old a value may be to count, in minutes; `null` for any age.
    pub window_minutes: Option<f64>,
    /// How long it is silent after it fired, in minutes.
    pub cooldown_minutes: f64,
    /// Which agents it looks at: `*` stands for any characters, `?` for one.
    pub agent: String,
    /// The webhooks and commands that are told, by their names.
    pub to: Vec<String>,
}

/// How a rule stands for an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertStanding {
    /// The rule.
    pub rule: String,
    /// The agent; `null` where none is known.
    pub agent: Option<String>,
    /// Whether it fires.
    pub firing: bool,
    /// Since when it fires, or does not any more: RFC 3339 in UTC; `null` where it never fired.
    pub since: Option<String>,
    /// The last value.
    pub value: f64,
    /// The run, by its id, or the trajectory that the last value is of.
    pub subject: String,
    /// When the last value came about: RFC 3339 in UTC.
    pub at: String,
}

/// The rules of a server, and how they stand for each agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The rules, in the order of the settings.
    pub rules: Vec<AlertRule>,
    /// How they stand, of this page, in the order in which a first value came.
    pub standing: Vec<AlertStanding>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Whom a notice goes to, and what came of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertDelivery {
    /// The webhook or command, by its name.
    pub to: String,
    /// How far it has come.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: u64,
    /// When it came so far: RFC 3339 in UTC.
    pub at: String,
    /// Why it was not told; `null` where it was, or waits.
    pub error: Option<String>,
}

/// A change of a rule for an agent, and who was told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToldNotice {
    /// Its UUIDv7.
    pub id: String,
    /// When it was seen: RFC 3339 in UTC.
    pub seen_at: String,
    /// What was told.
    pub notice: AlertNotice,
    /// Whom it went to; nobody where the rule names none.
    pub deliveries: Vec<AlertDelivery>,
}

/// What was told of rules, the newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertHistory {
    /// The version of this JSON.
    pub schema_version: String,
    /// The notices of this page.
    pub notices: Vec<ToldNotice>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
