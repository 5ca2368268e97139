//! `events.jsonl` of Copilot CLI and the transcripts of VS Code, which have its form (`session.start` names `copilot-agent`).
//!
//! A call stands in the agent's message and again when it starts; a result names its call.

use serde_json::Value;
use steadfast_session::{Author, Session, Turn};

use super::{Log, Turns, text, tool};
use crate::misread::Misread;

/// Events that hold no turn.
const WITHOUT_TURNS: &[&str] = &["session.", "assistant.turn_", "assistant.reasoning", "hook.", "subagent.", "abort"];

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    for (line, record) in &log.records {
        let kind = text(record, "type").ok_or_else(|| Misread::of(*line, "an event without `type`"))?;
        let own = record.get("data").unwrap_or(&Value::Null);
        let at = text(record, "timestamp").map(str::to_owned);
        let said = text(own, "content").unwrap_or_default();
        match kind {
            "session.start" => {
                session.id = text(own, "sessionId").map(str::to_owned);
                session.directory = own.get("context").and_then(|it| text(it, "cwd")).map(str::to_owned);
            }
            // What the program adds to a prompt stands in other members.
            "user.message" if !said.trim().is_empty() => {
                let author =
                    if text(own, "source").is_some_and(|it| it != "user") { Author::Injected } else { Author::User };
                turns.push(Turn { at, ..Turn::said(*line, author, said) });
            }
            "system.message" => turns.push(Turn { at, ..Turn::said(*line, Author::System, said) }),
            "assistant.message" => {
                let author = if text(own, "parentToolCallId").is_some() { Author::SubAgent } else { Author::Agent };
                let requests = own.get("toolRequests").and_then(Value::as_array).into_iter().flatten();
                let calls: Vec<_> = requests.map(|it| call(it, "name")).collect();
                if !said.trim().is_empty() || !calls.is_empty() {
                    turns.push(Turn { at, calls, ..Turn::said(*line, author, said) });
                }
            }
            "tool.execution_start" => {
                let known = text(own, "toolCallId").is_some_and(|id| turns.call(id).is_some());
                if !known {
                    turns.push(Turn { at, calls: vec![call(own, "toolName")], ..Turn::said(*line, Author::Agent, "") });
                }
            }
            "tool.execution_complete" => {
                let result = own.get("result");
                let said = result.and_then(|it| text(it, "detailedContent").or_else(|| text(it, "content")));
                let said = said.or_else(|| own.get("error").and_then(|it| text(it, "message"))).unwrap_or_default();
                let failed = own.get("success").and_then(Value::as_bool) == Some(false);
                let mut outcome = tool::outcome(said.to_owned(), failed);
                // A status is only where the text has one: "success" says that the tool ran, not that the command came through.
                outcome.error = failed;
                turns.result(text(own, "toolCallId").unwrap_or_default(), outcome);
            }
            kind if WITHOUT_TURNS.iter().any(|it| kind.starts_with(it)) || kind == "user.message" => {}
            kind => turns.unknown(format!("events of type `{kind}`")),
        }
    }
    session.turns = turns.finish(notes);
    Ok(session)
}

fn call(own: &Value, name: &str) -> steadfast_session::Call {
    let arguments = own.get("arguments").unwrap_or(&Value::Null);
    tool::call(text(own, "toolCallId"), text(own, name).unwrap_or_default(), arguments)
}
