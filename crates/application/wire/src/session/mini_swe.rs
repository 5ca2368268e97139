//! `.traj.json` files of mini-swe-agent (1.x and 2.x): chat messages in which observations stand as the user's or a tool's.

use serde_json::Value;
use steadfast_session::{Author, Session, Turn};

use super::{Turns, content, text, tool};
use crate::misread::Misread;

pub(super) fn read(document: &Value, notes: &mut Vec<String>) -> Result<Session, Misread> {
    let mut turns = Turns::default();
    let messages = document.get("messages").unwrap_or(document).as_array();
    let messages = messages.ok_or_else(|| Misread::of(1, "has no list of `messages`"))?;
    let mut asked = false;
    for (at, message) in messages.iter().enumerate() {
        let line = at + 1;
        let said = message.get("content").map(content).unwrap_or_default();
        match text(message, "role") {
            Some("system") => turns.push(Turn::said(line, Author::System, said)),
            Some("assistant") => {
                asked = true;
                let mut calls = Vec::new();
                for own in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
                    let function = own.get("function").unwrap_or(own);
                    calls.push(tool::call(
                        text(own, "id"),
                        text(function, "name").unwrap_or("bash"),
                        function.get("arguments").unwrap_or(&Value::Null),
                    ));
                }
                if calls.is_empty() {
                    calls.extend(fenced(&said).map(|line| tool::command(None, "bash", line)));
                }
                turns.push(Turn { calls, ..Turn::said(line, Author::Agent, said) });
            }
            // What stands before the first action is the task; every later message of this role answers an action.
            Some("user") if !asked => turns.push(Turn::said(line, Author::User, said)),
            Some("user" | "tool") => {
                let outcome = tool::outcome(said, false);
                match text(message, "tool_call_id") {
                    Some(id) if turns.call(id).is_some() => turns.result(id, outcome),
                    _ => match turns.last().and_then(|it| it.calls.last_mut()).filter(|it| it.outcome.is_none()) {
                        Some(call) => call.outcome = Some(outcome),
                        None => turns.push(Turn::said(line, Author::Injected, outcome.text)),
                    },
                }
            }
            Some("exit") => turns.push(Turn::said(line, Author::Injected, said)),
            other => turns.unknown(format!("messages of role `{}`", other.unwrap_or("none"))),
        }
    }
    Ok(Session { turns: turns.finish(notes), ..Session::default() })
}

/// The command in the one block of code that an action has.
fn fenced(text: &str) -> Option<&str> {
    let open = ["```bash\n", "```mswea_bash_command\n", "```sh\n"].iter().find_map(|fence| text.split_once(fence))?.1;
    Some(open.split("\n```").next()?.trim())
}
