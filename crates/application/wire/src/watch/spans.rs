//! One span as OTLP/JSON holds it, with the names of `gen_ai.*` and those that came before or stand beside them.

use serde_json::{Map, Value};

use super::attributes::{Messages, any_value, attributes, indexed, text};
use super::conversation::Conversation;
use super::messages::{Message, message};

/// The longest name of a conversation, in bytes; a longer one is none. Tasks of all spans below bear it.
const CONVERSATION_BYTES_MAX: usize = 1_024;

/// What a span is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A model was called.
    Model,
    /// An agent was invoked.
    Agent,
    /// Anything else; it is kept for what stands below it.
    Other,
}

/// What is kept of a span.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: Option<String>,
    /// Nanoseconds since 1970, 0 where they are not given.
    pub(super) start: u64,
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) agent: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) content: Content,
}

impl Span {
    /// Bytes of text that it holds.
    pub(super) fn bytes(&self) -> usize {
        let of = |it: &Option<String>| it.as_ref().map_or(0, String::len);
        let content = of(&self.content.prompt) + of(&self.content.output);
        self.trace.len() + self.id.len() + of(&self.parent) + of(&self.agent) + of(&self.conversation) + content
    }
}

/// What was asked and said, as far as it was captured.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) prompt: Option<String>,
    pub(super) output: Option<String>,
    /// Names of attributes whose JSON cannot be read.
    pub(super) unreadable: Vec<&'static str>,
}

impl Content {
    /// Where both state something, the first to be read holds.
    pub(super) fn or(&mut self, other: Self) {
        self.prompt = self.prompt.take().or(other.prompt);
        self.output = self.output.take().or(other.output);
        self.unreadable.extend(other.unreadable);
    }

    fn input(&mut self, name: &'static str, value: Option<&Value>) {
        match value.map(Messages::of) {
            Some(Ok(Some(messages))) if self.prompt.is_none() => self.prompt = messages.instruction(),
            Some(Err(())) => self.unreadable.push(name),
            _ => {}
        }
    }

    fn answer(&mut self, name: &'static str, value: Option<&Value>) {
        match value.map(Messages::of) {
            Some(Ok(Some(messages))) if self.output.is_none() => self.output = messages.said(),
            Some(Err(())) => self.unreadable.push(name),
            _ => {}
        }
    }

    /// The attributes of a span, or of the event that carries its content.
    fn attributes(&mut self, of: &Map<String, Value>) {
        self.input("gen_ai.input.messages", of.get("gen_ai.input.messages"));
        self.answer("gen_ai.output.messages", of.get("gen_ai.output.messages"));
        for (prefix, member) in [("gen_ai.prompt.", ""), ("llm.input_messages.", "message.")] {
            if self.prompt.is_none() {
                self.prompt = indexed(of, prefix, member).and_then(Messages::instruction);
            }
        }
        for (prefix, member) in [("gen_ai.completion.", ""), ("llm.output_messages.", "message.")] {
            if self.output.is_none() {
                self.output = indexed(of, prefix, member).and_then(said_by_anyone);
            }
        }
        self.input("gen_ai.prompt", of.get("gen_ai.prompt"));
        self.answer("gen_ai.completion", of.get("gen_ai.completion"));
    }

    /// `input.value` and `output.value` of OpenInference, where nothing else says it: text as it is, of JSON only messages.
    fn values(&mut self, of: &Map<String, Value>) {
        if let (None, Some(Ok(Some(messages)))) = (&self.prompt, of.get("input.value").map(Messages::of)) {
            self.prompt = messages.instruction();
        }
        if let (None, Some(Ok(Some(messages)))) = (&self.output, of.get("output.value").map(Messages::of)) {
            self.output = messages.said();
        }
    }
}

/// A completion without a role is the assistant's.
fn said_by_anyone(messages: Messages) -> Option<String> {
    match messages {
        Messages::List(mut list) => {
            for object in list.iter_mut().filter_map(Value::as_object_mut) {
                object.entry("role").or_insert_with(|| Value::from("assistant"));
            }
            Messages::List(list).said()
        }
        plain @ Messages::Plain(_) => plain.said(),
    }
}

/// The content that events carry, in the order in which they stand.
#[derive(Debug, Default)]
pub(super) struct Events {
    asked: Conversation,
    content: Content,
}

impl Events {
    /// Takes an event of a span, or a log record.
    pub(super) fn take(&mut self, name: &str, of: &Map<String, Value>, body: Option<&Value>) {
        match name {
            "gen_ai.client.inference.operation.details" => {
                self.content.attributes(of);
                if let Some(body) = body.and_then(Value::as_object) {
                    self.content.attributes(body);
                }
            }
            "gen_ai.content.prompt" => self.content.input("gen_ai.prompt", of.get("gen_ai.prompt")),
            "gen_ai.content.completion" => self.content.answer("gen_ai.completion", of.get("gen_ai.completion")),
            "gen_ai.choice" => {
                let held = held(of, body);
                let said = held.get("message").cloned().unwrap_or(held);
                let said = match said {
                    Value::String(text) => serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text)),
                    said => said,
                };
                if self.content.output.is_none() {
                    self.content.output = spoken("assistant", &said).and_then(Message::output);
                }
            }
            _ => {
                let role = name.strip_prefix("gen_ai.").and_then(|it| it.strip_suffix(".message"));
                if let Some(message) = role.and_then(|role| spoken(role, &held(of, body))) {
                    self.asked.take(message);
                }
            }
        }
    }

    /// What they say together.
    pub(super) fn content(self) -> Content {
        let mut content = self.content;
        content.prompt = content.prompt.or_else(|| self.asked.into_instruction().map(|it| it.as_ref().to_owned()));
        content
    }
}

/// What an event holds: its body, the JSON in `gen_ai.event.content`, or its attributes.
fn held(of: &Map<String, Value>, body: Option<&Value>) -> Value {
    if let Some(body) = body.filter(|it| it.is_object()) {
        return body.clone();
    }
    let packed = of.get("gen_ai.event.content").and_then(Value::as_str);
    packed.and_then(|it| serde_json::from_str::<Value>(it).ok()).unwrap_or_else(|| Value::Object(of.clone()))
}

fn spoken(role: &str, held: &Value) -> Option<Message> {
    let mut object = match held {
        Value::Object(object) => object.clone(),
        Value::String(_) => Map::from_iter([("content".to_owned(), held.clone())]),
        _ => return None,
    };
    object.insert("role".to_owned(), Value::from(role));
    message(&Value::Object(object))?.ok()
}

/// Reads a span. `Err` says what it lacks.
pub(super) fn span(value: &Value, line: usize) -> Result<Span, String> {
    let object = value.as_object().ok_or("a span is no object")?;
    let of = attributes(object.get("attributes"));
    let kind = kind(&of);
    let mut content = Content::default();
    if kind != Kind::Other {
        content.attributes(&of);
        let mut events = Events::default();
        for event in object.get("events").and_then(Value::as_array).into_iter().flatten() {
            let name = event.get("name").and_then(Value::as_str).unwrap_or_default();
            events.take(name, &attributes(event.get("attributes")), None);
        }
        content.or(events.content());
        content.values(&of);
    }
    let named = ["gen_ai.agent.name", "gen_ai.agent.id", "agent.name"];
    let mut agent = text(&of, &named);
    if kind == Kind::Agent {
        agent = agent.or_else(|| text(&of, &["traceloop.entity.name"]));
    }
    let conversation = [
        "gen_ai.conversation.id",
        "session.id",
        "traceloop.association.properties.session_id",
        "traceloop.association.properties.thread_id",
    ];
    Ok(Span {
        trace: hex(object, "traceId").ok_or("a span has no `traceId`")?,
        id: hex(object, "spanId").ok_or("a span has no `spanId`")?,
        parent: hex(object, "parentSpanId"),
        start: nanoseconds(object.get("startTimeUnixNano")),
        line,
        kind,
        agent: agent.map(str::to_owned),
        conversation: text(&of, &conversation).filter(|it| it.len() <= CONVERSATION_BYTES_MAX).map(str::to_owned),
        content,
    })
}

/// An identifier as OTLP/JSON writes it, in small letters; `None` where it is missing or empty.
pub(super) fn hex(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).filter(|it| !it.is_empty()).map(str::to_ascii_lowercase)
}

/// The name, attributes and body of a log record that is an event.
pub(super) fn event(record: &Map<String, Value>) -> Option<(String, Map<String, Value>, Option<Value>)> {
    let of = attributes(record.get("attributes"));
    let name = text(record, &["eventName"]).or_else(|| text(&of, &["event.name"]))?.to_owned();
    name.starts_with("gen_ai.").then(|| (name, of, record.get("body").map(any_value)))
}

fn nanoseconds(value: Option<&Value>) -> u64 {
    match value {
        Some(Value::String(digits)) => digits.parse().unwrap_or(0),
        Some(value) => value.as_u64().unwrap_or(0),
        None => 0,
    }
}

fn kind(of: &Map<String, Value>) -> Kind {
    match text(of, &["gen_ai.operation.name"]) {
        Some("chat" | "text_completion" | "generate_content") => return Kind::Model,
        Some("invoke_agent") => return Kind::Agent,
        Some(_) if !of.contains_key("gen_ai.output.messages") => return Kind::Other,
        Some("execute_tool" | "embeddings" | "create_agent" | "invoke_workflow" | "plan" | "retrieval") => {
            return Kind::Other;
        }
        _ => {}
    }
    match text(of, &["openinference.span.kind"]) {
        Some("LLM") => return Kind::Model,
        Some("AGENT") => return Kind::Agent,
        Some(_) => return Kind::Other,
        None => {}
    }
    match (text(of, &["traceloop.span.kind"]), text(of, &["llm.request.type"])) {
        (Some("agent"), _) => Kind::Agent,
        (Some(_), _) => Kind::Other,
        (None, Some("chat" | "completion")) => Kind::Model,
        (None, Some(_)) => Kind::Other,
        (None, None) => {
            let model = |key: &String| {
                ["gen_ai.input.messages", "gen_ai.output.messages"].contains(&key.as_str())
                    || key.starts_with("gen_ai.prompt.")
                    || key.starts_with("gen_ai.completion.")
            };
            if of.keys().any(model) { Kind::Model } else { Kind::Other }
        }
    }
}
