//! The settings file `steadfast.toml`. No key stands in it: it says where one is.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The settings file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Chat models.
    #[serde(default)]
    pub chat: ChatSettings,
}

/// Chat models: where they are, which one does what, what they may cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatSettings {
    /// The servers, each under a name without `/`.
    #[serde(default)]
    pub servers: BTreeMap<String, ChatServerSettings>,
    /// Which model has which role, as `SERVER/MODEL`. Of several that fit the most exact holds: `audit.scores`, then `audit`, then `default`.
    #[serde(default)]
    pub roles: BTreeMap<String, String>,
    /// What calls may cost.
    #[serde(default)]
    pub budget: ChatBudgetSettings,
}

names! {
    /// Which protocol a server speaks.
    ServerKind {
        /// OpenAI's chat completions, as vLLM, llama.cpp, Ollama and LM Studio speak them too.
        Openai = "openai", "OpenAI-compatible";
        /// Anthropic's messages.
        Anthropic = "anthropic", "Anthropic";
    }
}

names! {
    /// How an OpenAI-compatible server takes the bound on a reply.
    TokensFieldSetting {
        /// As most do.
        MaxTokens = "max_tokens", "max_tokens";
        /// As OpenAI's newer models do.
        MaxCompletionTokens = "max_completion_tokens", "max_completion_tokens";
    }
}

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatServerSettings {
    /// Which protocol it speaks.
    pub kind: ServerKind,
    /// Its address, such as `https://api.openai.com/v1` or `http://localhost:11434`.
    pub url: String,
    /// The variable of the environment that holds its key.
    pub key_env: Option<String>,
    /// The file that holds its key, relative to the folder of the settings file.
    pub key_file: Option<String>,
    /// How long it is waited for.
    #[serde(default)]
    pub timeouts: ChatTimeouts,
    /// How it takes the bound on a reply; without it `max_completion_tokens` for OpenAI itself, `max_tokens` for all others.
    pub tokens_field: Option<TokensFieldSetting>,
    /// The temperature that is asked for; without it that of the server.
    pub temperature: Option<f64>,
    /// How many tokens its models take in, question and reply together: 8,000. Longer texts are asked about piece by piece.
    pub context_tokens: Option<usize>,
    /// What the tokens of its models cost, by the models' names.
    #[serde(default)]
    pub prices: BTreeMap<String, ChatPrices>,
}

/// How long a server is waited for, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatTimeouts {
    /// For a connection: 5.
    pub connect_s: Option<f64>,
    /// From the question to the head of the answer: 30.
    pub first_byte_s: Option<f64>,
    /// Between two pieces of it: 20.
    pub idle_s: Option<f64>,
    /// For a call, all attempts and waits together: 120.
    pub whole_s: Option<f64>,
}

/// What a million tokens cost, in one currency for all prices and limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatPrices {
    /// A million tokens of questions.
    pub question_per_million: f64,
    /// A million tokens of replies.
    pub reply_per_million: f64,
}

/// What calls may cost. What is not set is not limited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatBudgetSettings {
    /// Tokens of one call, question and longest reply.
    pub tokens_per_call: Option<u64>,
    /// Tokens of all calls of a run.
    pub tokens_per_run: Option<u64>,
    /// Tokens of all calls of a day, in UTC.
    pub tokens_per_day: Option<u64>,
    /// Money for one call.
    pub money_per_call: Option<f64>,
    /// Money for all calls of a run.
    pub money_per_run: Option<f64>,
    /// Money for all calls of a day, in UTC.
    pub money_per_day: Option<f64>,
    /// The file that holds the account of the day, relative to the folder of the settings file; without it `steadfast/chat-spent.json` in
    /// `XDG_STATE_HOME` or in `.local/state` of the home folder. It is kept only where a day is limited.
    pub account: Option<String>,
}
