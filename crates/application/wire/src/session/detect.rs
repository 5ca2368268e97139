//! Which format a log has, by its structure.

use serde_json::Value;

use super::{Log, text};
use crate::misread::Misread;

/// A format of session logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `~/.claude/projects/…/*.jsonl`.
    ClaudeCode,
    /// `claude -p --output-format stream-json`.
    StreamJson,
    /// `~/.codex/sessions/…/rollout-*.jsonl`.
    CodexRollout,
    /// `codex exec --json`.
    CodexExec,
    /// `events.jsonl` of Copilot CLI, and transcripts of VS Code.
    Copilot,
    /// `~/.gemini/…/chats/session-*.json` and `session-*.jsonl`.
    Gemini,
    /// The Agent Trajectory Interchange Format.
    Atif,
    /// A list of OpenHands' events, or lines of its evaluations with such a `history`.
    OpenHands,
    /// Events of OpenHands' SDK.
    OpenHandsEvents,
    /// `.traj` of SWE-agent.
    SweAgent,
    /// `.traj.json` of mini-swe-agent.
    MiniSweAgent,
}

impl Format {
    /// What results call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::StreamJson => "claude-stream-json",
            Self::CodexRollout => "codex-rollout",
            Self::CodexExec => "codex-exec",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini-cli",
            Self::Atif => "atif",
            Self::OpenHands => "openhands",
            Self::OpenHandsEvents => "openhands-sdk",
            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
        }
    }
}

/// What one record of a log says of its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It has this format.
    Is(Format),
    /// It almost has one: what is missing.
    Almost(String),
    /// It may stand in a log of any kind, or says nothing.
    Silent,
}

/// What a value says of the format of its log.
#[must_use]
pub fn looks_like(value: &Value) -> Found {
    match value {
        Value::Array(items) => of_list(items),
        Value::Object(_) => of_object(value),
        _ => Found::Silent,
    }
}

fn of_list(items: &[Value]) -> Found {
    let first = items.iter().find(|it| it.is_object());
    match first {
        Some(event) if is_sdk_event(event) => Found::Is(Format::OpenHandsEvents),
        Some(event) if is_openhands(event) => Found::Is(Format::OpenHands),
        // The first form of mini-swe-agent: its observations name the status of a command.
        Some(_) if is_mini_swe(items) => Found::Is(Format::MiniSweAgent),
        _ => Found::Silent,
    }
}

fn is_sdk_event(value: &Value) -> bool {
    text(value, "kind").is_some_and(|kind| kind.ends_with("Event") || kind.starts_with("Condensation"))
        && value.get("source").is_some()
}

fn is_openhands(value: &Value) -> bool {
    let source = text(value, "source").is_some_and(|it| matches!(it, "agent" | "user" | "environment"));
    source
        && (value.get("action").is_some_and(Value::is_string) || value.get("observation").is_some_and(Value::is_string))
}

fn is_mini_swe(messages: &[Value]) -> bool {
    messages.iter().any(|it| {
        let said = text(it, "content").unwrap_or_default();
        text(it, "role").is_some_and(|role| role == "user" || role == "tool")
            && said.trim_start().starts_with("<returncode>")
    })
}

fn of_object(value: &Value) -> Found {
    let has = |name: &str| value.get(name).is_some();
    let list = |name: &str| value.get(name).and_then(Value::as_array);
    let kind = text(value, "type");
    if let Some(version) = text(value, "schema_version").filter(|it| it.starts_with("ATIF")) {
        return match (version.starts_with("ATIF-v1"), list("steps")) {
            (true, Some(_)) => Found::Is(Format::Atif),
            (true, None) => Found::Almost("says that it is ATIF, and has no list of `steps`".to_owned()),
            (false, _) => Found::Almost(format!("is {version}, and only ATIF-v1 is known")),
        };
    }
    if let Some(steps) = list("trajectory") {
        let complete = steps.iter().all(|it| it.get("action").is_some() && it.get("observation").is_some());
        return match complete && (has("history") || has("info")) {
            true => Found::Is(Format::SweAgent),
            false if has("history") || has("info") => Found::Almost(
                "looks like a trajectory of SWE-agent, and a step has no `action` or no `observation`".to_owned(),
            ),
            false => Found::Silent,
        };
    }
    if let Some(messages) = list("messages") {
        let declared = text(value, "trajectory_format").is_some_and(|it| it.starts_with("mini-swe-agent"));
        if declared || (has("info") && is_mini_swe(messages)) {
            return Found::Is(Format::MiniSweAgent);
        }
        if has("sessionId") && has("projectHash") {
            let known = |it: &Value| text(it, "type").is_some_and(super::gemini::is_kind);
            return match messages.iter().position(|it| !known(it)) {
                None => Found::Is(Format::Gemini),
                Some(at) => Found::Almost(format!(
                    "looks like a session of Gemini CLI, and message {} has no known `type`",
                    at + 1
                )),
            };
        }
        return Found::Silent;
    }
    // The head of a log of lines.
    if has("sessionId") && has("projectHash") && has("startTime") {
        return Found::Is(Format::Gemini);
    }
    if let Some(history) = list("history")
        && history.iter().any(|it| is_openhands(it) || it.as_array().is_some_and(|pair| pair.iter().any(is_openhands)))
    {
        return Found::Is(Format::OpenHands);
    }
    if let Some(history) = list("history")
        && history.iter().any(is_sdk_event)
    {
        return Found::Is(Format::OpenHandsEvents);
    }
    if is_sdk_event(value) {
        return Found::Is(Format::OpenHandsEvents);
    }
    match kind {
        Some("session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted") => match has("payload") {
            true => Found::Is(Format::CodexRollout),
            false => Found::Almost(format!(
                "looks like a rollout of Codex, and `{}` has no `payload`",
                kind.unwrap_or_default()
            )),
        },
        Some("thread.started" | "turn.started") => Found::Is(Format::CodexExec),
        Some("item.started" | "item.updated" | "item.completed") => match has("item") {
            true => Found::Is(Format::CodexExec),
            false => {
                Found::Almost("looks like the output of `codex exec --json`, and an item has no `item`".to_owned())
            }
        },
        Some("user" | "assistant") => match value.get("message").map(|it| it.get("content").is_some()) {
            Some(true) if has("sessionId") => Found::Is(Format::ClaudeCode),
            Some(true) if has("session_id") => Found::Is(Format::StreamJson),
            Some(true) => Found::Almost(
                "looks like a session of Claude Code, and has neither `sessionId` nor `session_id`".to_owned(),
            ),
            Some(false) => {
                Found::Almost("looks like a session of Claude Code, and a message has no `content`".to_owned())
            }
            None if has("sessionId") => {
                Found::Almost("looks like a session of Claude Code, and has no `message`".to_owned())
            }
            None => Found::Silent,
        },
        Some("session.start") if value.get("data").is_some_and(|it| it.get("sessionId").is_some()) => {
            Found::Is(Format::Copilot)
        }
        Some("system") if text(value, "subtype") == Some("init") && has("session_id") => Found::Is(Format::StreamJson),
        _ => Found::Silent,
    }
}

/// The format of a log: that of the first record that has one.
pub(super) fn format(log: &Log) -> Result<Format, Misread> {
    let mut almost = None;
    for (line, value) in &log.records {
        match looks_like(value) {
            Found::Is(format) => {
                let one = match format {
                    Format::Gemini => value.get("messages").is_some(),
                    format => matches!(format, Format::Atif | Format::SweAgent | Format::MiniSweAgent),
                };
                if one && log.records.len() > 1 {
                    return Err(Misread::of(
                        *line,
                        format!("a log of {} is one document, and more follows it", format.name()),
                    ));
                }
                return match almost {
                    Some(misread) => Err(misread),
                    None => Ok(format),
                };
            }
            Found::Almost(what) => {
                almost.get_or_insert_with(|| Misread::of(*line, what));
            }
            Found::Silent => {}
        }
    }
    Err(almost.unwrap_or_else(|| {
        Misread::of(
            1,
            "no session log that is known: Claude Code, Codex, Copilot, Gemini CLI, ATIF, OpenHands, SWE-agent, mini-swe-agent",
        )
    }))
}
