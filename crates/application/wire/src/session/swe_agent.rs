//! `.traj` files of SWE-agent (0.4 to 1.1): `trajectory` has the actions with what they gave back, `history` what was said before.

use serde_json::Value;
use steadfast_session::{Author, Outcome, Session, Turn, diff};

use super::{Turns, content, text, tool};
use crate::misread::Misread;

pub(super) fn read(document: &Value, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let history = document.get("history").and_then(Value::as_array);
    // What stands before the first action: the system's words, demonstrations, and the task.
    for message in
        history.into_iter().flatten().take_while(|it| text(it, "role") != Some("assistant") || is_demonstration(it))
    {
        let said = message.get("content").map(content).unwrap_or_default();
        let author = match text(message, "role") {
            _ if is_demonstration(message) => Author::Injected,
            Some("system") => Author::System,
            Some("user") => Author::User,
            _ => Author::Injected,
        };
        if !said.trim().is_empty() {
            turns.push(Turn::said(1, author, said));
        }
    }
    let steps = document
        .get("trajectory")
        .and_then(Value::as_array)
        .ok_or_else(|| Misread::of(1, "has no list `trajectory`"))?;
    for (at, step) in steps.iter().enumerate() {
        let line = at + 1;
        let Some(action) = text(step, "action") else {
            return Err(Misread::of(1, format!("step {line} of the trajectory has no `action`")));
        };
        let said = text(step, "thought").or_else(|| text(step, "response")).unwrap_or_default();
        let observed = text(step, "observation").unwrap_or_default();
        let mut calls = Vec::new();
        if !action.trim().is_empty() {
            let mut call = tool::command(None, "shell", action.trim());
            call.directory = directory(step.get("state"));
            if action.trim_start().starts_with("str_replace_editor") {
                call.edits = editor(action);
            }
            call.outcome =
                Some(Outcome { text: observed.to_owned(), truncated: tool::is_cut(observed), ..Outcome::default() });
            calls.push(call);
        }
        if !said.trim().is_empty() || !calls.is_empty() {
            turns.push(Turn { calls, ..Turn::said(line, Author::Agent, said) });
        }
    }
    // The patch that was handed in says what was changed in the end.
    let submitted = document.get("info").and_then(|it| text(it, "submission")).unwrap_or_default();
    let edits = diff::edits(submitted);
    if !edits.is_empty() {
        let mut call = tool::command(None, "submit", "submit");
        call.edits = edits;
        turns.push(Turn { calls: vec![call], ..Turn::said(steps.len(), Author::Agent, "") });
    }
    let directory = steps.iter().find_map(|it| directory(it.get("state")));
    Ok(Session { directory, turns: turns.finish(notes), ..Session::default() })
}

fn is_demonstration(message: &Value) -> bool {
    message.get("is_demo").and_then(Value::as_bool).unwrap_or(false)
}

/// `state` is an object, or the text of one.
fn directory(state: Option<&Value>) -> Option<String> {
    match state? {
        Value::String(own) => {
            serde_json::from_str::<Value>(own).ok().and_then(|it| text(&it, "working_dir").map(str::to_owned))
        }
        own => text(own, "working_dir").map(str::to_owned),
    }
}

/// `str_replace_editor create PATH --file_text '…'`.
fn editor(action: &str) -> Vec<steadfast_session::Edit> {
    use steadfast_session::Edit;
    let commands = steadfast_session::shell::commands(action);
    let Some(command) = commands.first() else { return Vec::new() };
    let value = |name: &str| {
        let at = command.words.iter().position(|it| it == name)?;
        command.words.get(at + 1).map(String::as_str)
    };
    let path = command.words.get(2).map_or("", String::as_str);
    match command.words.get(1).map(String::as_str) {
        Some("create") => vec![Edit::written(path, value("--file_text").unwrap_or_default())],
        Some("str_replace") => {
            vec![Edit::replaced(path, value("--old_str").unwrap_or_default(), value("--new_str").unwrap_or_default())]
        }
        Some("insert") => vec![Edit::replaced(path, "", value("--new_str").unwrap_or_default())],
        _ => Vec::new(),
    }
}
