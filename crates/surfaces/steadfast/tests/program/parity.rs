//! One request, four doors, one answer: `--format json`, the body of the HTTP answer, `structuredContent` of the MCP server, and what was stored
//! of it are the same in the form of RFC 8785, but for `run`; and what cannot be answered is refused in the same words.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod texts;

use crate::common::mcp as session;
use std::collections::BTreeSet;

use crate::common::serve::Served;
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, Session};
use texts::{
    AT, DRIFTED, EVIDENCE, NOTES, OPEN, OUTPUT, PLAN, PROPOSALS, REVIEW_PROPOSALS, SESSION, SESSION_PROPOSALS, STEPS,
    TEAM, ZONE, reading,
};

/// A request as each door takes it.
struct Request {
    /// The arguments of the command, without `--format json`.
    command: Vec<String>,
    /// Path and body of the HTTP request.
    path: &'static str,
    body: Value,
    /// Tool and arguments; `None` where the MCP server has no tool for it.
    tool: Option<(&'static str, Value)>,
    /// Whether the answer is stored whole.
    is_stored: bool,
}

/// `command` is parted at its spaces; what stands in `quotes` takes the places of its `?`.
fn request(command: &str, quotes: &[&str], path: &'static str, body: Value, tool: &'static str) -> Request {
    let mut quotes = quotes.iter();
    let part = |part: &str| if part == "?" { (*quotes.next().unwrap()).to_owned() } else { part.to_owned() };
    let command: Vec<String> = command.split(' ').map(part).collect();
    let tool = (!tool.is_empty()).then(|| (tool, body.clone()));
    Request { command, path, body, tool, is_stored: true }
}

impl Request {
    /// The MCP tool takes these beside, or these for others.
    fn tool_with(mut self, more: Value) -> Self {
        let (_, arguments) = self.tool.as_mut().unwrap();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self
    }

    /// Only a page is given; what is stored is whole.
    fn paged(self) -> Self {
        Self { is_stored: false, ..self }
    }

    fn unstored(self) -> Self {
        Self { is_stored: false, ..self }
    }
}

fn place() -> Place {
    let place = Place::pair()
        .with("drifted/report.md", DRIFTED)
        .with("a/other.md", DRIFTED)
        .with("proposals.json", PROPOSALS)
        .with("review-proposals.json", REVIEW_PROPOSALS)
        .with("session-proposals.json", SESSION_PROPOSALS)
        .with("context.md", NOTES)
        .with("prose/context.md", "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm.")
        .with("plan.json", PLAN)
        .with("reading.json", reading().to_string())
        .with("open/context.md", OPEN)
        .with("team.ics", TEAM)
        .with("other/team.ics", TEAM.replace("Board call", "Other call"))
        .with("steps.jsonl", STEPS)
        .with("plain/steps.jsonl", STEPS.replace("no step\n", ""))
        .with("a.jsonl", STEPS.replace("no step\n", ""))
        .with("b.jsonl", STEPS.replace("no step\n", "").replace("A paper bag", "A plastic bag"))
        .with("output.md", OUTPUT)
        .with("plain/output.md", "No block.")
        .with("session.jsonl", SESSION)
        .with("evidence-1.txt", EVIDENCE)
        .with("criteria.txt", "- Reads the file\n- Writes it\n");
    place.steadfast("vault import --shipped --vault s.db --no-embed -q").status(0);
    place
}

/// Answers to calls of tools, one after the other.
fn tools(place: &Place, calls: &[(&str, Value)]) -> Vec<Value> {
    let mut session = Session::start(place, &["--store", "s.db"], NEW);
    let answers =
        calls.iter().map(|(tool, arguments)| session.call(tool, arguments.clone())["result"].clone()).collect();
    session.end();
    answers
}

/// JSON in the form of RFC 8785.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
            let members: Vec<String> =
                members.into_iter().map(|(name, value)| format!("{}:{}", json!(name), canonical(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            // Beyond these ECMAScript writes exponents, which no answer of these tests has.
            assert!(number == 0.0 || (1e-6..1e21).contains(&number.abs()), "{number}");
            format!("{}", if number == 0.0 { 0.0 } else { number })
        }
        // Strings, and whole numbers, are written so in any case.
        other => other.to_string(),
    }
}

/// The form of RFC 8785 without `run`, and the id of the run.
#[track_caller]
fn apart(mut answer: Value) -> (String, Option<String>) {
    let run = answer.as_object_mut().unwrap_or_else(|| panic!("no object")).remove("run");
    (canonical(&answer), run.map(|run| run["id"].as_str().unwrap().to_owned()))
}

fn requests() -> Vec<Request> {
    let audit = |report: &str| json!({"prompt": PROMPT, "report": report});
    let all = json!({"limit": 1000});
    let notes = |context: &str| json!({"context": context, "current_time": AT, "timezone": ZONE});
    let at = format!("--at {AT} --tz {ZONE}");
    let with = |value: Value, more: Value| {
        let mut value = value;
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    };
    let prose = "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm.";
    let plan: Value = serde_json::from_str(PLAN).unwrap();
    let steps: Vec<Value> = STEPS.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let other: Vec<Value> = STEPS
        .replace("A paper bag", "A plastic bag")
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let lexical = |more: Value| with(json!({"embedder": "lexical"}), more);
    let criteria = json!(["Reads the file", "Writes it"]);
    let proposals: Value = serde_json::from_str(PROPOSALS).unwrap();
    let team = json!({"name": "team.ics", "text": TEAM});
    let teams = json!([team, {"name": "team.ics", "text": TEAM.replace("Board call", "Other call")}]);
    vec![
        request("audit prompt.txt", &[], "/api/audit/lint", json!({"prompt": PROMPT}), "audit_lint").unstored(),
        request("audit prompt.txt report.md", &[], "/api/audit", audit(REPORT), "audit").tool_with(all.clone()),
        request("audit prompt.txt drifted/report.md", &[], "/api/audit", audit(DRIFTED), "audit")
            .tool_with(all.clone()),
        request(
            "audit prompt.txt drifted/report.md --limit 1 --min-severity 2",
            &[],
            "/api/audit",
            with(audit(DRIFTED), json!({"limit": 1, "min_severity": 2})),
            "audit",
        )
        .paged(),
        request(
            "audit prompt.txt report.md a/other.md --fail-on broken --fail-on unassessed --fail-below 4.5",
            &[],
            "/api/audit",
            json!({
                "prompt": PROMPT,
                "report": [{"name": "report.md", "text": REPORT}, {"name": "other.md", "text": DRIFTED}],
                "fail_on": ["broken", "unassessed"],
                "fail_below": 4.5,
            }),
            "audit",
        )
        .tool_with(all.clone()),
        request("audit contract prompt.txt", &[], "/api/audit/contract", json!({"prompt": PROMPT}), "audit_contract")
            .unstored(),
        request("audit undecided prompt.txt report.md", &[], "/api/audit/undecided", audit(REPORT), "audit_undecided")
            .unstored(),
        request(
            "audit prompt.txt drifted/report.md --proposals proposals.json --usable-share 0.5",
            &[],
            "/api/audit",
            with(audit(DRIFTED), json!({"proposals": proposals, "usable_share": 0.5})),
            "audit",
        )
        .tool_with(all.clone()),
        request(&format!("plan context.md {at}"), &[], "/api/plan", notes(NOTES), "plan"),
        request(&format!("plan prose/context.md {at}"), &[], "/api/plan", notes(prose), "plan"),
        request(
            &format!("plan open/context.md {at} --answer q50=6"),
            &[],
            "/api/plan",
            with(notes(OPEN), json!({"answers": [{"id": "q50", "answer": "6"}]})),
            "plan",
        ),
        request(
            &format!("plan open/context.md {at} --constraints reading.json"),
            &[],
            "/api/plan",
            with(notes(OPEN), json!({"constraints": reading()})),
            "plan",
        ),
        request(
            &format!("plan context.md {at} --variant v1_naive --preferences hard"),
            &[],
            "/api/plan",
            with(notes(NOTES), json!({"variant": "v1_naive", "preferences": "hard"})),
            "plan",
        ),
        request(
            &format!("plan context.md {at} --calendar team.ics"),
            &[],
            "/api/plan",
            with(notes(NOTES), json!({"calendars": [team]})),
            "plan",
        ),
        request(
            &format!("plan context.md {at} --calendar team.ics --calendar other/team.ics --from plan.json --done 2"),
            &[],
            "/api/plan",
            with(notes(NOTES), json!({"calendars": teams, "from": plan, "done": [2]})),
            "plan",
        ),
        request(
            &format!("plan check context.md plan.json {at}"),
            &[],
            "/api/plan/check",
            with(notes(NOTES), json!({"plan": plan})),
            "plan_check",
        ),
        request(
            &format!("plan check context.md plan.json {at} --calendar team.ics --calendar other/team.ics"),
            &[],
            "/api/plan/check",
            with(notes(NOTES), json!({"plan": plan, "calendars": teams})),
            "plan_check",
        ),
        request(
            &format!("plan check prose/context.md plan.json {at} --preferences hard"),
            &[],
            "/api/plan/check",
            with(notes(prose), json!({"plan": plan, "preferences": "hard"})),
            "plan_check",
        ),
        request(
            &format!("plan constraints context.md {at}"),
            &[],
            "/api/plan/constraints",
            notes(NOTES),
            "plan_constraints",
        ),
        request(
            &format!("plan constraints context.md {at} --calendar team.ics --calendar other/team.ics"),
            &[],
            "/api/plan/constraints",
            with(notes(NOTES), json!({"calendars": teams})),
            "plan_constraints",
        ),
        request(
            &format!("plan constraints prose/context.md {at}"),
            &[],
            "/api/plan/constraints",
            notes(prose),
            "plan_constraints",
        ),
        request("watch steps.jsonl --embedder lexical", &[], "/api/watch", lexical(json!({"log": STEPS})), "watch"),
        request(
            "watch steps.jsonl --embedder lexical --alert 0.5",
            &[],
            "/api/watch",
            lexical(json!({"log": STEPS, "alert": 0.5})),
            "watch",
        ),
        request(
            "watch plain/steps.jsonl --embedder lexical --aggregate max-sentence",
            &[],
            "/api/watch",
            lexical(json!({"steps": steps, "aggregate": "max-sentence"})),
            "watch",
        ),
        request(
            "watch compare a.jsonl b.jsonl --embedder lexical",
            &[],
            "/api/watch/compare",
            lexical(json!({"a": {"steps": steps}, "b": {"steps": other}})),
            "",
        ),
        request("review output.md", &[], "/api/review", json!({"output": OUTPUT}), "evaluate_output"),
        request(
            "review output.md --proposals review-proposals.json",
            &[],
            "/api/review",
            json!({"output": OUTPUT, "proposals": serde_json::from_str::<Value>(REVIEW_PROPOSALS).unwrap()}),
            "evaluate_output",
        ),
        request("review --session session.jsonl", &[], "/api/review", json!({"session": SESSION}), "evaluate_output"),
        request(
            "review --session session.jsonl --proposals session-proposals.json",
            &[],
            "/api/review",
            json!({"session": SESSION, "proposals": serde_json::from_str::<Value>(SESSION_PROPOSALS).unwrap()}),
            "evaluate_output",
        ),
        request(
            "review undecided --session session.jsonl",
            &[],
            "/api/review/undecided",
            json!({"session": SESSION}),
            "review_undecided",
        )
        .unstored(),
        request(
            "review undecided --session session.jsonl output.md --cursor 1",
            &[],
            "/api/review/undecided",
            json!({"session": SESSION, "output": OUTPUT, "cursor": "1"}),
            "review_undecided",
        )
        .unstored(),
        request(
            "review output.md --session session.jsonl --evidence evidence-1.txt",
            &[],
            "/api/review",
            json!({"output": OUTPUT, "session": SESSION, "evidence": EVIDENCE}),
            "evaluate_output",
        ),
        request("review plain/output.md", &[], "/api/review", json!({"output": "No block."}), "evaluate_output"),
        request(
            "review output.md --threshold .1 --criteria criteria.txt --profile fixed",
            &[],
            "/api/review",
            json!({"output": OUTPUT, "threshold": 0.1, "acceptance_criteria": criteria, "profile": "fixed"}),
            "evaluate_output",
        ),
        request(
            "pick ? --vault s.db --at 2026-01-26",
            &["Look back over my week"],
            "/api/pick",
            json!({"task": "Look back over my week", "at": "2026-01-26"}),
            "pick",
        ),
        request(
            "pick ? --vault s.db --at 2026-01-26 --explain --filter stage=execute --operating-point seed --rank rules",
            &["Write a launch email for a seed library"],
            "/api/pick",
            json!({"task": "Write a launch email for a seed library", "at": "2026-01-26", "explain": true, "filter": ["stage=execute"], "operating_point": "seed", "rank": "rules"}),
            "pick",
        ),
        request(
            "vault search ? --vault s.db -k 3",
            &["launch email"],
            "/api/vault/search",
            json!({"query": "launch email", "k": 3}),
            "vault_search",
        )
        .unstored(),
        request(
            "vault search ? --vault s.db --exclude status=retired",
            &["what went well this week"],
            "/api/vault/search",
            json!({"query": "what went well this week", "exclude": ["status=retired"]}),
            "vault_search",
        )
        .unstored(),
    ]
}

#[test]
fn one_request_has_one_answer_at_four_doors() {
    let place = place();
    let server = Served::start(&place, "--store s.db");
    let requests = requests();
    let calls: Vec<(&str, Value)> = requests.iter().filter_map(|request| request.tool.clone()).collect();
    let mut told = tools(&place, &calls).into_iter();
    let mut called = BTreeSet::new();
    for request in &requests {
        let what = request.command.join(" ");
        called.insert(request.path);
        let mut command: Vec<&str> = request.command.iter().map(String::as_str).collect();
        command.extend(["--format", "json"]);
        let end = place.run_with(&command, b"");
        let printed: Value =
            serde_json::from_str(&end.stdout).unwrap_or_else(|error| panic!("{what}: {error}: {end:?}"));
        let (expect, _) = apart(printed);

        let reply = server.post(request.path, &request.body);
        assert_eq!(reply.status, 200, "{what}: {}", reply.text());
        let (body, run) = apart(reply.json());
        assert_eq!(body, expect, "HTTP: {what}");
        let keeps = !["/api/vault", "/api/audit/", "/api/review/"].iter().any(|own| request.path.starts_with(own));
        assert_eq!(run.is_some(), keeps, "{what}");
        let mut runs = Vec::from_iter(run);
        if request.is_stored {
            let stored = server.get(&format!("/api/runs/{}/result", runs[0]));
            assert_eq!(stored.text(), reply.text(), "the bytes of what was stored: {what}");
        }
        if request.tool.is_some() {
            let result = told.next().unwrap();
            assert_eq!(result["isError"], false, "{what}: {result}");
            let (structured, run) = apart(result["structuredContent"].clone());
            assert_eq!(structured, expect, "MCP: {what}");
            runs.extend(run);
        }
        for run in runs.iter().filter(|_| request.is_stored) {
            let stored = server.get(&format!("/api/runs/{run}/result"));
            assert_eq!(apart(stored.json()), (expect.clone(), Some(run.clone())), "stored: {what}");
        }
    }
    assert_eq!(called.len(), 13, "every instrument, what stands beside audits and reviews, and the search");
    server.stop("TERM");
}

/// What the command writes in a form is what the server gives of the run that it stored.
#[test]
fn a_stored_result_has_the_forms_of_its_command() {
    let place = place();
    let server = Served::start(&place, "--store s.db");
    let (mut seen, mut drawn) = (BTreeSet::new(), 0);
    for request in requests()
        .into_iter()
        .filter(|own| own.is_stored && seen.insert((own.path, own.body.get("calendars").is_some())))
    {
        let run = server.post(request.path, &request.body).json()["run"]["id"].as_str().unwrap().to_owned();
        for form in ["text", "md", "html", "junit", "sarif", "ics", "tasks"] {
            let what = format!("{} --format {form}", request.command.join(" "));
            let command = request.command.iter().map(String::as_str).chain(["--format", form]);
            let printed = place.run_with(&command.collect::<Vec<_>>(), b"");
            let given = server.get(&format!("/api/runs/{run}/result?format={form}"));
            if printed.status == 2 {
                let told = given.json();
                assert_eq!((given.status, &told["parameter"]), (422, &json!("format")), "{what}: {told}");
                let verb = request.path.trim_start_matches("/api/").replace('/', " ");
                assert_eq!(told["detail"], format!("a run of `{verb}` has no form `{form}`"));
                continue;
            }
            assert_eq!(given.status, 200, "{what}: {}", given.text());
            assert_eq!(given.text(), printed.stdout, "{what}");
            drawn += 1;
        }
    }
    // Those of notes with calendars as well; a plan is a calendar and task lines too.
    let drawn_of_notes = 2 * (5 + 2 + 5 + 3);
    assert_eq!((seen.len(), drawn), (11, drawn_of_notes + 2 * 5 + 2 * 3 + 1), "every instrument in all of its forms");
    server.stop("TERM");
}

#[test]
fn what_cannot_be_answered_is_refused_in_the_same_words() {
    let place = place()
        .with("empty/report.md", " \n")
        .with("empty/context.md", "")
        .with("empty/output.md", "")
        .with("wrong/plan.json", r#"{"status":"ok"}"#)
        .with("listed/plan.json", r#"[[null]]"#)
        .with("empty/prompt.txt", " \n")
        .with("wrong/team.ics", "hello\n")
        .with("empty/steps.jsonl", "no step\n");
    let server = Served::start(&place, "--store s.db");
    let notes = |context: &str, at: &str, zone: &str| json!({"context": context, "current_time": at, "timezone": zone});
    let check = |plan: &str| {
        let mut check = notes(NOTES, AT, ZONE);
        check["plan"] = serde_json::from_str(plan).unwrap();
        check
    };
    let requests = [
        request(
            "audit prompt.txt empty/report.md",
            &[],
            "/api/audit",
            json!({"prompt": PROMPT, "report": " \n"}),
            "audit",
        ),
        request(
            &format!("plan context.md --at noon --tz {ZONE}"),
            &[],
            "/api/plan",
            notes(NOTES, "noon", ZONE),
            "plan",
        ),
        request(
            &format!("plan context.md --at {AT} --tz Mars/One"),
            &[],
            "/api/plan",
            notes(NOTES, AT, "Mars/One"),
            "plan",
        ),
        request(&format!("plan empty/context.md --at {AT} --tz {ZONE}"), &[], "/api/plan", notes("", AT, ZONE), "plan"),
        request(
            &format!("plan constraints empty/context.md --at {AT} --tz {ZONE}"),
            &[],
            "/api/plan/constraints",
            notes("", AT, ZONE),
            "plan_constraints",
        ),
        request(
            &format!("plan check context.md wrong/plan.json --at {AT} --tz {ZONE}"),
            &[],
            "/api/plan/check",
            check(r#"{"status":"ok"}"#),
            "plan_check",
        ),
        request(
            &format!("plan check context.md listed/plan.json --at {AT} --tz {ZONE}"),
            &[],
            "/api/plan/check",
            check("[[null]]"),
            "plan_check",
        ),
        request("audit empty/prompt.txt", &[], "/api/audit/lint", json!({"prompt": " \n"}), "audit_lint"),
        request(
            &format!("plan context.md --at {AT} --tz {ZONE} --calendar wrong/team.ics"),
            &[],
            "/api/plan",
            json!({"context": NOTES, "current_time": AT, "timezone": ZONE, "calendars": [{"name": "team.ics", "text": "hello\n"}]}),
            "plan",
        ),
        request(
            &format!("plan context.md --at {AT} --tz {ZONE} --from plan.json --done 3"),
            &[],
            "/api/plan",
            json!({"context": NOTES, "current_time": AT, "timezone": ZONE, "from": serde_json::from_str::<Value>(PLAN).unwrap(), "done": [3]}),
            "plan",
        ),
        request(
            "watch empty/steps.jsonl --embedder lexical",
            &[],
            "/api/watch",
            json!({"log": "no step\n", "embedder": "lexical"}),
            "watch",
        ),
        request(
            "review output.md --threshold 2",
            &[],
            "/api/review",
            json!({"output": OUTPUT, "threshold": 2}),
            "evaluate_output",
        ),
        request("pick ? --vault s.db", &[""], "/api/pick", json!({"task": ""}), "pick"),
        request(
            "pick ? --vault s.db --filter x",
            &["Write"],
            "/api/pick",
            json!({"task": "Write", "filter": ["x"]}),
            "pick",
        ),
        request(
            "vault search ? --vault s.db --filter colour=red",
            &["Write"],
            "/api/vault/search",
            json!({"query": "Write", "filter": ["colour=red"]}),
            "vault_search",
        ),
        request(
            "feedback none good --vault s.db",
            &[],
            "/api/feedback",
            json!({"trace_id": "none", "verdict": "good"}),
            "feedback",
        ),
    ];
    let calls: Vec<(&str, Value)> = requests.iter().filter_map(|request| request.tool.clone()).collect();
    let told = tools(&place, &calls);
    let mut differ = Vec::new();
    for (request, result) in requests.iter().zip(told) {
        let what = request.command.join(" ");
        let command: Vec<&str> = request.command.iter().map(String::as_str).collect();
        let end = place.run_with(&command, b"");
        assert!(matches!(end.status, 2 | 3) && end.stdout.is_empty(), "{what}: {end:?}");
        // Files stand in folders of their own here; what comes as a text has the file's plain name.
        let printed = end
            .stderr
            .lines()
            .filter(|line| !(line.starts_with("note: ") || line.starts_with("warning: ")))
            .collect::<Vec<_>>()
            .join("\n");
        let printed = printed.replace("error: empty/", "error: ").replace("error: wrong/", "error: ");
        let printed = printed.replace("error: listed/", "error: ");

        let reply = server.post(request.path, &request.body);
        let problem = reply.json();
        // That an audit is not evaluable is an answer.
        let why = problem.get("not_evaluable");
        assert!(matches!((reply.status, why), (404 | 422, None) | (200, Some(_))), "{what}: {}", reply.text());
        let mut said = format!("error: {}", why.unwrap_or(&problem)["detail"].as_str().unwrap());
        if let Some(hint) = problem["hint"].as_str() {
            said.push_str(&format!("\nhint: {hint}"));
        }
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{what}: {result}"));
        if printed != said || printed != text {
            differ.push(format!("{what}\n  command: {printed}\n  HTTP: {said}\n  MCP: {text}"));
        }
        assert_eq!(result["isError"], true, "{what}: {result}");
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    server.stop("TERM");
}
