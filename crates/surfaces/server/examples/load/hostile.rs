//! What hostile texts do to a server and to others: shapes that repeat without end, and texts of a folder, as they are and damaged, through all verbs.
//!
//! Eight clients send them, one after the other, while somebody else asks for a plan ten times a second.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use steadfast_engine::SplitMix;
use steadfast_testkit::shapes::shapes;

use crate::driven::{Caller, Given, Server, Waits, load_average};
use crate::steps::PLAN;

/// Clients who send texts.
const CLIENTS: usize = 8;

/// Texts, where no other number is given.
const TEXTS: usize = 10_000;

/// Bytes of a text, at most.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Time between two plans of the one who is measured.
const GAP: Duration = Duration::from_millis(100);

/// Texts in a folder and all below it.
fn texts_of(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            texts_of(&entry, found);
        } else if entry.metadata().is_ok_and(|own| (40..TEXT_BYTES_MAX as u64).contains(&own.len())) {
            found.push(entry);
        }
    }
}

/// The text of a number: every other one a shape, of sizes up to the limit, few of them large; the rest texts of the folder, some cut, doubled or spiked with a shape.
fn text(at: usize, files: &[PathBuf]) -> String {
    let mut random = SplitMix::new(at as u64);
    let size = 1 << (8 + random.below(6) + random.below(4) + random.below(4));
    let units: Vec<(&str, String)> = shapes(size.min(TEXT_BYTES_MAX)).collect();
    let shape = &units[random.below(units.len())].1;
    if at.is_multiple_of(2) || files.is_empty() {
        return shape.clone();
    }
    let mut text = String::from_utf8_lossy(&fs::read(&files[random.below(files.len())]).unwrap()).into_owned();
    let cut = text.floor_char_boundary(random.below(text.len() + 1));
    match random.below(4) {
        0 => text.truncate(cut),
        1 => text.insert_str(cut, shape),
        2 => text = text.repeat(1 + random.below(4)),
        _ => {}
    }
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The request of a number.
pub(crate) fn request(at: usize, files: &[PathBuf]) -> (&'static str, Value) {
    let (one, ask) = (text(at, files), "Sell 500 boats by 5 May. Do not use steel. Keep it under 200 words.");
    match at % 7 {
        0 => ("/api/audit", json!({"prompt": ask, "report": one})),
        1 => ("/api/audit", json!({"prompt": one, "report": "We sold 400 boats of steel by 9 May."})),
        2 => ("/api/audit/lint", json!({"prompt": one})),
        3 => ("/api/review", json!({"output": one})),
        4 => ("/api/plan", json!({"context": one, "current_time": "2026-01-26T08:00:00Z", "timezone": "UTC"})),
        5 => ("/api/audit/contract", json!({"prompt": one})),
        _ => {
            let steps = json!([{"task_id": "t", "prompt": ask, "output": one}]);
            ("/api/watch", json!({"steps": steps, "embedder": "lexical"}))
        }
    }
}

/// Measures.
pub(crate) fn hostile(given: &Given) {
    let texts = given.number("--texts", TEXTS);
    let mut files = Vec::new();
    if let Some(folder) = given.text("--data") {
        texts_of(Path::new(folder), &mut files);
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&given.program(), &folder.path().join("s.db"), &["--rate", "0"]);
    let address = server.address;
    let (next, stop, files) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)), Arc::new(files));
    let innocent = thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            let (mut caller, mut waits) = (Caller::of(address), Waits::default());
            while !stop.load(Ordering::Relaxed) {
                let asked = Instant::now();
                let (status, _) = caller.ask("POST", "/api/plan", PLAN.as_bytes()).unwrap();
                waits.add(status, asked.elapsed());
                thread::sleep(GAP.saturating_sub(asked.elapsed()));
            }
            waits
        }
    });
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (next, files) = (Arc::clone(&next), Arc::clone(&files));
            thread::spawn(move || {
                let (mut caller, mut waits, mut slowest) =
                    (Caller::of(address), Waits::default(), (Duration::ZERO, 0, ""));
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= texts {
                        return (waits, slowest);
                    }
                    let (path, body) = request(at, &files);
                    let body = body.to_string();
                    let asked = Instant::now();
                    match caller.ask("POST", path, body.as_bytes()) {
                        Ok((status, answer)) => {
                            if status >= 500 {
                                println!("text {at}, {path}: {status} {}", String::from_utf8_lossy(&answer));
                            }
                            waits.add(status, asked.elapsed());
                        }
                        Err(error) => {
                            println!("text {at}, {path}: {error}");
                            waits.add(0, asked.elapsed());
                            caller = Caller::of(address);
                        }
                    }
                    slowest = slowest.max((asked.elapsed(), at, path));
                }
            })
        })
        .collect();
    let (mut waits, mut slowest) = (Waits::default(), (Duration::ZERO, 0, ""));
    for client in clients {
        let (own, slow) = client.join().unwrap();
        waits.merge(own);
        slowest = slowest.max(slow);
    }
    let took = begun.elapsed();
    stop.store(true, Ordering::Relaxed);
    let mut innocent = innocent.join().unwrap();
    let metrics = Caller::of(address).ask("GET", "/metrics", b"").unwrap().1;
    let metrics = String::from_utf8(metrics).unwrap();
    let ended = metrics.lines().find_map(|line| line.strip_prefix("steadfast_worker_exits_total ")).unwrap_or("none");
    println!(
        "hostile: {texts} texts by {CLIENTS} clients in {:.0} s ({}); slowest {:.1} s (text {}, {}); workers that exited: {ended}; {} files; load {}",
        took.as_secs_f64(),
        waits.statuses(),
        slowest.0.as_secs_f64(),
        slowest.1,
        slowest.2,
        files.len(),
        load_average(),
    );
    println!(
        "  plans beside them: {} ({}), median {:.0} ms, 95th {:.0} ms, 99th {:.0} ms; the server held {:.0} MiB at most",
        innocent.answered(),
        innocent.statuses(),
        innocent.ms(50),
        innocent.ms(95),
        innocent.ms(99),
        server.mebibytes().1,
    );
}
