//! `--export`, `export flush` and `export status`, as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::{End, Place};
use serde_json::{Value, json};

const NOTES: &str = "- finish the board report (45 minutes)\n- call Ana (30 minutes)\n- Dentist from 14:00 to 15:00\n";
const PLAN: &str = "plan 2026-01-26.md --at 2026-01-26T09:00:00-05:00 --tz America/Toronto";
const STEPS: &str = "{\"task_id\":\"t\",\"step\":0,\"prompt\":\"tidy the shed\",\"output\":\"I tidy the shed.\"}\n\
                     {\"task_id\":\"t\",\"step\":1,\"prompt\":\"tidy the shed\",\"output\":\"Boats are for sale.\"}\n";
const KEY: &str = "canary-77aa";

fn place() -> Place {
    let review = "<npl-block type=\"reflection\">\n✅ Verified: tests pass\n</npl-block>\n";
    Place::pair().with("2026-01-26.md", NOTES).with("steps.jsonl", STEPS).with("out.md", review)
}

/// The program with arguments and variables of the environment; those that exporters read are set by nobody else.
fn run(place: &Place, arguments: &str, variables: &[(&str, &str)], stdin: &[u8]) -> End {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if ["OPIK_", "OTEL_", "STEADFAST_EXPORT"].iter().any(|own| shown.starts_with(own)) {
            command.env_remove(&name);
        }
    }
    let mut child = command
        .args(arguments.split_whitespace())
        .current_dir(place.root())
        .env("NO_PROXY", "127.0.0.1")
        .env("XDG_DATA_HOME", place.path("data"))
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(stdin));
    let output = child.wait_with_output().unwrap();
    End {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// What a server was sent: method and path, head, body.
type Seen = Arc<Mutex<Vec<(String, String, Vec<u8>)>>>;

/// A server on the loopback address that takes everything, or hangs.
fn server(hangs: bool) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let seen = Seen::default();
    let own = Arc::clone(&seen);
    thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).unwrap();
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            stream.read_exact(&mut body).unwrap();
            let call = head.split(' ').take(2).collect::<Vec<_>>().join(" ");
            own.lock().unwrap().push((call, head, body));
            if hangs {
                held.push(stream);
            } else {
                drop(stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"));
            }
        }
    });
    (base, seen)
}

/// An address at which nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

fn traces(place: &Place, name: &str) -> Vec<Value> {
    place.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn status(place: &Place, rest: &str) -> Value {
    let end = run(place, &format!("export status --json {rest}"), &[], b"").status(0);
    serde_json::from_str(&end.stdout).unwrap()
}

#[test]
fn an_answer_is_the_same_whether_an_exporter_is_there_down_or_hung() {
    let place = place();
    let verbs = [
        PLAN.to_owned(),
        format!("{PLAN} --json"),
        format!("{PLAN} --variant v1_naive --json"),
        PLAN.replace("plan ", "plan constraints ") + " --json",
        "audit prompt.txt report.md --json --fail-below 4.9".to_owned(),
        "watch steps.jsonl --embedder lexical --json".to_owned(),
        "watch - --embedder lexical --format jsonl".to_owned(),
        "watch compare steps.jsonl steps.jsonl --embedder lexical --json".to_owned(),
        "review out.md --json".to_owned(),
        "review prompt.txt --json".to_owned(),
        "review out.md --pass-through".to_owned(),
    ];
    let (hung, _) = server(true);
    let (well, _) = server(false);
    for verb in &verbs {
        let without = run(&place, verb, &[], STEPS.as_bytes());
        for (base, queue, wait) in
            [(NOBODY, "down", "60"), (hung.as_str(), "hung", "0.1"), (well.as_str(), "well", "60")]
        {
            let variables = [
                ("OPIK_URL_OVERRIDE", base),
                ("OTEL_EXPORTER_OTLP_ENDPOINT", base),
                ("STEADFAST_EXPORT_QUEUE", queue),
                ("STEADFAST_EXPORT_WAIT", wait),
            ];
            let with = run(
                &place,
                &format!("{verb} --export opik --export otlp --export jsonl:t.jsonl"),
                &variables,
                STEPS.as_bytes(),
            );
            assert_eq!(
                (with.status, &with.stdout),
                (without.status, &without.stdout),
                "{verb} {queue}: {}",
                with.stderr
            );
            // What stands on stderr without stands there with it.
            for line in without.stderr.lines() {
                assert!(with.stderr.contains(line), "{verb}: {line}\n{}", with.stderr);
            }
            if queue == "well" {
                assert_eq!(with.stderr, without.stderr, "{verb}");
            } else {
                assert!(with.stderr.contains("wait"), "what waits is said: {}", with.stderr);
            }
        }
    }
    let told = traces(&place, "t.jsonl");
    let names: Vec<&str> = told.iter().map(|trace| trace["name"].as_str().unwrap()).collect();
    let count = |name: &str| names.iter().filter(|own| **own == name).count();
    assert_eq!((count("plan"), count("plan constraints"), count("audit"), count("watch")), (9, 3, 3, 6));
    assert_eq!((count("watch compare"), count("review")), (3, 9));
    // Everything waits, for both.
    let standing = status(&place, "--export-queue down");
    for exporter in standing["exporters"].as_array().unwrap() {
        assert_eq!((exporter["waiting"].as_u64(), exporter["refused"].as_u64()), (Some(11), Some(0)), "{standing}");
    }
    assert_eq!(status(&place, "--export-queue well")["exporters"][0]["sent"], 11);
}

#[test]
fn what_waits_is_sent_by_a_flush_once_the_other_side_is_there() {
    let place = place();
    let to = |base: &str| -> Vec<(String, String)> {
        [("OPIK_URL_OVERRIDE", base), ("OTEL_EXPORTER_OTLP_ENDPOINT", base), ("OPIK_API_KEY", KEY)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec()
    };
    let run = |arguments: &str, variables: &[(String, String)]| {
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        run(&place, arguments, &variables, b"")
    };
    // The queue stands beside the store.
    let kept = run(&format!("{PLAN} --store s.db --export opik --export otlp --json"), &to(NOBODY)).status(0);
    run("audit prompt.txt report.md --store s.db --export opik", &to(NOBODY)).status(0);
    let flush = run("export flush --store s.db", &to(NOBODY)).status(4);
    assert!(flush.stdout.contains("opik   2 waiting") && flush.stdout.contains("otlp   1 waiting"), "{flush:?}");
    assert!(flush.stderr.contains("note: sent 0 traces, 3 wait, 0 failed now\n"), "{flush:?}");
    // Settings that are gone keep everything.
    let unset = run("export flush --store s.db", &[]).status(4);
    assert!(unset.stderr.contains("opik: neither OPIK_URL_OVERRIDE nor OPIK_API_KEY is set"), "{unset:?}");

    let (base, seen) = server(false);
    let flush = run("export flush --store s.db", &to(&base)).status(0);
    assert!(flush.stderr.contains("note: sent 3 traces, 0 wait, 0 failed now\n"), "{flush:?}");
    run("export flush --store s.db", &to(&base)).status(0);
    let seen = seen.lock().unwrap();
    let calls: Vec<&str> = seen.iter().map(|(call, ..)| call.as_str()).collect();
    assert_eq!(
        calls,
        [
            "POST /v1/private/traces/batch",
            "POST /v1/private/spans/batch",
            "PUT /v1/private/traces/feedback-scores",
            "POST /v1/traces"
        ]
    );
    // A stored run and its trace have one id.
    let run: Value = serde_json::from_str(&kept.stdout).unwrap();
    let sent: Value = serde_json::from_slice(&seen[0].2).unwrap();
    assert_eq!(sent["traces"][0]["id"], run["run"]["id"]);
    assert_eq!(sent["traces"][0]["start_time"].as_str().unwrap()[..23], run["run"]["started"].as_str().unwrap()[..23]);
    assert_eq!(sent["traces"].as_array().unwrap().len(), 2);
    // The key went there, and is nowhere else.
    assert!(seen[0].1.contains(KEY) && !seen[3].1.contains(KEY));
    for file in place.files() {
        let bytes = std::fs::read(place.path(&file)).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{file}");
    }
    assert!(!format!("{flush:?}{kept:?}").contains(KEY));
}

#[test]
fn a_queue_that_is_full_says_so_and_fails_no_run() {
    let place = place();
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"), ("STEADFAST_EXPORT", "otlp")];
    run(&place, PLAN, &variables, b"").status(0);
    for number in 0..999 {
        std::fs::write(place.path(&format!("data/steadfast/export/waiting/{number}.otlp.json")), "{}").unwrap();
    }
    let end = run(&place, PLAN, &variables, b"").status(0);
    assert!(
        end.stderr.contains("warning: otlp: the trace is not kept: the queue is full: it holds 1000 entries of "),
        "{end:?}"
    );
    assert_eq!(status(&place, "")["exporters"][0]["refused"], 1);
    // What is no trace is put aside, what is one is sent.
    let (base, _) = server(false);
    let end = run(&place, "export flush --json", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &base)], b"").status(4);
    let flushed: Value = serde_json::from_str(&end.stdout).unwrap();
    let own = &flushed["exporters"][0];
    assert_eq!((&own["waiting"], &own["failed"], &own["sent"]), (&0.into(), &999.into(), &1.into()));
}

#[test]
fn a_bench_makes_a_dataset_and_an_experiment_for_each_variant() {
    let place = place();
    let (base, seen) = server(false);
    let variables = [("OPIK_URL_OVERRIDE", base.as_str()), ("OPIK_PROJECT_NAME", "days")];
    let with = run(&place, "plan bench --json --export opik --export-queue q", &variables, b"").status(0);
    run(&place, "export flush --export-queue q", &variables, b"").status(0);
    assert_eq!(with.stdout, run(&place, "plan bench --json", &[], b"").stdout);
    let seen = seen.lock().unwrap();
    let of = |path: &str| -> Vec<Value> {
        let own = seen.iter().filter(|(call, ..)| call.ends_with(&format!("/v1/private/{path}")));
        own.map(|(.., body)| serde_json::from_slice(body).unwrap()).collect()
    };
    let experiments = of("experiments");
    let mut variants: Vec<&str> = experiments.iter().map(|own| own["metadata"]["variant"].as_str().unwrap()).collect();
    variants.sort_unstable();
    variants.dedup();
    assert_eq!(variants, ["v1_naive", "v2_constraints", "v3_validator", "v4_repair"]);
    let name = &of("datasets")[0]["name"];
    assert!(experiments.iter().all(|own| own["dataset_name"] == *name && own["project_name"] == "days"));
    let items: usize =
        of("experiments/items").iter().map(|own| own["experiment_items"].as_array().unwrap().len()).sum();
    let traces: usize = of("traces/batch").iter().map(|own| own["traces"].as_array().unwrap().len()).sum();
    assert!(items == traces && items >= 4 * 70, "{items} {traces}");
}

#[test]
fn where_nothing_is_asked_for_nothing_is_made() {
    let place = place();
    let before = place.files();
    for arguments in [PLAN.to_owned(), format!("{PLAN} --export none"), "export status".to_owned()] {
        run(&place, &arguments, &[], b"").status(0);
    }
    run(&place, &format!("{PLAN} --export none"), &[("STEADFAST_EXPORT", "opik,otlp")], b"").status(0);
    let end = run(&place, "export flush", &[], b"").status(0);
    assert_eq!(end.stdout, "nothing was exported by way of this queue\n");
    assert_eq!(place.files(), before);
}

#[test]
fn exporters_that_cannot_be_are_refused_before_anything_is_read() {
    let place = place();
    let refused = |arguments: &str, variables: &[(&str, &str)], said: &str| {
        let end = run(&place, arguments, variables, b"").status(2);
        assert_eq!((end.stdout.as_str(), end.stderr.trim_end()), ("", said), "{arguments}");
    };
    refused(
        &format!("{PLAN} --export langfuse"),
        &[],
        "error: `langfuse` is no exporter\nhint: exporters are `jsonl:FILE`, `opik` and `otlp`",
    );
    refused(
        &format!("{PLAN} --export opik"),
        &[],
        "error: opik: neither OPIK_URL_OVERRIDE nor OPIK_API_KEY is set\n\
         hint: OPIK_URL_OVERRIDE=http://localhost:5173/api is a server of one's own; OPIK_API_KEY and OPIK_WORKSPACE alone are for the cloud",
    );
    refused(
        &format!("{PLAN} --export jsonl:2026-01-26.md"),
        &[],
        "error: 2026-01-26.md: cannot take traces: it is an input, an output or the store\n\
         hint: give another name to `--export jsonl:FILE`",
    );
    refused(
        &format!("{PLAN} --export jsonl:t.jsonl"),
        &[("STEADFAST_EXPORT_CAPTURE", "all")],
        "error: STEADFAST_EXPORT_CAPTURE is `all`\nhint: it is `preview`, `hash` or `none`",
    );
    for wait in ["60.1", "-1", "NaN", "soon"] {
        refused(
            &format!("{PLAN} --export jsonl:t.jsonl"),
            &[("STEADFAST_EXPORT_WAIT", wait)],
            &format!(
                "error: `--export-wait {wait}` is no time\nhint: a run waits from 0 to 60 seconds for what it sends"
            ),
        );
    }
    let secret =
        run(&place, &format!("{PLAN} --export otlp"), &[("OTEL_EXPORTER_OTLP_HEADERS", "x=canary-77aa%0A")], b"");
    assert!(secret.status == 2 && !secret.stderr.contains(KEY), "{secret:?}");
}

#[test]
fn no_text_leaves_where_only_hashes_may() {
    let place = place();
    run(&place, &format!("{PLAN} --export jsonl:t.jsonl --export-capture hash"), &[], b"").status(0);
    run(&place, PLAN, &[("STEADFAST_EXPORT", "jsonl:t.jsonl"), ("STEADFAST_EXPORT_CAPTURE", "hash")], b"").status(0);
    let told = place.read("t.jsonl");
    assert!(told.lines().count() == 2 && !told.contains("board") && !told.contains("Ana") && told.contains("sha256"));
    run(&place, &format!("{PLAN} --export jsonl:t.jsonl"), &[], b"").status(0);
    assert!(place.read("t.jsonl").contains("board"));
    let schema: Value = serde_json::from_str(&run(&place, "schema trace", &[], b"").status(0).stdout).unwrap();
    for trace in traces(&place, "t.jsonl") {
        assert_eq!(steadfast_testkit::schema::breaches(&schema, &trace), Vec::<String>::new());
    }
}

#[test]
fn calls_of_the_server_are_told_of_whether_they_are_stored_or_not() {
    let place = place();
    let call = |id: u32, tool: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            .to_string()
    };
    let at = json!({"context": NOTES, "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"});
    let steps: Vec<Value> = STEPS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
               "clientInfo": {"name": "test", "version": "1"}}})
        .to_string(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        call(1, "plan", at.clone()),
        call(2, "plan_constraints", at),
        call(3, "audit", json!({"prompt": crate::common::PROMPT, "report": crate::common::REPORT})),
        call(4, "watch", json!({"steps": steps, "embedder": "lexical"})),
        call(5, "evaluate_output", json!({"output": "✅"})),
    ];
    let input = lines.join("\n") + "\n";
    for (rest, told) in [("--no-store", 4), ("--store s.db", 5)] {
        let queue = format!("mcp {rest} --export jsonl:t{told}.jsonl --export opik --export-queue q{told}");
        let variables = [("OPIK_URL_OVERRIDE", "http://127.0.0.1:1")];
        let with = run(&place, &queue, &variables, input.as_bytes()).status(0);
        assert_eq!(with.stdout.lines().count(), 6, "{with:?}");
        let own = traces(&place, &format!("t{told}.jsonl"));
        let mut names: Vec<&str> = own.iter().map(|trace| trace["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            ["audit", "plan", "plan constraints", "review", "watch"]
                .iter()
                .filter(|name| told == 5 || **name != "review")
                .copied()
                .collect::<Vec<_>>()
        );
        assert_eq!(status(&place, &format!("--export-queue q{told}"))["exporters"][0]["waiting"], told);
        assert!(own.iter().all(|trace| trace["metadata"]["stored"] == (told == 5)), "{own:?}");
    }
    // What is stored has the id of its trace.
    let listed: Value = serde_json::from_str(&run(&place, "runs list --store s.db --json", &[], b"").stdout).unwrap();
    let id = |of: &Value| of["id"].as_str().unwrap().to_owned();
    let mut stored: Vec<String> = listed["runs"].as_array().unwrap().iter().map(id).collect();
    let mut told: Vec<String> = traces(&place, "t5.jsonl").iter().map(id).collect();
    stored.sort();
    told.sort();
    assert_eq!(stored, told);
}

#[test]
fn a_selection_is_told_with_the_states_that_were_passed_and_its_evidence() {
    let prompt = "---\nid: plan-a-party\ntitle: Plan a party\nstage: plan\n---\nPlan a summer party for {{guests}} step by step.\n";
    let place = Place::empty().with("prompts/party.md", prompt);
    run(&place, "vault import prompts --vault v.db --no-embed", &[], b"").status(0);
    let without = run(&place, "pick party --vault v.db --json", &[], b"").status(0);
    let with = run(&place, "pick party --vault v.db --json --export jsonl:t.jsonl", &[], b"").status(0);
    let parted = |end: &End| {
        let mut answer: Value = serde_json::from_str(&end.stdout).unwrap();
        let run = answer.as_object_mut().unwrap().remove("run").unwrap();
        (answer, run["id"].clone())
    };
    let ((answer, _), (same, id)) = (parted(&without), parted(&with));
    assert_eq!(answer, same);
    let own = traces(&place, "t.jsonl").remove(0);
    assert_eq!((&own["name"], &own["id"], &own["output"]["mode"]), (&json!("pick"), &id, &answer["mode"]));
    let states: Vec<&Value> = answer["log"].as_array().unwrap().iter().map(|step| &step["state"]).collect();
    let spans: Vec<&Value> = own["spans"].as_array().unwrap().iter().map(|span| &span["name"]).collect();
    assert!(spans == states && !spans.is_empty(), "{own}");
    let scores: Vec<&str> =
        own["scores"].as_array().unwrap().iter().map(|score| score["name"].as_str().unwrap()).collect();
    assert!(["confidence", "clarify", "ambiguity"].iter().all(|name| scores.contains(name)), "{scores:?}");
    for (told, picked) in
        own["output"]["selected_prompts"].as_array().unwrap().iter().zip(answer["selected_prompts"].as_array().unwrap())
    {
        assert_eq!((&told["prompt_id"], &told["evidence"]), (&picked["prompt_id"], &picked["evidence"]));
    }
}
