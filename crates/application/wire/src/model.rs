//! What every instrument publishes of the chat models that it asked: the calls, and what was proposed in vain.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

names! {
    /// Which try of a request a call was.
    CallTurn {
        /// The first.
        First = "first", "first";
        /// The one after a reply that could not be read.
        Repair = "repair", "repair";
    }
}

names! {
    /// How a call ended.
    CallEnded {
        /// With a reply of the form that was asked for.
        Read = "read", "read";
        /// With a reply of another form.
        Unreadable = "unreadable", "unreadable";
        /// With a reply that was cut off, or whose end was never said.
        Unfinished = "unfinished", "unfinished";
        /// The model or its server declined to answer.
        Declined = "declined", "declined";
        /// It was not made: the budget has no room for it.
        OverBudget = "over_budget", "over budget";
        /// The server failed, after as many attempts as are made.
        Failed = "failed", "failed";
    }
}

/// A call of a chat model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// What for: a role's name (`plan.extract`).
    pub role: String,
    /// Who was asked: the model's name at its server.
    pub model: String,
    /// Whether it was the first or the second try of its request.
    pub turn: CallTurn,
    /// How it ended.
    pub ended: CallEnded,
    /// Why it ended without a reply that can be used; for one that was read, what was taken off it. `null` where there is nothing to say.
    pub why: Option<String>,
    /// How many attempts were made, from 0.
    pub attempts: u32,
    /// Tokens of the question, where the server said.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, where the server said.
    pub reply_tokens: Option<u64>,
    /// What was neutralised in the judged texts.
    pub neutralised: NeutralisedCount,
}

/// What was neutralised in the judged texts of a call. Either is a signal: honest texts hold next to none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeutralisedCount {
    /// Characters that are not seen, which were left out.
    pub invisible: usize,
    /// Words that chat templates reserve, which were taken apart.
    pub reserved: usize,
}

/// Something that a model proposed and that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// What was proposed: `task`, `constraint`, `plan`, `opinion`, `question`, `intent` …
    pub what: String,
    /// The model's own words.
    pub text: String,
    /// Why it was not taken.
    pub reason: String,
}
