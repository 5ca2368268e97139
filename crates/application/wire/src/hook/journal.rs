//! What a hook keeps of a session whose host has no log that can be read: lines of the form of Claude Code's logs, so that every reader of sessions reads them.

use serde_json::{Value, json};

use super::{Heard, HookMoment};
use crate::session::SENT_BACK;

/// The lines that are kept of what a host says at a moment. `at` is the number of lines before them: it makes their identifiers.
#[must_use]
pub fn journal_lines(heard: &Heard, moment: HookMoment, at: u64) -> String {
    let record = |kind: &str, number: u64, message: Value| {
        let line = json!({
            "type": kind,
            "isSidechain": false,
            "sessionId": heard.session,
            "cwd": heard.directory,
            "uuid": format!("line-{number}"),
            "message": message,
        });
        line.to_string() + "\n"
    };
    match moment {
        HookMoment::UserPrompt => {
            let typed = heard.prompt.as_ref().filter(|text| !text.starts_with(SENT_BACK));
            typed.map(|text| record("user", at, json!({ "role": "user", "content": text })))
        }
        HookMoment::AgentResponse => heard.said.as_ref().map(|text| {
            record("assistant", at, json!({ "role": "assistant", "content": [{ "type": "text", "text": text }] }))
        }),
        HookMoment::PostToolUse => heard.call.as_ref().map(|own| {
            let id = format!("call-{at}");
            let call = json!({ "type": "tool_use", "id": id, "name": own.call.tool, "input": own.input });
            let failed = own.exit.is_some_and(|status| status != 0);
            // The form of the log has a status only in words.
            let said = own.output.as_deref().unwrap_or_default();
            let said = own
                .exit
                .filter(|_| failed)
                .map_or_else(|| said.to_owned(), |status| format!("Exit code {status}\n{said}"));
            let result = json!({ "type": "tool_result", "tool_use_id": id, "content": said, "is_error": failed });
            record("assistant", at, json!({ "role": "assistant", "content": [call] }))
                + &record("user", at + 1, json!({ "role": "user", "content": [result] }))
        }),
        _ => None,
    }
    .unwrap_or_default()
}
