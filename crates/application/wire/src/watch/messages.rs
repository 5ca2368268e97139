//! One chat message, as the common frameworks write it.

use serde_json::{Map, Value};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    /// What a tool gave back.
    Tool,
    /// The system, or an entry that is no speech: reasoning, a hand-over.
    Other,
}

/// What is read of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) role: Role,
    /// Its text parts; `None` where it has none.
    pub(super) text: Option<String>,
    /// Whether it calls tools.
    pub(super) calls: bool,
    /// Whether it is an entry for a call and nothing else, which belongs to the message before it.
    pub(super) call_alone: bool,
    /// Who speaks by name.
    pub(super) name: Option<String>,
}

impl Message {
    const fn silent(role: Role) -> Self {
        Self { role, text: None, calls: false, call_alone: false, name: None }
    }

    /// What an assistant said: a text of white space beside a call is none.
    pub(super) fn output(self) -> Option<String> {
        let calls = self.calls;
        self.text.filter(|it| !calls || !it.trim().is_empty())
    }
}

/// Reads a message; `Err` says what is wrong with one whose role is not known, `None` is a value that is no message.
pub(super) fn message(value: &Value) -> Option<Result<Message, String>> {
    let object = value.as_object()?;
    let kind = object.get("type").and_then(Value::as_str);
    if let Some(role) = object.get("role").and_then(Value::as_str) {
        return Some(role_of(role).map(|role| spoken(role, object)));
    }
    // LangChain, `dumpd`: {"lc": 1, "type": "constructor", "id": [.., "HumanMessage"], "kwargs": {..}}.
    if let (true, Some(path), Some(body)) = (object.contains_key("lc"), list(object, "id"), inner(object, "kwargs")) {
        return Some(langchain(path.last().and_then(Value::as_str).unwrap_or_default(), body));
    }
    // LangChain, `messages_to_dict`: {"type": "human", "data": {..}}.
    if let (Some(kind), Some(body)) = (kind, inner(object, "data")) {
        return known(langchain(kind, body));
    }
    if let Some(source) = object.get("source").and_then(Value::as_str) {
        return object.contains_key("content").then(|| Ok(autogen(source, kind.unwrap_or("TextMessage"), object)));
    }
    let kind = kind?;
    // OpenAI, items of the Responses interface.
    if kind == "reasoning" || kind == "item_reference" || kind == "compaction" {
        return Some(Ok(Message::silent(Role::Other)));
    }
    if kind.ends_with("_call_output") || kind.ends_with("_call_response") {
        return Some(Ok(Message::silent(Role::Tool)));
    }
    if kind.ends_with("_call") {
        return Some(Ok(Message { calls: true, call_alone: true, ..Message::silent(Role::Assistant) }));
    }
    // LangChain, `model_dump`: {"type": "ai", "content": ..}.
    object.contains_key("content").then(|| known(langchain(kind, object))).flatten()
}

/// What is no kind of LangChain's is no message.
fn known(read: Result<Message, String>) -> Option<Result<Message, String>> {
    read.ok().map(Ok)
}

fn list<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Vec<Value>> {
    object.get(name).and_then(Value::as_array)
}

fn inner<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    object.get(name).and_then(Value::as_object)
}

fn role_of(role: &str) -> Result<Role, String> {
    match role.to_ascii_lowercase().as_str() {
        "user" | "human" => Ok(Role::User),
        "assistant" | "ai" | "model" => Ok(Role::Assistant),
        "tool" | "function" => Ok(Role::Tool),
        "system" | "developer" => Ok(Role::Other),
        _ => Err(format!("role {role:?} is not known")),
    }
}

fn langchain(class: &str, body: &Map<String, Value>) -> Result<Message, String> {
    let role = match class {
        "human" | "HumanMessage" | "HumanMessageChunk" => Role::User,
        "ai" | "AIMessage" | "AIMessageChunk" => Role::Assistant,
        "tool" | "ToolMessage" | "ToolMessageChunk" | "function" | "FunctionMessage" | "FunctionMessageChunk"
        // AutoGen's own, which has no source.
        | "FunctionExecutionResultMessage" => {
            Role::Tool
        }
        "system" | "SystemMessage" | "SystemMessageChunk" | "remove" | "RemoveMessage" => Role::Other,
        "chat" | "ChatMessage" | "ChatMessageChunk" => {
            role_of(body.get("role").and_then(Value::as_str).unwrap_or_default())?
        }
        _ => return Err(format!("message {class:?} is not known")),
    };
    Ok(spoken(role, body))
}

/// AutoGen's agents have names of their own; the user's is `user`, that of `UserProxyAgent` commonly `user_proxy`.
fn autogen(source: &str, kind: &str, object: &Map<String, Value>) -> Message {
    let role = match kind {
        "TextMessage" | "MultiModalMessage" | "StructuredMessage" => match source {
            "user" | "user_proxy" => Role::User,
            "system" => Role::Other,
            _ => Role::Assistant,
        },
        "UserMessage" => Role::User,
        "ToolCallRequestEvent" | "AssistantMessage" => Role::Assistant,
        "ToolCallExecutionEvent" | "ToolCallSummaryMessage" => Role::Tool,
        _ => Role::Other,
    };
    match (role, kind) {
        (Role::Assistant, "ToolCallRequestEvent") => {
            Message { calls: true, name: Some(source.to_owned()), ..Message::silent(Role::Assistant) }
        }
        (Role::Assistant, _) => Message { name: Some(source.to_owned()), ..spoken(role, object) },
        (Role::User, _) => spoken(role, object),
        (role, _) => Message::silent(role),
    }
}

fn spoken(role: Role, body: &Map<String, Value>) -> Message {
    let content = body.get("content").or_else(|| body.get("parts"));
    let mut parts = Parts::default();
    if let Some(content) = content {
        parts.content(content);
    }
    if parts.texts.is_empty() && role == Role::Assistant {
        parts.texts.extend(body.get("refusal").and_then(Value::as_str));
    }
    let beside = |it: &Map<String, Value>| {
        list(it, "tool_calls").is_some_and(|calls| !calls.is_empty())
            || it.get("function_call").is_some_and(Value::is_object)
    };
    let calls = parts.calls || beside(body) || inner(body, "additional_kwargs").is_some_and(beside);
    let name = body.get("name").and_then(Value::as_str).filter(|it| !it.is_empty() && role == Role::Assistant);
    Message { role, text: parts.text(), calls, call_alone: false, name: name.map(str::to_owned) }
}

/// The text of a message's content, in any of the forms that [`message`] reads; `None` where it has none.
pub(super) fn text_of(content: &Value) -> Option<String> {
    let mut parts = Parts::default();
    parts.content(content);
    parts.text()
}

/// What a message's content holds.
#[derive(Default)]
struct Parts<'a> {
    texts: Vec<&'a str>,
    calls: bool,
}

impl<'a> Parts<'a> {
    fn text(&self) -> Option<String> {
        (!self.texts.is_empty()).then(|| self.texts.join("\n"))
    }

    fn content(&mut self, content: &'a Value) {
        match content {
            Value::String(text) => self.texts.push(text),
            Value::Array(parts) => parts.iter().for_each(|part| self.part(part)),
            Value::Object(_) => self.part(content),
            _ => {}
        }
    }

    fn part(&mut self, part: &'a Value) {
        let object = match part {
            Value::String(text) => return self.texts.push(text),
            Value::Object(object) => object,
            _ => return,
        };
        match object.get("type").and_then(Value::as_str) {
            Some("text" | "input_text" | "output_text") => {
                // The conventions of OpenTelemetry call it `content`; the Assistants interface puts an object into `text`.
                let text = object.get("text").or_else(|| object.get("content"));
                let text = text.and_then(|it| it.as_str().or_else(|| it.get("value").and_then(Value::as_str)));
                self.texts.extend(text);
            }
            Some("refusal") => self.texts.extend(object.get("refusal").and_then(Value::as_str)),
            Some("tool_use" | "server_tool_use" | "tool_call" | "server_tool_call" | "function_call") => {
                self.calls = true
            }
            Some(_) => {}
            None => {
                // Gemini and Bedrock: the member says what a part is.
                let thought = object.get("thought").and_then(Value::as_bool).unwrap_or(false);
                self.texts.extend(object.get("text").and_then(Value::as_str).filter(|_| !thought));
                self.calls |= ["functionCall", "function_call", "toolUse"].iter().any(|it| object.contains_key(*it));
            }
        }
    }
}
