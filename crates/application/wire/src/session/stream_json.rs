//! The output of `claude -p --output-format stream-json`. It does not hold what was asked.

use serde_json::Value;
use steadfast_session::{Author, Session, Turn};

use super::claude_code::{assistant, user};
use super::{Log, Turns, text};
use crate::misread::Misread;

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    let mut message_before: Option<String> = None;
    for (line, record) in &log.records {
        let kind = text(record, "type").ok_or_else(|| Misread::of(*line, "a record without `type`"))?;
        session.id = session.id.or_else(|| text(record, "session_id").map(str::to_owned));
        let of_agent = record.get("parent_tool_use_id").is_some_and(Value::is_string);
        match kind {
            "assistant" | "user" => {
                let body = record.get("message").and_then(|it| it.get("content"));
                let body = body.ok_or_else(|| Misread::of(*line, "a message without `content`"))?;
                if kind == "assistant" {
                    let author = if of_agent { Author::SubAgent } else { Author::Agent };
                    let id = record.get("message").and_then(|it| text(it, "id")).map(str::to_owned);
                    let goes_on = id.is_some() && id == message_before;
                    let has_turn = assistant(&mut turns, (*line, author, None), body, goes_on);
                    message_before = id.filter(|_| has_turn);
                } else {
                    message_before = None;
                    user(&mut turns, *line, record, body, (of_agent, None));
                }
            }
            "result" => {
                let said = text(record, "result").unwrap_or_default();
                let repeated =
                    turns.last().is_some_and(|it| it.author == Author::Agent && it.text.trim() == said.trim());
                if !said.trim().is_empty() && !repeated {
                    turns.push(Turn::said(*line, Author::Agent, said));
                }
            }
            "system" => session.directory = session.directory.or_else(|| text(record, "cwd").map(str::to_owned)),
            "stream_event" | "rate_limit_event" | "control_request" | "control_response" | "keep_alive"
            | "tool_progress" | "auth_status" | "tool_use_summary" => {}
            kind => turns.unknown(format!("records of type `{kind}`")),
        }
    }
    session.turns = turns.finish(notes);
    if !session.turns.iter().any(|it| it.author == Author::User) {
        notes.push("this form of log does not hold what was asked".to_owned());
    }
    Ok(session)
}
