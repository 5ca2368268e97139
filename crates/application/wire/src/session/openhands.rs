//! Events of OpenHands (0.x): an exported trajectory, which is a list of them, or lines of its evaluations with such a `history`.

use serde_json::Value;
use steadfast_session::{Author, Call, Edit, Outcome, Session, Turn};

use super::{Log, Turns, content, text, tool};
use crate::misread::Misread;

/// The sessions of a log, each with what was not read of it beside `notes`, which are those of the whole log.
pub(super) fn read(log: &Log, notes: &[String]) -> Result<Vec<(Session, Vec<String>)>, Misread> {
    // One event a line.
    if log.records.len() > 1 && log.records.iter().all(|(_, it)| it.get("history").is_none() && it.is_object()) {
        let events: Vec<&Value> = log.records.iter().map(|(_, it)| it).collect();
        let mut notes = notes.to_vec();
        return Ok(vec![(session(&events, &mut notes)?, notes)]);
    }
    let mut out = Vec::new();
    for (_, record) in &log.records {
        let list = record.get("history").unwrap_or(record);
        // Early versions keep pairs of an action and its observation.
        let events: Vec<&Value> = list
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|it| it.as_array().map_or_else(|| vec![it], |pair| pair.iter().collect()))
            .collect();
        let mut notes = notes.to_vec();
        let mut own = session(&events, &mut notes)?;
        own.id = text(record, "instance_id").map(str::to_owned);
        if let Some(asked) = text(record, "instruction")
            && !own.turns.iter().any(|it| it.author == Author::User)
        {
            own.turns.insert(0, Turn::said(1, Author::User, asked));
        }
        out.push((own, notes));
    }
    Ok(out)
}

fn session(events: &[&Value], notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    for (at, event) in events.iter().enumerate() {
        let line = at + 1;
        let source = text(event, "source").unwrap_or_default();
        let time = text(event, "timestamp").map(str::to_owned);
        if let Some(action) = text(event, "action") {
            let args = event.get("args").unwrap_or(&Value::Null);
            let said = ["content", "final_thought", "thought"]
                .iter()
                .find_map(|name| text(args, name).filter(|it| !it.trim().is_empty()));
            let thought = text(args, "thought").unwrap_or_default();
            match action {
                "message" | "finish" | "system" | "recall" | "reject" => {
                    let author = match (action, source) {
                        ("system", _) => Author::System,
                        ("recall", _) => continue,
                        (_, "user") => Author::User,
                        (_, "agent") => Author::Agent,
                        _ => Author::Injected,
                    };
                    let said = said.or_else(|| text(event, "message")).unwrap_or_default();
                    if !said.is_empty() {
                        turns.push(Turn { at: time, ..Turn::said(line, author, said) });
                    }
                }
                "change_agent_state"
                | "null"
                | "initialize"
                | "condensation"
                | "condensation_request"
                | "start"
                | "loop_recall" => {}
                _ => {
                    let author = if source == "user" { Author::Injected } else { Author::Agent };
                    let call = called(event, action, args);
                    turns.push(Turn { calls: vec![call], at: time, ..Turn::said(line, author, thought) });
                }
            }
        } else if let Some(observation) = text(event, "observation") {
            observed(&mut turns, event, observation);
        } else {
            turns.unknown("events without `action` and `observation`");
        }
    }
    Ok(Session { turns: turns.finish(notes), ..Session::default() })
}

fn called(event: &Value, action: &str, args: &Value) -> Call {
    let id = event.get("id").map(Value::to_string);
    let mut call = tool::call(id.as_deref(), action, args);
    match action {
        "run" => {}
        "run_ipython" => call.command = None,
        "write" => {
            if let (Some(path), Some(text)) = (text(args, "path"), text(args, "content")) {
                call.edits = vec![Edit::written(path, text)];
            }
        }
        _ => {}
    }
    call
}

fn observed(turns: &mut Turns, event: &Value, kind: &str) {
    if matches!(kind, "agent_state_changed" | "null" | "recall" | "condense" | "task_tracking") {
        return;
    }
    let said = event.get("content").map(content).unwrap_or_default();
    let extras = event.get("extras").unwrap_or(&Value::Null);
    let exit = extras
        .get("metadata")
        .and_then(|it| it.get("exit_code"))
        .or_else(|| extras.get("exit_code"))
        .and_then(Value::as_i64)
        .filter(|it| *it >= 0);
    let error = kind == "error" || (kind == "edit" && said.trim_start().starts_with("ERROR"));
    let outcome =
        Outcome { truncated: tool::is_cut(&said), exit: exit.or_else(|| tool::exit_in(&said)), text: said, error };
    match event.get("cause").map(Value::to_string) {
        Some(id) if turns.call(&id).is_some() => turns.result(&id, outcome),
        // Without a cause it belongs to the call before it.
        _ => match turns.last().and_then(|it| it.calls.last_mut()).filter(|it| it.outcome.is_none()) {
            Some(call) => call.outcome = Some(outcome),
            None if outcome.text.trim().is_empty() => {}
            None => turns.push(Turn::said(1, Author::Injected, outcome.text)),
        },
    }
}
