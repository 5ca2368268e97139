//! The protocol of Anthropic's messages.

use serde_json::{Value, json};
use steadfast_dialogue::Speaker;
use steadfast_engine::chat::{Call, Finish};

use crate::event::Event;
use crate::mode::Mode;
use crate::reply::{Reply, Wrong, count};
use crate::words::told;

/// The version of the protocol.
pub(crate) const VERSION: &str = "2023-06-01";

/// What is sent.
pub(crate) fn body(call: &Call, model: &str, mode: Mode, temperature: Option<f64>) -> Value {
    let (system, said): (Vec<_>, Vec<_>) = call.messages.iter().partition(|message| message.speaker == Speaker::System);
    let system = system.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n\n");
    let mut messages: Vec<Value> =
        said.iter().map(|message| json!({"role": message.speaker.name(), "content": message.text})).collect();
    let mut body = json!({"model": model, "max_tokens": call.reply_tokens_max, "stream": true});
    let Some(members) = body.as_object_mut() else { return body };
    // There must be a message; the instructions are one where there is no data.
    if messages.is_empty() {
        messages.push(json!({"role": "user", "content": system}));
    } else {
        members.insert("system".to_owned(), system.into());
    }
    members.insert("messages".to_owned(), messages.into());
    if let Some(temperature) = temperature {
        members.insert("temperature".to_owned(), temperature.into());
    }
    let schema = || serde_json::from_str::<Value>(&call.schema.json_schema(false)).unwrap_or_default();
    match mode {
        Mode::JsonSchema => {
            let format = json!({"type": "json_schema", "schema": schema()});
            members.insert("output_config".to_owned(), json!({"format": format}));
        }
        Mode::Tool => {
            let tool = json!({"name": call.schema.name, "description": "Takes the reply.", "input_schema": schema()});
            members.insert("tools".to_owned(), json!([tool]));
            members.insert("tool_choice".to_owned(), json!({"type": "tool", "name": call.schema.name}));
        }
        Mode::JsonObject | Mode::Prompt => {}
    }
    body
}

/// Takes an event of a stream.
pub(crate) fn event(event: &Event, reply: &mut Reply) -> Result<(), Wrong> {
    let value: Value = serde_json::from_str(&event.data).map_err(|error| format!("an event is no JSON: {error}"))?;
    let kind = value.get("type").and_then(Value::as_str).unwrap_or(&event.name);
    match kind {
        "message_start" => {
            reply.begun = true;
            usage(value.get("message").unwrap_or(&Value::Null), reply);
        }
        "content_block_start" => {
            // llama.cpp leaves out `message_start` where the first token is no whole character.
            reply.begun = true;
            // Text may stand in the block itself; the input of a tool comes in pieces behind it.
            if let Some(text) = value.pointer("/content_block/text").and_then(Value::as_str) {
                reply.say(text)?;
            }
        }
        "content_block_delta" => {
            let text = |name: &str| value.get("delta")?.get(name)?.as_str();
            if let Some(piece) = text("text") {
                reply.say(piece)?;
            } else if let Some(piece) = text("partial_json") {
                reply.call(piece)?;
            }
        }
        "message_delta" => {
            reply.begun = true;
            if let Some(reason) = value.pointer("/delta/stop_reason").and_then(Value::as_str) {
                reply.finish = Some(finish(reason));
            }
            usage(&value, reply);
        }
        "message_stop" => reply.ended = true,
        "error" => return Err(Wrong::Told(told(&value).unwrap_or_default())),
        _ if value.get("error").is_some() => return Err(Wrong::Told(told(&value).unwrap_or_default())),
        // `ping`, `content_block_stop`, and what later versions add.
        _ => {}
    }
    Ok(())
}

/// Takes a reply that came in one piece.
pub(crate) fn whole(value: &Value, reply: &mut Reply) -> Result<(), Wrong> {
    let Some(blocks) = value.get("content").and_then(Value::as_array) else {
        return Err(told(value).map_or_else(|| "`content` is missing".to_owned().into(), Wrong::Told));
    };
    reply.begun = true;
    for block in blocks {
        if let Some(text) = block.get("text").and_then(Value::as_str) {
            reply.say(text)?;
        } else if let Some(input) = block.get("input").filter(|input| input.is_object()) {
            reply.call(&input.to_string())?;
        }
    }
    if let Some(reason) = value.get("stop_reason").and_then(Value::as_str) {
        reply.finish = Some(finish(reason));
    }
    usage(value, reply);
    reply.ended = true;
    Ok(())
}

fn usage(value: &Value, reply: &mut Reply) {
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        reply.prompt_tokens = count(usage.get("input_tokens")).or(reply.prompt_tokens);
        reply.reply_tokens = count(usage.get("output_tokens")).or(reply.reply_tokens);
    }
}

/// A reply that came as a call of the one tool that was offered is whole.
fn finish(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" | "tool_use" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Declined,
        _ => Finish::Unsaid,
    }
}
