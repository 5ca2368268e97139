//! `~/.gemini/…/chats/session-*.json` of Gemini CLI (0.8 and later).

use serde_json::Value;
use steadfast_session::{Author, Outcome, Session, Turn};

use super::{Turns, content, text, tool};
use crate::misread::Misread;

/// Whether a message of a session may have this type.
pub(super) fn is_kind(kind: &str) -> bool {
    matches!(kind, "user" | "gemini" | "info" | "error" | "warning")
}

pub(super) fn read(document: &Value, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let messages = document.get("messages").and_then(Value::as_array);
    let messages = messages.ok_or_else(|| Misread::of(1, "has no list of `messages`"))?;
    for (at, message) in messages.iter().enumerate() {
        let line = at + 1;
        let said = message.get("content").map(said).unwrap_or_default();
        let time = text(message, "timestamp").map(str::to_owned);
        let author = match text(message, "type") {
            Some("user") => Author::User,
            Some("gemini") => Author::Agent,
            _ => Author::Injected,
        };
        let calls: Vec<_> =
            message.get("toolCalls").and_then(Value::as_array).into_iter().flatten().map(call).collect();
        if !said.trim().is_empty() || !calls.is_empty() {
            turns.push(Turn { calls, at: time, ..Turn::said(line, author, said) });
        }
    }
    let id = text(document, "sessionId").map(str::to_owned);
    Ok(Session { id, turns: turns.finish(notes), ..Session::default() })
}

/// A text, or parts that have one.
fn said(value: &Value) -> String {
    match value {
        Value::Array(parts) => {
            parts.iter().filter_map(|it| text(it, "text").or_else(|| it.as_str())).collect::<Vec<_>>().join("\n")
        }
        value => content(value),
    }
}

fn call(own: &Value) -> steadfast_session::Call {
    let mut out =
        tool::call(text(own, "id"), text(own, "name").unwrap_or_default(), own.get("args").unwrap_or(&Value::Null));
    let responses = own.get("result").and_then(Value::as_array).into_iter().flatten();
    let mut said = Vec::new();
    for response in responses.filter_map(|it| it.get("functionResponse")?.get("response")) {
        said.extend(text(response, "output").or_else(|| text(response, "error")));
    }
    let status = text(own, "status");
    if status.is_some() || !said.is_empty() {
        let text = said.join("\n");
        let error = matches!(status, Some("error" | "cancelled"));
        let exit = tool::exit_in(&text).filter(|_| out.command.is_some());
        // A status stands in the text only where a command has failed.
        let exit = exit.or_else(|| (status == Some("success") && out.command.is_some()).then_some(0));
        out.outcome = Some(Outcome { truncated: tool::is_cut(&text), text, exit, error });
    }
    out
}
