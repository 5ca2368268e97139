use serde_json::{Value, json};
use steadfast_session::Change;

use super::*;

fn heard(value: &Value) -> Heard {
    Heard::read(value.to_string().as_bytes()).unwrap()
}

#[test]
fn each_host_is_heard() {
    let own = heard(&json!({
        "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/w", "hook_event_name": "Stop",
        "stop_hook_active": true, "last_assistant_message": "Done.",
    }));
    assert_eq!((own.session.as_deref(), own.said.as_deref(), own.goes_on), (Some("s"), Some("Done."), true));

    let own = heard(&json!({
        "hookEventName": "PreToolUse", "sessionId": "v", "tool_name": "create_file", "tool_input": { "filePath": "a.md", "content": "x" },
    }));
    assert_eq!(own.session.as_deref(), Some("v"));
    assert_eq!(own.call.unwrap().call.edits[0].path, "a.md");

    let own =
        heard(&json!({ "conversation_id": "c", "workspace_roots": ["/r"], "loop_count": 1, "status": "completed" }));
    assert_eq!((own.session.as_deref(), own.directory.as_deref(), own.goes_on), (Some("c"), Some("/r"), true));

    let own = heard(&json!({
        "conversation_id": "c", "tool_name": "Shell", "tool_input": { "command": "npm test" },
        "tool_output": "{\"exitCode\":1,\"stdout\":\"1 failed\"}",
    }));
    let call = own.call.unwrap();
    assert_eq!(
        (call.call.command.as_deref(), call.exit, call.output.as_deref()),
        (Some("npm test"), Some(1), Some("1 failed"))
    );
    assert!(Heard::read(b"[]").is_err() && Heard::read(b"x").is_err());
}

#[test]
fn a_file_that_is_there_is_not_created() {
    let value = json!({ "tool_name": "Write", "tool_input": { "file_path": "a.md", "content": "x" } });
    for (is_there, change) in [(true, Change::Changed), (false, Change::Created)] {
        let mut own = heard(&value).call.unwrap();
        own.is_there(|path| is_there && path == "a.md");
        assert_eq!(own.call.edits[0].change, change);
    }
}

#[test]
fn each_host_is_answered_in_its_own_form() {
    use HookHost::{Claude, Codex, Cursor, Gemini, Vscode};
    let json = |reply: &Reply, host, moment| -> Value {
        reply.json(host, moment).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    };
    let back = Reply::SendBack("w".to_owned());
    for host in [Claude, Codex] {
        assert_eq!(json(&back, host, HookMoment::Stop), json!({ "decision": "block", "reason": "w" }));
    }
    assert_eq!(json(&back, Vscode, HookMoment::Stop)["hookSpecificOutput"]["decision"], "block");
    assert_eq!(json(&back, Gemini, HookMoment::Stop), json!({ "decision": "deny", "reason": "w" }));
    assert_eq!(json(&back, Cursor, HookMoment::Stop), json!({ "followup_message": "w" }));
    let deny = Reply::Deny("w".to_owned());
    for host in [Claude, Codex, Vscode] {
        let own = json(&deny, host, HookMoment::PreToolUse);
        let expect =
            json!({ "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "w" });
        assert_eq!(own["hookSpecificOutput"], expect);
    }
    assert_eq!(json(&deny, Cursor, HookMoment::PreToolUse)["permission"], "deny");
    assert_eq!(json(&deny, Gemini, HookMoment::PreToolUse)["decision"], "deny");
    let context = Reply::Context("w".to_owned());
    for (host, moment, event) in [
        (Claude, HookMoment::SessionStart, "SessionStart"),
        (Claude, HookMoment::SubagentStop, "SubagentStop"),
        (Codex, HookMoment::UserPrompt, "UserPromptSubmit"),
        (Gemini, HookMoment::UserPrompt, "BeforeAgent"),
    ] {
        let own = json(&context, host, moment);
        assert_eq!(own["hookSpecificOutput"], json!({ "hookEventName": event, "additionalContext": "w" }));
    }
    for host in [Claude, Codex, Vscode] {
        assert_eq!(Reply::Silent.json(host, HookMoment::Stop), None);
    }
    for host in [Gemini, Cursor] {
        assert_eq!(json(&Reply::Silent, host, HookMoment::Stop), json!({}));
    }
}

const SETTINGS: &str = r#"{
  // Ours.
  "permissions": { "deny": ["Read(.env)"] },
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }
    ]
  }
}
"#;

#[test]
fn hooks_go_into_settings_and_out_again() {
    for host in HookHost::ALL {
        for text in ["", "{}\n", SETTINGS] {
            let with = installed(text, *host, "\"/a b/steadfast\"").unwrap();
            assert_eq!(installed(&with, *host, "\"/a b/steadfast\"").unwrap(), with, "{host} twice");
            let programs_of = |text: &str| programs(text, *host).unwrap();
            assert_eq!((programs_of(text), programs_of(&with).len()), (vec![], with.matches(" hook ").count()));
            assert!(programs_of(&with).iter().all(|program| program == "\"/a b/steadfast\""), "{with}");
            // An older place of the program is replaced.
            let moved = installed(&with, *host, "steadfast").unwrap();
            assert_eq!(moved.matches("hook stop --host").count(), 1, "{moved}");
            let without = removed(&moved, *host).unwrap();
            let value = super::install::value;
            if text == SETTINGS {
                assert!(with.contains("// Ours.") && without.contains("// Ours."));
                let mut expect: Value = value(text);
                if *host == HookHost::Cursor {
                    expect["version"] = json!(1);
                }
                assert_eq!(value(&without), expect);
            } else {
                assert!(!without.contains("hook"), "{without}");
            }
        }
    }
}

#[test]
fn settings_of_another_form_stay_as_they_are() {
    for text in ["[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{", "{'hooks': {}}"] {
        assert!(installed(text, HookHost::Claude, "steadfast").is_err(), "{text}");
    }
    assert_eq!(removed("{\"hooks\": []}", HookHost::Claude).unwrap(), "{\"hooks\": []}");
}

#[test]
fn what_a_hook_keeps_is_a_session() {
    let mut log = String::new();
    let mut keep = |value: Value, moment| {
        let mut own = heard(&value);
        own.session = Some("c".to_owned());
        let lines = journal_lines(&own, moment, log.len() as u64);
        log.push_str(&lines);
    };
    keep(json!({ "prompt": "Fix it, and don't push." }), HookMoment::UserPrompt);
    keep(
        json!({ "tool_name": "Shell", "tool_input": { "command": "npm test" }, "tool_output": "{\"exitCode\":1,\"stdout\":\"1 failed\"}" }),
        HookMoment::PostToolUse,
    );
    keep(
        json!({ "tool_name": "Shell", "tool_input": { "command": "ls" }, "tool_output": "{\"exitCode\":0,\"stdout\":\"a\"}" }),
        HookMoment::PostToolUse,
    );
    keep(json!({ "text": "All tests pass." }), HookMoment::AgentResponse);
    let own = crate::session::read_session(log.as_bytes()).unwrap();
    assert_eq!(own.notes, Vec::<String>::new());
    let calls: Vec<_> = own.session.turns.iter().flat_map(|turn| &turn.calls).collect();
    let exits: Vec<_> = calls.iter().map(|call| call.outcome.as_ref().unwrap().exit).collect();
    assert_eq!(exits, [Some(1), Some(0)]);
    assert_eq!(own.session.turns.last().unwrap().text, "All tests pass.");
    let typed = crate::session::read_typed(log.as_bytes()).unwrap();
    assert_eq!(typed.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>(), ["Fix it, and don't push."]);
}
