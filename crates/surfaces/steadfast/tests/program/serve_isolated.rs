//! A server whose workers are killed, or refuse for want of memory: it goes on, and so do all requests but the one.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::serve::{Served, json_of, problem};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};

/// How long something is waited for that comes soon.
const PATIENCE: Duration = Duration::from_secs(60);

fn audit() -> Value {
    json!({"prompt": PROMPT, "report": REPORT})
}

/// Processes whose parent is this one, the oldest first.
fn children(parent: u32) -> Vec<u32> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        // The name of the program stands in parentheses; state and parent follow (proc(5)).
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let (state, own) = (fields.next().unwrap_or_default(), fields.next().and_then(|id| id.parse::<u32>().ok()));
        if own == Some(parent) && state != "Z" {
            all.push(id);
        }
    }
    all.sort_unstable();
    all
}

fn signal(process: u32, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &process.to_string()]).status().unwrap().success());
}

/// Waits until `found` finds something.
fn waited<T>(found: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing came in {PATIENCE:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn ended(server: &Served) -> u64 {
    let text = server.get("/metrics").text();
    let line = text.lines().find(|line| line.starts_with("steadfast_worker_exits_total ")).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_same_bytes_come_from_a_worker_as_without() {
    let place = Place::empty();
    let (isolated, alone) = (Served::start(&place, "--no-store"), Served::start(&place, "--no-store --isolate off"));
    assert!(children(alone.id()).is_empty());
    for (path, body) in [
        ("/api/audit", audit()),
        ("/api/audit/contract", json!({"prompt": PROMPT})),
        ("/api/review", json!({"output": REPORT})),
        (
            "/api/plan",
            json!({"context": "- [ ] call Ann at 10:30", "current_time": "2026-01-26T08:00:00Z", "timezone": "UTC"}),
        ),
        ("/api/audit", json!({"prompt": PROMPT, "report": "ok"})),
    ] {
        let (one, other) = (isolated.post(path, &body), alone.post(path, &body));
        assert_eq!((one.status, one.text()), (other.status, other.text()), "{path}");
    }
    assert_eq!(children(isolated.id()).len(), 1);
    alone.stop("TERM");
    isolated.stop("TERM");
}

#[test]
fn a_worker_that_is_killed_costs_no_request_that_does_not_kill() {
    let place = Place::empty();
    let server = Served::start(&place, "--store s.db --rate 0");
    let before: Value = json_of(&server.post("/api/audit", &audit()), 200);
    let first = waited(|| children(server.id()).first().copied());
    let answers: Vec<Value> = thread::scope(|scope| {
        // A stopped worker answers nobody, so all three are with it when it is killed.
        signal(first, "STOP");
        let posts: Vec<_> =
            (0..3).map(|_| scope.spawn(|| json_of(&server.post("/api/audit", &audit()), 200))).collect();
        thread::sleep(Duration::from_millis(500));
        signal(first, "KILL");
        posts.into_iter().map(|post| post.join().unwrap()).collect()
    });
    let runs: BTreeSet<&str> = answers.iter().map(|answer| answer["run"]["id"].as_str().unwrap()).collect();
    assert_eq!(runs.len(), 3);
    for run in runs {
        json_of(&server.get(&format!("/api/runs/{run}")), 200);
    }
    let after = json_of(&server.post("/api/audit", &audit()), 200);
    assert_eq!(before["obligations"], after["obligations"]);
    assert_eq!(ended(&server), 1);
    server.stop("TERM");
}

#[test]
fn a_request_that_ends_its_worker_twice_is_refused() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store --rate 0");
    let first = waited(|| children(server.id()).first().copied());
    let long = json!({"prompt": PROMPT, "report": REPORT.repeat(12_000)});
    thread::scope(|scope| {
        // A stopped worker is at its request however fast it is.
        signal(first, "STOP");
        let post = scope.spawn(|| server.post("/api/audit", &long));
        thread::sleep(Duration::from_millis(500));
        signal(first, "KILL");
        // The one that has it alone.
        let alone = waited(|| children(server.id()).into_iter().find(|own| *own != first));
        signal(alone, "STOP");
        thread::sleep(Duration::from_millis(300));
        signal(alone, "KILL");
        let rest = json!({
            "detail": "the worker that judged this exited: signal 9",
            "hint": "the server goes on; give less at a time, or leave out what is no prose",
        });
        problem(&post.join().unwrap(), (503, "worker-exited"), &rest);
    });
    json_of(&server.post("/api/audit", &audit()), 200);
    assert_eq!(ended(&server), 2);
    let said = server.stop("TERM");
    assert_eq!(said.matches("a worker exited: signal 9").count(), 2, "{said}");
}

#[test]
fn workers_end_with_their_server() {
    let place = Place::empty();
    let server = Served::start(&place, "--store s.db");
    let worker = waited(|| children(server.id()).first().copied());
    server.signal("KILL");
    drop(server);
    waited(|| fs::metadata(format!("/proc/{worker}")).is_err().then_some(()));
}
