//! `steadfast watch` as a whole program, on runs written for these tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::Place;
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::watch::{Comparison, StepRecord, Watch};

const BREAD: &str = "List three ways to keep bread fresh.";
const MACHINES: &str = "Sell the old machines and lease new ones.";

/// A run of JSON lines: task, prompt and output of each step.
fn run(steps: &[(&str, &str, &str)]) -> String {
    let lines = steps.iter().enumerate().map(|(step, (task, prompt, output))| {
        format!("{}\n", json!({"task_id": task, "step": step, "prompt": prompt, "output": output}))
    });
    lines.collect()
}

fn bread() -> String {
    run(&[
        ("bread", BREAD, "Bread keeps best in a paper bag. A clay pot works too. Sliced bread can be frozen."),
        ("bread", BREAD, "Knead the dough for ten minutes. Let it rise.\n---\nBake it hot."),
        ("bread", MACHINES, "We sold two machines today; the leases for 3 new machines start on Monday."),
        ("bread", MACHINES, "The weather was fine."),
    ])
}

fn place() -> Place {
    Place::empty().with("run.jsonl", bread())
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

#[track_caller]
fn near(value: &Value, expect: f64) {
    assert!((value.as_f64().unwrap() - expect).abs() < 1e-5, "{value} is not {expect}");
}

#[test]
fn scores_are_those_of_the_reference_implementation() {
    // Worked out with sentence-transformers, f32.
    let end = place().steadfast("watch run.jsonl --json").status(0);
    let watch = parsed(&end.stdout);
    assert_eq!(watch["embedder"], "minilm");
    let steps = &watch["trajectories"][0]["steps"];
    for (at, (ids, distance)) in
        [(0.349_369, 0.517_837), (0.594_411, 0.771_695), (0.414_352, 0.452_433), (0.978_466, 0.985_644)]
            .into_iter()
            .enumerate()
    {
        near(&steps[at]["ids"], ids);
        near(&steps[at]["goal_distance"], distance);
    }
    let types: Vec<_> = (0..4).map(|at| steps[at]["update_type"].as_str().unwrap()).collect();
    assert_eq!(types, ["initial", "refinement", "major_shift", "refinement"]);
    near(&watch["trajectories"][0]["mean_ids"], (0.594_411 + 0.414_352 + 0.978_466) / 3.0);
    near(&watch["trajectories"][0]["max_ids"], 0.978_466);
}

#[test]
fn the_json_keeps_to_its_schema_and_has_the_same_bytes_twice() {
    let place = place();
    let first = place.steadfast("watch run.jsonl --embedder lexical --json").status(0);
    let schema = serde_json::to_value(steadfast_wire::schema::<Watch>()).unwrap();
    assert_eq!(breaches(&schema, &parsed(&first.stdout)), [""; 0]);
    assert_eq!(first.stdout, place.steadfast("watch run.jsonl --embedder lexical --json").status(0).stdout);
    assert_eq!(parsed(&first.stdout)["embedder"], "lexical");
}

#[test]
fn every_format_is_written() {
    let place = place();
    for (format, begins) in [("md", "# "), ("html", "<!DOCTYPE html>"), ("text", "")] {
        let end = place.steadfast(&format!("watch run.jsonl --embedder lexical --format {format}")).status(0);
        assert!(end.stdout.trim_start().to_lowercase().starts_with(&begins.to_lowercase()), "{}", end.stdout);
        assert!(end.stdout.contains("bread"), "{}", end.stdout);
    }
    place.steadfast("watch run.jsonl --embedder lexical --format html -o drift.html").status(0);
    assert!(place.read("drift.html").contains("<svg"));
}

#[test]
fn lines_are_steps_and_then_the_whole() {
    let end = place().steadfast("watch run.jsonl --embedder lexical --format jsonl").status(0);
    let lines: Vec<&str> = end.stdout.lines().collect();
    assert_eq!(lines.len(), 5);
    let schema = serde_json::to_value(steadfast_wire::schema::<StepRecord>()).unwrap();
    for line in &lines[..4] {
        assert_eq!(breaches(&schema, &parsed(line)), [""; 0]);
    }
    let whole = parsed(lines[4]);
    assert_eq!(whole["trajectories"][0]["steps"], json!([]));
    assert!(whole["trajectories"][0]["mean_ids"].is_number());
}

/// `watch -`, following.
fn following(place: &Place) -> Child {
    Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .args(["watch", "-", "--embedder", "lexical"])
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_input_and_the_second_one_the_program() {
    let interrupt = |child: &Child| {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    };
    for times in [1, 2] {
        let place = Place::empty();
        let mut child = following(&place);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        write!(input, "{}", bread()).unwrap();
        input.flush().unwrap();
        let mut told = String::new();
        output.read_line(&mut told).unwrap();
        for _ in 0..times {
            interrupt(&child);
            // Signals of one kind that wait together are one.
            thread::sleep(Duration::from_millis(300));
        }
        if times == 1 {
            assert_eq!(child.try_wait().unwrap(), None);
            drop(input);
            output.read_to_string(&mut told).unwrap();
            assert!(child.wait().unwrap().success());
            assert!(told.contains("Scored with embedder lexical"), "{told}");
        } else {
            assert_eq!(child.wait().unwrap().code(), Some(130));
        }
    }
}

#[test]
fn an_intent_for_a_task_that_no_step_is_of_is_told() {
    let place = Place::empty()
        .with("run.jsonl", bread())
        .with("intents.json", r#"{"bread": "Bake bread.", "cake": "Bake a cake.", "tart": "Bake a tart."}"#)
        .with("one.json", r#"{"cake": "Bake a cake."}"#);
    let end = place.steadfast("watch run.jsonl --intents intents.json --embedder lexical").status(0);
    let expected =
        "warning: intents.json: 2 intents are not used: no step is of their tasks, the first of them `cake`\n";
    assert!(end.stderr.contains(expected), "{}", end.stderr);
    let end = place.steadfast("watch run.jsonl --intents one.json --embedder lexical").status(0);
    assert!(end.stderr.contains("no step is of the task `cake`, so its intent is not used"), "{}", end.stderr);
}

#[test]
fn a_step_is_told_as_soon_as_its_line_is_there() {
    let place = Place::empty();
    let mut child = following(&place);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for line in bread().lines() {
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        // It would wait for ever here if the step came only at the end.
        let mut told = String::new();
        output.read_line(&mut told).unwrap();
        assert!(told.starts_with("step") && told.contains("bread"), "{told}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_malformed_line_is_named_and_the_rest_is_scored() {
    let place = Place::empty().with("run.jsonl", format!("{{\"task_id\": 7,\n{}not json\n", bread()));
    let end = place.steadfast("watch run.jsonl --embedder lexical --json").status(0);
    let watch = parsed(&end.stdout);
    assert_eq!(watch["trajectories"][0]["steps"].as_array().unwrap().len(), 4);
    let lines: Vec<_> = watch["problems"].as_array().unwrap().iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert!(lines.contains(&6), "{watch}");
    assert!(end.stderr.contains("run.jsonl:6:"), "{}", end.stderr);
}

#[test]
fn nothing_to_score_is_not_evaluable() {
    let place = Place::empty()
        .with("empty.jsonl", "")
        .with("broken.jsonl", "not json\n")
        .with("silent.jsonl", "{\"task_id\": \"t\", \"step\": 0, \"prompt\": \"go\", \"output\": null}\n");
    for file in ["empty", "broken", "silent"] {
        let end = place.steadfast(&format!("watch {file}.jsonl --embedder lexical")).status(3);
        assert!(end.stderr.contains("nothing can be evaluated") && end.stdout.is_empty(), "{}", end.stderr);
    }
}

#[test]
fn without_the_model_the_way_out_is_named() {
    let place = place();
    let output = Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .args(["watch", "run.jsonl"])
        .current_dir(place.root())
        .env("STEADFAST_MODELS", place.path("none"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("embedder pull") && stderr.contains("--embedder lexical"), "{stderr}");
}

#[test]
fn bad_arguments_are_refused() {
    let place = place();
    place
        .steadfast("watch run.jsonl --alert 1.5")
        .refused(2, "error: `--alert 1.5` is no threshold\nhint: scores lie between 0 and 1");
    place
        .steadfast("watch run.jsonl --fail-on risk=high")
        .refused(2, "error: `--fail-on risk=high` does not apply to watch\nhint: watch fails on `alert`");
    place.steadfast("watch - - --embedder lexical").refused(2, "error: only one input can be read from stdin");
    let end = place.with("intents.json", "[]").steadfast("watch run.jsonl --intents intents.json --embedder lexical");
    assert!(end.stderr.contains("intents.json:1:") && end.status == 2, "{end:?}");
}

#[test]
fn an_alert_fails_the_gate_when_asked() {
    let steps: Vec<_> = (0..6).map(|_| ("t", "sort the letters by date", "a poem about the sea")).collect();
    let place = Place::empty().with("run.jsonl", run(&steps));
    let end = place.steadfast("watch run.jsonl --embedder lexical --alert 0.9 --fail-on alert --json").status(1);
    let watch = parsed(&end.stdout);
    assert_eq!(watch["alert"]["calibration"], "uncalibrated");
    assert_eq!(watch["trajectories"][0]["alerts"][0]["from_step"], 0);
    assert!(end.stderr.contains("1 alerts in 1 of 1 trajectories"), "{}", end.stderr);
    // Fitted on runs like it, the threshold lies above.
    let end =
        place.steadfast("watch run.jsonl --embedder lexical --baseline run.jsonl --fail-on alert --json").status(0);
    let alert = &parsed(&end.stdout)["alert"];
    assert_eq!(alert["calibration"], "baseline");
    assert!(alert["threshold"].as_f64().unwrap() > 0.9 && alert["false_alarm_rate"] == 0.5, "{alert}");
}

#[test]
fn arms_are_compared_from_steps_and_from_saved_results() {
    let near_it = run(&[
        ("x", BREAD, "bread"),
        ("x", BREAD, "keep the bread fresh"),
        ("y", BREAD, "a"),
        ("y", BREAD, "fresh bread"),
    ]);
    let off_it = run(&[("x", BREAD, "bread"), ("x", BREAD, "the sea"), ("y", BREAD, "a"), ("y", BREAD, "a boat")]);
    let place = Place::empty().with("a.jsonl", off_it).with("b.jsonl", near_it);
    let fresh = place.steadfast("watch compare a.jsonl b.jsonl --embedder lexical --json").status(0);
    let comparison = parsed(&fresh.stdout);
    let schema = serde_json::to_value(steadfast_wire::schema::<Comparison>()).unwrap();
    assert_eq!(breaches(&schema, &comparison), [""; 0]);
    assert_eq!((&comparison["n"], &comparison["wins_b"]), (&json!(2), &json!(2)));
    for arm in ["a", "b"] {
        place.steadfast(&format!("watch {arm}.jsonl --embedder lexical --json -o {arm}.json")).status(0);
    }
    let saved = place.steadfast("watch compare a.json b.json --json").status(0);
    assert_eq!(parsed(&saved.stdout)["pairs"], comparison["pairs"]);
    let other = place.read("b.json").replace("lexical/1", "lexical/0");
    let end = place.with("b.json", other).steadfast("watch compare a.json b.json");
    assert!(end.status == 2 && end.stderr.contains("cannot be compared"), "{end:?}");
}

#[test]
fn a_session_that_goes_round_is_told_of() {
    let line = |kind: &str, content: Value| {
        format!("{}\n", json!({"type": kind, "sessionId": "s", "message": {"role": kind, "content": content}}))
    };
    let mut log = line("user", json!("Find where the port is set."));
    for at in 0..4 {
        let id = format!("t{at}");
        let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "grep -rn PORT src"}});
        log += &line("assistant", json!([{"type": "text", "text": "I look for it."}, call]));
        log += &line("user", json!([{"type": "tool_result", "tool_use_id": id, "content": "src/a.rs:3: PORT"}]));
    }
    log += &line("user", json!("Thanks!"));
    log += &line("assistant", json!([{"type": "text", "text": "You are welcome."}]));
    let place = Place::empty().with("session.jsonl", log);
    let end = place.steadfast("watch session.jsonl --embedder lexical --json --fail-on alert").status(1);
    let own = &parsed(&end.stdout)["trajectories"][0];
    let alert = &own["alerts"][0];
    assert_eq!((&alert["cause"], &alert["from_step"], &alert["to_step"]), (&"loop".into(), &0.into(), &3.into()));
    let message = "the call “grep -rn PORT src” comes 4 times in a row with the same result: “src/a.rs:3: PORT”";
    assert_eq!(alert["message"], message);
    // What answers thanks changes no goal and counts in no mean.
    let (steps, last) = (own["steps"].as_array().unwrap(), &own["steps"][4]);
    assert!(steps.len() == 5 && last["ids"].is_number() && last["update_type"].is_null(), "{last}");
    assert_eq!(own["mean_ids"], own["steps"][1]["ids"]);
}
