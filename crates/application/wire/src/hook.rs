//! What hosts of agents say to their hooks, and what a hook answers: one dialect for each host.
//!
//! A host runs a hook at a moment of an agent's work, with a JSON object on stdin, and reads a JSON object or nothing from its stdout. `docs/hook.md` says
//! which versions are known.

mod install;
mod journal;
mod reply;

use serde_json::Value;
use steadfast_session::{Call, Change};

use crate::misread::Misread;
use crate::session::{call, text};
use crate::vocabulary::names;

pub use install::{Unreadable, installed, programs, removed};
pub use journal::journal_lines;
pub use reply::Reply;

/// How many bytes a host may say: a tool's input may hold a whole file.
pub const HEARD_BYTES_MAX: usize = 16 * 1024 * 1024;

names! {
    /// A program that runs agents and calls hooks.
    HookHost {
        /// Claude Code.
        Claude = "claude", "Claude Code";
        /// Codex.
        Codex = "codex", "Codex";
        /// VS Code with Copilot.
        Vscode = "vscode", "VS Code";
        /// Gemini CLI.
        Gemini = "gemini", "Gemini CLI";
        /// Cursor.
        Cursor = "cursor", "Cursor";
    }
}

names! {
    /// A moment at which a host calls a hook.
    HookMoment {
        /// The agent is about to end its turn: its report is compared with the log, and the log with what the user forbade.
        Stop = "stop", "Stop";
        /// A sub-agent is about to end.
        SubagentStop = "subagent-stop", "SubagentStop";
        /// A tool is about to be called: what the user's words forbid is denied.
        PreToolUse = "pre-tool-use", "PreToolUse";
        /// A tool has been called: kept where the host has no log that can be read.
        PostToolUse = "post-tool-use", "PostToolUse";
        /// The agent has said something: kept where the host has no log that can be read.
        AgentResponse = "agent-response", "AgentResponse";
        /// The user has typed something: their earlier words are given back where earlier turns were summarised, and it is kept where the host has no log that can be read.
        UserPrompt = "user-prompt", "UserPromptSubmit";
        /// Earlier turns are about to be summarised: some hosts say so before each request, so the log decides, and nothing is answered.
        PreCompact = "pre-compact", "PreCompact";
        /// A session begins, or goes on after a summary: then the user's words are given back.
        SessionStart = "session-start", "SessionStart";
    }
}

/// What a host says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The session.
    pub session: Option<String>,
    /// The log of the session, or of the sub-agent that ends.
    pub transcript: Option<String>,
    /// The folder that the agent works in.
    pub directory: Option<String>,
    /// The agent's last words.
    pub said: Option<String>,
    /// What the user typed.
    pub prompt: Option<String>,
    /// The call that is about to be made, or was.
    pub call: Option<HeardCall>,
    /// Whether the agent goes on already because a hook sent it back.
    pub goes_on: bool,
    /// Why a session begins.
    pub source: Option<String>,
}

/// A call, as a host tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeardCall {
    /// The call.
    pub call: Call,
    /// Its input as JSON.
    pub input: Value,
    /// What it gave back.
    pub output: Option<String>,
    /// Its exit status.
    pub exit: Option<i64>,
}

impl Heard {
    /// Reads what a host says.
    ///
    /// # Errors
    /// [`Misread`]: more than [`HEARD_BYTES_MAX`], or no JSON object.
    pub fn read(bytes: &[u8]) -> Result<Self, Misread> {
        if bytes.len() > HEARD_BYTES_MAX {
            return Err(Misread::of(1, format!("the host says more than {} MiB", HEARD_BYTES_MAX >> 20)));
        }
        let value: Value = serde_json::from_slice(bytes).map_err(|error| Misread::parser(1, &error))?;
        if !value.is_object() {
            return Err(Misread::of(1, "the host says no JSON object"));
        }
        // Hosts spell the same member in two ways; none gives one name two meanings.
        let member = |names: &[&str]| {
            names.iter().find_map(|name| text(&value, name)).filter(|it| !it.is_empty()).map(str::to_owned)
        };
        let first_root = || value.get("workspace_roots")?.as_array()?.first()?.as_str().map(str::to_owned);
        let count = |name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0);
        let is = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
        Ok(Self {
            session: member(&["session_id", "sessionId", "conversation_id"]),
            transcript: member(&["agent_transcript_path", "transcript_path"]),
            directory: member(&["cwd"]).or_else(first_root),
            said: member(&["last_assistant_message", "prompt_response", "text"]),
            prompt: member(&["prompt"]),
            call: heard_call(&value),
            goes_on: is("stop_hook_active") || count("loop_count") > 0,
            source: member(&["source"]),
        })
    }
}

impl HeardCall {
    /// Says of files that the call writes as a whole whether they are there already: that decides whether it creates them.
    pub fn is_there(&mut self, is_there: impl Fn(&str) -> bool) {
        for edit in self.call.edits.iter_mut().filter(|edit| edit.change == Change::Written) {
            edit.change = if is_there(&edit.path) { Change::Changed } else { Change::Created };
        }
    }
}

fn heard_call(value: &Value) -> Option<HeardCall> {
    let tool = text(value, "tool_name")?;
    let input = value.get("tool_input").cloned().unwrap_or(Value::Null);
    // Cursor writes what came back as the text of an object.
    let output = ["tool_output", "tool_response", "tool_result"].iter().find_map(|name| value.get(*name));
    let parsed = output.and_then(Value::as_str).and_then(|it| serde_json::from_str::<Value>(it).ok());
    let whole = parsed.as_ref().filter(|it| it.is_object()).or(output);
    let member = |name: &str| whole.and_then(|it| text(it, name));
    let exit = whole.and_then(|it| it.get("exitCode").or_else(|| it.get("exit_code"))).and_then(Value::as_i64);
    let streams: Vec<&str> =
        ["stdout", "stderr", "output"].iter().filter_map(|name| member(name)).filter(|it| !it.is_empty()).collect();
    let output = match (streams.is_empty(), output) {
        (false, _) => Some(streams.join("\n")),
        (true, Some(Value::String(text))) => Some(text.clone()),
        (true, Some(other)) => Some(other.to_string()),
        (true, None) => None,
    };
    let mut call = call(tool, &input);
    call.directory =
        call.directory.or_else(|| text(value, "cwd").map(str::to_owned).filter(|_| call.command.is_some()));
    Some(HeardCall { call, input, output, exit })
}

#[cfg(test)]
mod tests;
