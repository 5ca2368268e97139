//! `~/.claude/projects/<project>/<session>.jsonl` of Claude Code (1.0 to 2.1).
//!
//! A message of the model is split over several lines with one `message.id`; a resumed session repeats lines with their `uuid`. A line of
//! type `user` may be the user's, a tool's result, or written by the program (`isMeta`, `isCompactSummary`, tags of commands and hooks).

use std::collections::BTreeSet;

use serde_json::Value;
use steadfast_session::{Author, Edit, Outcome, Session, Turn};

use super::{Log, Turns, content, text, tool};
use crate::misread::Misread;

/// Records that hold no turn.
const WITHOUT_TURNS: &[&str] = &[
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "progress",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-color",
    "last-prompt",
    "permission-mode",
    "mode",
    "pr-link",
    "tag",
    "worktree-state",
    "content-replacement",
    "attribution-snapshot",
    "speculation-accept",
    "bridge-session",
    "task-summary",
    "agent-setting",
    "attachment",
];

/// Whether a record may stand before the first turn of a log and tells nothing of its format.
pub(crate) fn stands_before(record: &Value) -> bool {
    text(record, "type").is_some_and(|kind| WITHOUT_TURNS.contains(&kind) || kind == "system")
}

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    let mut seen = BTreeSet::new();
    let mut message_before: Option<String> = None;
    // A sub-agent has a log of its own in newer versions: there it is the agent. What its parent asks of it is still nothing that the user typed.
    let is_side = |record: &Value| record.get("isSidechain").and_then(Value::as_bool).unwrap_or(false);
    let said = || log.records.iter().map(|(_, record)| record).filter(|record| record.get("message").is_some());
    let is_of_sub_agent = said().all(is_side);
    if is_of_sub_agent {
        session.id = said().find_map(|record| text(record, "agentId")).map(str::to_owned);
    }
    for (line, record) in &log.records {
        let Some(kind) = text(record, "type") else {
            return Err(Misread::of(*line, "a record without `type`"));
        };
        if let Some(queued) = record.get("attachment").filter(|it| is_typed_meanwhile(it)) {
            let said = queued.get("prompt").map(content).unwrap_or_default();
            let at = text(record, "timestamp").map(str::to_owned);
            if !said.trim().is_empty() && !is_injected(&said) {
                turns.push(Turn { at, ..Turn::said(*line, Author::User, without_reminders(&said)) });
            }
            continue;
        }
        if WITHOUT_TURNS.contains(&kind) {
            continue;
        }
        if kind == "system" {
            // A boundary of compaction stands before the summary that follows it.
            continue;
        }
        if !matches!(kind, "user" | "assistant") {
            turns.unknown(format!("records of type `{kind}`"));
            continue;
        }
        if text(record, "uuid").is_some_and(|uuid| !seen.insert(uuid.to_owned())) {
            continue;
        }
        let Some(message) = record.get("message") else {
            return Err(Misread::of(*line, format!("a record of type `{kind}` without `message`")));
        };
        let Some(body) = message.get("content") else {
            return Err(Misread::of(*line, "a message without `content`"));
        };
        session.id = session.id.or_else(|| text(record, "sessionId").map(str::to_owned));
        session.directory = session.directory.or_else(|| text(record, "cwd").map(str::to_owned));
        let side = is_side(record);
        let at = text(record, "timestamp").map(str::to_owned);
        if kind == "assistant" {
            let author = match () {
                // The program writes errors of the API in the model's place.
                () if text(message, "model") == Some("<synthetic>") => Author::Injected,
                () if side && !is_of_sub_agent => Author::SubAgent,
                () => Author::Agent,
            };
            let id = text(message, "id").map(str::to_owned);
            let goes_on = id.is_some() && id == message_before;
            // A part that is all thought begins no turn that a later part could go on with.
            let has_turn = assistant(&mut turns, (*line, author, at), body, goes_on);
            message_before = id.filter(|_| has_turn);
            continue;
        }
        message_before = None;
        user(&mut turns, *line, record, body, (side, at));
    }
    session.turns = turns.finish(notes);
    // Logs of sub-agents may stand behind that of their session.
    if session.turns.iter().any(|turn| turn.author == Author::SubAgent) {
        session.turns = in_time(session.turns);
    }
    Ok(session)
}

/// The longest time by which turns are put in order, in bytes; one to the nanosecond has 35. Turns without a time each keep that of another.
const TIME_BYTES_MAX: usize = 64;

/// Turns by their times. One without a time stays behind the one before it.
fn in_time(turns: Vec<Turn>) -> Vec<Turn> {
    let mut last = String::new();
    let timed = turns.into_iter().map(|turn| {
        if let Some(at) = turn.at.as_ref().filter(|at| at.len() <= TIME_BYTES_MAX) {
            last.clone_from(at);
        }
        (last.clone(), turn)
    });
    let mut timed: Vec<(String, Turn)> = timed.collect();
    timed.sort_by(|one, other| one.0.cmp(&other.0));
    timed.into_iter().map(|(_, turn)| turn).collect()
}

/// Whether an attachment is what the user typed while the agent worked.
fn is_typed_meanwhile(attachment: &Value) -> bool {
    text(attachment, "type") == Some("queued_command")
        && text(attachment, "commandMode") == Some("prompt")
        && attachment.get("origin").and_then(|it| text(it, "kind")).is_none_or(|kind| kind == "human")
}

/// A message of the model, or the next part of one; whether it has a turn.
pub(super) fn assistant(
    turns: &mut Turns,
    (line, author, at): (usize, Author, Option<String>),
    body: &Value,
    goes_on: bool,
) -> bool {
    let said = content(body);
    let mut calls = Vec::new();
    for part in body.as_array().into_iter().flatten() {
        match text(part, "type") {
            Some("tool_use" | "server_tool_use") => {
                let arguments = part.get("input").unwrap_or(&Value::Null);
                calls.push(tool::call(text(part, "id"), text(part, "name").unwrap_or_default(), arguments));
            }
            Some(
                "text"
                | "thinking"
                | "redacted_thinking"
                | "image"
                | "web_search_tool_result"
                | "web_fetch_tool_result"
                | "fallback",
            ) => {}
            other => turns.unknown(format!("parts of type `{}`", other.unwrap_or("none"))),
        }
    }
    if goes_on && let Some(last) = turns.last() {
        if !said.is_empty() {
            if !last.text.is_empty() {
                last.text.push('\n');
            }
            last.text.push_str(&said);
        }
        turns.extend(calls);
        return true;
    }
    let is_turn = !said.trim().is_empty() || !calls.is_empty();
    if is_turn {
        turns.push(Turn { calls, at, ..Turn::said(line, author, said) });
    }
    is_turn
}

/// Beginnings of texts that the program writes in the user's place.
const INJECTED: &[&str] = &[
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<system-reminder>",
    "<user-prompt-submit-hook>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<bash-notification>",
    "<session-start-hook>",
    "<task-notification>",
    "<ide_opened_file>",
    "<ide_selection>",
    "[Request interrupted by user",
    "Caveat: The messages below were generated by the user",
    "This session is being continued from a previous conversation",
    "Stop hook feedback",
    "Implement the following plan:",
    "<teammate-message",
    "<tick>",
];

pub(super) fn user(turns: &mut Turns, line: usize, record: &Value, body: &Value, (side, at): (bool, Option<String>)) {
    let beside = record.get("toolUseResult").or_else(|| record.get("tool_use_result"));
    let mut any = false;
    for part in body.as_array().into_iter().flatten().filter(|it| text(it, "type") == Some("tool_result")) {
        any = true;
        result(turns, part, beside);
    }
    let parts: Vec<Value> = match body {
        Value::Array(parts) => parts.iter().filter(|it| text(it, "type") == Some("text")).cloned().collect(),
        _ => Vec::new(),
    };
    // Reminders stand in parts of their own beside what was typed.
    let (injected, typed): (Vec<Value>, Vec<Value>) =
        parts.into_iter().partition(|it| is_injected(text(it, "text").unwrap_or_default()));
    let typed = match body {
        Value::Array(_) => content(&Value::Array(typed)),
        body => content(body),
    };
    let flag = |name: &str| record.get(name).and_then(Value::as_bool).unwrap_or(false);
    let compaction = flag("isCompactSummary");
    let from = record.get("origin").and_then(|it| text(it, "kind"));
    let written = flag("isMeta")
        || compaction
        || flag("isSynthetic")
        || flag("isVisibleInTranscriptOnly")
        || from.is_some_and(|kind| kind != "human")
        || text(record, "promptSource") == Some("system")
        // A plan of the agent's own that the user accepted.
        || record.get("planContent").is_some();
    for part in &injected {
        turns.push(Turn { at: at.clone(), ..Turn::said(line, Author::Injected, content(part)) });
    }
    if typed.trim().is_empty() {
        return;
    }
    let author = match () {
        () if written || any || is_injected(&typed) => Author::Injected,
        // What a parent asks of its agent.
        () if side => Author::Injected,
        () => Author::User,
    };
    turns.push(Turn { at, compaction, ..Turn::said(line, author, without_reminders(&typed)) });
}

fn is_injected(text: &str) -> bool {
    let head = text.trim_start();
    INJECTED.iter().any(|it| head.starts_with(it))
}

/// What was typed, without reminders that the program puts behind it.
fn without_reminders(text: &str) -> String {
    let (open, close) = ("<system-reminder>", "</system-reminder>");
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((_, behind)) = after.split_once(close) else { break };
        out.push_str(before);
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A result, with what the program keeps beside it.
fn result(turns: &mut Turns, part: &Value, beside: Option<&Value>) {
    let Some(id) = text(part, "tool_use_id") else { return turns.unknown("a result that names no call") };
    let error = part.get("is_error").and_then(Value::as_bool).unwrap_or(false);
    let said = part.get("content").map(content).unwrap_or_default();
    let own = beside.and_then(Value::as_object);
    let stream = |name: &str| own.and_then(|it| it.get(name)).and_then(Value::as_str).unwrap_or_default();
    let streams =
        [stream("stdout"), stream("stderr")].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n");
    let all = if streams.len() > said.len() && !error { streams } else { said };
    let interrupted = own.and_then(|it| it.get("interrupted")).and_then(Value::as_bool).unwrap_or(false);
    let persisted = own.is_some_and(|it| it.contains_key("persistedOutputPath"));
    let mut outcome: Outcome = tool::outcome(all, error || interrupted);
    outcome.truncated |= persisted;
    let Some(call) = turns.call(id) else { return turns.unknown("a result without its call") };
    if call.command.is_some()
        && outcome.exit.is_none()
        && !error
        && !interrupted
        && own.is_none_or(|it| !it.contains_key("backgroundTaskId"))
    {
        // The program marks every command that fails.
        outcome.exit = Some(0);
    } else if call.command.is_none() {
        outcome.exit = None;
    }
    if let (Some(path), Some(Value::Array(patch))) =
        (own.and_then(|it| it.get("filePath")).and_then(Value::as_str), own.and_then(|it| it.get("structuredPatch")))
    {
        edited(call, path, patch, own.and_then(|it| it.get("type")).and_then(Value::as_str));
    }
    call.outcome = Some(outcome);
}

/// The lines of an edit as the program applied it.
fn edited(call: &mut steadfast_session::Call, path: &str, patch: &[Value], kind: Option<&str>) {
    let lines = |sign: char| -> Vec<String> {
        let all = patch.iter().filter_map(|hunk| hunk.get("lines")?.as_array()).flatten().filter_map(Value::as_str);
        all.filter_map(|line| line.strip_prefix(sign)).map(str::to_owned).collect()
    };
    let change =
        if kind == Some("create") { steadfast_session::Change::Created } else { steadfast_session::Change::Changed };
    if !patch.is_empty() {
        call.edits = vec![Edit { path: path.to_owned(), change, added: lines('+'), removed: lines('-'), exact: true }];
    } else if let Some(edit) = call.edits.first_mut()
        && kind == Some("create")
    {
        edit.change = change;
    }
}
