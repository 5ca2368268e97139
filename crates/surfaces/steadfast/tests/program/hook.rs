//! Hooks, driven as the five hosts drive them: their documented stdin, and what they read from stdout.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place};
use serde_json::{Value, json};

/// A log of Claude Code: the user's words, a call with its result, and the agent's last words.
fn claude(typed: &[&str], calls: &[(&str, &str, bool)], said: &str) -> String {
    let mut lines = Vec::new();
    let mut record = |kind: &str, content: Value| {
        let number = lines.len();
        lines.push(
            json!({
                "type": kind, "isSidechain": false, "sessionId": "s", "cwd": "/w", "uuid": format!("u{number}"),
                "message": { "role": kind, "content": content },
            })
            .to_string(),
        );
    };
    for text in typed {
        record("user", json!(text));
    }
    for (at, (command, output, failed)) in calls.iter().enumerate() {
        let id = format!("t{at}");
        record("assistant", json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": command } }]));
        record("user", json!([{ "type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed }]));
    }
    if !said.is_empty() {
        record("assistant", json!([{ "type": "text", "text": said }]));
    }
    lines.join("\n") + "\n"
}

const FAILED: (&str, &str, bool) = ("npm test", "Exit code 1\nTests:       3 failed, 9 passed, 12 total\n", true);
const PASSED: (&str, &str, bool) = ("npm test", "Tests:       12 passed, 12 total\n", false);

impl Place {
    /// Calls the hook as a host does.
    #[track_caller]
    fn hook(&self, arguments: &str, heard: &Value) -> Value {
        let end = self.hook_end(arguments, heard.to_string().as_bytes());
        assert_eq!(end.stderr, "", "{end:?}");
        match end.stdout.as_str() {
            "" => Value::Null,
            text => serde_json::from_str(text).unwrap(),
        }
    }

    #[track_caller]
    fn hook_end(&self, arguments: &str, stdin: &[u8]) -> End {
        self.steadfast_with(&format!("hook {arguments}"), stdin).status(0)
    }

    fn name(&self, file: &str) -> String {
        self.path(file).display().to_string()
    }
}

#[test]
fn a_report_that_the_log_contradicts_is_sent_back_once() {
    let place = Place::empty().with("t.jsonl", claude(&["Fix the tests."], &[FAILED], ""));
    let mut heard = json!({
        "session_id": "s", "transcript_path": place.name("t.jsonl"), "cwd": "/w", "hook_event_name": "Stop",
        "stop_hook_active": false, "last_assistant_message": "All 12 tests pass.",
    });
    let got = place.hook("stop", &heard);
    assert_eq!(got["decision"], "block");
    let why = got["reason"].as_str().unwrap();
    for part in ["“All 12 tests pass”", "3 failed, 9 passed", "turn 2"] {
        assert!(why.contains(part), "{why}");
    }
    // The same without the last words: those of the log are read. Codex speaks Claude Code's dialect.
    let place = place.with("t.jsonl", claude(&["Fix the tests."], &[FAILED], "All 12 tests pass."));
    heard["last_assistant_message"] = Value::Null;
    assert_eq!(place.hook("stop --host codex", &heard)["decision"], "block");
    // A sub-agent keeps the last word.
    let got = place.hook("subagent-stop", &heard);
    assert_eq!(got["hookSpecificOutput"]["hookEventName"], "SubagentStop");
    assert!(got["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("3 failed"));
    heard["stop_hook_active"] = json!(true);
    assert_eq!(place.hook("stop", &heard), Value::Null);
}

#[test]
fn a_cut_output_says_how_the_run_ended_and_a_damaged_log_accuses_nobody() {
    let cut = "Exit code 1\nFAIL a.test.js\n\n... [669 characters truncated] ...\n\nTests:       3 failed, 9 passed, 12 total\n";
    let log = claude(&["Fix the tests."], &[("npm test", cut, true)], "All 12 tests pass.");
    let place = Place::empty().with("t.jsonl", &log);
    let heard = json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "last_assistant_message": "All 12 tests pass." });
    assert_eq!(place.hook("stop", &heard)["decision"], "block");
    let more = (0..10).map(|at| json!({ "type": "user", "sessionId": "s", "uuid": format!("m{at}"), "message": { "role": "user", "content": "<tick>" } }).to_string() + "\n");
    let damaged = more.collect::<String>() + "{\"type\": \"user\", \"mess\\q\n" + &log;
    let place = place.with("t.jsonl", damaged);
    assert_eq!(place.hook("stop", &heard), Value::Null);
    let own = place.steadfast("review --session t.jsonl").status(3).stdout;
    assert!(own.contains("Doubtful claims") && own.contains("not read: records that are no JSON (1,"), "{own}");
}

#[test]
fn an_honest_report_ends_in_silence() {
    for (calls, said) in [
        (vec![PASSED], "All 12 tests pass."),
        (vec![FAILED], "9 of 12 tests pass; 3 still fail."),
        (vec![FAILED, PASSED], "All 12 tests pass now."),
        (vec![], "Do you want the tests run?"),
    ] {
        let place = Place::empty().with("t.jsonl", claude(&["Fix the tests. Don't push."], &calls, said));
        let heard =
            json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "last_assistant_message": said });
        for host in ["claude", "codex", "vscode"] {
            assert_eq!(place.hook(&format!("stop --host {host}"), &heard), Value::Null, "{said}");
        }
        assert_eq!(place.hook("stop --host gemini", &heard), json!({}));
    }
}

#[test]
fn a_call_that_the_user_forbade_is_denied() {
    let place = Place::empty().with("t.jsonl", claude(&["Fix the tests. Don't push anything."], &[], ""));
    let heard = |tool: &str, input: Value| json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "cwd": "/w", "tool_name": tool, "tool_input": input });
    let push = heard("Bash", json!({ "command": "git add -A && git push origin main" }));
    let got = place.hook("pre-tool-use", &push);
    assert_eq!(got["hookSpecificOutput"]["permissionDecision"], "deny");
    let why = got["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(why.contains("Don't push anything") && why.contains("git push"), "{why}");
    assert_eq!(place.hook("pre-tool-use --host vscode", &push)["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(place.hook("pre-tool-use --host gemini", &push)["decision"], "deny");
    for command in ["git status", "npm test", "echo 'git push'", "git push --dry-run", "git stash"] {
        assert_eq!(place.hook("pre-tool-use", &heard("Bash", json!({ "command": command }))), Value::Null, "{command}");
    }
    // The user may change their mind.
    let place =
        Place::empty().with("t.jsonl", claude(&["Fix the tests. Don't push anything.", "Good. Now push it."], &[], ""));
    let push = json!({ "transcript_path": place.name("t.jsonl"), "tool_name": "Bash", "tool_input": { "command": "git push" } });
    assert_eq!(place.hook("pre-tool-use", &push), Value::Null);
}

#[test]
fn a_file_is_created_only_where_there_is_none() {
    let place =
        Place::empty().with("t.jsonl", claude(&["Fix it. Do not create new files."], &[], "")).with("old.md", "x");
    let write = |file: &str| {
        json!({
            "transcript_path": place.name("t.jsonl"), "cwd": place.name(""), "tool_name": "Write",
            "tool_input": { "file_path": file, "content": "y" },
        })
    };
    assert_eq!(place.hook("pre-tool-use", &write("old.md")), Value::Null);
    assert_eq!(place.hook("pre-tool-use", &write("new.md"))["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn a_break_is_named_at_the_end_of_its_turn_alone() {
    let push = ("git push", "To github.com:a/b\n   1..2  main -> main\n", false);
    let heard = |place: &Place| json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "stop_hook_active": false });
    let place = Place::empty().with("t.jsonl", claude(&["Fix the tests, and don't push."], &[push], "Fixed."));
    let why = place.hook("stop", &heard(&place));
    let why = why["reason"].as_str().unwrap();
    assert!(why.contains("“don't push”") && why.contains("“git push”"), "{why}");
    // In the next turn the user has seen it.
    let later = claude(&["Fix the tests, and don't push."], &[push], "Fixed.")
        + &claude(&["Thanks. What is left?"], &[], "Nothing.").replace("\"uuid\":\"u", "\"uuid\":\"v");
    let place = place.with("t.jsonl", later);
    assert_eq!(place.hook("stop", &heard(&place)), Value::Null);
}

#[test]
fn the_words_of_the_user_are_given_back_after_a_summary() {
    let place = Place::empty().with("t.jsonl", claude(&["Never touch src/auth.", "Use pnpm."], &[PASSED], "Ok."));
    let mut heard = json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "source": "compact" });
    let got = place.hook("session-start", &heard);
    let text = got["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.contains("1. Never touch src/auth.\n2. Use pnpm."), "{text}");
    heard["source"] = json!("startup");
    assert_eq!(place.hook("session-start", &heard), Value::Null);
}

#[test]
fn where_no_session_starts_after_a_summary_the_next_prompt_gets_the_words() {
    let gemini = |more: &[Value]| {
        let head = json!({ "sessionId": "g", "projectHash": "h", "startTime": "2026-11-27T16:45:51Z" });
        let typed = json!({ "id": "a", "type": "user", "content": "Never touch src/auth." });
        [head, typed].iter().chain(more).map(|line| line.to_string() + "\n").collect::<String>()
    };
    let codex = |more: &[Value]| {
        let typed = |text: &str| {
            json!({ "type": "response_item", "payload": { "type": "message", "role": "user",
                "content": [{ "type": "input_text", "text": text }] } })
        };
        let head = json!({ "type": "session_meta", "payload": { "id": "c" } });
        [head, typed("Never touch src/auth.")]
            .iter()
            .chain(more)
            .map(|line| line.to_string() + "\n")
            .collect::<String>()
    };
    let said = json!({ "id": "b", "type": "gemini", "content": "Ok." });
    let left =
        json!({ "$set": { "messages": [{ "id": "c", "type": "user", "content": "<session_context> A summary." }] } });
    let now = json!({ "id": "d", "type": "user", "content": "Go on." });
    let compacted = json!({ "type": "compacted", "payload": { "message": "A summary." } });
    let logs = [
        ("gemini", gemini(std::slice::from_ref(&said)), false),
        ("gemini", gemini(&[said.clone(), left.clone()]), true),
        ("gemini", gemini(&[said.clone(), left.clone(), now.clone()]), true),
        (
            "gemini",
            gemini(&[said, left, now.clone(), json!({ "id": "e", "type": "user", "content": "And on." })]),
            false,
        ),
        ("codex", codex(&[]), false),
        ("codex", codex(&[compacted]), true),
    ];
    for (host, log, is_due) in logs {
        let place = Place::empty().with("t.jsonl", &log);
        let heard = json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "prompt": "Go on." });
        let got = place.hook(&format!("user-prompt --host {host}"), &heard);
        let text = got["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        assert_eq!(text.contains("Never touch src/auth."), is_due, "{host} {log} {got}");
    }
}

#[test]
fn gemini_is_sent_back_once_and_judged_by_its_last_words() {
    let head = json!({ "sessionId": "g", "projectHash": "h", "startTime": "2026-11-27T16:45:51Z" });
    let typed = json!({ "id": "a", "type": "user", "content": "Fix the tests." });
    let run = |id: &str, output: &str| {
        json!({ "id": id, "type": "gemini", "content": "", "toolCalls": [{ "id": id, "name": "run_shell_command",
            "args": { "command": "npm test" }, "status": "success",
            "result": [{ "functionResponse": { "response": { "output": output } } }] }] })
    };
    let said = |id: &str, text: &str| json!({ "id": id, "type": "gemini", "content": text });
    let failed = run("b", "Tests:       3 failed, 9 passed, 12 total\nExit Code: 1");
    let log = |lines: &[Value]| lines.iter().map(|line| line.to_string() + "\n").collect::<String>();
    let mut lines = vec![head, typed, failed, said("c", "All 12 tests pass.")];
    let stop = |lines: &[Value], text: &str| {
        let place = Place::empty().with("t.jsonl", log(lines));
        let heard = json!({ "session_id": "s", "transcript_path": place.name("t.jsonl"), "prompt_response": text, "stop_hook_active": false });
        place.hook("stop --host gemini", &heard)
    };
    let back = stop(&lines, "All 12 tests pass.");
    assert_eq!(back["decision"], "deny");
    lines.push(json!({ "id": "d", "type": "user", "content": back["reason"] }));
    lines.push(said("e", "All 12 tests pass."));
    // It goes on already, and the host does not say so.
    assert_eq!(stop(&lines, "All 12 tests pass.\nAll 12 tests pass."), json!({}));
    // Words of an earlier turn are no report of this one.
    lines.push(json!({ "id": "f", "type": "user", "content": "Thanks." }));
    lines.push(run("g", "Tests:       3 failed, 9 passed, 12 total\nExit Code: 1"));
    lines.push(said("h", "3 of 12 tests fail."));
    assert_eq!(stop(&lines, "All 12 tests pass.\n3 of 12 tests fail."), json!({}));
}

#[test]
fn a_host_without_a_log_is_followed() {
    let place = Place::empty();
    let state = place.name("state");
    let call = |arguments: &str, mut heard: Value| -> Value {
        heard["conversation_id"] = json!("../../c");
        heard["workspace_roots"] = json!(["/w"]);
        let arguments = format!("hook {arguments} --host cursor");
        let end = place.steadfast_in(&[("XDG_STATE_HOME", &state)], &arguments, heard.to_string().as_bytes());
        serde_json::from_str(&end.status(0).stdout).unwrap()
    };
    assert_eq!(call("stop", json!({ "status": "completed", "loop_count": 0 })), json!({}));
    call("user-prompt", json!({ "prompt": "Fix the tests. Don't push." }));
    let push = json!({ "tool_name": "Shell", "tool_input": { "command": "git push" } });
    assert_eq!(call("pre-tool-use", push)["permission"], "deny");
    let output = json!({ "exitCode": 1, "stdout": "Tests:       3 failed, 9 passed, 12 total\n" }).to_string();
    call(
        "post-tool-use",
        json!({ "tool_name": "Shell", "tool_input": { "command": "npm test" }, "tool_output": output }),
    );
    call("agent-response", json!({ "text": "All 12 tests pass." }));
    let got = call("stop", json!({ "status": "completed", "loop_count": 0 }));
    assert!(got["followup_message"].as_str().unwrap().contains("3 failed"), "{got}");
    assert_eq!(call("stop", json!({ "status": "completed", "loop_count": 1 })), json!({}));
    let kept: Vec<String> = place.files().into_iter().filter(|it| it.contains("state")).collect();
    assert_eq!(kept.len(), 1);
    assert!(kept[0].starts_with("state/steadfast/hooks/cursor-"), "{kept:?}");
    // What is kept is a log like any other.
    place.steadfast(&format!("review --session {} --fail-on contradicted -q", kept[0])).status(1);
}

#[test]
fn vs_code_is_read_by_its_transcript() {
    let log = [
        json!({ "type": "session.start", "data": { "sessionId": "v", "producer": "copilot-agent" } }),
        json!({ "type": "user.message", "data": { "content": "Fix the tests." } }),
        json!({ "type": "assistant.message", "data": { "content": "", "toolRequests": [
            { "toolCallId": "t", "name": "run_in_terminal", "arguments": { "command": "npm test" } } ] } }),
        json!({ "type": "tool.execution_complete", "data": { "toolCallId": "t", "success": true,
            "result": { "content": "Tests:       3 failed, 9 passed, 12 total\n<exited with exit code 1>" } } }),
        json!({ "type": "assistant.message", "data": { "content": "All 12 tests pass.", "toolRequests": [] } }),
    ];
    let log = log.map(|line| line.to_string()).join("\n");
    let place = Place::empty().with("v.jsonl", log);
    let heard = json!({ "sessionId": "v", "hookEventName": "Stop", "transcript_path": place.name("v.jsonl"), "stop_hook_active": false });
    let got = place.hook("stop --host vscode", &heard);
    assert_eq!(got["hookSpecificOutput"]["decision"], "block");
    assert!(got["hookSpecificOutput"]["reason"].as_str().unwrap().contains("3 failed"));
}

#[test]
fn what_cannot_be_read_holds_nobody_up() {
    let place = Place::empty().with("bad.jsonl", "{\"type\":\"user\"}\n{\n").with("none.jsonl", "");
    for stdin in [
        String::new(),
        "{".to_owned(),
        "[]".to_owned(),
        "{\"a\": \u{1b}}".to_owned(),
        json!({ "transcript_path": place.name("bad.jsonl") }).to_string(),
        json!({ "transcript_path": place.name("none.jsonl") }).to_string(),
        json!({ "transcript_path": place.name("") }).to_string(),
    ] {
        for moment in ["stop", "pre-tool-use", "session-start", "user-prompt", "pre-compact"] {
            let end = place.hook_end(moment, stdin.as_bytes());
            assert_eq!(end.stdout, "", "{end:?}");
        }
        assert_eq!(place.hook_end("stop --host cursor", stdin.as_bytes()).stdout.trim(), "{}");
    }
    let end = place.hook_end("stop", b"{");
    assert!(end.stderr.contains("nothing was looked at: stdin: 1:"), "{end:?}");
    // A log that is not there yet is no fault.
    let heard = json!({ "session_id": "s", "transcript_path": place.name("later.jsonl") });
    assert_eq!(place.hook("stop", &heard), Value::Null);
}

#[test]
fn hooks_are_installed_and_taken_out_again() {
    let settings = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n";
    let place = Place::empty().with(".claude/settings.json", settings);
    let end = place.steadfast("hook install claude --dry-run").status(0);
    assert!(end.stdout.contains("+  \"hooks\": {") && end.stdout.contains("hook stop --host claude"), "{end:?}");
    assert_eq!(place.read(".claude/settings.json"), settings);
    let end = place.steadfast("hook install claude").status(0);
    assert!(end.stdout.contains("Nothing leaves this machine."), "{end:?}");
    let with: Value = serde_json::from_str(&place.read(".claude/settings.json")).unwrap();
    assert_eq!(
        with["hooks"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["PreToolUse", "SessionStart", "Stop", "SubagentStop"]
    );
    assert_eq!(
        place.steadfast("hook install claude").status(0).stdout.lines().next().unwrap(),
        ".claude/settings.json: nothing to change"
    );
    // What is installed runs as it stands there.
    let command = with["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    let ran =
        std::process::Command::new("sh").args(["-c", command]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(0), 0), "{ran:?}");
    place.steadfast("hook uninstall claude").status(0);
    assert_eq!(place.read(".claude/settings.json"), settings);

    for (host, file) in [
        ("codex", ".codex/hooks.json"),
        ("vscode", ".github/hooks/steadfast.json"),
        ("gemini", ".gemini/settings.json"),
        ("cursor", ".cursor/hooks.json"),
    ] {
        place.steadfast(&format!("hook install {host}")).status(0);
        let with: Value = serde_json::from_str(&place.read(file)).unwrap();
        assert!(!with["hooks"].as_object().unwrap().is_empty());
        place.steadfast(&format!("hook uninstall {host}")).status(0);
        assert!(!place.read(file).contains("steadfast"));
    }
    let place = place.with("broken.json", "{ hooks }");
    let end = place.steadfast("hook install claude --file broken.json").status(2);
    assert!(end.stderr.contains("broken.json: cannot be read as JSON"), "{end:?}");
    assert_eq!(place.read("broken.json"), "{ hooks }");
}
