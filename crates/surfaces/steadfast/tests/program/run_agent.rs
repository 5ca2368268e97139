//! Whose work a run is about, as a whole program: said at every door, kept, listed, counted.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Place;
use crate::common::mcp as session;
use crate::common::serve::{Served, json_of};
use serde_json::{Value, json};
use session::{NEW, Session};

const REPORT: &str = "# Seed library\n\nIt opens within 9 months and costs 900 EUR.\n";
const NOTES: &str = "- write the report (90 min)\n";
const AT: &str = "2026-01-26T08:00:00-05:00";
const OUTPUT: &str = "<npl-reflection>\n- ✅ Reads the file\n</npl-reflection>\n";

fn agents(list: &Value) -> Vec<String> {
    let of = |run: &Value| format!("{} {}", run["verb"], run["agent"]).replace('"', "");
    let mut all: Vec<String> = list["runs"].as_array().unwrap().iter().map(of).collect();
    all.sort();
    all
}

#[test]
fn an_agent_is_said_at_every_door_and_stands_with_the_run_alone() {
    let place = Place::empty()
        .with("prompt.txt", crate::common::PROMPT)
        .with("report.md", REPORT)
        .with("notes.md", NOTES)
        .with("plan.json", r#"[{"task": "write the report", "start": "12:00", "timebox_minutes": 90}]"#)
        .with("output.md", OUTPUT);
    let at = format!("--at {AT} --tz America/Toronto");
    for verb in [
        "audit prompt.txt report.md --agent cli".to_owned(),
        format!("plan notes.md {at} --agent cli"),
        "review output.md --agent cli".to_owned(),
    ] {
        let with = place.steadfast(&format!("{verb} --store s.db --json")).stdout;
        let without = place.steadfast(&verb.replace(" --agent cli", " --json")).stdout;
        let (mut with, without): (Value, Value) =
            (serde_json::from_str(&with).unwrap(), serde_json::from_str(&without).unwrap());
        assert!(with.as_object_mut().unwrap().remove("run").is_some());
        assert_eq!(with, without, "no result depends on it: {verb}");
    }
    place.steadfast(&format!("plan check notes.md plan.json {at} --agent cli --store s.db -q"));
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let post = |path: &str, body: &Value| json_of(&server.post(path, body), 200);
    let notes = json!({"context": NOTES, "current_time": AT, "timezone": "America/Toronto", "agent": "http"});
    post("/api/audit", &json!({"prompt": crate::common::PROMPT, "report": REPORT, "agent": "http"}));
    post("/api/plan", &notes);
    let mut check = notes.clone();
    check["plan"] = json!([{"task": "write the report", "start": "12:00", "timebox_minutes": 90}]);
    post("/api/plan/check", &check);
    post("/api/review", &json!({"output": OUTPUT, "agent": "http"}));
    let pairs = json!([
        {"prompt": crate::common::PROMPT, "report": REPORT, "agent": "job"},
        {"prompt": crate::common::PROMPT, "report": crate::common::REPORT},
    ]);
    json_of(&server.post("/api/jobs", &json!({ "pairs": pairs })), 202);
    while json_of(&server.get("/api/jobs"), 200)["jobs"][0]["state"] != "done" {
        std::thread::yield_now();
    }
    let mut session = Session::start(&place, &["--store", "s.db"], NEW);
    for (tool, arguments) in [
        ("audit", json!({"prompt": crate::common::PROMPT, "report": REPORT, "agent": "mcp"})),
        ("plan", json!({"context": NOTES, "current_time": AT, "timezone": "America/Toronto", "agent": "mcp"})),
        ("plan_check", check_of(&check)),
        ("evaluate_output", json!({"output": OUTPUT, "agent": "mcp"})),
    ] {
        let answer = session.call(tool, arguments);
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    session.end();

    for door in ["cli", "http", "mcp"] {
        let list: Value = serde_json::from_str(
            &place.steadfast(&format!("runs list --agent {door} --store s.db --json")).status(0).stdout,
        )
        .unwrap();
        let verbs = ["audit", "plan check", "plan", "review"].map(|verb| format!("{verb} {door}"));
        assert_eq!(agents(&list), verbs, "{list}");
        assert_eq!(agents(&json_of(&server.get(&format!("/api/runs?agent={door}")), 200)), verbs);
        // All of them say by which rules they were made.
        let first = &list["runs"][0]["rules_version"];
        assert!(first.is_string() && list["runs"].as_array().unwrap().iter().all(|run| run["rules_version"] == *first));
    }
    let audits = agents(&json_of(&server.get("/api/runs?verb=audit"), 200));
    assert_eq!(audits, ["audit cli", "audit http", "audit job", "audit mcp", "audit null"]);
    assert!(place.steadfast("runs list --store s.db").stdout.contains("  by cli\n"));

    // Pages, gauges and the summary tell them apart.
    let page = server.get("/runs?agent=job").text();
    assert_eq!(page.matches("<tr><th scope=\"row\">").count(), 1, "{page}");
    let metrics = server.get("/metrics").text();
    for line in [
        "steadfast_agent_audits{agent=\"job\"} 1",
        "steadfast_agent_audits_broken{agent=\"job\"} 1",
        "steadfast_agent_audits_broken_ratio{agent=\"job\"} 1",
        "steadfast_agent_audits{agent=\"\"} 1",
        "steadfast_agent_audits_broken_ratio{agent=\"\"} 0",
    ] {
        assert!(metrics.contains(&format!("{line}\n")), "{line}: {metrics}");
    }
    let summary = place.steadfast("store summary --weeks 1 --store s.db --json").status(0).stdout;
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let of = |own: &Value| (own["agent"].clone(), own["runs"].clone());
    let weeks: Vec<(Value, Value)> = summary["weeks"][0]["agents"].as_array().unwrap().iter().map(of).collect();
    let names = [Value::Null, json!("cli"), json!("http"), json!("job"), json!("mcp")];
    assert_eq!(weeks.iter().map(|(agent, _)| agent.clone()).collect::<Vec<_>>(), names, "{summary}");
}

fn check_of(body: &Value) -> Value {
    let mut own = body.clone();
    own["agent"] = json!("mcp");
    own
}

#[test]
fn what_is_no_name_is_refused_at_every_door() {
    let place = Place::empty().with("prompt.txt", crate::common::PROMPT).with("report.md", REPORT);
    let long = "x".repeat(513);
    let end = place.steadfast(&format!("audit prompt.txt report.md --agent {long}")).status(2);
    assert!(end.stderr.contains("the name of an agent has 1 to 512 bytes"), "{}", end.stderr);
    place.steadfast(&format!("audit prompt.txt report.md --agent {} -q", &long[1..])).status(0);
    let server = Served::start(&place, "--store s.db --embedder lexical");
    for name in ["", "a\nb", &long] {
        let body = json!({"prompt": crate::common::PROMPT, "report": REPORT, "agent": name});
        let problem = json_of(&server.post("/api/audit", &body), 422);
        assert!(problem["detail"].as_str().unwrap().contains("1 to 512 bytes"), "{problem}");
        let job = json!({"pairs": [{"prompt": crate::common::PROMPT, "report": REPORT, "agent": name}]});
        let problem = json_of(&server.post("/api/jobs", &job), 422);
        assert_eq!(problem["pointer"], "/pairs/0/agent", "{problem}");
    }
}
