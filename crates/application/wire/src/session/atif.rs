//! ATIF, the Agent Trajectory Interchange Format (v1.0 to v1.7).

use serde_json::Value;
use steadfast_session::{Author, Session, Turn};

use super::{Turns, content, text, tool};
use crate::misread::Misread;

/// Calls of a step that a result which names none of them is kept for; those behind them have no result.
const SHARED_CALLS_MAX: usize = 8;

pub(super) fn read(document: &Value, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let steps =
        document.get("steps").and_then(Value::as_array).ok_or_else(|| Misread::of(1, "has no list of `steps`"))?;
    for (at, step) in steps.iter().enumerate() {
        let line = at + 1;
        // What an earlier trajectory holds already.
        if step.get("is_copied_context").and_then(Value::as_bool).unwrap_or(false) {
            continue;
        }
        let extra =
            |name: &str| step.get("extra").and_then(|it| it.get(name)).and_then(Value::as_bool).unwrap_or(false);
        let author = match text(step, "source") {
            Some("user") if extra("is_meta") || extra("is_sidechain") => Author::Injected,
            Some("user") => Author::User,
            Some("agent") if extra("is_sidechain") => Author::SubAgent,
            Some("agent") => Author::Agent,
            Some("system") => Author::System,
            other => return Err(Misread::of(1, format!("step {line} has the source `{}`", other.unwrap_or("none")))),
        };
        let said = step.get("message").map(content).unwrap_or_default();
        let mut calls = Vec::new();
        for own in step.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            calls.push(tool::call(
                text(own, "tool_call_id"),
                text(own, "function_name").unwrap_or_default(),
                own.get("arguments").unwrap_or(&Value::Null),
            ));
        }
        let time = text(step, "timestamp").map(str::to_owned);
        let only = calls.len() == 1;
        if !said.trim().is_empty() || !calls.is_empty() {
            turns.push(Turn { calls, at: time, ..Turn::said(line, author, said) });
        }
        let results = step.get("observation").and_then(|it| it.get("results")).and_then(Value::as_array);
        for result in results.into_iter().flatten() {
            let said = result.get("content").map(content).unwrap_or_default();
            let outcome = tool::outcome(said, false);
            match text(result, "source_call_id") {
                Some(id) => turns.result(id, outcome),
                // Without a name it belongs to all calls of its step.
                None => match turns.last().filter(|it| only || it.calls.iter().all(|own| own.outcome.is_none())) {
                    Some(turn) if !turn.calls.is_empty() => {
                        for call in turn.calls.iter_mut().take(SHARED_CALLS_MAX) {
                            call.outcome = Some(outcome.clone());
                        }
                    }
                    _ => turns.push(Turn::said(line, Author::Injected, outcome.text)),
                },
            }
        }
    }
    if let Some(others) = document.get("subagent_trajectories").and_then(Value::as_array).filter(|it| !it.is_empty()) {
        notes.push(format!("not read: trajectories of sub-agents ({})", others.len()));
    }
    let agent = document.get("agent").and_then(|it| text(it, "name")).map(str::to_owned);
    let id = text(document, "session_id").or_else(|| text(document, "trajectory_id")).map(str::to_owned);
    Ok(Session { id, agent, turns: turns.finish(notes), ..Session::default() })
}
