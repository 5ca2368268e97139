//! How long a large store takes over HTTP: 20,000 runs of `watch` with 50 steps each, as many trajectories of 50 steps, and one run and one trajectory of 10,000.
//!
//! `--store` keeps the store; one that is there is only measured. Every figure is of 100 requests, one after the other.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driven::{Caller, Given, Server, Waits, encoded, load_average, step};

/// Requests of each kind.
const REQUESTS: usize = 100;

/// Connections that fill it.
const FILLERS: usize = 8;

/// Steps of the long run.
const LONG_STEPS: usize = 10_000;

/// Steps that a request brings of it.
const LONG_BATCH: usize = 500;

/// Steps of a run of `watch`.
fn steps(count: usize, task: &str) -> Value {
    let steps = (0..count).map(|at| {
        let mut own = step(at);
        own["task_id"] = task.into();
        own["step"] = at.into();
        own
    });
    steps.collect()
}

fn fill(server: &Server, runs: usize, count: usize) {
    let (address, begun) = (server.address, Instant::now());
    let fillers: Vec<_> = (0..FILLERS)
        .map(|filler| {
            thread::spawn(move || {
                let mut own = Caller::of(address);
                let plain: Value = (0..count).map(step).collect();
                let plain = plain.to_string();
                for at in (filler..runs).step_by(FILLERS) {
                    let watch =
                        json!({"steps": steps(count, &format!("task-{at}")), "embedder": "lexical"}).to_string();
                    for (path, body) in
                        [("/api/watch", &watch), (&*format!("/api/trajectories/t-{at}/steps?score=false"), &plain)]
                    {
                        let (status, answer) = own.ask("POST", path, body.as_bytes()).unwrap();
                        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&answer));
                    }
                }
            })
        })
        .collect();
    for filler in fillers {
        filler.join().unwrap();
    }
    let mut own = Caller::of(address);
    for from in (0..LONG_STEPS).step_by(LONG_BATCH) {
        let some: Value = (from..from + LONG_BATCH).map(step).collect();
        let (status, _) =
            own.ask("POST", "/api/trajectories/long/steps?score=false", some.to_string().as_bytes()).unwrap();
        assert_eq!(status, 200);
    }
    println!("filled in {:.0} s; now steps get their scores", begun.elapsed().as_secs_f64());
    server.settled();
    println!("all was scored after {:.0} s", begun.elapsed().as_secs_f64());
}

/// How long requests take.
fn time(own: &mut Caller, called: &str, limit_ms: f64, path: impl Fn(usize) -> String) {
    let (mut waits, mut most) = (Waits::default(), 0);
    for at in 0..REQUESTS {
        let path = path(at);
        let asked = Instant::now();
        let (status, answer) = own.ask("GET", &path, b"").unwrap();
        waits.add(status, asked.elapsed());
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&answer));
        most = answer.len().max(most);
    }
    let said = if waits.ms(95) <= limit_ms { "within" } else { "OVER" };
    println!(
        "  {called}: 50th {:.1} ms, 95th {:.1}, {said} {limit_ms:.0}; {:.0} KiB at most",
        waits.ms(50),
        waits.ms(95),
        most as f64 / 1024.0
    );
}

/// What the pages of a list are asked for with, from the first on; and the first row of each.
fn pages(own: &mut Caller, path: &str, rows: &str) -> (Vec<String>, Vec<String>) {
    let (mut cursors, mut ids) = (vec![String::new()], Vec::new());
    loop {
        let last = cursors.last().cloned().unwrap_or_default();
        let page = own.get(&format!("{path}?limit=200&fields=id{last}"));
        ids.push(page[rows][0]["id"].as_str().unwrap().to_owned());
        match page["next_cursor"].as_str() {
            Some(next) if ids.len() < REQUESTS => cursors.push(format!("&cursor={}", encoded(next))),
            _ => return (cursors, ids),
        }
    }
}

fn measure(own: &mut Caller, runs: usize) {
    let (run_cursors, ids) = pages(own, "/api/runs", "runs");
    let (live_cursors, _) = pages(own, "/api/trajectories", "trajectories");
    let id = |at: usize| &ids[at % ids.len()];
    let runs_at = |at: usize| &run_cursors[at % run_cursors.len()];
    let live_at = |at: usize| &live_cursors[at % live_cursors.len()];

    time(own, "list of runs, page after page", 100.0, |at| format!("/api/runs?limit=50{}", runs_at(at)));
    time(own, "list of runs of a verb", 100.0, |at| format!("/api/runs?limit=50&verb=watch{}", runs_at(at)));
    time(own, "list of runs of a verb that has few", 100.0, |_| "/api/runs?limit=50&verb=plan".to_owned());
    time(own, "list of runs, the page", 100.0, |at| format!("/runs?x={}", runs_at(at)));
    time(own, "list of runs, the page, searched", 100.0, |at| format!("/runs?text={}", &id(at)[..18]));
    time(own, "list of runs, the page, searched in vain", 100.0, |at| format!("/runs?text=nowhere-{at}"));
    time(own, "list of runs, the page, by verdict", 100.0, |_| "/runs?verdict=risk%20high".to_owned());
    time(own, "overview", 100.0, |_| "/".to_owned());
    time(own, "a run, its page", 150.0, |at| format!("/runs/{}", id(at)));
    time(own, "a run", 150.0, |at| format!("/api/runs/{}", id(at)));
    time(own, "list of trajectories, page after page", 100.0, |at| {
        format!("/api/trajectories?limit=50{}", live_at(at))
    });
    time(own, "list of trajectories, the page", 100.0, |at| format!("/watch/live?x={}", live_at(at)));
    time(own, "list of trajectories, searched", 100.0, |at| format!("/watch/live?search=t-{}", at * 197 % runs));
    time(own, "list of trajectories, searched in vain", 100.0, |at| format!("/watch/live?search=nowhere-{at}"));
    time(own, "list of trajectories with alerts", 100.0, |_| "/watch/live?alerting=true".to_owned());
    time(own, "a trajectory, its page", 150.0, |at| format!("/watch/live/t-{}", at * 197 % runs));
    time(own, "a trajectory", 150.0, |at| format!("/api/trajectories/t-{}?limit=50", at * 197 % runs));
    time(own, "list of tasks, the page", 100.0, |_| "/tasks".to_owned());
    time(own, "metrics", 100.0, |_| "/metrics".to_owned());
}

/// The page of a run of 10,000 steps, and of a trajectory of as many.
fn long(own: &mut Caller, id: &str) {
    time(own, "a run of 10,000 steps, its page", 1_000.0, |_| format!("/runs/{id}"));
    time(own, "a trajectory of 10,000 steps, its page", 1_000.0, |_| "/watch/live/long".to_owned());
    time(own, "a trajectory of 10,000 steps, pages of it", 150.0, |at| {
        format!("/api/trajectories/long?limit=100&cursor={}", at * LONG_STEPS / REQUESTS)
    });
}

/// Measures it.
pub(crate) fn large(given: &Given) {
    let (runs, count) = (given.number("--runs", 20_000), given.number("--steps", 50));
    let folder = tempfile::tempdir().unwrap();
    let file = given.text("--store").map_or_else(|| folder.path().join("large.db"), |file| Path::new(file).to_owned());
    let is_there = file.exists();
    let start = || Server::start(&given.program(), &file, &["--embedder", "lexical", "--rate", "0"]);
    if !is_there {
        println!("{runs} runs of {count} steps, and {runs} trajectories of {count} steps:");
        fill(&start(), runs, count);
    }
    let server = start();
    server.settled();
    let mut own = Caller::of(server.address);
    measure(&mut own, runs);
    let body = json!({"steps": steps(LONG_STEPS, "long"), "embedder": "lexical"}).to_string();
    let asked = Instant::now();
    let (status, answer) = own.ask("POST", "/api/watch", body.as_bytes()).unwrap();
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
    println!("  {LONG_STEPS} steps watched in {:.1?}; an answer of {} KiB", asked.elapsed(), answer.len() / 1024);
    let id = serde_json::from_slice::<Value>(&answer).unwrap()["run"]["id"].as_str().unwrap().to_owned();
    long(&mut own, &id);
    thread::sleep(Duration::from_secs(2));
    let (now, most) = server.mebibytes();
    println!("  {now:.0} MiB, at most {most:.0}; load of the machine {}", load_average());
}
