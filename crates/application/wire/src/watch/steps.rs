//! A step as one JSON object: `{"task_id", "step", "prompt", "output", "agent"?, "initial_intent"?}`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::given::GivenStep;

/// Whole numbers up to here are exact as doubles.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A step without its line.
#[derive(Deserialize)]
#[serde(expecting = "an object with `task_id`, `step`, `prompt` and `output`")]
pub(super) struct StepObject {
    #[serde(deserialize_with = "id")]
    task_id: String,
    #[serde(default, deserialize_with = "whole")]
    step: Option<i64>,
    #[serde(default, deserialize_with = "prompt")]
    prompt: Option<String>,
    #[serde(default, deserialize_with = "output")]
    output: Option<String>,
    #[serde(default, deserialize_with = "agent")]
    agent: Option<String>,
    #[serde(default, deserialize_with = "initial_intent")]
    initial_intent: Option<String>,
}

impl StepObject {
    /// The step that stands on a line.
    pub(super) fn on(self, line: usize) -> GivenStep {
        GivenStep {
            task_id: self.task_id.into(),
            step: self.step,
            prompt: self.prompt.map(Into::into),
            output: self.output,
            agent: self.agent.map(Into::into),
            initial_intent: self.initial_intent.map(Into::into),
            line,
            ..GivenStep::default()
        }
    }
}

fn prompt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer, "prompt")
}

fn output<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer, "output")
}

fn agent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer, "agent")
}

fn initial_intent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer, "initial_intent")
}

/// A member that is text. A derived reader would say what is wrong with it, and not with which member.
fn text<'de, D: Deserializer<'de>>(deserializer: D, name: &str) -> Result<Option<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(D::Error::custom(format!("`{name}` is {}, not a string", kind(&other)))),
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(id) => Ok(id),
        Value::Number(id) if !id.is_f64() => Ok(id.to_string()),
        other => Err(D::Error::custom(format!("`task_id` is {}, not a string or a whole number", kind(&other)))),
    }
}

fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let exact = |it: f64| (it.fract() == 0.0 && it.abs() <= EXACT_MAX).then_some(it as i64);
    let whole = value.as_i64().or_else(|| value.as_f64().and_then(exact));
    if whole.is_some() || value.is_null() {
        return Ok(whole);
    }
    Err(D::Error::custom(format!("`step` is {}, not a whole number", kind(&value))))
}

/// What a value is, in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(own) if own.is_f64() || own.as_i64().is_none() => "a fraction or a number beyond 64 bits",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
