//! What was kept long enough is gone, from the log as well.

use std::fs;
use std::path::Path;

use steadfast_engine::store::{
    Appending, JobStore, LiveStore, NewStep, Pruned, Quality, RetentionStore, RunPage, RunStore, RunText, StoredJob,
    TaskStore, rfc3339, uuid_v7,
};

use steadfast_engine::EngineError;
use steadfast_engine::retention::{prune, prune_unasked};
use steadfast_engine::sessions::forget_sessions;
use steadfast_wire::sessions::VERB as SESSION;

use super::folder;
use super::records::{flag, message, run};
use crate::Store;
use crate::connection::Limits;

/// A word that stands nowhere else.
const CANARY: &str = "qz7kv9wx";

const SECOND_US: u64 = 1_000_000;

fn old_clock() -> u64 {
    1_000 * SECOND_US
}

fn new_clock() -> u64 {
    3_000 * SECOND_US
}

fn append(file: &Path, clock_us: fn() -> u64, trajectory: &str, output: &str) {
    let store = Store::open_within(file, Limits { clock_us, ..Limits::default() }).unwrap();
    let step = NewStep { output: Some(output.to_owned()), ..NewStep::default() };
    let appending = Appending {
        trajectory: trajectory.to_owned(),
        steps: vec![step],
        key: None,
        key_us_max: 1,
        keys_max: 1,
        steps_max: 9,
        agents_max: 1,
    };
    store.append_steps(appending)().unwrap();
    store.close().unwrap();
}

fn job(number: u64, state: &str) -> StoredJob {
    let at = rfc3339(number * SECOND_US);
    StoredJob {
        id: uuid_v7(number * SECOND_US, number),
        kind: "audit".to_owned(),
        state: state.to_owned(),
        created_at: at.clone(),
        updated_at: at,
        total: 1,
        done: 0,
        message: None,
    }
}

/// Of each kind something old, and something new or under way.
fn filled(file: &Path) -> Store {
    append(file, old_clock, "old", CANARY);
    append(file, old_clock, "both", "kept");
    append(file, new_clock, "both", "kept");
    let store = Store::open(file).unwrap();
    for number in [1_000, 1_001, 3_000] {
        let text = if number < 2_000 { CANARY } else { "kept" };
        let texts = vec![RunText { name: "a".to_owned(), bytes: 8, text: Some(text.to_owned()) }];
        let result = format!("{{\"quote\":\"{text}\"}}");
        store.keep(run(number, "audit", &result), Some(message(number, "goes on", text)), texts)().unwrap();
    }
    store.keep(run(1_002, "review", "{}"), Some(message(1_002, "over", CANARY)), Vec::new())().unwrap();
    assert!(store.flag("over", flag(1_003, Quality::Good, &[CANARY])).unwrap());
    for (number, state) in [(1_000, "done"), (1_001, "running"), (3_000, "done")] {
        store.add_job(job(number, state), &["done"], 100).unwrap();
    }
    store
}

#[test]
fn what_is_old_goes_with_all_that_belongs_to_it_and_no_byte_is_left() {
    let (folder, file) = folder();
    let store = filled(&file);
    let before = rfc3339(2_000 * SECOND_US);
    let expect = Pruned { runs: 3, tasks: 1, messages: 2, trajectories: 1, jobs: 1, alerts: 0 };
    assert_eq!(store.prune(&before, 100, true).unwrap(), expect, "counted alone");
    assert_eq!(store.contents().unwrap().runs, 4);
    assert_eq!(store.prune(&before, 100, false).unwrap(), expect);
    assert_eq!(store.prune(&before, 100, false).unwrap(), Pruned::default());
    let contents = store.contents().unwrap();
    assert_eq!((contents.runs, contents.tasks, contents.messages, contents.steps), (1, 1, 1, 2));
    // The store is still open: its log is empty, and nobody tidied up.
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(CANARY.len()).any(|own| own == CANARY.as_bytes()), "{}", path.display());
    }
}

#[test]
fn a_moment_itself_is_not_before_it_and_no_more_goes_at_a_time_than_is_asked_for() {
    let (_folder, file) = folder();
    let store = filled(&file);
    assert_eq!(store.prune(&rfc3339(1_000 * SECOND_US), 100, false).unwrap(), Pruned::default());
    let before = rfc3339(2_000 * SECOND_US);
    let runs: Vec<u64> = (0..3).map(|_| store.prune(&before, 2, false).unwrap().runs).collect();
    assert_eq!(runs, [2, 1, 0]);
}

#[test]
fn the_key_of_hashes_is_made_once() {
    let (_folder, file) = folder();
    let key = {
        let store = Store::open(&file).unwrap();
        let key = store.hash_key().unwrap();
        assert_eq!(store.hash_key().unwrap(), key);
        key
    };
    assert_eq!(Store::open(&file).unwrap().hash_key().unwrap(), key);
    assert_eq!(Store::open_to_read(&file).unwrap().hash_key().unwrap(), key);
    let (_other, file) = folder();
    assert_ne!(Store::open(&file).unwrap().hash_key().unwrap(), key);
}

const DAY_US: u64 = 24 * 60 * 60 * SECOND_US;

/// A day of this century.
const TODAY_US: u64 = 20_000 * DAY_US;

#[test]
fn a_clock_that_jumped_ahead_deletes_nothing_until_somebody_says_so() {
    let (_folder, file) = folder();
    let at = |clock_us: fn() -> u64| Store::open_within(&file, Limits { clock_us, ..Limits::default() }).unwrap();
    let runs = |store: &Store| store.runs(&RunPage { limit: 9, ..RunPage::default() }).unwrap().len();
    let today = at(|| TODAY_US);
    let mut kept = run(1, "audit", "{}");
    kept.head.created_at = rfc3339(TODAY_US);
    today.keep(kept, None, Vec::new())().unwrap();
    assert_eq!(prune_unasked(&today, 90).unwrap().total(), 0);
    today.close().unwrap();
    // So long a server may have stood still.
    let rested = at(|| TODAY_US + 7 * DAY_US);
    assert_eq!(prune_unasked(&rested, 90).unwrap().total(), 0);
    rested.close().unwrap();
    let ahead = at(|| TODAY_US + 400 * DAY_US);
    let refused = prune_unasked(&ahead, 90).unwrap_err();
    assert!(matches!(&refused, EngineError::ClockJumped { days: 7, .. }), "{refused}");
    // What it keeps meanwhile says nothing about the clock.
    let mut later = run(2, "audit", "{}");
    later.head.created_at = rfc3339(TODAY_US + 400 * DAY_US);
    ahead.keep(later, None, Vec::new())().unwrap();
    assert_eq!((prune_unasked(&ahead, 90).is_err(), runs(&ahead)), (true, 2));
    assert_eq!(prune(&ahead, 90, true).unwrap().runs, 1);
    assert!(prune_unasked(&ahead, 90).is_err(), "a dry run notes nothing");
    assert_eq!(prune(&ahead, 90, false).unwrap().runs, 1);
    assert_eq!((prune_unasked(&ahead, 90).unwrap().total(), runs(&ahead)), (0, 1));
}

#[test]
fn a_hook_whose_clock_jumped_ahead_forgets_nothing() {
    let (_folder, file) = folder();
    let at = |clock_us: fn() -> u64| Store::open_within(&file, Limits { clock_us, ..Limits::default() }).unwrap();
    let session = |number, day| {
        let mut own = run(number, SESSION, "{}");
        own.head.settings = r#"{"by_hook":true}"#.to_owned();
        own.head.created_at = rfc3339(day * DAY_US);
        own
    };
    let first = at(|| TODAY_US);
    first.keep(session(2, 20_000), None, Vec::new())().unwrap();
    first.keep(session(1, 20_000 - 31), None, Vec::new())().unwrap();
    assert_eq!(forget_sessions(&first, 30).unwrap(), 1);
    first.close().unwrap();
    let ahead = at(|| TODAY_US + 400 * DAY_US);
    ahead.keep(session(3, 20_400), None, Vec::new())().unwrap();
    for _ in 0..2 {
        assert!(matches!(forget_sessions(&ahead, 30), Err(EngineError::ClockJumped { days: 7, .. })));
    }
    ahead.close().unwrap();
    // A week later, the last look being of the first day.
    let later = at(|| TODAY_US + 7 * DAY_US);
    assert_eq!(forget_sessions(&later, 30).unwrap(), 0);
    later.close().unwrap();
    let last = at(|| TODAY_US + 14 * DAY_US);
    assert_eq!(forget_sessions(&last, 13).unwrap(), 1);
}
