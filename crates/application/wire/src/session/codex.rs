//! `~/.codex/sessions/…/rollout-*.jsonl` of Codex (0.32 and later).
//!
//! What the user typed stands twice: as an event (`user_message`), and as an item of the conversation together with what the program puts
//! in. The event is the user's; items of role `user` that no event repeats are the program's.

use std::collections::BTreeSet;

use serde_json::Value;
use steadfast_session::{Author, Outcome, Session, Turn};

use super::{Log, Turns, content, text, tool};
use crate::misread::Misread;

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    let payload =
        |record: &Value, kind: &str| record.get("payload").filter(|it| text(it, "type") == Some(kind)).cloned();
    let typed: BTreeSet<String> = log
        .records
        .iter()
        .filter(|(_, record)| text(record, "type") == Some("event_msg"))
        .filter_map(|(_, record)| payload(record, "user_message"))
        .map(|it| text(&it, "message").unwrap_or_default().trim().to_owned())
        .collect();
    for (line, record) in &log.records {
        let kind = text(record, "type").ok_or_else(|| Misread::of(*line, "a record without `type`"))?;
        let Some(own) = record.get("payload") else {
            return Err(Misread::of(*line, format!("a record of type `{kind}` without `payload`")));
        };
        let at = text(record, "timestamp").map(str::to_owned);
        match kind {
            "session_meta" => {
                session.id = session.id.or_else(|| text(own, "id").map(str::to_owned));
                session.directory = session.directory.or_else(|| text(own, "cwd").map(str::to_owned));
            }
            "turn_context" | "ghost_snapshot" | "world_state" | "token_usage_record" => {}
            "compacted" => {
                let said = text(own, "message").unwrap_or_default();
                turns.push(Turn { at, compaction: true, ..Turn::said(*line, Author::Injected, said) });
            }
            "event_msg" => event(&mut turns, own),
            "response_item" => item(&mut turns, (*line, at), own, &typed),
            kind => turns.unknown(format!("records of type `{kind}`")),
        }
    }
    session.turns = turns.finish(notes);
    Ok(session)
}

/// Events repeat the items, but for what a command ended with.
fn event(turns: &mut Turns, own: &Value) {
    let ended = match text(own, "type") {
        Some("exec_command_end") => Some((own, "call_id")),
        Some("item_completed") => own.get("item").map(|item| (item, "id")),
        _ => None,
    };
    if let Some((own, id)) = ended
        && let (Some(id), Some(exit)) = (text(own, id), own.get("exit_code").and_then(Value::as_i64))
        && let Some(call) = turns.call(id)
    {
        call.outcome.get_or_insert_default().exit = Some(exit);
    }
}

fn item(turns: &mut Turns, (line, at): (usize, Option<String>), own: &Value, typed: &BTreeSet<String>) {
    match text(own, "type") {
        Some("message") => {
            let said = own.get("content").map(content).unwrap_or_default();
            let author = match text(own, "role") {
                Some("assistant") => Author::Agent,
                // Newer versions say who wrote it.
                Some("user") if let Some(is_user) = is_by_user(own) => match is_user {
                    true => Author::User,
                    false => Author::Injected,
                },
                Some("user") if typed.contains(said.trim()) || (typed.is_empty() && !is_context(&said)) => Author::User,
                Some("user") => Author::Injected,
                _ => Author::System,
            };
            if !said.trim().is_empty() {
                let said = if author == Author::User { request(&said).to_owned() } else { said };
                turns.push(Turn { at, ..Turn::said(line, author, said) });
            }
        }
        Some("function_call" | "custom_tool_call") => {
            let arguments = own.get("arguments").or_else(|| own.get("input")).unwrap_or(&Value::Null);
            let call = tool::call(text(own, "call_id"), text(own, "name").unwrap_or_default(), arguments);
            turns.push(Turn { at, calls: vec![call], ..Turn::said(line, Author::Agent, "") });
        }
        Some("local_shell_call") => {
            let arguments = own.get("action").unwrap_or(&Value::Null);
            let call = tool::call(text(own, "call_id"), "local_shell", arguments);
            turns.push(Turn { at, calls: vec![call], ..Turn::said(line, Author::Agent, "") });
        }
        Some("web_search_call") => {
            let call = tool::call(text(own, "id"), "web_search", own.get("action").unwrap_or(&Value::Null));
            turns.push(Turn { at, calls: vec![call], ..Turn::said(line, Author::Agent, "") });
        }
        Some("function_call_output" | "custom_tool_call_output" | "local_shell_call_output") => {
            let Some(id) = text(own, "call_id") else { return turns.unknown("a result that names no call") };
            turns.result(id, outcome(own.get("output").unwrap_or(&Value::Null)));
        }
        Some(
            "reasoning"
            | "ghost_snapshot"
            | "compaction"
            | "tool_search_call"
            | "tool_search_output"
            | "image_generation_call",
        ) => {}
        other => turns.unknown(format!("items of type `{}`", other.unwrap_or("none"))),
    }
}

/// Whether the user wrote a message, where its metadata say who did (0.171 does).
fn is_by_user(message: &Value) -> Option<bool> {
    let parts = message.get("internal_chat_message_metadata_passthrough")?.get("content_item_metadata")?.as_array()?;
    let of = |part: &Value| Some(text(part.get("provenance")?, "type")? == "user");
    parts.iter().map(of).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()).map(|all| all.contains(&true))
}

/// The output of a call: text, JSON in a text with `output` and `metadata`, or parts.
pub(super) fn outcome(output: &Value) -> Outcome {
    let said = match output {
        Value::Object(own) if own.contains_key("content") => own.get("content").map(content).unwrap_or_default(),
        output => content(output),
    };
    if let Ok(Value::Object(own)) = serde_json::from_str::<Value>(&said)
        && let Some(inner) = own.get("output").and_then(Value::as_str)
    {
        let exit = own.get("metadata").and_then(|it| it.get("exit_code")).and_then(Value::as_i64);
        return Outcome { text: inner.to_owned(), exit, error: false, truncated: tool::is_cut(inner) };
    }
    let failed = output.get("success").and_then(Value::as_bool) == Some(false);
    let blocked = ["Command blocked by PreToolUse hook:", "Tool call blocked by PreToolUse hook:"];
    let blocked = blocked.iter().any(|it| said.starts_with(it));
    tool::outcome(said, failed || blocked)
}

fn is_context(text: &str) -> bool {
    let head = text.trim_start();
    [
        "<environment_context>",
        "<user_instructions>",
        "# AGENTS.md instructions",
        "<permissions",
        "<turn_aborted>",
        "<INSTRUCTIONS>",
        "<user_shell_command>",
        "<skill",
    ]
    .iter()
    .any(|it| head.starts_with(it))
}

/// What was typed, where an editor puts its own context before it.
fn request(text: &str) -> &str {
    let marker = "## My request for Codex:";
    text.split_once(marker)
        .filter(|_| text.starts_with("# Context from my IDE setup"))
        .map_or(text, |(_, own)| own.trim_start())
}
