//! All that people and programs ask of a server, at once and for a long time, at a rate that leaves the machine room for others.
//!
//! Clients send steps, batches, audits, plans, checks of plans, reviews and jobs, read lists and pages, send a hostile text now and then, and some leave before the answer. At the end
//! the server is killed and started anew: all that was acknowledged has to be there, once and unchanged. Each minute says what the processes and the store hold.
//! It fails where something is missing or doubled, where the server failed, and where memory grew.

mod client;
mod ledger;

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::driven::{Caller, Given, Server, Waits, load_average, mebibytes, ticks, until};
use client::{Client, Told};
use ledger::{Kept, Ledger, digest, growth_percent};

/// Clients, who send one request after the other.
const CLIENTS: usize = 8;

/// Requests a second of all clients, where no other number is given.
const PER_SECOND: usize = 25;

/// Minutes, where no other number is given.
const MINUTES: usize = 60;

/// By how many percent the memory of the last quarter may be over that of the second one.
const GROWTH_PERCENT: usize = 15;

/// Time between two rows of the table.
const GAP: Duration = Duration::from_secs(60);

/// How long jobs may go on after the last request.
const JOBS_MAX: Duration = Duration::from_secs(120);

/// What is seen from outside at one moment.
struct Sample {
    server_mib: f64,
    /// Of all workers together.
    worker_mib: f64,
    files: usize,
    store_mib: f64,
    log_mib: f64,
    /// Hundredths of a second of processors, of those processes that are there.
    ticks: u64,
}

/// The processes that a process started and that are there.
fn children(process: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let all: Vec<String> = tasks.flatten().map(of).collect();
    all.iter().flat_map(|own| own.split_whitespace()).map(|own| own.parse().unwrap()).collect()
}

fn sample(server: &Server, store: &Path) -> Sample {
    let (own, workers) = (server.process(), children(server.process()));
    let files = |process: &u32| fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count);
    let size = |path: &Path| fs::metadata(path).map_or(0.0, |own| own.len() as f64 / f64::from(1 << 20));
    Sample {
        server_mib: server.mebibytes().0,
        worker_mib: workers.iter().filter_map(|own| mebibytes(*own)).map(|own| own.0).sum(),
        files: workers.iter().chain([&own]).map(files).sum(),
        store_mib: size(store),
        log_mib: size(&store.with_extension("db-wal")),
        ticks: workers.iter().chain([&own]).filter_map(|own| ticks(*own)).sum(),
    }
}

/// Prints a row a minute, until the time is over.
fn watch(server: &Server, store: &Path, end: Instant, asked: &AtomicUsize) -> Vec<Sample> {
    let begun = Instant::now();
    let gap = GAP.min((end - begun) / 20);
    println!("| minute | requests | server, MiB | worker, MiB | open files | store, MiB | log, MiB | cores |");
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut samples, mut before) = (Vec::new(), sample(server, store).ticks);
    let mut due = begun + gap;
    while due <= end {
        until(due);
        due += gap;
        let own = sample(server, store);
        println!(
            "| {:.1} | {} | {:.0} | {:.0} | {} | {:.0} | {:.1} | {:.2} |",
            begun.elapsed().as_secs_f64() / 60.0,
            asked.load(Ordering::Relaxed),
            own.server_mib,
            own.worker_mib,
            own.files,
            own.store_mib,
            own.log_mib,
            own.ticks.saturating_sub(before) as f64 / 100.0 / gap.as_secs_f64(),
        );
        before = own.ticks;
        samples.push(own);
    }
    samples
}

/// Waits until no job is under way.
fn jobs_end(address: SocketAddr) {
    let begun = Instant::now();
    loop {
        let jobs = Caller::of(address).get("/api/jobs?limit=1000");
        let ended = |job: &Value| !matches!(job["state"].as_str(), Some("queued" | "running"));
        if jobs["jobs"].as_array().unwrap().iter().all(ended) {
            return;
        }
        assert!(begun.elapsed() < JOBS_MAX, "jobs do not end");
        thread::sleep(Duration::from_secs(1));
    }
}

/// All rows of a list, page after page.
fn rows(caller: &mut Caller, path: &str, member: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    loop {
        let mut page = caller.get(&format!("{path}limit=1000{cursor}"));
        rows.extend(std::mem::take(page[member].as_array_mut().unwrap()));
        cursor = match &page["next_cursor"] {
            Value::Null => return rows,
            Value::String(next) => format!("&cursor={next}"),
            next => format!("&cursor={next}"),
        };
    }
}

/// Reads all that is there, of what was acknowledged or listed.
fn read_back(address: SocketAddr, ledger: &Ledger) -> Kept {
    let mut caller = Caller::of(address);
    let text = |row: &Value, member: &str| row[member].as_str().unwrap().to_owned();
    let mut kept = Kept::default();
    for trajectory in rows(&mut caller, "/api/trajectories?", "trajectories") {
        let name = text(&trajectory, "id");
        // Those of hostile texts in a log are runs, not followed ones.
        let steps = rows(&mut caller, &format!("/api/trajectories/{name}?fields=steps,next_cursor&"), "steps");
        for (at, step) in steps.iter().enumerate() {
            assert_eq!(step["number"].as_u64(), Some(at as u64), "a place of {name} is left out");
        }
        kept.steps.insert(name, steps.iter().map(|step| text(step, "id")).collect());
    }
    kept.runs = rows(&mut caller, "/api/runs?fields=id&", "runs").iter().map(|run| text(run, "id")).collect();
    for (id, _) in &ledger.runs {
        let (status, body) = caller.ask("GET", &format!("/api/runs/{id}/result"), b"").unwrap();
        if status == 200 {
            kept.results.insert(id.clone(), digest(&serde_json::from_slice(&body).unwrap()));
        }
    }
    for job in rows(&mut caller, "/api/jobs?", "jobs") {
        let id = text(&job, "id");
        let parts = rows(&mut caller, &format!("/api/jobs/{id}?"), "results");
        kept.jobs.insert(id, parts.iter().filter_map(|part| part["run_id"].as_str()).map(str::to_owned).collect());
    }
    kept
}

/// Measures, and ends the program with status 1 where something was wrong.
pub(crate) fn mixed(given: &Given) {
    let minutes = given.number("--minutes", MINUTES);
    let per_second = given.number("--per-second", PER_SECOND);
    let growth_max = given.number("--growth", GROWTH_PERCENT) as f64;
    let (program, folder) = (given.program(), tempfile::tempdir().unwrap());
    let store = folder.path().join("mixed.db");
    let arguments = ["--rate", "0"];
    let mut server = Server::start(&program, &store, &arguments);
    let address = server.address;
    let (stop, asked) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
    println!("mixed: {CLIENTS} clients, {per_second} requests a second, {minutes} minutes");
    let clients: Vec<_> = (0..CLIENTS)
        .map(|name| {
            let (stop, asked) = (Arc::clone(&stop), Arc::clone(&asked));
            let gap = Duration::from_secs_f64(CLIENTS as f64 / per_second as f64);
            thread::spawn(move || Client::new(address, name).work(gap, &stop, &asked))
        })
        .collect();
    let end = Instant::now() + Duration::from_secs(60 * minutes as u64);
    let samples = watch(&server, &store, end, &asked);
    stop.store(true, Ordering::Relaxed);
    let (mut ledger, mut waits, mut faults) = (Ledger::default(), BTreeMap::<_, Waits>::new(), Vec::new());
    for client in clients {
        let Told { ledger: own, waits: waited, faults: failed } = client.join().unwrap();
        ledger.merge(own);
        faults.extend(failed);
        for (name, more) in waited {
            waits.entry(name).or_default().merge(more);
        }
    }
    println!("\n| request | answered | 50th, ms | 99th, ms | statuses |\n|---|---:|---:|---:|---|");
    for (name, own) in &mut waits {
        println!("| {name} | {} | {:.0} | {:.0} | {} |", own.answered(), own.ms(50), own.ms(99), own.statuses());
    }
    jobs_end(address);
    let metrics = String::from_utf8(Caller::of(address).ask("GET", "/metrics", b"").unwrap().1).unwrap();
    let figure = |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("none").to_owned();
    let (exits, left) = (figure("steadfast_worker_exits_total "), figure("steadfast_http_requests_left_total "));
    server.kill();
    drop(server);
    let server = Server::start(&program, &store, &arguments);
    faults.extend(ledger.amiss(&read_back(server.address, &ledger)));
    println!(
        "\nacknowledged: {} steps of {} trajectories, {} runs, {} jobs; requests that were left: {left}; workers that exited: {exits}; load {}",
        ledger.steps.values().map(Vec::len).sum::<usize>(),
        ledger.steps.len(),
        ledger.runs.len(),
        ledger.jobs.len(),
        load_average(),
    );
    type Figure = fn(&Sample) -> f64;
    let figures: [(&str, Figure); 3] =
        [("server", |own| own.server_mib), ("worker", |own| own.worker_mib), ("files", |own| own.files as f64)];
    for (name, of) in figures {
        let growth = growth_percent(&samples.iter().map(of).collect::<Vec<_>>());
        println!("{name}: the last quarter is {growth:+.1} % over the second");
        if growth > growth_max {
            faults.push(format!("{name}: grew by {growth:.1} %, more than {growth_max} %"));
        }
    }
    drop(server);
    drop(folder);
    for fault in &faults {
        println!("FAULT {fault}");
    }
    println!("{}", if faults.is_empty() { "nothing missing, nothing doubled" } else { "FAILED" });
    if !faults.is_empty() {
        std::process::exit(1);
    }
}
