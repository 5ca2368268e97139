//! Answers as model servers write them, in either protocol.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Asked, Dialect};

/// Why a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// There was no room for more.
    Length,
    /// A filter, or the model itself, declined.
    Declined,
    /// A tool is called that nobody offered.
    Tool,
    /// It is never said.
    Unsaid,
}

/// What is said of tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Usage {
    /// 11 of the question, 7 of the reply.
    Counted,
    /// Nothing.
    Missing,
    /// This, of both.
    Odd(Value),
}

/// A reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Say {
    /// Its words, in the pieces in which they come.
    pub pieces: Vec<String>,
    /// Why it ends.
    pub finish: Finish,
    /// What is said of tokens.
    pub usage: Usage,
    /// Whether the end of the stream is said.
    pub done: bool,
}

impl Say {
    /// These words, finished and counted, in pieces of seven characters.
    #[must_use]
    pub fn words(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        // However long it is, there are not more than a thousand pieces.
        let size = (characters.len() / 1_000).max(7);
        let pieces = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
        Self { pieces, finish: Finish::Stop, usage: Usage::Counted, done: true }
    }
}

/// An answer as it goes over the wire, closed behind its end.
#[must_use]
pub fn http(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let mut answer = (head + "\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// A reply as a stream of events.
#[must_use]
pub fn stream(asked: &Asked, say: &Say) -> String {
    match asked.dialect {
        Dialect::OpenAi => openai(say),
        Dialect::Anthropic => anthropic(say, asked.mode() == "tool"),
    }
}

/// A reply in one piece of JSON.
#[must_use]
pub fn plain(asked: &Asked, say: &Say) -> String {
    let text = say.pieces.concat();
    let (question, reply) = counts(&say.usage);
    match asked.dialect {
        Dialect::OpenAi => json!({
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": openai_finish(say.finish)}],
            "usage": {"prompt_tokens": question, "completion_tokens": reply},
        }),
        Dialect::Anthropic => json!({
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": text}],
            "stop_reason": anthropic_finish(say.finish),
            "usage": {"input_tokens": question, "output_tokens": reply},
        }),
    }
    .to_string()
}

fn counts(usage: &Usage) -> (Value, Value) {
    match usage {
        Usage::Counted => (json!(11), json!(7)),
        Usage::Missing => (Value::Null, Value::Null),
        Usage::Odd(value) => (value.clone(), value.clone()),
    }
}

const fn openai_finish(finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Stop => Some("stop"),
        Finish::Length => Some("length"),
        Finish::Declined => Some("content_filter"),
        Finish::Tool => Some("tool_calls"),
        Finish::Unsaid => None,
    }
}

const fn anthropic_finish(finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Stop => Some("end_turn"),
        Finish::Length => Some("max_tokens"),
        Finish::Declined => Some("refusal"),
        Finish::Tool => Some("pause_turn"),
        Finish::Unsaid => None,
    }
}

fn openai(say: &Say) -> String {
    let mut events = String::new();
    let mut chunk = |choices: Value, usage: Value| {
        let value = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": choices, "usage": usage});
        let _ = write!(events, "data: {value}\n\n");
    };
    let choice = |delta: Value, finish: Option<&str>| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    chunk(choice(json!({"role": "assistant", "content": ""}), None), Value::Null);
    for piece in &say.pieces {
        chunk(choice(json!({"content": piece}), None), Value::Null);
    }
    if let Some(reason) = openai_finish(say.finish) {
        chunk(choice(json!({}), Some(reason)), Value::Null);
    }
    if say.usage != Usage::Missing {
        let (question, reply) = counts(&say.usage);
        chunk(json!([]), json!({"prompt_tokens": question, "completion_tokens": reply}));
    }
    if say.done {
        events.push_str("data: [DONE]\n\n");
    }
    events
}

fn anthropic(say: &Say, tool: bool) -> String {
    let mut events = String::new();
    let mut event = |name: &str, mut value: Value| {
        value["type"] = name.into();
        let _ = write!(events, "event: {name}\ndata: {value}\n\n");
    };
    let (question, reply) = counts(&say.usage);
    let usage = |question: Value, reply: Value| match say.usage {
        Usage::Missing => Value::Null,
        _ => json!({"input_tokens": question, "output_tokens": reply}),
    };
    event("message_start", json!({"message": {"id": "msg_1", "content": [], "usage": usage(question, Value::Null)}}));
    let block = if tool {
        json!({"type": "tool_use", "id": "toolu_1", "name": "reply", "input": {}})
    } else {
        json!({"type": "text", "text": ""})
    };
    event("content_block_start", json!({"index": 0, "content_block": block}));
    event("ping", json!({}));
    for piece in &say.pieces {
        let delta = if tool {
            json!({"type": "input_json_delta", "partial_json": piece})
        } else {
            json!({"type": "text_delta", "text": piece})
        };
        event("content_block_delta", json!({"index": 0, "delta": delta}));
    }
    event("content_block_stop", json!({"index": 0}));
    let reason = match anthropic_finish(say.finish) {
        Some("end_turn") if tool => Some("tool_use"),
        other => other,
    };
    event("message_delta", json!({"delta": {"stop_reason": reason}, "usage": usage(Value::Null, reply)}));
    if say.done {
        event("message_stop", json!({}));
    }
    events
}
