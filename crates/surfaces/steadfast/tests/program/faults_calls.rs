//! Each call by which a command changes the files of its store is made to fail, one after the other: what was acknowledged is there, once, the
//! refusal is in words, and the next command works.
//!
//! Here a sample of them; `STEADFAST_FAULTS=long` tries all.

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::fs;

use crate::common::faults::{Bench, CHANGES, Ended, Held, REVIEW, and, files, held, is_long, lay, output};
use serde_json::Value;
use steadfast_engine::store::{Run, RunStore as _};
use steadfast_faults::{Failure, Fault, Random};
use steadfast_store::Store;

/// A command, over a store that holds something or none.
struct Case {
    name: &'static str,
    arguments: String,
    stdin: String,
    files: Vec<(String, Vec<u8>)>,
    /// What the store holds before, and what it holds afterwards.
    before: Held,
    after: Held,
}

/// A way to fail, and the calls that do.
const WAYS: &[(&str, Failure, bool, &str)] = &[
    ("EIO once", Failure::Eio, false, CHANGES),
    ("EIO from then on", Failure::Eio, true, CHANGES),
    ("ENOSPC once", Failure::Enospc, false, CHANGES),
    ("ENOSPC from then on", Failure::Enospc, true, CHANGES),
    ("a short write", Failure::Short, false, "write"),
    ("a torn write on a full disk", Failure::Torn, false, "write"),
    ("a sync that fails", Failure::Eio, false, "sync"),
    ("syncs that fail", Failure::Eio, true, "sync"),
    ("a read that fails", Failure::Eio, false, "read"),
    ("SIGKILL", Failure::Kill, false, CHANGES),
];

/// A command by its name, its arguments, the task that it reads, and the words that a store holds more and less after it.
type Step = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// The cases, each over what the ones before it left.
fn cases(bench: &mut Bench) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut state = Held::new();
    let audit = "audit prompt.txt report.md --agent ann --store kept/s.db -q --json";
    let steps: &[Step] = &[
        ("a review that makes the store", REVIEW, "one", &["run one", "message one"], &[]),
        ("a review", REVIEW, "two", &["run two", "message two"], &[]),
        ("an audit", audit, "", &["run ann"], &[]),
        ("a flag", "tasks flag one good --store kept/s.db", "", &["flag one"], &[]),
        ("a task that is deleted", "tasks delete two --store kept/s.db", "", &[], &["message two"]),
        ("runs that are pruned", "store prune --older-than 30 --store kept/s.db", "", &[], &["run old"]),
        ("a copy", "backup kept/copy.db --store kept/s.db", "", &[], &[]),
        ("a copy over an older one", "backup kept/copy.db --store kept/s.db", "", &[], &[]),
        ("a review after the copy", REVIEW, "three", &["run three", "message three"], &[]),
        (
            "a copy that is brought back",
            "restore kept/copy.db --store kept/s.db",
            "",
            &[],
            &["run three", "message three"],
        ),
    ];
    for (name, arguments, task, more, less) in steps {
        if *name == "runs that are pruned" {
            age(bench);
            state = held(&bench.kept()).unwrap();
        }
        let stdin = if task.is_empty() { String::new() } else { output(task) };
        let before = files(&bench.kept());
        let mut after = and(&state, more);
        after.retain(|word| !less.contains(&word.as_str()));
        if arguments.starts_with("backup") {
            after.retain(|word| !word.starts_with("copied "));
            let copied: Vec<String> = after.iter().map(|word| format!("copied {word}")).collect();
            after = and(&after, &copied.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let watch = bench.watch(CHANGES, None, None);
        let end = bench.run(arguments, &stdin, &watch);
        assert_eq!(end.status, Some(0), "{name}: {end:?}");
        assert!(bench.counted(&watch).0 > 0, "{name}: nothing of it is seen");
        assert_eq!(held(&bench.kept()).unwrap(), after, "{name}");
        // A copy of the store as it was is kept beside it; the next case does without.
        drop(fs::remove_file(bench.kept().join("s.db.before-restore-1")));
        cases.push(Case {
            name,
            arguments: (*arguments).to_owned(),
            stdin,
            files: before,
            before: std::mem::replace(&mut state, after.clone()),
            after,
        });
    }
    cases.push(over_a_log(bench, &state));
    cases
}

/// Puts a run into the store that is old enough to be pruned.
fn age(bench: &Bench) {
    let store = Store::open(&bench.kept().join("s.db")).unwrap();
    let newest = store.runs(&steadfast_engine::store::RunPage { limit: 1, ..Default::default() }).unwrap().remove(0);
    let Run { mut head, result } = store.run(&newest.id).unwrap().unwrap();
    head.id = "01800000-0000-7000-8000-000000000000".to_owned();
    head.created_at = "2022-04-06T00:00:00.000000Z".to_owned();
    head.task_id = None;
    head.agent = Some("old".to_owned());
    store.keep(Run { head, result }, None, Vec::new())().unwrap();
    store.close().unwrap();
}

/// A review over a store whose last process was killed with its work in the write-ahead log.
fn over_a_log(bench: &mut Bench, state: &Held) -> Case {
    let watch = bench.watch(CHANGES, None, None);
    let closed = files(&bench.kept());
    assert_eq!(bench.run(REVIEW, &output("killed"), &watch).status, Some(0));
    let (calls, _) = bench.counted(&watch);
    // The later the process dies, the more it has written; the last calls take the log away.
    for at in (1..=calls).rev() {
        lay(&bench.kept(), &closed);
        let watch = bench.watch(CHANGES, Some(Fault { failure: Failure::Kill, at, goes_on: false }), None);
        assert_eq!(bench.run(REVIEW, &output("killed"), &watch).status, None);
        let left = files(&bench.kept());
        if left.iter().any(|(name, bytes)| name == "s.db-wal" && bytes.len() > 4_096) {
            let before = held(&bench.kept()).unwrap();
            assert_eq!(before, and(state, &["message killed", "run killed"]), "it died after its work was committed");
            let after = and(&before, &["message late", "run late"]);
            let (name, arguments) = ("a review over a log", REVIEW.to_owned());
            return Case { name, arguments, stdin: output("late"), files: left, before, after };
        }
    }
    panic!("no process leaves a log")
}

/// What must hold of a command that a fault was made in.
fn check(case: &Case, place: &str, end: &Ended, killed: bool) {
    match end.status {
        None => assert!(killed, "{place}: ended by a signal: {end:?}"),
        Some(0) => assert!(!end.stdout.is_empty() || !case.arguments.contains("--json"), "{place}: {end:?}"),
        Some(4) => {
            assert!(end.stdout.is_empty(), "{place}: something is told that is not kept: {end:?}");
            let (first, rest) = end.stderr.split_once('\n').unwrap_or_default();
            let names = ["error: kept/s.db: ", "error: kept/copy.db: ", "error: kept/s.db.before-restore-1: "];
            assert!(names.iter().any(|name| first.starts_with(name)), "{place}: {}", end.stderr);
            assert!(rest.starts_with("hint: ") && rest.trim_end().lines().count() == 1, "{place}: {}", end.stderr);
        }
        Some(_) => panic!("{place}: {end:?}"),
    }
}

#[test]
fn what_was_acknowledged_is_kept_whichever_call_fails() {
    let mut bench = Bench::new();
    let cases = cases(&mut bench);
    let mut random = Random(20_261_128);
    let (mut faults, mut refused, mut killed, mut held_after) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let mut counts = HashMap::new();
        for (place, (way, failure, goes_on, calls)) in WAYS.iter().enumerate() {
            if !is_long() && (number + place) % 2 > 0 {
                continue;
            }
            let count = *counts.entry(*calls).or_insert_with(|| {
                lay(&bench.kept(), &case.files);
                let watch = bench.watch(calls, None, None);
                assert_eq!(bench.run(&case.arguments, &case.stdin, &watch).status, Some(0), "{}", case.name);
                bench.counted(&watch).0
            });
            let numbers: Vec<usize> = if is_long() { (1..=count).collect() } else { vec![1 + random.below(count)] };
            for at in numbers {
                let place = format!("{}, {way}, call {at} of {count}", case.name);
                lay(&bench.kept(), &case.files);
                let watch = bench.watch(calls, Some(Fault { failure: *failure, at, goes_on: *goes_on }), None);
                let end = bench.run(&case.arguments, &case.stdin, &watch);
                if bench.counted(&watch).1 == 0 {
                    continue;
                }
                faults += 1;
                refused += usize::from(end.status == Some(4));
                killed += usize::from(end.status.is_none());
                let told = std::panic::catch_unwind(|| check(case, &place, &end, *failure == Failure::Kill));
                if told.is_err() {
                    failures.push(format!("{place}: {end:?}"));
                    continue;
                }
                // The next command works, with what the first has left.
                let watch = bench.watch(CHANGES, None, None);
                let next = bench.run(REVIEW, &output("next"), &watch);
                bench.counted(&watch);
                let found = held(&bench.kept());
                let expect = |held: &Held| and(held, &["message next", "run next"]);
                let whole = found.as_ref() == Ok(&expect(&case.after));
                let acknowledged = end.status == Some(0);
                held_after += usize::from(whole);
                if next.status != Some(0) || !(whole || !acknowledged && found.as_ref() == Ok(&expect(&case.before))) {
                    failures.push(format!("{place}: {end:?}\n    next {next:?}\n    holds {found:?}"));
                }
                if acknowledged && case.arguments.ends_with("--json") {
                    let answer: Value = serde_json::from_str(&end.stdout).unwrap();
                    assert!(answer["run"]["id"].is_string(), "{place}: {answer}");
                }
            }
        }
        println!("{}: {faults} faults so far, {} failures", case.name, failures.len());
    }
    println!(
        "{} cases: {faults} faults, {refused} refused, {killed} killed, {held_after} done nevertheless",
        cases.len()
    );
    assert!(failures.is_empty(), "{} failures\n  {}", failures.len(), failures.join("\n  "));
    assert!(refused > faults / 8 && killed > faults / 40 && held_after > faults / 20, "the faults lie badly");
}
