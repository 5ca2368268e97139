//! `steadfast mcp` as a whole program, by JSON-RPC as it goes over the wire: both lifecycles, every tool against the command of its
//! name, errors, files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::mcp as session;
use std::collections::BTreeSet;
use std::fs;

use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, OLD, Session, compact};
use steadfast_testkit::schema::breaches;

const TOOLS: [&str; 17] = [
    "audit",
    "audit_contract",
    "audit_undecided",
    "audit_lint",
    "audit_compare",
    "plan",
    "plan_check",
    "plan_constraints",
    "watch",
    "watch_compare",
    "evaluate_output",
    "review_undecided",
    "request_full_payload",
    "flag_sequence_quality",
    "pick",
    "vault_search",
    "feedback",
];
/// Those that are listed only where all are.
const OPERATORS: [&str; 3] = ["audit_compare", "watch_compare", "vault_search"];
/// The tools that keep what is asked for again.
const KEEPING: [&str; 4] = ["evaluate_output", "flag_sequence_quality", "pick", "feedback"];
/// The tools whose answers are not kept.
const STATELESS: [&str; 6] =
    ["audit_contract", "audit_undecided", "audit_lint", "audit_compare", "review_undecided", "vault_search"];
/// The store of a server that is told of none.
const STORE: &str = "data/steadfast/steadfast.db";
const OUTPUT: &str =
    "All of it is done.\n\n<npl-reflection>\n- ✅ Reads the file\n- 🐛 Loses the last line\n</npl-reflection>\n";
/// A session in which something was done.
const DONE: &str = concat!(
    r#"{"type":"user","sessionId":"s","uuid":"1","message":{"role":"user","content":"Fix it. Don't push."}}"#,
    "\n",
    r#"{"type":"assistant","sessionId":"s","uuid":"2","message":{"id":"a","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}"#,
    "\n",
    r#"{"type":"assistant","sessionId":"s","uuid":"3","message":{"id":"b","role":"assistant","content":[{"type":"text","text":"The parser is fixed."}]}}"#,
    "\n",
);
/// What begins the last member of a result that is stored.
const RUN: &str = ",\"run\":{";
const TASK: &str = "Create a 2-week content strategy and execution plan for a B2B AI newsletter.";

const NOTES: &str = "- [ ] write the board report (90 min)\n- call Ana about the lease, 30 min\n- book flights (15 min)\n- busy 12:00-13:00\n";
const AT: &str = "2026-01-26T08:00:00-05:00";
const ZONE: &str = "America/Toronto";
const PLAN: &str =
    r#"[{"task": "write the board report", "start": "12:00", "timebox_minutes": 90}, {"task": "walk the dog"}]"#;
const STEPS: &str = concat!(
    r#"{"task_id":"bread","step":0,"prompt":"List three ways to keep bread fresh.","output":"A paper bag, a clay pot, the freezer."}"#,
    "\n",
    r#"{"task_id":"bread","step":1,"prompt":"List three ways to keep bread fresh.","output":"The weather was fine."}"#,
    "\n",
    "no step\n",
);

fn place() -> Place {
    Place::run()
        .with("prompt.txt", PROMPT)
        .with("report.md", REPORT)
        .with("context.md", NOTES)
        .with("plan.json", PLAN)
        .with("steps.jsonl", STEPS)
        .with("output.md", OUTPUT)
        .with("late.md", "# Seed library\n\nThe seed library opens within 9 months and costs 500 EUR.\n")
}

/// A result without its last member, `run`, which differs from run to run and must be there.
#[track_caller]
fn unstored(result: &Value) -> (String, Value) {
    let (text, mut value) = (result["content"][0]["text"].as_str().unwrap(), result["structuredContent"].clone());
    let run = value.as_object_mut().unwrap().remove("run").unwrap();
    assert_eq!((run["id"].as_str().map(str::len), run["ms"]["total"].is_u64()), (Some(36), true), "{run}");
    (text[..text.rfind(RUN).unwrap()].to_owned() + "}", value)
}

/// A result of what is not stored as a run.
fn stateless(result: &Value) -> (String, Value) {
    (result["content"][0]["text"].as_str().unwrap().to_owned(), result["structuredContent"].clone())
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn both_revisions_list_the_tools_with_their_schemas() {
    let place = Place::empty();
    let mut lists = Vec::new();
    for revision in [OLD, NEW] {
        let mut session = Session::start(&place, &["--tools", "all"], revision);
        if revision == NEW {
            let answer = session.ask("server/discover", json!({}));
            assert!(answer["result"]["supportedVersions"].as_array().unwrap().contains(&json!(NEW)), "{answer}");
            assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "steadfast");
        }
        let answer = session.ask("tools/list", json!({}));
        assert_eq!(answer["result"].get("ttlMs"), (revision == NEW).then_some(&json!(3_600_000)));
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, TOOLS);
        for tool in &tools {
            let input = &tool["inputSchema"];
            assert_eq!((&input["type"], &input["additionalProperties"]), (&json!("object"), &json!(false)), "{tool}");
            assert!(!input.to_string().contains("$ref"), "{tool}");
            for (name, member) in input["properties"].as_object().unwrap() {
                assert!(member["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} of {tool}");
            }
            assert_eq!(tool["outputSchema"]["type"], "object");
            let keeps = KEEPING.contains(&tool["name"].as_str().unwrap());
            assert_eq!(
                (&tool["annotations"]["readOnlyHint"], &tool["annotations"]["destructiveHint"]),
                (&json!(!keeps), &json!(false))
            );
        }
        lists.push(tools.clone());
        assert_eq!(session.end(), "");
        // By default what agents need; each as it stands in the whole list.
        let mut session = Session::start(&place, &[], revision);
        let hosts = session.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone();
        session.end();
        let mut rest = tools.clone();
        rest.retain(|tool| !OPERATORS.contains(&tool["name"].as_str().unwrap()));
        assert_eq!(hosts, rest);
        // Hosts hand the list to a model with every request: 12,000 tokens of four characters.
        let chars = |tools: &[Value]| json!(tools).to_string().chars().count();
        assert!(chars(&tools) <= 48_000, "{}", chars(&tools));
        assert!(chars(&hosts) <= 44_000, "{}", chars(&hosts));
    }
    assert_eq!(lists[0], lists[1]);
}

#[test]
fn a_tool_gives_what_the_command_gives() {
    let place = place();
    let lines: Vec<Value> = STEPS.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let at = format!("--at {AT} --tz {ZONE}");
    let task = TASK.replace(' ', "␣");
    let plain = STEPS.replace("no step\n", "");
    let place = place.with("plain/steps.jsonl", &plain).with("b.jsonl", &plain).with("session.jsonl", DONE);
    let made = |report: &str| place.steadfast(&format!("audit prompt.txt {report} --json")).status(0).stdout;
    let (a, b) = (made("report.md"), made("late.md"));
    let place = place.with("a.json", &a).with("b.json", &b);
    let same: Vec<(&str, Value, String)> = vec![
        ("audit_lint", json!({"prompt": PROMPT}), "audit prompt.txt".into()),
        ("audit_lint", json!({"prompt": {"path": "prompt.txt"}}), "audit prompt.txt".into()),
        ("audit_contract", json!({"prompt": PROMPT}), "audit contract prompt.txt".into()),
        (
            "audit_undecided",
            json!({"prompt": PROMPT, "report": {"path": "report.md"}}),
            "audit undecided prompt.txt report.md".into(),
        ),
        (
            "audit_compare",
            json!({"a": {"path": "a.json"}, "b": {"path": "b.json"}}),
            "audit compare a.json b.json".into(),
        ),
        ("audit_compare", json!({"a": json_of(&a), "b": {"path": "b.json"}}), "audit compare a.json b.json".into()),
        ("audit", json!({"prompt": PROMPT, "report": REPORT}), "audit prompt.txt report.md --limit 10".into()),
        (
            "audit",
            json!({"prompt": {"path": "prompt.txt"}, "report": {"path": "report.md"}, "limit": 0}),
            "audit prompt.txt report.md --limit 0".into(),
        ),
        (
            "audit",
            json!({"run": {"path": "run"}, "limit": 3, "min_severity": 2}),
            "audit run --limit 3 --min-severity 2".into(),
        ),
        ("plan", json!({"context": NOTES, "current_time": AT, "timezone": ZONE}), format!("plan context.md {at}")),
        (
            "plan",
            json!({"context": {"path": "context.md"}, "current_time": AT, "variant": "v1_naive", "preferences": "hard"}),
            format!("plan context.md --at {AT} --variant v1_naive --preferences hard"),
        ),
        (
            "plan_check",
            json!({"context": NOTES, "plan": json_of(PLAN), "current_time": AT, "timezone": ZONE}),
            format!("plan check context.md plan.json {at}"),
        ),
        (
            "plan_check",
            json!({"context": NOTES, "plan": {"path": "plan.json"}, "current_time": AT, "timezone": ZONE}),
            format!("plan check context.md plan.json {at}"),
        ),
        (
            "plan_constraints",
            json!({"context": NOTES, "current_time": AT, "timezone": ZONE}),
            format!("plan constraints context.md {at}"),
        ),
        ("watch", json!({"log": STEPS, "embedder": "lexical"}), "watch steps.jsonl --embedder lexical".into()),
        (
            "watch",
            json!({"log": {"path": "steps.jsonl"}, "embedder": "lexical", "alert": 0.5}),
            "watch steps.jsonl --embedder lexical --alert 0.5".into(),
        ),
        (
            "watch",
            json!({"steps": lines, "embedder": "lexical", "aggregate": "max-sentence"}),
            "watch plain/steps.jsonl --embedder lexical --aggregate max-sentence".into(),
        ),
        (
            "watch_compare",
            json!({"a": {"log": {"path": "steps.jsonl"}}, "b": {"log": {"path": "b.jsonl"}}, "embedder": "lexical"}),
            "watch compare steps.jsonl b.jsonl --embedder lexical".into(),
        ),
        ("evaluate_output", json!({"output": OUTPUT}), "review output.md".into()),
        (
            "evaluate_output",
            json!({"output": {"path": "output.md"}, "threshold": 0.1, "acceptance_criteria": ["Reads the file", "Writes it"]}),
            "review output.md --threshold .1 --criteria criteria.txt".into(),
        ),
        (
            "evaluate_output",
            json!({"output": OUTPUT, "fields": ["score", "recommendation"]}),
            "review output.md --fields score,recommendation".into(),
        ),
        ("evaluate_output", json!({"output": "No block."}), "review plain/output.md".into()),
        (
            "review_undecided",
            json!({"session": {"path": "session.jsonl"}}),
            "review undecided --session session.jsonl".into(),
        ),
        ("pick", json!({"task": TASK}), format!("pick {task} --vault {STORE}")),
        (
            "pick",
            json!({"task": TASK, "at": "2026-01-26", "explain": true, "filter": ["domain=marketing"], "operating_point": "seed"}),
            format!(
                "pick {task} --vault {STORE} --at 2026-01-26 --explain --filter domain=marketing --operating-point seed"
            ),
        ),
        (
            "vault_search",
            json!({"query": "weekly newsletter", "k": 3, "exclude": ["status=retired"]}),
            format!("vault search weekly␣newsletter -k 3 --exclude status=retired --vault {STORE}"),
        ),
    ];
    let place = place.with("criteria.txt", "- Reads the file\n- Writes it\n").with("plain/output.md", "No block.");
    fs::create_dir_all(place.path("data/steadfast")).unwrap();
    place.steadfast(&format!("vault import --shipped --no-embed -q --vault {STORE}")).status(0);
    for revision in [OLD, NEW] {
        let mut session = Session::start(&place, &["--root", ".", "--tools", "all"], revision);
        let list = session.ask("tools/list", json!({}));
        let mut called = BTreeSet::new();
        for (tool, arguments, command) in &same {
            let end = place.steadfast(&format!("{command} --format json"));
            let answer = session.call(tool, arguments.clone());
            let result = &answer["result"];
            assert_eq!(result["isError"], false, "{tool} {arguments}: {answer}");
            // `fields` leaves `run` out.
            let bare = STATELESS.contains(tool) || arguments.get("fields").is_some();
            let plain = if bare { stateless(result) } else { unstored(result) };
            // What the command picks is kept in the vault, as a run too.
            let (mut value, mut text) = (json_of(&end.stdout), compact(&end.stdout));
            if value.as_object_mut().unwrap().remove("run").is_some() {
                text.truncate(text.rfind(RUN).unwrap());
                text.push('}');
            }
            assert_eq!(plain, (text, value), "{tool} {arguments}");
            let listed = list["result"]["tools"].as_array().unwrap().iter().find(|it| it["name"] == *tool).unwrap();
            // The schema of `audit` names keys by a pattern, which this reader does not know; the Python SDK holds all results to theirs.
            let mut breaches_of_output = breaches(&listed["outputSchema"], &result["structuredContent"]);
            breaches_of_output.retain(|breach| !breach.contains("`patternProperties`"));
            assert_eq!(breaches_of_output, Vec::<String>::new());
            assert_eq!(breaches(&listed["inputSchema"], arguments), Vec::<String>::new());
            called.insert(*tool);
        }
        assert_eq!(called, BTreeSet::from_iter([&TOOLS[..12], &TOOLS[14..16]].concat()));
        session.end();
    }
}

#[test]
fn feedback_moves_what_is_picked_for_the_server_and_for_the_command() {
    let place = Place::empty();
    fs::create_dir_all(place.path("data/steadfast")).unwrap();
    place.steadfast(&format!("vault import --shipped --no-embed -q --vault {STORE}")).status(0);
    let mut session = Session::start(&place, &[], NEW);
    let picked = session.call("pick", json!({"task": TASK, "explain": true}))["result"]["structuredContent"].clone();
    let (trace, first) = (&picked["trace_id"], &picked["selected_prompts"][0]["prompt_id"]);
    let said = session.call("feedback", json!({"trace_id": trace, "verdict": "good", "prompt_ids": [first]}));
    let said = &said["result"]["structuredContent"];
    assert_eq!((&said["good"], &said["prompt_ids"], &said["trace_id"]), (&json!(true), &json!([first]), trace));
    session.refused(
        "feedback",
        json!({"trace_id": trace, "verdict": "bad", "prompt_ids": ["no-such"]}),
        "input",
        "error: `no-such` is no prompt of this selection\nhint: without PROMPT_ID it is said of all prompts of the selection",
    );
    session.refused(
        "vault_search",
        json!({"query": "x", "k": 0}),
        "input",
        "error: `k` is 0: between 1 and 1000 prompts can be asked for",
    );
    session.refused(
        "vault_search",
        json!({"query": "x", "k": 1001}),
        "input",
        "error: `k` is 1001: between 1 and 1000 prompts can be asked for",
    );
    let again = session.call("pick", json!({"task": TASK, "explain": true}));
    let command = place.steadfast(&format!("pick {} --explain --json --vault {STORE}", TASK.replace(' ', "␣")));
    let mut expect = json_of(&command.stdout);
    expect.as_object_mut().unwrap().remove("run");
    assert_eq!(unstored(&again["result"]).1, expect);
    assert_ne!(unstored(&again["result"]).1["candidates"], picked["candidates"], "the feedback counts");
    session.end();
}

#[test]
fn an_output_that_was_evaluated_is_kept_under_its_task() {
    let place = Place::empty();
    let mut session = Session::start(&place, &[], NEW);
    let evaluated = session.call("evaluate_output", json!({"output": OUTPUT, "threshold": 0.9}));
    let evaluated = &evaluated["result"]["structuredContent"];
    assert_eq!((&evaluated["recommendation"], evaluated.get("full_payload")), (&json!("request_revision"), None));
    let task = &evaluated["task_id"];
    let given = |tool: &str, session: &mut Session, arguments: Value| {
        session.call(tool, arguments)["result"]["structuredContent"].clone()
    };
    assert_eq!(given("request_full_payload", &mut session, json!({"task_id": task})), json!({"full_output": OUTPUT}));
    let flag = json!({"task_id": task, "quality": "bad", "tags": ["loses data"]});
    assert_eq!(given("flag_sequence_quality", &mut session, flag), json!({"success": true}));
    session.refused(
        "request_full_payload",
        json!({"task_id": "none"}),
        "input",
        "error: no task `none` is stored\nhint: `steadfast tasks list` names those that are",
    );
    session.refused(
        "flag_sequence_quality",
        json!({"task_id": task, "quality": "fine"}),
        "input",
        "error: `fine` is no quality\nhint: a quality is `good`, `bad` or `unsure`",
    );
    session.end();
    // Another server has what the first one kept: state is in the store alone.
    let mut session = Session::start(&place, &["--store", "data/steadfast/steadfast.db"], OLD);
    assert_eq!(given("request_full_payload", &mut session, json!({"task_id": task})), json!({"full_output": OUTPUT}));
    session.end();
    assert_eq!(place.files(), ["data/steadfast/steadfast.db"]);
    let export = place.steadfast("tasks export --store data/steadfast/steadfast.db").status(0).stdout;
    let line = json_of(export.trim_end());
    assert_eq!((&line["quality"], &line["messages"][0]["content"]), (&json!("bad"), &json!(OUTPUT)));
}

#[test]
fn a_server_that_keeps_nothing_says_so() {
    let place = Place::empty();
    let mut session = Session::start(&place, &["--no-store"], NEW);
    session.refused(
        "evaluate_output",
        json!({"output": OUTPUT}),
        "input",
        "error: this server keeps nothing, and this needs what was kept\nhint: start the server without `--no-store`",
    );
    session.refused(
        "pick",
        json!({"task": TASK}),
        "input",
        "error: this server keeps nothing, and this needs what was kept\nhint: start the server without `--no-store`",
    );
    session.refused(
        "vault_search",
        json!({"query": "newsletter"}),
        "input",
        "error: this server keeps nothing, so it has no vault\nhint: start the server without `--no-store`",
    );
    let audit = session.call("audit", json!({"prompt": PROMPT, "report": REPORT}));
    assert_eq!(audit["result"]["structuredContent"].get("run"), None);
    assert_eq!(audit["result"]["content"].as_array().unwrap().len(), 1, "there is nothing to link to");
    assert_eq!(session.ask("resources/list", json!({}))["result"]["resources"], json!([]));
    session.end();
    assert_eq!(place.files(), [""; 0]);
    let in_the_way = "error: file/x: stands in the way, and is no folder";
    place.with("file/x", "").steadfast("mcp --store file/x/s.db").refused(2, in_the_way);
}

#[test]
fn a_list_of_incidents_is_gone_through_by_its_cursor() {
    let report = "# Seed library\n\nIt uses blockchain. A drone waters the beds. A sensor counts the seeds. The seed library costs 500 EUR.\n";
    let prompt = format!("{PROMPT}\nBanned words: blockchain, drone, sensor.\n");
    let place = Place::empty().with("prompt.txt", &prompt).with("report.md", report);
    let whole = json_of(&place.steadfast("audit prompt.txt report.md --json").stdout);
    let all = whole["drift_incidents"].as_array().unwrap();
    assert!(all.len() > 2, "{all:?}");
    let mut session = Session::start(&place, &[], NEW);
    let (mut listed, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut arguments = json!({"prompt": prompt, "report": report, "limit": 2});
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let answer = session.call("audit", arguments);
        let page = &answer["result"]["structuredContent"];
        listed.extend(page["drift_incidents"].as_array().unwrap().iter().cloned());
        assert_eq!(page["overall_fidelity_score"], whole["overall_fidelity_score"]);
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(&listed, all);

    let fields = json!({"prompt": prompt, "report": report, "fields": ["overall_drift_risk", "run"]});
    let answer = session.call("audit", fields);
    let partly = answer["result"]["structuredContent"].as_object().unwrap();
    assert_eq!(partly.keys().map(String::as_str).collect::<Vec<_>>(), ["overall_drift_risk", "run"]);
    assert_eq!(partly["overall_drift_risk"], whole["overall_drift_risk"]);
    let content = answer["result"]["content"].as_array().unwrap();
    assert_eq!(content[0]["text"].as_str().unwrap(), Value::from(partly.clone()).to_string());
    // The link to the whole is there all the same.
    assert_eq!(content[1]["type"], "resource_link");
    let none = json!({"prompt": prompt, "report": report, "fields": []});
    session.refused("audit", none, "input", "error: `fields` names nothing\nhint: leave it out for the whole result");
    let answer =
        session.call("audit", json!({"prompt": prompt, "report": report, "fields": ["overall_drift_risk", "x"]}));
    assert_eq!(answer["result"]["isError"], true);
    let said = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("error: `fields` names `x`: there are "), "{said}");
    let arguments = json!({"prompt": prompt, "report": report, "cursor": "99"});
    session.refused("audit", arguments, "input", "error: `99` is no cursor of this list\nhint: the `next_cursor` of the page before says where the next one begins");
    session.end();
}

#[test]
fn what_goes_wrong_in_a_call_is_a_tool_error() {
    let place = Place::pair();
    let mut session = Session::start(&place, &[], OLD);
    let s = &mut session;
    s.refused("audit", json!({"prompt": PROMPT}), "input", "error: `report` is missing");
    s.refused(
        "audit",
        json!({"prompt": {"path": "prompt.txt", "text": PROMPT}, "report": REPORT}),
        "input",
        "error: audit: a source has either `path`, or `text` and a `name` if need be\nhint: `audit` takes agent, context, contract, cursor, fail_below, fail_on, fields, judge, limit, min_severity, prompt, proposals, report, run, usable_share",
    );
    s.refused(
        "audit",
        json!({"prompt": PROMPT, "report": REPORT, "run": {"path": "run"}}),
        "input",
        "error: `run` is given beside a prompt or a report\nhint: a run holds both",
    );
    s.refused(
        "audit",
        json!({"prompt": PROMPT, "report": 5}),
        "input",
        "error: audit: invalid type: integer `5`, expected a text, or an object with `path`, or with `text` and `name`\nhint: `audit` takes agent, context, contract, cursor, fail_below, fail_on, fields, judge, limit, min_severity, prompt, proposals, report, run, usable_share",
    );
    s.refused(
        "audit",
        json!({"prompt": PROMPT, "report": REPORT, "min_severity": 5}),
        "input",
        "error: `min_severity` is 5: severities lie between 0 and 4",
    );
    s.refused(
        "audit",
        json!({"prompt": PROMPT, "report": " \n"}),
        "not_evaluable",
        "error: report.md: the report is empty: nothing can be evaluated",
    );
    s.refused(
        "audit",
        json!({"prompt": {"path": "prompt.txt"}, "report": REPORT}),
        "input",
        "error: prompt.txt: this server reads no files\nhint: give the text itself, or start the server with `--root DIR`",
    );
    s.refused(
        "plan",
        json!({"context": NOTES, "current_time": "noon"}),
        "input",
        "error: `noon` is no RFC 3339 time\nhint: a time is written as `2026-01-25T11:00:00-05:00`",
    );
    s.refused(
        "plan_check",
        json!({"context": NOTES, "plan": [{"task": 5}], "current_time": AT}),
        "input",
        "error: plan.json:1:10: is no plan: invalid type: integer `5`, expected a string\nhint: a plan is JSON: a response of `plan`, its \
         `plan` array, or a list of items with `task`, `why`, `timebox_minutes`, `start`, `end`, `with`, `place`",
    );
    s.refused("watch", json!({}), "input", "error: nothing is given to watch\nhint: give one of `steps` and `log`");
    s.refused(
        "watch",
        json!({"steps": [], "log": STEPS}),
        "input",
        "error: `steps` and `log` are both given\nhint: give one of them",
    );
    s.refused("watch", json!({"log": STEPS, "alert": 2}), "input", "error: `alert` is 2: scores lie between 0 and 1");
    s.refused(
        "watch",
        json!({"steps": [], "embedder": "lexical"}),
        "not_evaluable",
        "error: steps.jsonl: holds no step: nothing can be evaluated",
    );
    s.refused(
        "watch",
        json!({"log": STEPS}),
        "external",
        "error: the embedding model all-MiniLM-L6-v2 is not there\nhint: `steadfast embedder pull` fetches it; `\"embedder\": \"lexical\"` \
         needs none",
    );
    let answer = s.call("no_such_tool", json!({}));
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["message"]),
        (&json!(-32602), &json!("`no_such_tool` is no tool of this server"))
    );
    assert_eq!(s.call("plan", json!({"context": NOTES, "current_time": AT}))["result"]["isError"], false);
    assert_eq!(session.end(), "");
}

#[test]
fn files_are_read_in_the_folder_alone() {
    let place = Place::run()
        .with("secret.txt", PROMPT)
        .with("root/report.md", REPORT)
        .with("root/bad.md", b"%PDF-1.7")
        .with("root/run/plan.txt", PROMPT)
        .with("root/run/bad.md", b"a\0b");
    std::os::unix::fs::symlink(place.path("secret.txt"), place.path("root/link.txt")).unwrap();
    let mut session = Session::start(&place, &["--root", "root"], NEW);
    let absolute = place.path("secret.txt").to_str().unwrap().to_owned();
    for outside in ["../secret.txt", "link.txt", absolute.as_str()] {
        session.refused(
            "audit",
            json!({"prompt": {"path": outside}, "report": {"path": "report.md"}}),
            "input",
            &format!("error: {outside}: leads out of the folder that this server may read"),
        );
    }
    for (given, what) in [
        ("none.txt", "none.txt: no such file or folder"),
        (".", "is a folder, no file"),
        ("run", "run: is a folder, no file"),
    ] {
        let answer = session.call("audit", json!({"prompt": {"path": given}, "report": REPORT}));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(what), "{text}");
        assert!(!text.contains(place.root().to_str().unwrap()), "{text}");
    }
    session.refused(
        "audit",
        json!({"prompt": PROMPT, "report": {"path": "bad.md"}}),
        "input",
        "error: bad.md: is not text: it is a PDF; `pdftotext -layout FILE FILE.txt` makes a text of it\nhint: Markdown, HTML, plain text in UTF-8 or UTF-16, and Word documents (.docx) are read",
    );
    session.refused(
        "audit",
        json!({"run": {"path": "run"}}),
        "input",
        "error: run/bad.md: is not text: byte 1 is zero, so it is a binary file\nhint: Markdown, HTML, plain text in UTF-8 or UTF-16, and Word documents (.docx) are read",
    );
    let inside = place.path("root/report.md").to_str().unwrap().to_owned();
    let answer = session.call("audit", json!({"prompt": PROMPT, "report": {"path": inside}}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    session.end();

    let end = place.steadfast("mcp --root nowhere");
    end.refused(2, "error: nowhere: no such file or folder");
    place.steadfast("mcp --root secret.txt").refused(2, "error: secret.txt: is no folder");
}

#[test]
fn nothing_but_the_protocol_stands_on_stdout() {
    let place = Place::empty();
    let end = place.steadfast("mcp").status(0);
    assert_eq!((end.stdout.as_str(), end.stderr.as_str()), ("", ""));
    let end = place.steadfast_with("mcp", b"what is this?\n").status(0);
    assert_eq!(end.stdout, "");
    assert!(end.stderr.starts_with("note: a line of 13 bytes is no JSON"), "{}", end.stderr);
}
