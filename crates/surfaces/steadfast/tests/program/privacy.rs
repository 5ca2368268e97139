//! Keeping less, as a whole program: a word goes through every path and is looked for in every byte that was written.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::mcp as session;
use std::fs;

use crate::common::serve::{Served, json_of};
use crate::common::{End, Place};
use serde_json::{Value, json};
use session::{NEW, Session};

/// A word that stands nowhere else.
const CANARY: &str = "qz7kv9wx";
const AT: &str = "2026-01-26T08:00:00-05:00";
const ZONE: &str = "America/Toronto";
const PLAN: &str = r#"[{"task": "call qz7kv9wx about the lease", "start": "12:00", "timebox_minutes": 90}]"#;

fn prompt() -> String {
    format!(
        "Plan a seed library for {CANARY}. It must open within 3 months. Do not use {CANARY}coin. Budget: 500 EUR.\n"
    )
}

fn report() -> String {
    format!(
        "# {CANARY} library\n\n{CANARY} opens within 9 months, pays in {CANARY}coin and costs 900 EUR. {CANARY} is certified.\n"
    )
}

fn notes() -> String {
    format!(
        "- [ ] write the {CANARY} report (90 min)\n- call {CANARY} about the lease, 30 min\n- busy 12:00-13:00 with {CANARY}\n- {CANARY} briefing 15:00-15:30\n"
    )
}

fn output() -> String {
    format!(
        "All of {CANARY} is done.\n\n<npl-reflection>\n- ✅ Reads {CANARY}\n- 🐛 Loses the last line of {CANARY}\n</npl-reflection>\n"
    )
}

fn step(number: u64) -> Value {
    json!({
        "task_id": "bread", "step": number, "agent": "baker",
        "prompt": format!("List ways to keep {CANARY} fresh. Banned words: {CANARY}bags."),
        "output": format!("{CANARY}: a clay pot, {CANARY}bags, number {number}."),
    })
}

fn steps() -> String {
    format!("{}\n{}\n{{\"{CANARY}\": no step}}\n", step(0), step(1))
}

/// A folder with inputs in `in`, a vault, and these settings.
fn place(settings: &str) -> Place {
    let place = Place::empty()
        .with("in/prompt.txt", prompt())
        .with("in/report.md", report())
        .with("in/notes.md", notes())
        .with("in/plan.json", PLAN)
        .with("in/output.md", output())
        .with("in/criteria.txt", format!("Reads {CANARY}\n"))
        .with("in/steps.jsonl", steps())
        .with("in/other.jsonl", steps().replace("clay pot", "paper bag"));
    place.steadfast("vault import --shipped --vault s.db --no-embed -q").status(0);
    place.with("steadfast.toml", settings)
}

/// What the command line says on stderr of all verbs that keep anything.
fn commands(place: &Place) -> String {
    let kept = "--store s.db --export jsonl:out/traces.jsonl";
    fs::create_dir_all(place.path("out")).unwrap();
    let verbs = [
        ("audit in/prompt.txt in/report.md".to_owned(), 0),
        (format!("plan in/notes.md --at {AT} --tz {ZONE}"), 0),
        (format!("plan check in/notes.md in/plan.json --at {AT} --tz {ZONE}"), 1),
        (format!("plan constraints in/notes.md --at {AT} --tz {ZONE}"), 0),
        ("watch in/steps.jsonl --embedder lexical".to_owned(), 0),
        ("watch compare in/steps.jsonl in/other.jsonl --embedder lexical".to_owned(), 0),
        ("review in/output.md --criteria in/criteria.txt".to_owned(), 0),
    ];
    let mut said = String::new();
    for (verb, status) in verbs {
        let End { status: own, stdout, stderr } = place.steadfast(&format!("{verb} {kept} --json"));
        assert!(own == status || (verb.starts_with("plan in") && own < 2), "{verb}: {own} {stderr}");
        let is_told = stdout.contains(CANARY) || verb.starts_with("watch compare");
        assert!(is_told, "the caller has the answer as it is: {verb}");
        said += &stderr;
    }
    let picked = place.steadfast(&format!(
        "pick Look␣back␣over␣{CANARY}␣and␣my␣week --vault s.db --export jsonl:out/traces.jsonl --json"
    ));
    said += &picked.status(0).stderr;
    said
}

/// What a server says on stderr of all routes that keep anything.
fn requests(place: &Place) -> String {
    let server = Served::start(place, "--store s.db --embedder lexical --export jsonl:out/served.jsonl");
    let post = |path: &str, body: &Value| json_of(&server.post(path, body), 200);
    let audit = post("/api/audit", &json!({"prompt": prompt(), "report": report()}));
    assert!(audit.to_string().contains(CANARY));
    let at = json!({"context": notes(), "current_time": AT, "timezone": ZONE});
    post("/api/plan", &at);
    post("/api/plan/constraints", &at);
    let mut check = at;
    check["plan"] = serde_json::from_str(PLAN).unwrap();
    post("/api/plan/check", &check);
    post("/api/watch", &json!({"embedder": "lexical", "log": steps()}));
    let arms = json!({"embedder": "lexical", "a": {"log": steps()}, "b": {"log": steps()}});
    server.post("/api/watch/compare", &arms);
    let review = post("/api/review", &json!({"output": output(), "acceptance_criteria": [format!("Reads {CANARY}")]}));
    post("/api/pick", &json!({"task": format!("Look back over {CANARY} and my week"), "at": "2026-01-26"}));
    let live = post("/api/trajectories/bread/steps", &json!([step(0), step(1)]));
    assert!(live["steps"][1]["scores"]["ids"].is_number(), "{live}");
    post("/api/trajectories/later/steps?score=false", &json!({"prompt": prompt(), "output": report()}));
    let later = || json_of(&server.get("/api/trajectories/later"), 200)["steps"][0]["scores"].clone();
    while later().is_null() {
        std::thread::yield_now();
    }
    assert!(later()["anchor_ids"].is_number(), "{}", later());
    post("/v1/traces", &spans());
    json_of(&server.post("/api/jobs", &json!({"pairs": [{"prompt": prompt(), "report": report()}]})), 202);
    while json_of(&server.get("/api/jobs"), 200)["jobs"][0]["state"] != "done" {
        std::thread::yield_now();
    }
    // What cannot be used is told to the caller alone.
    server.post("/api/audit", &json!({ CANARY: prompt() }));
    server.post_as("/api/plan", "application/json", format!("{{\"{CANARY}").as_bytes());
    // What is shown of it is what is kept.
    for page in ["/api/runs?limit=100", "/api/tasks", "/api/trajectories", "/api/trajectories/bread", "/metrics"] {
        let reply = server.get(page);
        assert_eq!((reply.status, reply.text().contains(CANARY)), (200, false), "{page}: {}", reply.text());
    }
    let run = format!("/runs/{}", audit["run"]["id"].as_str().unwrap());
    assert_eq!((server.get(&run).status, server.get(&run).text().contains(CANARY)), (200, false));
    let task = format!("/api/tasks/{}", review["task_id"].as_str().unwrap());
    assert!(!json_of(&server.get(&task), 200).to_string().contains(CANARY));
    searched(place);
    server.stop("TERM")
}

fn spans() -> Value {
    let messages =
        |role: &str, text: &str| json!([{"role": role, "parts": [{"type": "text", "content": text}]}]).to_string();
    let attributes: Vec<Value> = [
        ("gen_ai.operation.name", "chat".to_owned()),
        ("gen_ai.conversation.id", "spans".to_owned()),
        ("gen_ai.input.messages", messages("user", &prompt())),
        ("gen_ai.output.messages", messages("assistant", &report())),
        ("anything.else", CANARY.to_owned()),
    ]
    .into_iter()
    .map(|(key, text)| json!({"key": key, "value": {"stringValue": text}}))
    .collect();
    let span = json!({
        "traceId": format!("{:032x}", 7), "spanId": format!("{:016x}", 1), "startTimeUnixNano": "1", "attributes": attributes,
    });
    json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
}

/// What the MCP server says on stderr.
fn tools(place: &Place) -> String {
    let arguments = ["--store", "s.db", "--export", "jsonl:out/mcp.jsonl"];
    let mut session = Session::start(place, &arguments, NEW);
    for (tool, arguments) in [
        ("audit", json!({"prompt": prompt(), "report": report()})),
        ("plan", json!({"context": notes(), "current_time": AT, "timezone": ZONE})),
        ("watch", json!({"log": steps(), "embedder": "lexical"})),
        ("evaluate_output", json!({"output": output()})),
        ("pick", json!({"task": format!("Look back over {CANARY} and my week")})),
    ] {
        let answer = session.call(tool, arguments);
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    session.call("audit", json!({ CANARY: CANARY }));
    session.end()
}

/// Looks through every byte that was written, log and companions included.
fn searched(place: &Place) {
    for name in place.files() {
        if name.starts_with("in/") || name == "steadfast.toml" {
            continue;
        }
        let bytes = fs::read(place.path(&name)).unwrap().to_ascii_lowercase();
        let found = bytes.windows(CANARY.len()).position(|own| own == CANARY.as_bytes());
        if let Some(at) = found {
            let shown =
                String::from_utf8_lossy(&bytes[at.saturating_sub(300)..(at + 60).min(bytes.len())]).into_owned();
            panic!("{name}: {shown}");
        }
    }
}

#[track_caller]
fn check(settings: &str) -> Place {
    let place = place(settings);
    let said = commands(&place) + &requests(&place) + &tools(&place);
    assert!(!said.contains(CANARY), "{said}");
    place.steadfast("backup out/copy.db --store s.db").status(0);
    place.steadfast("runs export --store s.db -o out/runs.jsonl").status(0);
    let tasks = place.steadfast("tasks list --store s.db --json").status(0);
    assert!(!tasks.stdout.contains(CANARY));
    searched(&place);
    place
}

#[test]
fn where_nothing_of_texts_is_kept_no_byte_of_them_is() {
    let place = check("[privacy]\ncapture = \"none\"\n");
    // Verdicts, figures and ids are.
    let runs = place.read("out/runs.jsonl");
    assert!(runs.contains("\"verdict\":\"risk ") && runs.contains("\"severity\":"), "{runs}");
    assert!(runs.contains("[not kept]") && !runs.contains("hmac-sha256"), "{runs}");
    let tasks: Value = serde_json::from_str(&place.steadfast("tasks list --store s.db --json").stdout).unwrap();
    let task = tasks["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let shown: Value =
        serde_json::from_str(&place.steadfast(&format!("tasks show {task} --store s.db --json")).stdout).unwrap();
    assert_eq!(shown["messages"][0]["content"], "[not kept]");
    let mut session = Session::start(&place, &["--store", "s.db"], NEW);
    session.refused(
        "request_full_payload",
        json!({"task_id": task}),
        "input",
        &format!(
            "error: the output of task `{task}` is not kept whole\nhint: `capture` of `[privacy]` in the settings says what is kept of texts"
        ),
    );
    session.end();
}

#[test]
fn where_hashes_are_kept_the_same_text_is_known_again() {
    let place = check("[privacy]\ncapture = \"hash\"\n");
    let runs = place.read("out/runs.jsonl");
    let hashes: Vec<&str> = runs.match_indices("[hmac-sha256:").map(|(at, _)| &runs[at..at + 78]).collect();
    let distinct: std::collections::BTreeSet<&&str> = hashes.iter().collect();
    assert!(distinct.len() > 10 && hashes.len() > distinct.len(), "{} of {}", distinct.len(), hashes.len());
}

#[test]
fn what_is_redacted_is_nowhere_and_all_else_is() {
    let place = check("[privacy]\nredact = [\"email\"]\n[privacy.patterns]\ncanary = \"(?i)qz7kv9wx\"\n");
    let runs = place.read("out/runs.jsonl");
    assert!(runs.contains("[redacted:canary] opens within 9 months"), "{runs}");
    assert!(place.read("out/traces.jsonl").contains("[redacted:canary]"));
    let said = named(&place);
    assert!(!said.contains(CANARY), "{said}");
    searched(&place);
}

/// Names that somebody gives: whose work a run is about, in which respects a task is an example; and what rules say of them.
fn named(place: &Place) -> String {
    let kept = "--store s.db --export jsonl:out/traces.jsonl";
    let agent = format!("{CANARY}@example.org");
    let settings = "[[alerts.rules]]\nname = \"any\"\nmetric = \"review_score\"\nbelow = 2\nto = [\"fails\"]\n\
        [alerts.commands.fails]\nargv = [\"sh\", \"-c\", \"cat >&2; exit 1\"]\n";
    fs::write(place.path("steadfast.toml"), place.read("steadfast.toml") + settings).unwrap();
    let server = Served::start(place, "--store s.db --embedder lexical --export jsonl:out/served.jsonl");
    let review = place.steadfast(&format!("review in/output.md --agent {agent} {kept} --json"));
    let task = serde_json::from_str::<Value>(&review.stdout).unwrap()["task_id"].as_str().unwrap().to_owned();
    let flagged = place.steadfast(&format!("tasks flag {task} bad --tag {agent} --store s.db")).status(0);
    post_review(&server, &agent);
    let told = || json_of(&server.get("/api/alerts/history"), 200)["notices"].clone();
    while !told().as_array().unwrap().iter().any(|own| own["deliveries"][0]["state"] == "failed") {
        std::thread::yield_now();
    }
    let listed = json_of(&server.get(&format!("/api/runs?agent={agent}")), 200);
    assert_eq!(listed["runs"].as_array().unwrap().len(), 2, "a request by the whole name finds the same runs");
    for page in ["/api/alerts", "/api/alerts/history", "/alerts", "/", "/runs", "/metrics"] {
        assert!(!server.get(page).text().contains(CANARY), "{page}");
    }
    let tasks = place.steadfast(&format!("tasks show {task} --store s.db")).status(0);
    assert!(tasks.stdout.contains("[redacted:") && !tasks.stdout.contains(CANARY), "{}", tasks.stdout);
    review.stderr + &flagged.stderr + &server.stop("TERM")
}

fn post_review(server: &Served, agent: &str) {
    let body = json!({"output": output(), "agent": agent});
    assert!(json_of(&server.post("/api/review", &body), 200)["run"].is_object());
}

#[test]
fn of_a_preview_the_beginning_is_kept() {
    let place = place("[privacy]\ncapture = \"preview\"\n");
    let long =
        format!("<npl-reflection>\n- ✅ Reads the file\n</npl-reflection>\n{}{CANARY}\n", "and more ".repeat(40));
    place.steadfast_with("review - --store s.db -q", long.as_bytes()).status(0);
    searched(&place);
    let runs = place.steadfast("runs export --store s.db").stdout;
    assert!(runs.contains("Reads the file"), "{runs}");
}

#[test]
fn steps_are_scored_though_their_texts_are_not_kept_and_a_server_that_begins_anew_goes_on() {
    let place = place("[privacy]\ncapture = \"none\"\n");
    let open = Place::empty();
    let score = |place: &Place, settings: &str| {
        let server = Served::start(place, &format!("--store s.db --embedder lexical {settings}"));
        let taken = json_of(&server.post("/api/trajectories/bread/steps", &json!([step(0), step(1), step(2)])), 200);
        server.stop("TERM");
        let figures = |own: &Value| {
            let scores = &own["scores"];
            let broken = scores["broken"].as_array().unwrap().len();
            (scores["ids"].clone(), scores["anchor_ids"].clone(), scores["update_type"].clone(), broken)
        };
        taken["steps"].as_array().unwrap().iter().map(figures).collect::<Vec<_>>()
    };
    assert_eq!(score(&place, ""), score(&open, ""), "scores do not depend on what is kept");
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let taken = json_of(&server.post("/api/trajectories/bread/steps", &step(3)), 200);
    assert!(taken["steps"][0]["number"] == 3 && taken["steps"][0]["scores"]["ids"].is_number(), "{taken}");
    let kept = json_of(&server.get("/api/trajectories/bread"), 200);
    let ids: Vec<bool> =
        kept["steps"].as_array().unwrap().iter().map(|own| own["scores"]["anchor_ids"].is_number()).collect();
    assert_eq!(ids, [true; 4], "{kept}");
    server.stop("TERM");
}

#[test]
fn settings_that_cannot_be_are_refused_before_anything_is_kept() {
    for (settings, said) in [
        (
            "redact = [\"emails\"]",
            "`privacy.redact`: `emails`: is no pattern that is known by its name: those are email, ip, key, phone",
        ),
        ("patterns = { a = \"(\" }", "`privacy.patterns`: `a`: is no regular expression: unclosed group"),
        ("patterns = { a = \"x*\" }", "`privacy.patterns`: `a`: matches what is empty"),
        ("retain_days = 0", "`privacy.retain_days`: 0 is no time to keep something"),
    ] {
        let place = Place::pair().with("steadfast.toml", format!("[privacy]\n{settings}\n"));
        let end = place.steadfast("audit prompt.txt report.md --store s.db").status(2);
        assert!(end.stderr.starts_with(&format!("error: steadfast.toml: {said}")), "{}", end.stderr);
        assert_eq!(place.files(), ["prompt.txt", "report.md", "steadfast.toml"]);
        // Where nothing is kept or told the file is not read.
        place.steadfast("audit prompt.txt report.md -q").status(0);
    }
}
