//! Events of OpenHands' SDK (1.x): a line or an element each, with `kind`.

use serde_json::Value;
use steadfast_session::{Author, Outcome, Session, Turn};

use super::{Log, Turns, content, text, tool};
use crate::misread::Misread;

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    let mut line_of = Vec::new();
    for (line, record) in &log.records {
        match record.as_array().or_else(|| record.get("history").and_then(Value::as_array)) {
            Some(list) => line_of.extend(list.iter().enumerate().map(|(at, it)| (at + 1, it))),
            None => line_of.push((*line, record)),
        }
    }
    for (line, event) in line_of {
        let kind = text(event, "kind").ok_or_else(|| Misread::of(line, "an event without `kind`"))?;
        let time = text(event, "timestamp").map(str::to_owned);
        match kind {
            "MessageEvent" => {
                let said = event.get("llm_message").and_then(|it| it.get("content")).map(content).unwrap_or_default();
                let author = match text(event, "source") {
                    Some("user") => Author::User,
                    Some("agent") => Author::Agent,
                    _ => Author::Injected,
                };
                if !said.trim().is_empty() {
                    turns.push(Turn { at: time, ..Turn::said(line, author, said) });
                }
            }
            "ActionEvent" => {
                let action = event.get("action").unwrap_or(&Value::Null);
                let name = text(event, "tool_name").or_else(|| text(action, "kind")).unwrap_or_default();
                let said = event.get("thought").map(content).unwrap_or_default();
                if name == "finish" {
                    let end = text(action, "message").unwrap_or_default();
                    turns.push(Turn {
                        at: time,
                        ..Turn::said(line, Author::Agent, if end.is_empty() { said.as_str() } else { end })
                    });
                    continue;
                }
                let call = tool::call(text(event, "tool_call_id"), name, action);
                let author = if text(event, "source") == Some("agent") { Author::Agent } else { Author::Injected };
                turns.push(Turn { calls: vec![call], at: time, ..Turn::said(line, author, said) });
            }
            "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation" => {
                let own = event.get("observation").unwrap_or(&Value::Null);
                let said = own
                    .get("content")
                    .map(content)
                    .filter(|it| !it.is_empty())
                    .or_else(|| text(own, "output").map(str::to_owned));
                let said = said.or_else(|| text(event, "error").map(str::to_owned)).unwrap_or_default();
                let exit = own.get("exit_code").or_else(|| own.get("metadata").and_then(|it| it.get("exit_code")));
                let exit = exit.and_then(Value::as_i64).filter(|it| *it >= 0);
                let error = kind != "ObservationEvent" || own.get("is_error").and_then(Value::as_bool).unwrap_or(false);
                let outcome =
                    Outcome { truncated: tool::is_cut(&said), exit, text: said, error: error && exit.is_none() };
                match text(event, "tool_call_id") {
                    Some(id) if turns.call(id).is_some() => turns.result(id, outcome),
                    _ if text(event, "tool_name") == Some("finish") => {}
                    _ => match turns.last().and_then(|it| it.calls.last_mut()).filter(|it| it.outcome.is_none()) {
                        Some(call) => call.outcome = Some(outcome),
                        None => turns.unknown("a result without its call"),
                    },
                }
            }
            "SystemPromptEvent" => {
                let said = event.get("system_prompt").map(content).unwrap_or_default();
                turns.push(Turn { at: time, ..Turn::said(line, Author::System, said) });
            }
            "Condensation" | "CondensationSummaryEvent" => {
                let said = text(event, "summary").unwrap_or_default();
                turns.push(Turn { at: time, compaction: true, ..Turn::said(line, Author::Injected, said) });
            }
            "CondensationRequest"
            | "PauseEvent"
            | "TokenEvent"
            | "ConversationStateUpdateEvent"
            | "ConversationErrorEvent"
            | "LLMCompletionLogEvent"
            | "InterruptEvent"
            | "HookExecutionEvent" => {}
            kind => turns.unknown(format!("events of kind `{kind}`")),
        }
        session.id = session.id.or_else(|| text(event, "conversation_id").map(str::to_owned));
    }
    session.turns = turns.finish(notes);
    Ok(session)
}
