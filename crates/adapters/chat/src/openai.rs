//! The protocol of OpenAI's chat completions, as its many kin speak it.

use serde_json::{Value, json};
use steadfast_engine::chat::{Call, Finish};
use steadfast_wire::settings::TokensFieldSetting;

use crate::event::Event;
use crate::mode::Mode;
use crate::reply::{Reply, Wrong, count};
use crate::words::told;

/// What is sent.
pub(crate) fn body(
    call: &Call,
    model: &str,
    mode: Mode,
    tokens: TokensFieldSetting,
    temperature: Option<f64>,
) -> Value {
    let messages: Vec<Value> =
        call.messages.iter().map(|message| json!({"role": message.speaker.name(), "content": message.text})).collect();
    let mut body = json!({
        "model": model,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    let mut set = |name: &str, value: Value| {
        if let Some(members) = body.as_object_mut() {
            members.insert(name.to_owned(), value);
        }
    };
    set(tokens.name(), call.reply_tokens_max.into());
    if let Some(temperature) = temperature {
        set("temperature", temperature.into());
    }
    match mode {
        Mode::JsonSchema => {
            let schema: Value = serde_json::from_str(&call.schema.json_schema(true)).unwrap_or_default();
            let form = json!({"name": call.schema.name, "strict": true, "schema": schema});
            set("response_format", json!({"type": "json_schema", "json_schema": form}));
        }
        Mode::JsonObject => set("response_format", json!({"type": "json_object"})),
        Mode::Tool | Mode::Prompt => {}
    }
    body
}

/// Takes an event of a stream.
pub(crate) fn event(event: &Event, reply: &mut Reply) -> Result<(), Wrong> {
    if event.data.trim() == "[DONE]" {
        reply.ended = true;
        return Ok(());
    }
    let value: Value = serde_json::from_str(&event.data).map_err(|error| format!("an event is no JSON: {error}"))?;
    take(&value, "delta", reply)
}

/// Takes a reply that came in one piece.
pub(crate) fn whole(value: &Value, reply: &mut Reply) -> Result<(), Wrong> {
    take(value, "message", reply)?;
    reply.ended = true;
    Ok(())
}

fn take(value: &Value, part: &str, reply: &mut Reply) -> Result<(), Wrong> {
    let Some(choices) = value.get("choices").and_then(Value::as_array) else {
        return Err(told(value).map_or_else(|| "`choices` is missing".to_owned().into(), Wrong::Told));
    };
    if let Some(told) = value.get("error").and_then(|_| told(value)) {
        return Err(Wrong::Told(told));
    }
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        reply.prompt_tokens = count(usage.get("prompt_tokens"));
        reply.reply_tokens = count(usage.get("completion_tokens"));
    }
    let choice = match choices.as_slice() {
        [] => return Ok(()),
        [choice] => choice,
        _ => return Err(format!("{} choices came, one was asked for", choices.len()).into()),
    };
    if choice.get("index").and_then(Value::as_i64).is_some_and(|index| index != 0) {
        return Err("more than one choice came, one was asked for".to_owned().into());
    }
    reply.begun = true;
    if let Some(said) = choice.get(part) {
        match said.get("content") {
            Some(Value::String(text)) => reply.say(text)?,
            None | Some(Value::Null) => {}
            Some(_) => return Err("`content` is no text".to_owned().into()),
        }
        reply.refused |= said.get("refusal").and_then(Value::as_str).is_some_and(|words| !words.is_empty());
    }
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
        reply.finish = Some(finish(reason));
    }
    Ok(())
}

/// Of the reasons that servers name, those for a reply that is whole.
fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Finish::Stop,
        "length" | "max_tokens" => Finish::Length,
        "content_filter" | "refusal" => Finish::Declined,
        // A call of a tool, which nobody offered, and what is not known are no end of a reply.
        _ => Finish::Unsaid,
    }
}
