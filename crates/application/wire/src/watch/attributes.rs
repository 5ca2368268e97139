//! The values of OTLP/JSON, and text that attributes hold.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::conversation::Conversation;
use super::messages::{Message, Role, message, text_of};

/// `[{"key", "value": {"stringValue" | …}}]` as an object; of a key that is given twice the last.
pub(super) fn attributes(list: Option<&Value>) -> Map<String, Value> {
    let pairs = list.and_then(Value::as_array).into_iter().flatten();
    pairs.filter_map(|pair| Some((pair.get("key")?.as_str()?.to_owned(), any_value(pair.get("value")?)))).collect()
}

/// An `AnyValue` as plain JSON; bytes are left out.
pub(super) fn any_value(value: &Value) -> Value {
    let Some((kind, held)) = value.as_object().and_then(|it| it.iter().next()) else { return Value::Null };
    match (kind.as_str(), held) {
        ("stringValue" | "boolValue" | "doubleValue", held) => held.clone(),
        ("intValue", Value::String(digits)) => digits.parse::<i64>().map_or(Value::Null, Value::from),
        ("intValue", held) => held.clone(),
        ("arrayValue", held) => {
            let values = held.get("values").and_then(Value::as_array);
            values.into_iter().flatten().map(any_value).collect()
        }
        ("kvlistValue", held) => Value::Object(attributes(held.get("values"))),
        _ => Value::Null,
    }
}

/// The text of a member.
pub(super) fn text<'a>(of: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| of.get(*name)?.as_str().filter(|it| !it.is_empty()))
}

/// Messages, structured or as a JSON string; a string that does not begin like JSON is what the user or the model said.
pub(super) enum Messages {
    List(Vec<Value>),
    Plain(String),
}

impl Messages {
    /// `Err` is a JSON string that cannot be read.
    pub(super) fn of(value: &Value) -> Result<Option<Self>, ()> {
        match value {
            Value::String(held) => match held.trim_start().bytes().next() {
                None => Ok(None),
                Some(b'[' | b'{') => match serde_json::from_str::<Value>(held) {
                    Ok(Value::Array(list)) => Ok(Some(Self::List(list))),
                    Ok(value) => Ok(Some(Self::List(nested(value)))),
                    Err(_) => Err(()),
                },
                Some(_) => Ok(Some(Self::Plain(held.clone()))),
            },
            Value::Array(list) => Ok(Some(Self::List(list.clone()))),
            Value::Object(_) => Ok(Some(Self::List(nested(value.clone())))),
            _ => Ok(None),
        }
    }

    /// The last instruction in them.
    pub(super) fn instruction(self) -> Option<String> {
        match self {
            Self::Plain(text) => Some(text),
            Self::List(list) => {
                let mut conversation = Conversation::default();
                for message in list.iter().filter_map(message).flatten() {
                    conversation.take(message);
                }
                conversation.into_instruction().map(|it| it.as_ref().to_owned())
            }
        }
    }

    /// What the first of them says that says something: others are alternatives.
    pub(super) fn said(self) -> Option<String> {
        match self {
            Self::Plain(text) => Some(text),
            Self::List(list) => list
                .iter()
                .filter_map(message)
                .flatten()
                .filter(|it| it.role == Role::Assistant)
                .find_map(Message::output),
        }
    }
}

/// One message, or an object that holds a list of them.
fn nested(value: Value) -> Vec<Value> {
    match value.get("messages") {
        Some(Value::Array(list)) => list.clone(),
        _ => vec![value],
    }
}

/// Messages that are flattened into attributes: `{prefix}0{role}`, `{prefix}0{content}` and so on, as a list in their order.
pub(super) fn indexed(of: &Map<String, Value>, prefix: &str, member: &str) -> Option<Messages> {
    let mut messages: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    let mut parts: BTreeMap<(u64, u64), &str> = BTreeMap::new();
    for (key, value) in of {
        let Some((index, name)) = key.strip_prefix(prefix).and_then(|it| it.split_once('.')) else { continue };
        let (Ok(index), Some(name)) = (index.parse::<u64>(), name.strip_prefix(member)) else { continue };
        let of_message = messages.entry(index).or_default();
        if name == "role" {
            of_message.insert("role".to_owned(), value.clone());
        } else if name == "content" {
            of_message.insert("content".to_owned(), unpacked(value));
        } else if name.starts_with("tool_calls.") {
            of_message.insert("function_call".to_owned(), Value::Object(Map::new()));
        } else if let Some(part) =
            name.strip_prefix("contents.").and_then(|it| it.strip_suffix(".message_content.text"))
            && let (Ok(part), Some(text)) = (part.parse::<u64>(), value.as_str())
        {
            parts.insert((index, part), text);
        }
    }
    for ((index, _), text) in parts {
        if let Some(of_message) = messages.get_mut(&index) {
            let content = of_message.entry("content").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(content) = content {
                content.push(Value::from(text));
            }
        }
    }
    (!messages.is_empty()).then(|| Messages::List(messages.into_values().map(Value::Object).collect()))
}

/// OpenLLMetry writes a content of several parts as a JSON string of their list.
fn unpacked(content: &Value) -> Value {
    let list = content.as_str().filter(|it| it.starts_with("[{")).and_then(|it| serde_json::from_str::<Value>(it).ok());
    match list {
        Some(list) if text_of(&list).is_some() => list,
        _ => content.clone(),
    }
}
