//! Steps of many callers, one by one, in batches, and three times as many as the server should manage; and plans.
//!
//! Each round is a server with a new store. Callers have a connection each and wait for each answer; every answer to `?score=false` means that the steps are on the disk.
//! [`over`] keeps to a schedule of three times the aims, with three times as many callers, and kills the server in the midst of it.
//! Afterwards a server started anew has to have every step that was acknowledged, under its id. Beside the callers another one reads lists and pages.

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::driven::{Caller, Given, Server, Waits, load_average, median, step, until};
use serde_json::Value;

/// Steps a second that a server of two cores should take: one by one, and in batches.
const AIMS: (usize, usize) = (3_000, 20_000);

/// Trajectories that the steps are of.
const TRAJECTORIES: usize = 256;

/// The request of the README.
pub(crate) const PLAN: &str = r#"{"context": "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm.", "current_time": "2026-01-25T09:00:00-05:00", "timezone": "America/Toronto"}"#;

/// How steps are posted.
#[derive(Clone, Copy)]
struct Load {
    callers: usize,
    batch: usize,
    /// Steps a second of all callers together; `None` as fast as they are answered.
    per_second: Option<usize>,
    seconds: usize,
}

/// What came of it.
#[derive(Default)]
struct Came {
    waits: Waits,
    /// The steps that were acknowledged, by trajectory.
    steps: BTreeMap<usize, Vec<u128>>,
    seconds: f64,
}

impl Came {
    fn count(&self) -> usize {
        self.steps.values().map(Vec::len).sum()
    }
}

fn id(step: &Value) -> u128 {
    u128::from_str_radix(&step["id"].as_str().unwrap().replace('-', ""), 16).unwrap()
}

/// Posts steps from one connection, until the time is over or the server is killed.
fn post(address: SocketAddr, caller: usize, load: Load, killed: &AtomicBool) -> Came {
    let (mut own, mut came) = (Caller::of(address), Came::default());
    let begun = Instant::now();
    let end = begun + Duration::from_secs(load.seconds as u64);
    let gap = load.per_second.map(|all| Duration::from_secs_f64((load.callers * load.batch) as f64 / all as f64));
    let mut due = begun + gap.unwrap_or_default() * caller as u32 / load.callers as u32;
    // Bodies are made before: what is measured is the server.
    let bodies: Vec<Vec<u8>> = (0..8)
        .map(|at| match load.batch {
            1 => step(at).to_string().into_bytes(),
            many => Value::from_iter((0..many).map(|more| step(at * many + more))).to_string().into_bytes(),
        })
        .collect();
    for at in 0.. {
        until(due);
        if Instant::now() >= end {
            break;
        }
        due += gap.unwrap_or_default();
        let trajectory = (caller + at * load.callers) % TRAJECTORIES;
        let path = format!("/api/trajectories/load-{trajectory}/steps?score=false");
        let asked = Instant::now();
        let (status, answer) = match own.ask("POST", &path, &bodies[at % bodies.len()]) {
            Ok(answer) => answer,
            // What was under way then was never acknowledged.
            Err(_) if killed.load(Ordering::SeqCst) => break,
            Err(error) => panic!("{error}"),
        };
        came.waits.add(status, asked.elapsed());
        if status == 200 {
            let taken: Value = serde_json::from_slice(&answer).unwrap();
            let steps = taken["steps"].as_array().unwrap();
            assert_eq!(steps.len(), load.batch);
            came.steps.entry(trajectory).or_default().extend(steps.iter().map(id));
        }
    }
    came
}

/// Reads lists and pages, as long as others post and the server answers.
fn read(address: SocketAddr, stop: &AtomicBool) -> [Waits; 2] {
    let (mut own, mut waits) = (Caller::of(address), <[Waits; 2]>::default());
    let mut ask = |path: &str, waits: &mut Waits| {
        let asked = Instant::now();
        let answer = own.ask("GET", path, b"");
        answer.map(|(status, _)| waits.add(status, asked.elapsed())).is_ok()
    };
    let [lists, pages] = &mut waits;
    while !stop.load(Ordering::SeqCst)
        && ask("/api/trajectories?limit=50", lists)
        && ask("/api/trajectories/load-0?limit=50", pages)
    {
        thread::sleep(Duration::from_millis(50));
    }
    waits
}

/// Every step that was acknowledged is there; how many are beside them.
fn verify(program: &Path, store: &Path, came: &Came) -> usize {
    let server = Server::start(program, store, &["--embedder", "lexical", "--rate", "0"]);
    let mut own = Caller::of(server.address);
    let mut beside = 0;
    for (trajectory, acknowledged) in &came.steps {
        let (mut kept, mut cursor) = (HashSet::new(), Some(0));
        while let Some(from) = cursor {
            let page = own
                .get(&format!("/api/trajectories/load-{trajectory}?limit=1000&cursor={from}&fields=steps,next_cursor"));
            let numbers = page["steps"].as_array().unwrap().iter().map(|step| step["number"].as_u64().unwrap());
            assert!(numbers.eq(from..from + page["steps"].as_array().unwrap().len() as u64), "a place is left out");
            kept.extend(page["steps"].as_array().unwrap().iter().map(id));
            cursor = page["next_cursor"].as_u64();
        }
        let missing = acknowledged.iter().filter(|step| !kept.contains(step)).count();
        assert_eq!(missing, 0, "steps of load-{trajectory} were acknowledged and are not there");
        beside += kept.len() - acknowledged.len();
    }
    beside
}

/// One round of steps: steps a second, milliseconds of the 99th of a hundred, mebibytes at most.
fn steps(given: &Given, load: Load, kills: bool) -> [f64; 3] {
    let (program, folder) = (given.program(), tempfile::tempdir().unwrap());
    let store = folder.path().join("load.db");
    let rate = given.text("--rate").unwrap_or("5000");
    let mut server =
        Server::start(&program, &store, &["--embedder", given.text("--embedder").unwrap_or("lexical"), "--rate", rate]);
    let (address, killed, stop) = (server.address, Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let reading = thread::spawn({
        let stop = Arc::clone(&stop);
        move || read(address, &stop)
    });
    let begun = Instant::now();
    let posting: Vec<_> = (0..load.callers)
        .map(|caller| {
            let killed = Arc::clone(&killed);
            thread::spawn(move || post(address, caller, load, &killed))
        })
        .collect();
    let mut most = 0.0;
    if kills {
        until(begun + Duration::from_secs(load.seconds as u64).mul_f64(0.9));
        most = server.mebibytes().1;
        killed.store(true, Ordering::SeqCst);
        server.kill();
    }
    let mut came = Came::default();
    for caller in posting {
        let own = caller.join().unwrap();
        came.waits.merge(own.waits);
        for (trajectory, steps) in own.steps {
            came.steps.entry(trajectory).or_default().extend(steps);
        }
    }
    came.seconds = if kills { load.seconds as f64 * 0.9 } else { begun.elapsed().as_secs_f64() };
    stop.store(true, Ordering::SeqCst);
    let [mut lists, mut pages] = reading.join().unwrap();
    if !kills {
        most = server.mebibytes().1;
        server.kill();
    }
    assert!(came.waits.is_orderly(), "{}", came.waits.statuses());
    let beside = verify(&program, &store, &came);
    let (per_second, last) = (came.count() as f64 / came.seconds, came.waits.ms(99));
    println!(
        "  {per_second:.0} steps a second; an answer: 50th {:.1} ms, 95th {:.1}, 99th {last:.1}; {}; at most {most:.0} MiB; \
         all {} steps there, {beside} beside them",
        came.waits.ms(50),
        came.waits.ms(95),
        came.waits.statuses(),
        came.count(),
    );
    println!(
        "  meanwhile, 95th of 100: a list {:.1} ms, a page {:.1} ms; load of the machine {}",
        lists.ms(95),
        pages.ms(95),
        load_average()
    );
    [per_second, last, most]
}

/// One round of plans: the same figures.
fn plans(given: &Given, callers: usize, seconds: usize) -> [f64; 3] {
    let folder = tempfile::tempdir().unwrap();
    let rate = given.text("--rate").unwrap_or("5000");
    let server = Server::start(&given.program(), &folder.path().join("load.db"), &["--rate", rate]);
    let (address, begun) = (server.address, Instant::now());
    let posting: Vec<_> = (0..callers)
        .map(|_| {
            thread::spawn(move || {
                let (mut own, mut waits) = (Caller::of(address), Waits::default());
                while begun.elapsed() < Duration::from_secs(seconds as u64) {
                    let asked = Instant::now();
                    let (status, answer) = own.ask("POST", "/api/plan", PLAN.as_bytes()).unwrap();
                    waits.add(status, asked.elapsed());
                    if status == 200 {
                        let plan: Value = serde_json::from_slice(&answer).unwrap();
                        assert_eq!(plan["status"], "recommended", "{plan}");
                    }
                }
                waits
            })
        })
        .collect();
    let mut waits = Waits::default();
    for caller in posting {
        waits.merge(caller.join().unwrap());
    }
    let took = begun.elapsed().as_secs_f64();
    assert!(waits.is_orderly(), "{}", waits.statuses());
    let kept = Caller::of(address).get("/api/runs?limit=1000&fields=id")["runs"].as_array().unwrap().len();
    let answered = waits.answered();
    assert_eq!(kept, answered.min(1_000), "every answer is of a run that is kept");
    let (per_second, last, most) = (answered as f64 / took, waits.ms(99), server.mebibytes().1);
    println!(
        "  {per_second:.0} plans a second; an answer: 50th {:.1} ms, 95th {:.1}, 99th {last:.1}; {}; at most {most:.0} MiB; load of the machine {}",
        waits.ms(50),
        waits.ms(95),
        waits.statuses(),
        load_average()
    );
    [per_second, last, most]
}

fn load(given: &Given, called: &str, load: Load, kills: bool) {
    println!("{called}:");
    tell((0..given.number("--rounds", 3)).map(|_| steps(given, load, kills)).collect());
}

/// Steps one by one, as fast as they are answered.
pub(crate) fn single(given: &Given) {
    let (callers, seconds) = (given.number("--callers", 64), given.number("--seconds", 10));
    let called = format!("{callers} callers, a step at a time");
    load(given, &called, Load { callers, batch: 1, per_second: None, seconds }, false);
}

/// Steps in batches.
pub(crate) fn batch(given: &Given) {
    let (callers, seconds) = (given.number("--callers", 16), given.number("--seconds", 10));
    let batch = given.number("--batch", 100);
    let called = format!("{callers} callers, {batch} steps at a time");
    load(given, &called, Load { callers, batch, per_second: None, seconds }, false);
}

/// Three times the aims.
pub(crate) fn over(given: &Given) {
    let (seconds, batch) = (given.number("--seconds", 10), given.number("--batch", 100));
    let (singles, batches) = (3 * AIMS.0, 3 * AIMS.1);
    let own = Load { callers: 3 * 64, batch: 1, per_second: Some(singles), seconds };
    load(given, &format!("{singles} steps a second asked for, one at a time"), own, true);
    let own = Load { callers: 3 * 16, batch, per_second: Some(batches), seconds };
    load(given, &format!("{batches} steps a second asked for, {batch} at a time"), own, true);
}

/// Plans by the built-in planner, each kept as a run.
pub(crate) fn plan(given: &Given) {
    let (callers, seconds) = (given.number("--callers", 64), given.number("--seconds", 10));
    println!("{callers} callers, plans:");
    tell((0..given.number("--rounds", 3)).map(|_| plans(given, callers, seconds)).collect());
}

fn tell(rounds: Vec<[f64; 3]>) {
    let of = |at: usize| median(rounds.iter().map(|round| round[at]).collect());
    println!("  median of {}: {:.0} a second, 99th {:.1} ms, {:.0} MiB", rounds.len(), of(0), of(1), of(2));
}
