//! What a disk may hold after a power loss, at every moment of a row of commands and of a server at work: the store opens, is whole, and holds
//! what was acknowledged, once.
//!
//! The store promises `synchronous=FULL`: what was acknowledged was synced before. So an image needs no grace. Here a sample of them;
//! `STEADFAST_FAULTS=long` opens all.

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use crate::common::faults::{Bench, Held, REVIEW, and, held, is_long, output, twice};
use crate::common::serve::{Served, command};
use crate::common::{PROMPT, REPORT};
use serde_json::json;
use steadfast_faults::journal::{self, Event};
use steadfast_faults::{Disk, FailedSync, Failure, Fault, Random};

/// What a store may hold at a moment.
trait Expected {
    /// Follows what a test wrote down.
    fn follow(&mut self, mark: &str);
    /// What is wrong with what was found.
    fn wrong(&self, found: &Held) -> Option<String>;
}

/// How many images were opened, and what is wrong with some.
#[derive(Default)]
struct Opened {
    images: usize,
    failures: Vec<String>,
}

impl Opened {
    /// Fails where one is not as it may be.
    #[track_caller]
    fn are_right(&self) {
        let failures = &self.failures;
        assert!(failures.is_empty(), "{} of {}\n  {}", failures.len(), self.images, failures.join("\n  "));
    }
}

/// Opens the images of a journal before each sync and at each acknowledgement: one of `every` of them, by chance.
fn open_all(
    bench: &Bench,
    journal: &Path,
    (failed_sync, every): (FailedSync, usize),
    expected: &mut dyn Expected,
) -> Opened {
    let mut random = Random(20_261_128);
    let mut disk = Disk::new(failed_sync);
    let mut opened = Opened::default();
    let folder = bench.place.path("image");
    for (at, event) in journal::read(journal).unwrap().iter().enumerate() {
        if let Event::Mark(mark) = event {
            expected.follow(mark);
        }
        if matches!(event, Event::Sync(_) | Event::Settle | Event::Lose(_) | Event::Mark(_)) {
            for image in disk.images(&mut random) {
                if random.below(every) > 0 {
                    continue;
                }
                drop(fs::remove_dir_all(&folder));
                fs::create_dir(&folder).unwrap();
                disk.write(&image, &folder).unwrap();
                opened.images += 1;
                let wrong = match held(&folder) {
                    Ok(found) => expected.wrong(&found),
                    Err(error) => Some(error),
                };
                if let Some(wrong) = wrong {
                    opened.failures.push(format!("before record {at}, {event:?}, {image:?}: {wrong}"));
                }
            }
        }
        disk.play(event);
    }
    opened
}

/// Commands one after the other: the store holds what it held before the one that is under way, or what it holds after it.
#[derive(Default)]
struct InTurn {
    before: BTreeSet<Held>,
    after: BTreeSet<Held>,
    /// What each command makes of a state.
    commands: Vec<fn(&Held) -> Held>,
    under_way: usize,
}

impl Expected for InTurn {
    fn follow(&mut self, mark: &str) {
        match mark {
            "begins" => {
                self.after = self.before.iter().map(self.commands[self.under_way]).collect();
                self.under_way += 1;
            }
            "done" => self.before.clone_from(&self.after),
            _ => {
                // It failed: whether it was done is left open.
                self.before.append(&mut self.after.clone());
                self.after.clone_from(&self.before);
            }
        }
    }

    fn wrong(&self, found: &Held) -> Option<String> {
        let may = self.before.contains(found) || self.after.contains(found);
        (!may).then(|| format!("holds {found:?}, neither {:?} nor {:?}", self.before, self.after))
    }
}

/// A store that a copy was made of.
fn copied(held: &Held) -> Held {
    let own: Held = held.iter().filter(|word| !word.starts_with("copied ")).cloned().collect();
    let copy: Vec<String> = own.iter().map(|word| format!("copied {word}")).collect();
    and(&own, &copy.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A store that its copy was brought back into.
fn restored(held: &Held) -> Held {
    let own: Vec<String> = held.iter().filter_map(|word| word.strip_prefix("copied ").map(str::to_owned)).collect();
    let mut all: Held = held.iter().filter(|word| word.starts_with("copied ")).cloned().collect();
    all.extend(own);
    all.sort();
    all
}

/// No command syncs more often.
const SYNCS_MAX: usize = 40;

/// A command, what it reads, and what it makes of a store.
type Turn = (&'static str, &'static str, fn(&Held) -> Held);

const TURNS: &[Turn] = &[
    (REVIEW, "one", |held| and(held, &["run one", "message one"])),
    (REVIEW, "two", |held| and(held, &["run two", "message two"])),
    ("tasks flag one good --store kept/s.db", "", |held| and(held, &["flag one"])),
    ("audit prompt.txt report.md --agent ann --store kept/s.db -q --json", "", |held| and(held, &["run ann"])),
    ("backup kept/copy.db --store kept/s.db", "", copied),
    ("tasks delete two --store kept/s.db", "", |held| {
        held.iter().filter(|word| *word != "message two").cloned().collect()
    }),
    ("backup kept/copy.db --store kept/s.db", "", copied),
    (REVIEW, "three", |held| and(held, &["run three", "message three"])),
    ("restore kept/copy.db --store kept/s.db", "", restored),
    (REVIEW, "four", |held| and(held, &["run four", "message four"])),
];

/// Runs the turns into a journal. In one of them, by its place, a sync fails, by its number.
fn turns(bench: &mut Bench, journal: &Path, fails: Option<(usize, usize, bool)>) -> InTurn {
    drop(fs::remove_dir_all(bench.kept()));
    fs::create_dir(bench.kept()).unwrap();
    drop(fs::remove_file(journal));
    let mut expected = InTurn::default();
    expected.before.insert(Held::new());
    for (place, (arguments, task, makes)) in TURNS.iter().enumerate() {
        expected.commands.push(*makes);
        let fault = fails.filter(|(turn, ..)| *turn == place).map(|(_, at, goes_on)| Fault {
            failure: Failure::Eio,
            at,
            goes_on,
        });
        let is_whole = fault.is_none();
        let watch = bench.watch("sync", fault, Some(journal));
        journal::mark(journal, "begins").unwrap();
        let end = bench.run(arguments, &if task.is_empty() { String::new() } else { output(task) }, &watch);
        bench.counted(&watch);
        match end.status {
            Some(0) => journal::mark(journal, "done").unwrap(),
            Some(4) if !is_whole => journal::mark(journal, "failed").unwrap(),
            // What a command before it did not do cannot be flagged, deleted or copied.
            Some(2) if fails.is_some_and(|(turn, ..)| turn < place) => journal::mark(journal, "failed").unwrap(),
            Some(4) if fails.is_some_and(|(turn, ..)| turn < place) && arguments.starts_with("restore") => {
                journal::mark(journal, "failed").unwrap();
            }
            _ => panic!("{arguments}: {end:?}"),
        }
    }
    expected
}

#[test]
fn commands_are_done_or_not_whenever_power_is_lost() {
    let mut bench = Bench::new();
    let journal = bench.place.path("journal");
    let mut expected = turns(&mut bench, &journal, None);
    assert_eq!(held(&bench.kept()).unwrap(), {
        let mut last = Held::new();
        TURNS.iter().for_each(|(.., makes)| last = makes(&last));
        last
    });
    let opened = open_all(&bench, &journal, (FailedSync::Keeps, if is_long() { 1 } else { 20 }), &mut expected);
    println!("{} images", opened.images);
    opened.are_right();
    assert!(opened.images > 100, "{}", opened.images);
}

/// Linux takes what it could not write for written: it is gone with the next power loss, though programs see it until then.
#[test]
fn commands_are_done_or_not_after_a_sync_that_failed() {
    let mut bench = Bench::new();
    let journal = bench.place.path("journal");
    // Turns and the numbers of their syncs. Of those of the sample, the second is that of the folder when the log is made, and the last is of what
    // makes a store that was brought back one with a log again.
    let sample = [(0, 4), (1, 2), (4, 6), (8, 11), (9, 1)];
    let faults_of = |turn| -> Vec<(usize, usize)> { (1..=SYNCS_MAX).map(|at| (turn, at)).collect() };
    let all: Vec<(usize, usize)> =
        if is_long() { (0..TURNS.len()).flat_map(faults_of).collect() } else { sample.into() };
    let (mut images, mut faults, mut failures) = (0, 0, Vec::new());
    // A turn that syncs less often than that.
    let mut done = None;
    for (turn, at) in all {
        for goes_on in [false, true] {
            if done == Some(turn) {
                continue;
            }
            let mut expected = turns(&mut bench, &journal, Some((turn, at, goes_on)));
            if !journal::read(&journal).unwrap().iter().any(|event| matches!(event, Event::Lose(_))) {
                done = Some(turn);
                continue;
            }
            faults += 1;
            let opened = open_all(&bench, &journal, (FailedSync::Drops, 100), &mut expected);
            images += opened.images;
            let place = format!("turn {turn}, sync {at}{}", if goes_on { " and on" } else { "" });
            println!("{place}: {faults} faults so far, {images} images, {} failures", failures.len());
            failures.extend(opened.failures.into_iter().map(|failure| format!("{place}: {failure}")));
        }
    }
    println!("{faults} faults, {images} images");
    assert!(failures.is_empty(), "{} of {images}\n  {}", failures.len(), failures.join("\n  "));
    assert!(faults >= sample.len(), "{faults}");
}

/// Requests to a server, several at a time: what was answered is there, what was not may be, and nothing is there twice.
#[derive(Default)]
struct AtOnce {
    asked: BTreeSet<String>,
    answered: BTreeSet<String>,
}

impl Expected for AtOnce {
    fn follow(&mut self, mark: &str) {
        let (what, words) = mark.split_once(' ').unwrap();
        let set = if what == "asked" { &mut self.asked } else { &mut self.answered };
        set.extend(words.split(", ").map(str::to_owned));
    }

    fn wrong(&self, found: &Held) -> Option<String> {
        let (twice, all): (_, BTreeSet<&String>) = (twice(found), found.iter().collect());
        let missing: Vec<_> = self.answered.iter().filter(|word| !all.contains(word)).collect();
        let foreign: Vec<_> = all.iter().filter(|word| !self.asked.contains(**word)).collect();
        let halves = self
            .asked
            .iter()
            .filter_map(|word| word.strip_prefix("message "))
            .filter(|task| all.contains(&format!("message {task}")) != all.contains(&format!("run {task}")));
        let halves: Vec<_> = halves.collect();
        let is_right = twice.is_empty() && missing.is_empty() && foreign.is_empty() && halves.is_empty();
        (!is_right)
            .then(|| format!("missing {missing:?}, twice {twice:?}, never asked for {foreign:?}, half {halves:?}"))
    }
}

/// A server whose writes are noted.
fn serve(bench: &mut Bench, fault: Option<Fault>) -> Served {
    // Which sync a fault meets is counted in one process.
    let isolate = if fault.is_some() { "off" } else { "on" };
    let mut program =
        command(&bench.place, &format!("--store kept/s.db --embedder lexical --rate 0 --isolate {isolate}"));
    let watch = bench.watch("sync", fault, Some(&bench.place.path("journal")));
    bench.shim.before(&mut program, &watch).unwrap();
    Served::spawn(&mut program)
}

/// Asks for steps, reviews and audits; what was answered is written down.
fn ask(server: &Served, journal: &Path, client: usize, requests: usize) {
    for request in 0..requests {
        let name = format!("{client}-{request}");
        let (path, body, words) = match request % 4 {
            0 => ("/api/review".to_owned(), json!({"output": output(&name)}), format!("run {name}, message {name}")),
            1 => (
                "/api/audit".to_owned(),
                json!({"prompt": PROMPT, "report": REPORT, "agent": name}),
                format!("run {name}"),
            ),
            _ => (
                format!("/api/trajectories/t-{client}/steps?score={}", request % 8 == 3),
                json!([{"prompt": "Plan a seed library", "output": name}, {"output": format!("{name} again")}]),
                format!("step {name}, step {name} again"),
            ),
        };
        journal::mark(journal, &format!("asked {words}")).unwrap();
        let key = format!("key-{name}");
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend((request % 4 > 1).then_some(("Idempotency-Key", key.as_str())));
        let reply = server.client.ask("POST", &path, &headers, body.to_string().as_bytes()).unwrap();
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        journal::mark(journal, &format!("answered {words}")).unwrap();
    }
}

#[test]
fn answers_of_a_server_are_kept_whenever_power_is_lost() {
    let mut bench = Bench::new();
    let journal = bench.place.path("journal");
    fs::write(&journal, "").unwrap();
    let server = serve(&mut bench, None);
    let (clients, requests) = if is_long() { (4, 100) } else { (4, 24) };
    thread::scope(|scope| {
        for client in 0..clients {
            let (server, journal) = (&server, &journal);
            scope.spawn(move || ask(server, journal, client, requests));
        }
    });
    server.stop("TERM");
    let mut expected = AtOnce::default();
    let every = 40;
    let opened = open_all(&bench, &journal, (FailedSync::Keeps, every), &mut expected);
    println!("{} answers, {} images", clients * requests, opened.images);
    opened.are_right();
    assert!(opened.images > 50, "{}", opened.images);
}

/// A server that can sync no more refuses what it is asked for, and the next one goes on with the log that it leaves. One that fails to sync
/// once goes on by itself.
#[test]
fn answers_of_a_server_are_kept_after_syncs_that_failed() {
    let mut bench = Bench::new();
    let journal = bench.place.path("journal");
    for goes_on in [true, false] {
        drop(fs::remove_dir_all(bench.kept()));
        fs::create_dir(bench.kept()).unwrap();
        fs::write(&journal, "").unwrap();
        let server = serve(&mut bench, Some(Fault { failure: Failure::Eio, at: 14, goes_on }));
        let mut refused = 0;
        for number in 0..12 {
            let name = format!("first-{number}");
            let words = format!("run {name}, message {name}");
            journal::mark(&journal, &format!("asked {words}")).unwrap();
            let reply = server.post("/api/review", &json!({"output": output(&name)}));
            if reply.status == 200 {
                journal::mark(&journal, &format!("answered {words}")).unwrap();
            } else {
                assert_eq!(
                    (reply.status, &reply.json()["type"]),
                    (503, &json!("/problems/unavailable")),
                    "{}",
                    reply.text()
                );
                refused += 1;
            }
        }
        assert_eq!((refused > 0, refused > 1, refused < 12), (true, goes_on, true), "{refused}");
        server.kill();
        let server = serve(&mut bench, None);
        ask(&server, &journal, 0, 4);
        server.stop("TERM");
        let every = if is_long() { 1 } else { 20 };
        let opened = open_all(&bench, &journal, (FailedSync::Drops, every), &mut AtOnce::default());
        println!("{} images", opened.images);
        opened.are_right();
    }
}
