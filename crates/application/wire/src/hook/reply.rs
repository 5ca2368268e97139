//! What a hook answers.

use serde_json::{Value, json};

use super::{HookHost, HookMoment};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nothing to say.
    Silent,
    /// The agent is sent back to its work, with this reason.
    SendBack(String),
    /// The call is denied, for this reason.
    Deny(String),
    /// The agent is told this.
    Context(String),
}

impl Reply {
    /// The answer as a host reads it from stdout; `None` where it reads none as silence.
    #[must_use]
    pub fn json(&self, host: HookHost, moment: HookMoment) -> Option<String> {
        let own = |event: &str, name: &str, text: &str| json!({ "hookSpecificOutput": { "hookEventName": event, name: text } });
        let value: Value = match (self, host) {
            // These two take nothing but an object.
            (Self::Silent, HookHost::Gemini | HookHost::Cursor) => json!({}),
            (Self::Silent, _) => return None,
            (Self::SendBack(why), HookHost::Cursor) => json!({ "followup_message": why }),
            (Self::SendBack(why), HookHost::Gemini) => json!({ "decision": "deny", "reason": why }),
            (Self::SendBack(why), HookHost::Vscode) => json!({
                "hookSpecificOutput": { "hookEventName": moment.label(), "decision": "block", "reason": why }
            }),
            (Self::SendBack(why), HookHost::Claude | HookHost::Codex) => json!({ "decision": "block", "reason": why }),
            (Self::Deny(why), HookHost::Cursor) => {
                json!({ "permission": "deny", "user_message": why, "agent_message": why })
            }
            (Self::Deny(why), HookHost::Gemini) => json!({ "decision": "deny", "reason": why }),
            (Self::Deny(why), HookHost::Claude | HookHost::Codex | HookHost::Vscode) => json!({
                "hookSpecificOutput": {
                    "hookEventName": moment.label(),
                    "permissionDecision": "deny",
                    "permissionDecisionReason": why,
                }
            }),
            (Self::Context(text), HookHost::Cursor) => json!({ "additional_context": text }),
            (Self::Context(text), HookHost::Gemini) => {
                let event = if moment == HookMoment::UserPrompt { "BeforeAgent" } else { "SessionStart" };
                own(event, "additionalContext", text)
            }
            // Only Claude Code takes context where a sub-agent ends; the others show a message.
            (Self::Context(text), HookHost::Codex | HookHost::Vscode) if moment == HookMoment::SubagentStop => {
                json!({ "systemMessage": text })
            }
            (Self::Context(text), _) => own(moment.label(), "additionalContext", text),
        };
        Some(value.to_string())
    }
}
