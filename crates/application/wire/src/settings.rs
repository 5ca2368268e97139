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
    /// Keeping less.
    #[serde(default)]
    pub privacy: PrivacySettings,
    /// Rules that watch what agents do, while a server runs.
    #[serde(default)]
    pub alerts: AlertsSettings,
    /// What the hook keeps of sessions.
    #[serde(default)]
    pub hook: HookSettings,
}

names! {
    /// How much the hook keeps of a session.
    HookStore {
        /// Nothing.
        Off = "off", "nothing";
        /// What the user typed, claims, calls and verdicts; of what calls gave back, and of the report beside its claims, references alone.
        Refs = "refs", "references";
        /// All that `review` gives.
        Full = "full", "all of it";
    }
}

/// What the hook keeps of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookSettings {
    /// How much of a session is kept when the agent ends a turn: `refs`.
    pub store: Option<HookStore>,
    /// After how many days a kept session is deleted, 1 to 36,500: 30.
    pub retain_days: Option<u32>,
}

/// Rules that watch what agents do, and where it is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertsSettings {
    /// The rules.
    #[serde(default)]
    pub rules: Vec<AlertRuleSettings>,
    /// Addresses that are told, by names.
    #[serde(default)]
    pub webhooks: BTreeMap<String, WebhookSettings>,
    /// Programs that are told, by names.
    #[serde(default)]
    pub commands: BTreeMap<String, CommandSettings>,
}

/// A rule. It has `above` or `below`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertRuleSettings {
    /// What it is called.
    pub name: String,
    /// What it looks at: `ids`, `anchor_ids` or `broken_bans` of a step under way, `fidelity` of an audit, `broken_obligations` of a stored run,
    /// `review_score` of a review.
    pub metric: String,
    /// What is greater is wrong.
    pub above: Option<f64>,
    /// What is less is wrong.
    pub below: Option<f64>,
    /// How many of the last `n` values must be wrong for it to fire: 1.
    pub k: Option<usize>,
    /// Of how many: `k`.
    pub n: Option<usize>,
    /// How old a value may be to count, in minutes: any age.
    pub window_minutes: Option<f64>,
    /// For how long it is silent after it fired, in minutes: 30.
    pub cooldown_minutes: Option<f64>,
    /// How many of the last `recover_n` values must be right for it to be resolved: `k`.
    pub recover_k: Option<usize>,
    /// Of how many: `n`, or `recover_k` where that is given.
    pub recover_n: Option<usize>,
    /// Which agents it looks at, each by itself; `*` stands for any characters, `?` for one: `*`.
    pub agent: Option<String>,
    /// Who is told, by names of webhooks and commands: all of them.
    pub to: Option<Vec<String>>,
}

/// An address that is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// The address, which takes a POST.
    pub url: String,
    /// The variable of the environment that holds the secret by which notices are signed, `whsec_` and base64.
    pub secret_env: Option<String>,
    /// The file that holds it, relative to the folder of the settings file.
    pub secret_file: Option<String>,
    /// How long an attempt may take, in seconds: 10.
    pub timeout_s: Option<f64>,
}

/// A program that is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandSettings {
    /// The program and its arguments; no shell reads them.
    pub argv: Vec<String>,
    /// How long it may run, in seconds: 10.
    pub timeout_s: Option<f64>,
}

names! {
    /// How much of a text is kept and told.
    CaptureSetting {
        /// Nothing.
        Nothing = "none", "nothing";
        /// A hash with a key that the store holds.
        Hash = "hash", "a hash";
        /// Its first 200 characters.
        Preview = "preview", "its beginning";
        /// All of it.
        Full = "full", "all of it";
    }
}

/// Keeping less: how much of texts is kept and told, what is taken out of them first, and for how long they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivacySettings {
    /// How much of texts is kept in the store, and told to exporters: `full`.
    pub capture: Option<CaptureSetting>,
    /// What is taken out of texts before they are kept or told, by the names of patterns that ship with the program: `email`, `ip`, `key`, `phone`.
    #[serde(default)]
    pub redact: Vec<String>,
    /// What is taken out besides: regular expressions by names.
    #[serde(default)]
    pub patterns: BTreeMap<String, String>,
    /// After how many days what nothing was added to is deleted, 1 to 36,500: never.
    pub retain_days: Option<u32>,
}

/// Chat models: where they are, which one does what, what they may cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatSettings {
    /// The servers, each under a name without `/`.
    #[serde(default)]
    pub servers: BTreeMap<String, ChatServerSettings>,
    /// Which model has which role, as `SERVER/MODEL`. Of several that fit the most exact holds: `plan.judge`, then `plan`, then `default`.
    #[serde(default)]
    pub roles: BTreeMap<String, String>,
    /// What calls may cost.
    #[serde(default)]
    pub budget: ChatBudgetSettings,
    /// The folder in which replies are kept, relative to the folder of the settings file; without it none is. A question that was asked before is answered from there.
    pub replies: Option<String>,
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
