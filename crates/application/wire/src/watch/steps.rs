//! A step as one JSON object: `{"task_id", "step", "prompt", "output", "agent"?, "initial_intent"?}`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

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
    prompt: Option<String>,
    output: Option<String>,
    agent: Option<String>,
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

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(id) => Ok(id),
        Value::Number(id) if !id.is_f64() => Ok(id.to_string()),
        _ => Err(D::Error::custom("`task_id` is neither a string nor a whole number of 64 bits")),
    }
}

fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else { return Ok(None) };
    let exact = || number.as_f64().filter(|it| it.fract() == 0.0 && it.abs() <= EXACT_MAX).map(|it| it as i64);
    let whole = number.as_i64().or_else(exact);
    whole.map(Some).ok_or_else(|| D::Error::custom("`step` is no whole number of 64 bits"))
}
