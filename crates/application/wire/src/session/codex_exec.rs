//! The output of `codex exec --json`. It does not hold what was asked.

use serde_json::{Value, json};
use steadfast_session::{Author, Change, Edit, Outcome, Session, Turn};

use super::{Log, Turns, text, tool};
use crate::misread::Misread;

pub(super) fn read(log: &Log, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let mut session = Session::default();
    for (line, record) in &log.records {
        let kind = text(record, "type").ok_or_else(|| Misread::of(*line, "a record without `type`"))?;
        match kind {
            "thread.started" => session.id = text(record, "thread_id").map(str::to_owned),
            "turn.started" | "turn.completed" | "turn.failed" | "item.started" | "item.updated" | "error" => {}
            "item.completed" => {
                let own = record.get("item").ok_or_else(|| Misread::of(*line, "an item without `item`"))?;
                item(&mut turns, *line, own);
            }
            kind => turns.unknown(format!("records of type `{kind}`")),
        }
    }
    session.turns = turns.finish(notes);
    notes.push("this form of log does not hold what was asked".to_owned());
    Ok(session)
}

fn item(turns: &mut Turns, line: usize, own: &Value) {
    let id = text(own, "id");
    let call = match text(own, "type").or_else(|| text(own, "item_type")) {
        Some("agent_message" | "assistant_message") => {
            return turns.push(Turn::said(line, Author::Agent, text(own, "text").unwrap_or_default()));
        }
        Some("reasoning" | "todo_list" | "error") => return,
        Some("command_execution") => {
            let command = own.get("command").unwrap_or(&Value::Null);
            let mut call = tool::call(id, "shell", &json!({"command": command}));
            let exit = own.get("exit_code").and_then(Value::as_i64);
            let output = text(own, "aggregated_output").unwrap_or_default();
            let error = text(own, "status") == Some("failed");
            call.outcome = Some(Outcome {
                text: output.to_owned(),
                exit,
                error: error && exit.is_none(),
                truncated: tool::is_cut(output),
            });
            call
        }
        Some("file_change") => {
            let mut call = tool::call(id, "file_change", &Value::Null);
            for change in own.get("changes").and_then(Value::as_array).into_iter().flatten() {
                let Some(path) = text(change, "path") else { continue };
                let kind = match text(change, "kind") {
                    Some("add") => Change::Created,
                    Some("delete") => Change::Deleted,
                    _ => Change::Changed,
                };
                call.files.push(path.to_owned());
                call.edits.push(Edit { change: kind, ..Edit::deleted(path) });
            }
            let error = text(own, "status") == Some("failed");
            call.outcome = Some(Outcome { error, exit: (!error).then_some(0), ..Outcome::default() });
            call
        }
        Some("mcp_tool_call" | "collab_tool_call") => {
            let mut call =
                tool::call(id, text(own, "tool").unwrap_or("mcp"), own.get("arguments").unwrap_or(&Value::Null));
            call.outcome = own.get("result").map(|it| Outcome { text: it.to_string(), ..Outcome::default() });
            call
        }
        Some("web_search") => tool::call(id, "web_search", &json!({"query": own.get("query")})),
        other => return turns.unknown(format!("items of type `{}`", other.unwrap_or("none"))),
    };
    turns.push(Turn { calls: vec![call], ..Turn::said(line, Author::Agent, "") });
}
