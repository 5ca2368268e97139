//! `steadfast mcp` and `/mcp` of `steadfast serve` under the official Python SDK: every tool, on both revisions of the protocol.
//!
//! `cargo xtask python` installs the SDK into the target folder. Where it is missing this test fails.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};

const NOTES: &str = "- [ ] write the board report (90 min)\n- call Ana about the lease, 30 min\n- book flights (15 min)\n- busy 12:00-13:00\n";
const AT: &str = "2026-01-26T08:00:00-05:00";
const ZONE: &str = "America/Toronto";

/// The Python that has the SDK: beside the folder of the program in the target folder.
fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_steadfast")).ancestors().nth(2).unwrap();
    let python = target.join("python/bin/python");
    assert!(python.exists(), "the Python SDK of MCP is not installed\nhint: `cargo xtask python` installs it");
    python
}

const CHECK_IN: &str = "Done so far.\n\n<npl-block type=\"check-in\" task-id=\"task-123\">\nacceptance_criteria:\n  - ✅ Implements JWT authentication\n  \
    - ✅ Includes unit tests\n  - 🐛 Rate limiting has race condition\n  - ❓ OAuth scope needs clarification\nstatus: in_progress\n</npl-block>\n";

/// A session in which something was done.
const DONE: &str = concat!(
    r#"{"type":"user","sessionId":"s","uuid":"1","message":{"role":"user","content":"Fix it. Don't push."}}"#,
    "\n",
    r#"{"type":"assistant","sessionId":"s","uuid":"2","message":{"id":"a","role":"assistant","content":[{"type":"text","text":"The parser is fixed."}]}}"#,
    "\n",
);

/// A result that no command gives.
const GIVES: &str = "= ";

/// The store of the server, and the vault of the commands.
const STORE: &str = "kept/s.db";

/// A task whose prompts are picked.
const TASK: &str = "Create a 2-week content strategy and execution plan for a B2B AI newsletter.";

/// A task that was picked for before: what is said of its prompts moves nothing for the other.
const BEFORE: &str = "Debug␣a␣function␣that␣crashes.";

/// Calls, each with the command that must give the same, or with what it gives. `before` is what was picked before.
fn calls(before: &Value) -> Vec<(&'static str, Value, String)> {
    let steps = json!([
        {"task_id": "bread", "step": 0, "prompt": "List three ways to keep bread fresh.", "output": "A paper bag, a clay pot, the freezer."},
        {"task_id": "bread", "step": 1, "prompt": "List three ways to keep bread fresh.", "output": "The weather was fine: «12 °C»."},
    ]);
    let notes = json!({"context": NOTES, "current_time": AT, "timezone": ZONE});
    let plan = json!([{"task": "write the board report", "start": "12:00", "timebox_minutes": 90}]);
    let with = |name: &str, value: &Value| {
        let mut given = notes.clone();
        given[name] = value.clone();
        given
    };
    let at = format!("--at {AT} --tz {ZONE}");
    vec![
        ("audit", json!({"prompt": PROMPT, "report": REPORT}), "audit prompt.txt report.md --limit 10".to_owned()),
        ("audit", json!({"run": {"path": "run"}}), "audit run --limit 10".to_owned()),
        ("audit_lint", json!({"prompt": PROMPT}), "audit prompt.txt".to_owned()),
        ("audit_contract", json!({"prompt": PROMPT}), "audit contract prompt.txt".to_owned()),
        (
            "audit_undecided",
            json!({"prompt": PROMPT, "report": REPORT}),
            "audit undecided prompt.txt report.md".to_owned(),
        ),
        (
            "audit_compare",
            json!({"a": {"path": "a.json"}, "b": {"path": "b.json"}}),
            "audit compare a.json b.json".to_owned(),
        ),
        ("plan", notes.clone(), format!("plan context.md {at}")),
        ("plan_check", with("plan", &plan), format!("plan check context.md plan.json {at}")),
        ("plan_constraints", notes.clone(), format!("plan constraints context.md {at}")),
        ("watch", json!({"steps": steps}), "watch steps.jsonl".to_owned()),
        ("watch", json!({"steps": steps, "embedder": "lexical"}), "watch steps.jsonl --embedder lexical".to_owned()),
        (
            "watch_compare",
            json!({"a": {"name": "steps.jsonl", "steps": steps}, "b": {"name": "steps.jsonl", "steps": steps}, "embedder": "lexical"}),
            "watch compare steps.jsonl steps.jsonl --embedder lexical".to_owned(),
        ),
        ("evaluate_output", json!({"output": CHECK_IN}), "review output.md".to_owned()),
        (
            "evaluate_output",
            json!({"output": {"path": "output.md"}, "acceptance_criteria": ["JWT", "Rate limits"], "threshold": 0.7, "profile": "fixed"}),
            "review output.md --criteria criteria.txt --threshold 0.7 --profile fixed".to_owned(),
        ),
        (
            "review_undecided",
            json!({"session": {"path": "session.jsonl"}}),
            "review undecided --session session.jsonl".to_owned(),
        ),
        (
            "request_full_payload",
            json!({"task_id": "task-123"}),
            format!("{GIVES}{}", json!({"full_output": CHECK_IN})),
        ),
        (
            "flag_sequence_quality",
            json!({"task_id": "task-123", "quality": "good", "tags": ["auth"]}),
            format!("{GIVES}{}", json!({"success": true})),
        ),
        ("pick", json!({"task": TASK}), format!("pick {} --vault {STORE}", TASK.replace(' ', "␣"))),
        (
            "vault_search",
            json!({"query": "newsletter", "k": 5}),
            format!("vault search newsletter -k 5 --vault {STORE}"),
        ),
        (
            "feedback",
            json!({"trace_id": before["trace_id"], "verdict": "good"}),
            format!(
                "{GIVES}{}",
                json!({"schema_version": "1", "trace_id": before["trace_id"], "good": true, "prompt_ids": ids(before)})
            ),
        ),
        ("audit", json!({"prompt": PROMPT, "report": ""}), String::new()),
    ]
}

fn ids(picked: &Value) -> Vec<&Value> {
    picked["selected_prompts"].as_array().unwrap().iter().map(|it| &it["prompt_id"]).collect()
}

/// A folder with a vault, what was picked from it, and all that is called.
fn place() -> (Place, Vec<(&'static str, Value, String)>) {
    let place = Place::run();
    fs::create_dir(place.path("kept")).unwrap();
    place.steadfast(&format!("vault import --shipped --no-embed -q --vault {STORE}")).status(0);
    let before = place.steadfast(&format!("pick {BEFORE} --json --vault {STORE}")).status(0);
    let calls = calls(&serde_json::from_str(&before.stdout).unwrap());
    let sent: Vec<Value> = calls.iter().map(|(tool, arguments, _)| json!([tool, arguments])).collect();
    let of = |name: &str, member: &str| calls.iter().find(|(tool, ..)| *tool == name).unwrap().1[member].clone();
    let steps: String = of("watch", "steps").as_array().unwrap().iter().map(|step| format!("{step}\n")).collect();
    let place = place
        .with("prompt.txt", PROMPT)
        .with("report.md", REPORT)
        .with("context.md", NOTES)
        .with("output.md", CHECK_IN)
        .with("session.jsonl", DONE)
        .with("late.md", "# Seed library\n\nThe seed library opens within 9 months and costs 500 EUR.\n")
        .with("criteria.txt", "JWT\nRate limits\n")
        .with("plan.json", of("plan_check", "plan").to_string())
        .with("steps.jsonl", steps)
        .with("calls.json", Value::from(sent).to_string());
    let made = |report: &str| place.steadfast_with_model(&format!("audit prompt.txt {report} --json")).status(0).stdout;
    let (a, b) = (made("report.md"), made("late.md"));
    (place.with("a.json", a).with("b.json", b), calls)
}

/// The way to the server.
#[derive(Clone, Copy, PartialEq)]
enum Door {
    /// It is started by the client, and speaks over stdin and stdout.
    Stdio,
    /// It is there, and speaks HTTP.
    Http,
}

/// A server that is there.
struct Serving(Child, String);

impl Serving {
    fn start(place: &Place) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_steadfast"))
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--print-url",
                "--root",
                ".",
                "--tools",
                "all",
                "--store",
                STORE,
            ])
            .current_dir(place.root())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self(child, format!("{}/mcp", url.trim_end()))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A result without what differs from run to run. A selection's name also stands for the vault as it was, which feedback changes.
fn unstored(structured: &Value) -> Value {
    let mut structured = structured.clone();
    let members = structured.as_object_mut().unwrap();
    members.remove("run");
    if members.contains_key("selected_prompts") {
        members.remove("trace_id");
    }
    structured
}

#[track_caller]
fn driven(revision: &str, door: Door) {
    let (place, calls) = place();
    let serving = (door == Door::Http).then(|| Serving::start(&place));
    let server: &[&str] = match &serving {
        Some(Serving(_, url)) => &[url],
        None => &[env!("CARGO_BIN_EXE_steadfast"), "mcp", "--root", ".", "--tools", "all", "--store", STORE],
    };
    let output = Command::new(python())
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp_sdk/drive.py"))
        .args([revision, "calls.json"])
        .args(server)
        .current_dir(place.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let driven: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(driven["revision"], revision);
    assert_eq!(driven["server"], json!({"name": "steadfast", "version": env!("CARGO_PKG_VERSION")}));
    assert!(driven["instructions"].as_str().unwrap().contains("`audit`"));
    assert_eq!(driven["unknown_tool"], -32602);
    assert_eq!(driven["other_together"], json!([]));
    assert_eq!(driven["pinned"]["revision"], "2026-07-28");
    assert_eq!(unstored(&driven["pinned"]["structured"]), unstored(&driven["results"][0]["structured"]));
    let kept_nowhere =
        ["audit_lint", "audit_contract", "audit_undecided", "audit_compare", "review_undecided", "vault_search"];
    let stores =
        |tool: &str, command: &str| !command.is_empty() && !command.starts_with(GIVES) && !kept_nowhere.contains(&tool);
    let stored = calls.iter().filter(|(tool, _, command)| stores(tool, command)).count();
    // What was picked before is one as well.
    assert_eq!(driven["resources"], json!(stored * 2 + 1));
    assert_eq!(driven["templates"], json!(["steadfast://runs/{id}", "steadfast://tasks/{task_id}"]));
    assert_eq!((&driven["runs"], &driven["different_runs"]), (&json!(stored * 2), &json!(stored * 2)));

    let mut called: Vec<&str> = calls.iter().map(|(tool, ..)| *tool).collect();
    called.sort_unstable();
    called.dedup();
    assert_eq!(driven["tools"], json!(called), "every tool is driven");
    let results = driven["results"].as_array().unwrap();
    for (result, (tool, arguments, command)) in results.iter().zip(&calls) {
        if command.is_empty() {
            let why = &result["structured"]["not_evaluable"]["reason"];
            assert_eq!((&result["is_error"], why), (&json!(true), &json!("report_empty")), "{tool} {arguments}");
            assert_eq!(result["text"], json!(["error: report.md: the report is empty: nothing can be evaluated"]));
            continue;
        }
        let expect: Value = match command.strip_prefix(GIVES) {
            Some(gives) => serde_json::from_str(gives).unwrap(),
            None => {
                let end = place.steadfast_with_model(&format!("{command} --format json"));
                serde_json::from_str(&end.stdout).unwrap_or_else(|_| panic!("{command}: {end:?}"))
            }
        };
        assert_eq!(result["is_error"], false, "{tool} {arguments}: {result}");
        assert_eq!(unstored(&result["structured"]), unstored(&expect), "{tool} {arguments}");
        if *tool == "audit" {
            // A list of ten incidents, and a link to all of them.
            let whole = place.steadfast_with_model(&command.replace("--limit 10", "--json"));
            let whole: Value = serde_json::from_str(&whole.stdout).unwrap();
            assert_eq!(result["linked"], json!([[whole]]), "{arguments}");
        } else {
            assert_eq!(result["linked"], json!([]));
        }
    }
    // What the tools kept is there for the commands.
    let list = place.steadfast(&format!("runs list --store {STORE} --json --limit 1000")).status(0);
    let list: Value = serde_json::from_str(&list.stdout).unwrap();
    // The pinned client made one call, and two commands picked.
    assert_eq!(list["runs"].as_array().unwrap().len(), stored * 2 + 3);
    let export = place.steadfast(&format!("tasks export --store {STORE}")).status(0).stdout;
    let line: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    assert_eq!((&line["task_id"], &line["tags"]), (&json!("task-123"), &json!(["auth"])));
    assert_eq!(results.len(), calls.len());
}

#[test]
fn the_python_sdk_drives_all_tools_with_a_handshake() {
    driven("2025-11-25", Door::Stdio);
}

#[test]
fn the_python_sdk_drives_all_tools_without_a_handshake() {
    driven("2026-07-28", Door::Stdio);
}

#[test]
fn the_python_sdk_drives_all_tools_over_http_with_a_handshake() {
    driven("2025-11-25", Door::Http);
}

#[test]
fn the_python_sdk_drives_all_tools_over_http_without_a_handshake() {
    driven("2026-07-28", Door::Http);
}
