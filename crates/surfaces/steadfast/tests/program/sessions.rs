//! Sessions: logs that are taken in, listed and shown, and what the hook keeps when an agent ends a turn.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::thread::sleep;
use std::time::Duration;

use crate::common::Place;
use serde_json::{Value, json};

/// A log of Claude Code: the user's words, one command with its output, and the agent's last words.
fn log(id: &str, typed: &str, command: &str, output: &str, failed: bool, said: &str) -> String {
    let records = [
        ("user", json!(typed)),
        ("assistant", json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": command } }])),
        ("user", json!([{ "type": "tool_result", "tool_use_id": "t", "content": output, "is_error": failed }])),
        ("assistant", json!([{ "type": "text", "text": said }])),
    ];
    let line = |(at, (kind, content)): (usize, &(&str, Value))| {
        json!({
            "type": kind, "isSidechain": false, "sessionId": id, "cwd": "/w", "uuid": format!("u{at}"),
            "message": { "role": kind, "content": content },
        })
        .to_string()
            + "\n"
    };
    records.iter().enumerate().map(line).collect()
}

const FAILED: &str = "Exit code 1\nTests:       3 failed, 9 passed, 12 total\n";

fn of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The same lines with times from a minute on, as a sub-agent's where it is said.
fn at(log: &str, minute: usize, side: bool) -> String {
    let timed = |(second, line): (usize, &str)| {
        let mut own = of(line);
        own["timestamp"] = json!(format!("2026-11-27T10:{minute:02}:{second:02}.000Z"));
        own["isSidechain"] = json!(side);
        if side {
            own["agentId"] = json!("a1");
        }
        own["uuid"] = json!(format!("{minute}-{second}"));
        own.to_string() + "\n"
    };
    log.lines().enumerate().map(timed).collect()
}

#[test]
fn what_sub_agents_did_is_read_with_their_session() {
    let parent = log("s", "Have the tests run. Don't push.", "ls", "a\n", false, "All 12 tests pass.");
    // The parent's last words come behind what its agent did.
    let (first, last) = parent.split_at(parent.match_indices('\n').nth(2).unwrap().0 + 1);
    let parent = at(first, 1, false) + &at(last, 9, false);
    let agent = log("s", "Run the tests.", "npm test", FAILED, true, "They ran.").replace("\"t\"", "\"t2\"");
    let pushes =
        log("s", "Push it.", "git push origin main", "To origin\n", false, "Pushed.").replace("\"t\"", "\"t3\"");
    let place = Place::empty()
        .with("logs/s.jsonl", parent)
        .with("logs/s/subagents/agent-1.jsonl", at(&agent, 2, true))
        .with("logs/s/subagents/agent-2.jsonl", at(&pushes, 3, true))
        .with("logs/s/subagents/agent-1.meta.json", "{}");
    let own = of(&place.steadfast("review --session logs/s.jsonl --json").status(0).stdout);
    assert_eq!(own["claims"][0]["state"], "contradicted", "{own}");
    assert_eq!(own["breaks"][0]["obligation"], "Don't push", "{own}");
    // A sub-agent's log alone is its own session.
    let alone = of(&place.steadfast("review --session logs/s/subagents/agent-1.jsonl --json").stdout);
    assert_eq!((&alone["session"]["id"], &alone["breaks"]), (&json!("a1"), &json!([])), "{alone}");
    let done = of(&place.steadfast("sessions import logs --store s.db --json").status(0).stdout);
    assert_eq!(done["sessions"].as_array().unwrap().len(), 1, "{done}");
    assert_eq!(done["sessions"][0]["verdict"], "contradicted");
}

#[test]
fn logs_are_taken_in_listed_and_shown() {
    let place = Place::empty()
        .with("logs/a.jsonl", log("first-one", "Fix the tests.", "npm test", FAILED, true, "All 12 tests pass."))
        .with("logs/deep/b.jsonl", log("second-one", "Look at it.", "ls", "a\n", false, "There is one file."))
        .with("logs/notes.json", "{\"no\": \"log\"}")
        .with("logs/readme.md", "# No log");
    let done = place.steadfast("sessions import logs --store s.db --json").status(0).stdout;
    let done = of(&done);
    let kept = done["sessions"].as_array().unwrap();
    let short: Vec<_> =
        kept.iter().map(|own| (own["id"].as_str().unwrap(), own["verdict"].as_str().unwrap())).collect();
    assert_eq!(short, [("first-one", "contradicted"), ("second-one", "open")]);
    assert_eq!(
        (&kept[0]["asked"], &kept[0]["calls"], &kept[0]["turns"]),
        (&json!("Fix the tests."), &json!(1), &json!(3))
    );
    let aside = done["passed_over"].as_array().unwrap();
    assert_eq!((aside.len(), aside[0]["file"].as_str().unwrap().ends_with("notes.json")), (1, true), "{aside:?}");

    let list = of(&place.steadfast("sessions list --store s.db --json").status(0).stdout);
    assert_eq!(list["sessions"][0]["id"], "second-one");
    let one = of(&place.steadfast("sessions list --store s.db --limit 1 --json").status(0).stdout);
    let next = one["next_cursor"].as_str().unwrap();
    let next = of(&place.steadfast(&format!("sessions list --store s.db --cursor {next} --json")).status(0).stdout);
    assert_eq!(
        (next["sessions"][0]["id"].as_str(), next["sessions"].as_array().unwrap().len()),
        (Some("first-one"), 1)
    );

    let text = place.steadfast("sessions show first --store s.db").status(0).stdout;
    for part in
        ["1 claim contradicted", "turn 1: Fix the tests.", "turn 2: npm test, exit 1", "turn 2, line 2 of the log"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    place.steadfast("sessions show third --store s.db").status(2);
    // The same run is found among the others.
    let run = kept[0]["run"].as_str().unwrap();
    let listed = of(&place.steadfast("runs list --verb session --store s.db --json").status(0).stdout);
    let first = listed["runs"].as_array().unwrap().iter().find(|own| own["id"] == run).unwrap();
    assert_eq!(
        (&first["verdict"], &first["exit_status"], &first["task_id"]),
        (&json!("contradicted"), &json!(1), &json!("first-one"))
    );
}

#[test]
fn references_hold_no_output_and_a_session_stands_once() {
    let secret = format!("token ghp_{}", "a1B2".repeat(9));
    let command = format!("npm test # {secret}");
    let place =
        Place::empty().with("a.jsonl", log("one", "Fix the tests.", &command, FAILED, true, "All 12 tests pass."));
    place.steadfast("sessions import a.jsonl --store s.db").status(0);
    let shown = place.steadfast("sessions show one --store s.db --json").status(0).stdout;
    assert!(!shown.contains("3 failed, 9 passed, 12 total") && !shown.contains("ghp_"), "{shown}");
    let review = of(&shown);
    assert_eq!((&review["report"], &review["full_payload"]), (&Value::Null, &Value::Null));
    let evidence = &review["claims"][0]["evidence"][0];
    assert_eq!((&evidence["turn"], &evidence["line"], &evidence["quote"]), (&json!(2), &json!(2), &json!("")));
    assert_eq!(evidence["sha256"].as_str().unwrap().len(), 64);

    place.steadfast("sessions import a.jsonl --keep full --store s.db").status(0);
    let review = of(&place.steadfast("sessions show one --store s.db --json").status(0).stdout);
    assert_eq!(review["report"], "All 12 tests pass.");
    assert_eq!(review["claims"][0]["evidence"][0]["quote"], "Tests:       3 failed, 9 passed, 12 total");
    let runs = of(&place.steadfast("runs list --store s.db --json").status(0).stdout);
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "what was kept before is replaced");
}

#[test]
fn a_log_that_names_another_session_takes_nothing_away() {
    let long = "x".repeat(129);
    let place = Place::empty()
        .with("a.jsonl", log("one", "Fix the tests.", "npm test", FAILED, true, "All 12 tests pass."))
        .with("b.jsonl", log("one", "Say hello.", "ls", "a\n", false, "Hello."))
        .with("c.jsonl", log(&long, "Say hello.", "ls", "a\n", false, "Hello."));
    for file in ["a.jsonl", "b.jsonl", "c.jsonl", "c.jsonl"] {
        place.steadfast(&format!("sessions import {file} --store s.db")).status(0);
    }
    let list = of(&place.steadfast("sessions list --store s.db --json").status(0).stdout);
    let all = list["sessions"].as_array().unwrap();
    let short: Vec<_> =
        all.iter().map(|own| (own["file"].as_str().unwrap(), own["verdict"].as_str().unwrap())).collect();
    assert_eq!(short, [("c.jsonl", "open"), ("b.jsonl", "open"), ("a.jsonl", "contradicted")]);
    assert_ne!(all[0]["id"], json!(long), "what is no name is not taken for one");
}

#[test]
fn what_cannot_be_taken_in_is_named() {
    let place = Place::empty().with("x.jsonl", "{\"a\": 1}\n").with("e.jsonl", "");
    let end = place.steadfast("sessions import x.jsonl e.jsonl gone.jsonl --store s.db").status(3);
    for part in ["x.jsonl", "e.jsonl", "gone.jsonl", "0 sessions kept", "3 files passed over"] {
        assert!(end.stdout.contains(part), "{part}: {}", end.stdout);
    }
    place.steadfast("sessions list --store none.db").status(4);
    place.steadfast("sessions import").status(2);
}

/// The sessions of the hook's store, once it holds so many: the hook waits for nobody.
fn kept_by_hook(place: &Place, count: usize) -> Vec<Value> {
    for _ in 0..200 {
        let end = place.steadfast("sessions list --json");
        if end.status == 0 {
            let all = of(&end.stdout)["sessions"].as_array().unwrap().clone();
            if all.len() == count {
                return all;
            }
        }
        sleep(Duration::from_millis(100));
    }
    panic!("the hook kept no {count} sessions");
}

#[test]
fn the_hook_keeps_the_session_when_a_turn_ends() {
    let place =
        Place::empty().with("t.jsonl", log("hooked", "Fix the tests.", "npm test", FAILED, true, "All 12 tests pass."));
    let heard = |active: bool| {
        let path = place.path("t.jsonl").display().to_string();
        json!({ "session_id": "hooked", "transcript_path": path, "stop_hook_active": active }).to_string()
    };
    let got = place.steadfast_with("hook stop", heard(false).as_bytes()).status(0).stdout;
    assert_eq!(of(&got)["decision"], "block");
    let kept = kept_by_hook(&place, 1);
    assert_eq!((&kept[0]["id"], &kept[0]["verdict"]), (&json!("hooked"), &json!("contradicted")));
    // The agent was sent back already: nothing is said, and the session is kept as it is now.
    let first = kept[0]["run"].clone();
    place.steadfast_with("hook stop", heard(true).as_bytes()).status(0);
    let is_newer = |_: &u32| {
        sleep(Duration::from_millis(100));
        kept_by_hook(&place, 1)[0]["run"] != first
    };
    assert!((0..100).any(|at| is_newer(&at)), "it is kept anew");
}

#[test]
fn the_hook_keeps_what_the_settings_say() {
    let place = Place::empty()
        .with("t.jsonl", log("off", "Fix the tests.", "npm test", FAILED, true, "All 12 tests pass."))
        .with("steadfast.toml", "[hook]\nstore = \"off\"\n");
    let path = place.path("t.jsonl").display().to_string();
    let said = place.steadfast("hook install claude --file c.json").status(0).stdout;
    assert!(said.contains("Nothing of a session is kept."), "{said}");
    place.steadfast(&format!("hook keep {path}")).status(0);
    assert!(!place.path("data").exists(), "nothing is kept");

    let place = place.with("steadfast.toml", "[hook]\nretain_days = 7\n");
    let said = place.steadfast("hook install gemini --file g.json").status(0).stdout;
    assert!(said.contains("for 7 days") && said.contains("steadfast.db"), "{said}");
    place.steadfast(&format!("hook keep {path}")).status(0);
    assert_eq!(kept_by_hook(&place, 1)[0]["id"], "off");

    let place = place.with("steadfast.toml", "[hook]\nretain_days = 0\n");
    let end = place.steadfast(&format!("hook keep {path}")).status(2);
    assert!(end.stderr.contains("`hook.retain_days`: 0"), "{}", end.stderr);
}

#[test]
fn rules_files_hold_from_the_beginning() {
    let log = log("ruled", "Fix the tests.", "git push origin main", "", false, "Done.");
    let place = Place::empty()
        .with("s.jsonl", &log)
        .with("CLAUDE.md", "# Rules\n\n- Never push.\n- Keep lines short.\n")
        .with("other.md", "# Rules\n\n- Be kind.\n");
    let got =
        of(&place.steadfast("review --session s.jsonl --rules CLAUDE.md --rules other.md --json").status(0).stdout);
    let broken = &got["breaks"][0];
    assert_eq!(
        (&broken["obligation"], &broken["file"], &broken["asked"]),
        (&json!("Never push"), &json!("CLAUDE.md"), &json!(0))
    );
    assert_eq!(got["ask"].as_array().unwrap().len(), 1, "rules are not what the user typed");
    place.steadfast("review --session s.jsonl --rules CLAUDE.md --fail-on broken -q").status(1);
    place.steadfast("review s.jsonl --rules CLAUDE.md").status(2);
    let plain = of(&place.steadfast("review --session s.jsonl --json").status(3).stdout);
    assert_eq!(plain["breaks"], json!([]));
}
