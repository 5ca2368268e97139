//! `~/.gemini/…/chats/session-*.json` of Gemini CLI (0.8 and later), and `session-*.jsonl` of newer versions (0.61 writes it).
//!
//! The older form is one document with its `messages`. The newer one is a line for each change: a head, messages (one with a known `id`
//! takes the place of the earlier one), `$set` with other `messages`, and `$rewindTo`, behind which the conversation goes on from an
//! earlier message.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use steadfast_session::{Author, Outcome, Session, Turn};

use super::{Log, SENT_BACK, Turns, content, text, tool};
use crate::misread::Misread;

/// Whether a message of a session may have this type.
pub(super) fn is_kind(kind: &str) -> bool {
    matches!(kind, "user" | "gemini" | "info" | "error" | "warning")
}

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut messages = Messages::default();
    let mut id = None;
    for (line, record) in &log.records {
        if let Some(own) = text(record, "$rewindTo") {
            messages.rewind(own);
        } else if let Some(own) = record.get("$set").or_else(|| record.get("sessionId").map(|_| record)) {
            id = id.or_else(|| text(own, "sessionId").map(str::to_owned));
            let all = own.get("messages").and_then(Value::as_array);
            if all.is_some_and(|all| messages.are_left_out_of(all)) {
                messages.all.push((*line, None));
            }
            for (at, message) in all.into_iter().flatten().enumerate() {
                // A document on one line names its messages by their place.
                messages.put(if log.records.len() == 1 { at + 1 } else { *line }, message);
            }
        } else if text(record, "type").is_some_and(is_kind) {
            messages.put(*line, record);
        } else {
            return Err(Misread::of(*line, "a record that is neither a message nor a change of the session"));
        }
    }
    if messages.taken_back > 0 {
        notes.push(format!("not read: messages that were taken back ({})", messages.taken_back));
    }
    let mut turns = Turns::default();
    for (line, message) in messages.all {
        let Some(message) = message else {
            turns.push(Turn { compaction: true, ..Turn::said(line, Author::Injected, "") });
            continue;
        };
        let said = message.get("content").map(said).unwrap_or_default();
        let author = match text(message, "type") {
            Some("user") if !is_context(&said) => Author::User,
            Some("gemini") => Author::Agent,
            _ => Author::Injected,
        };
        let calls: Vec<_> =
            message.get("toolCalls").and_then(Value::as_array).into_iter().flatten().map(call).collect();
        if !said.trim().is_empty() || !calls.is_empty() {
            let at = text(message, "timestamp").map(str::to_owned);
            turns.push(Turn { calls, at, ..Turn::said(line, author, said) });
        }
    }
    Ok(Session { id, turns: turns.finish(notes), ..Session::default() })
}

/// The messages of a conversation, each with its line.
#[derive(Default)]
struct Messages<'a> {
    /// `None` where those before it were summarised.
    all: Vec<(usize, Option<&'a Value>)>,
    /// Where the message with an `id` stands.
    places: BTreeMap<&'a str, usize>,
    taken_back: usize,
}

impl<'a> Messages<'a> {
    /// Adds a message, or puts it in the place of the one with its `id`. What a summary leaves out of the conversation stays: it was said.
    fn put(&mut self, line: usize, message: &'a Value) {
        let known = text(message, "id").and_then(|id| self.places.get(id)).and_then(|at| self.all.get_mut(*at));
        match known {
            Some(place) => place.1 = Some(message),
            None => {
                if let Some(id) = text(message, "id") {
                    self.places.insert(id, self.all.len());
                }
                self.all.push((line, Some(message)));
            }
        }
    }

    /// Whether a list of messages that takes the place of these lacks one of them.
    fn are_left_out_of(&self, list: &[Value]) -> bool {
        let left: BTreeSet<&str> = list.iter().filter_map(|it| text(it, "id")).collect();
        self.places.keys().any(|id| !left.contains(id))
    }

    fn rewind(&mut self, id: &str) {
        let from = self.places.get(id).copied().unwrap_or(0);
        self.taken_back += self.all.len() - from;
        // Each message is taken back once, so that all rewinds of a log together are linear in it.
        for id in self.all.drain(from..).filter_map(|(_, message)| text(message?, "id")) {
            self.places.remove(id);
        }
    }
}

/// Whether the program, or a hook, wrote a message of the user's.
fn is_context(text: &str) -> bool {
    ["<session_context>", "<hook_context>", SENT_BACK].iter().any(|it| text.trim_start().starts_with(it))
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
