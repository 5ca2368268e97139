//! Migration with its backup, copies, and bringing them back.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rusqlite::Connection;
use steadfast_engine::store::{RunStore as _, TaskStore as _};

use super::records::{message, run};
use super::{VERSION, folder, present, put, vectors};
use crate::migrations::{APPLICATION_ID, MIGRATIONS};
use crate::{Contents, Store, StoreError, restore};

/// A store as version 1 of the tables left it, with vectors in it or without.
fn old(file: &Path, holds: bool) {
    let connection = Connection::open(file).unwrap();
    connection.execute_batch(MIGRATIONS[0]).unwrap();
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    if holds {
        crate::embeddings::put(&connection, VERSION, &vectors(0..30)).unwrap();
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn intact(file: &Path) {
    let connection = Connection::open(file).unwrap();
    let check: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

fn version(file: &Path) -> i64 {
    Connection::open(file).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn an_older_store_is_copied_before_it_is_changed() {
    let (folder, file) = folder();
    old(&file, true);
    let store = Store::open(&file).unwrap();
    assert_eq!(present(&store, 30), [true; 30]);
    store.keep(run(1, "audit", "{}"), None, Vec::new())().unwrap();
    store.close().unwrap();
    assert_eq!(
        names(folder.path()),
        [
            "s.db",
            "s.db.before-v2",
            "s.db.before-v3",
            "s.db.before-v4",
            "s.db.before-v5",
            "s.db.before-v6",
            "s.db.before-v7",
            "s.db.before-v8",
            "s.db.before-v9"
        ]
    );
    let kept = folder.path().join("s.db.before-v2");
    assert_eq!((version(&file), version(&kept)), (MIGRATIONS.len() as i64, 1));
    intact(&kept);
    let count: i64 =
        Connection::open(&kept).unwrap().query_row("SELECT count(*) FROM embeddings", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 30);
    // The copy can take the store's place again.
    let restored = restore(&kept, &file).unwrap();
    assert_eq!((restored.contents.version, restored.contents.vectors, restored.contents.runs), (1, 30, 0));
    assert_eq!(present(&Store::open(&file).unwrap(), 30), [true; 30]);
}

#[test]
fn an_older_store_that_holds_nothing_needs_no_copy_and_reading_brings_it_up_too() {
    let (folder, file) = folder();
    old(&file, false);
    Store::open(&file).unwrap().close().unwrap();
    assert_eq!(names(folder.path()), ["s.db"]);
    let other = folder.path().join("other.db");
    old(&other, true);
    assert_eq!(Store::open_to_read(&other).unwrap().contents().unwrap().vectors, 30);
    assert_eq!(
        names(folder.path()),
        [
            "other.db",
            "other.db.before-v2",
            "other.db.before-v3",
            "other.db.before-v4",
            "other.db.before-v5",
            "other.db.before-v6",
            "other.db.before-v7",
            "other.db.before-v8",
            "other.db.before-v9",
            "s.db"
        ]
    );
}

#[test]
fn a_store_whose_copy_cannot_be_written_stays_as_it_is() {
    let (folder, file) = folder();
    old(&file, true);
    fs::create_dir(folder.path().join("s.db.before-v2")).unwrap();
    let error = Store::open(&file).map(drop).unwrap_err();
    assert!(error.to_string().contains("s.db.before-v2"), "{error}");
    assert_eq!(version(&file), 1);
    assert!(!names(folder.path()).iter().any(|name| name.ends_with(".part")));
}

#[test]
fn a_copy_of_a_store_that_is_being_written_is_of_one_moment() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::Relaxed) || round < 10 {
                // A run and its message stand or fall together.
                let about = message(round + 1, "task-1", &"x".repeat(5_000));
                store.keep(run(round + 1, "review", "{}"), Some(about), Vec::new())().unwrap();
                round += 1;
            }
            round
        });
        let other = Store::open_to_read(&file).unwrap();
        let mut before = 0;
        for number in 0..8 {
            let copy = folder.path().join(format!("copy-{number}.db"));
            let contents = other.backup(&copy).unwrap();
            assert_eq!(contents.runs, contents.messages);
            assert!(contents.runs >= before);
            before = contents.runs;
            intact(&copy);
            assert_eq!(Store::open_to_read(&copy).unwrap().contents().unwrap(), contents);
        }
        done.store(true, Ordering::Relaxed);
        assert!(writing.join().unwrap() >= before);
    });
}

#[test]
fn a_copy_is_one_file_and_is_written_over_only_by_another() {
    let (folder, file) = folder();
    let copy = folder.path().join("copy.db");
    let store = Store::open(&file).unwrap();
    put(&store, 0..10).unwrap();
    store.backup(&copy).unwrap();
    put(&store, 10..20).unwrap();
    let contents = store.backup(&copy).unwrap();
    assert_eq!(contents, Contents { vectors: 20, bytes: fs::metadata(&copy).unwrap().len(), ..contents });
    let said = |path: &Path| store.backup(path).unwrap_err().to_string().replace(folder.path().to_str().unwrap(), "…");
    let other = folder.path().join("notes.md");
    fs::write(&other, "my notes\n").unwrap();
    assert_eq!(said(&other), "…/notes.md: is no copy of a store, and was not written over");
    assert_eq!(fs::read_to_string(&other).unwrap(), "my notes\n");
    assert_eq!(said(&file), "…/s.db: is the store itself, and was not written over");
    assert_eq!(said(folder.path()), "…: is a folder, no store");
    assert_eq!(said(&folder.path().join("no/copy.db")), "…/no/copy.db: the folder it is to stand in does not exist");
    store.close().unwrap();
    assert_eq!(names(folder.path()), ["copy.db", "notes.md", "s.db"]);
}

#[test]
fn what_is_restored_takes_the_place_of_what_was_there() {
    let (folder, file) = folder();
    let copy = folder.path().join("copy.db");
    let store = Store::open(&file).unwrap();
    put(&store, 0..10).unwrap();
    store.backup(&copy).unwrap();
    put(&store, 10..20).unwrap();

    let error = restore(&copy, &file).unwrap_err();
    assert!(matches!(error, StoreError::Open { .. }), "{error}");
    assert_eq!(present(&store, 20), [true; 20], "it was left as it is");
    let reading = Store::open_to_read(&file).unwrap();
    store.close().unwrap();
    assert!(matches!(restore(&copy, &file), Err(StoreError::Open { .. })), "a reader has it open, too");
    reading.close().unwrap();

    let restored = restore(&copy, &file).unwrap();
    assert_eq!(restored.contents.vectors, 10);
    assert_eq!(restored.replaced, Some(format!("{}.before-restore-1", file.display())));
    assert_eq!(names(folder.path()), ["copy.db", "s.db", "s.db.before-restore-1"]);
    let store = Store::open(&file).unwrap();
    assert_eq!(present(&store, 11)[9..], [true, false]);
    put(&store, 10..11).unwrap();
    store.close().unwrap();
    let replaced = folder.path().join("s.db.before-restore-1");
    assert_eq!(present(&Store::open(&replaced).unwrap(), 20), [true; 20]);
    // Into a place where there is no store.
    let new = folder.path().join("new.db");
    assert_eq!(restore(&copy, &new).unwrap().replaced, None);
    assert_eq!(present(&Store::open(&new).unwrap(), 10), [true; 10]);
    assert!(matches!(restore(&copy, &copy), Err(StoreError::Spared { .. })));
}

#[test]
fn what_is_no_whole_copy_is_not_restored() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    put(&store, 0..500).unwrap();
    let copy = folder.path().join("copy.db");
    store.backup(&copy).unwrap();
    store.close().unwrap();
    let before = fs::read(&file).unwrap();
    let said =
        |copy: &Path| restore(copy, &file).unwrap_err().to_string().replace(folder.path().to_str().unwrap(), "…");
    let bytes = fs::read(&copy).unwrap();
    // Cut off, and overwritten in the midst.
    fs::write(&copy, &bytes[..bytes.len() / 2]).unwrap();
    assert!(said(&copy).starts_with("…/copy.db: is "), "{}", said(&copy));
    fs::write(&copy, &bytes).unwrap();
    let mut damaged = fs::OpenOptions::new().write(true).open(&copy).unwrap();
    damaged.seek(SeekFrom::Start(bytes.len() as u64 / 2)).unwrap();
    damaged.write_all(&[0x5a; 6_000]).unwrap();
    assert!(said(&copy).starts_with("…/copy.db: is "), "{}", said(&copy));
    let text = folder.path().join("notes.md");
    fs::write(&text, "my notes\n").unwrap();
    assert_eq!(said(&text), "…/notes.md: is no store, and nothing in it was changed");
    fs::write(&text, "").unwrap();
    assert_eq!(said(&text), "…/notes.md: is no whole copy of a store: it is empty");
    assert_eq!(said(&folder.path().join("none.db")), "…/none.db: no such file");
    assert!(fs::read(&file).unwrap() == before, "the store is untouched");
    // What is no store is not replaced by one.
    fs::write(&copy, &bytes).unwrap();
    fs::write(&text, "my notes\n").unwrap();
    assert!(matches!(restore(&copy, &text), Err(StoreError::NotADatabase { .. })));
    assert_eq!(fs::read_to_string(&text).unwrap(), "my notes\n");
}

#[test]
fn a_damaged_store_is_restored_and_kept_beside() {
    let (folder, file) = folder();
    let copy = folder.path().join("copy.db");
    let store = Store::open(&file).unwrap();
    put(&store, 0..500).unwrap();
    store.backup(&copy).unwrap();
    store.close().unwrap();
    let length = fs::metadata(&file).unwrap().len();
    let mut damaged = fs::OpenOptions::new().write(true).open(&file).unwrap();
    damaged.seek(SeekFrom::Start(4_096)).unwrap();
    damaged.write_all(&vec![0x5a; length as usize - 4_096]).unwrap();
    drop(damaged);
    assert_eq!(restore(&copy, &file).unwrap().contents.vectors, 500);
    assert_eq!(present(&Store::open(&file).unwrap(), 500), vec![true; 500]);
    assert!(folder.path().join("s.db.before-restore-1").is_file());
}

/// A copy of the files of a store that is open is what a process leaves that is killed.
#[test]
fn a_log_that_was_left_is_in_the_file_before_anything_is_added() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    put(&store, 0..3).unwrap();
    let left = folder.path().join("left.db");
    for ending in ["", "-wal"] {
        fs::copy(format!("{}{ending}", file.display()), format!("{}{ending}", left.display())).unwrap();
    }
    let log = |file: &Path| fs::metadata(format!("{}-wal", file.display())).map_or(0, |found| found.len());
    assert!(log(&file) > 0 && log(&left) > 0);
    for _ in 0..2 {
        let reading = Store::open_to_read(&left).unwrap();
        assert_eq!((present(&reading, 4), log(&left)), (vec![true, true, true, false], 0));
    }
    // One that somebody has open is left alone.
    let before = log(&file);
    let second = Store::open(&file).unwrap();
    assert_eq!((present(&second, 4), log(&file)), (vec![true, true, true, false], before));
    put(&second, 3..4).unwrap();
    assert_eq!(present(&store, 4), [true; 4]);
}

#[test]
fn looking_at_a_store_changes_nothing() {
    let (folder, file) = folder();
    old(&file, true);
    let before = fs::read(&file).unwrap();
    let found = Store::inspect(&file).unwrap();
    assert_eq!((found.version, found.vectors, found.runs), (1, 30, 0));
    assert_eq!((fs::read(&file).unwrap(), names(folder.path())), (before, vec!["s.db".to_owned()]));

    // What a program that was killed left lies in the log, and stays there.
    let store = Store::open(&file).unwrap();
    store.keep(run(1, "review", "{}"), None, Vec::new())().unwrap();
    let copy = folder.path().join("copy.db");
    super::killed(&file, &fs::read(folder.path().join("s.db-wal")).unwrap(), &copy);
    let files = || (fs::read(&copy).unwrap(), fs::read(folder.path().join("copy.db-wal")).unwrap());
    let before = files();
    let found = Store::inspect(&copy).unwrap();
    assert_eq!((found.version, found.runs), (crate::VERSION, 1));
    assert_eq!(files(), before);

    let none = folder.path().join("none.db");
    assert!(matches!(Store::inspect(&none), Err(StoreError::Missing { .. })) && !none.exists());
    fs::write(&none, "some text that is no database at all").unwrap();
    assert!(matches!(Store::inspect(&none), Err(StoreError::NotADatabase { .. })));
}

#[test]
fn a_snapshot_is_of_one_moment_and_read_by_one_thread() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    store.keep(run(1, "review", "{}"), Some(message(1, "task-1", "a")), Vec::new())().unwrap();
    let snapshot = Store::open_snapshot(&file).unwrap();
    store.keep(run(2, "review", "{}"), Some(message(2, "task-2", "b")), Vec::new())().unwrap();
    let count = |store: &Store| {
        let all = steadfast_engine::store::RunPage { limit: 9, ..Default::default() };
        let tasks = steadfast_engine::store::TaskPage { limit: 9, ..Default::default() };
        (store.runs(&all).unwrap().len(), store.tasks(&tasks).unwrap().len(), store.contents().unwrap().messages)
    };
    for _ in 0..2 {
        assert_eq!((count(&snapshot), count(&store)), ((1, 1, 1), (2, 2, 2)));
        // What cannot be read leaves it the same.
        assert!(snapshot.read(|connection| connection.execute_batch("SELECT nothing")).is_err());
    }
    snapshot
        .read(|_| {
            let error = snapshot.contents().unwrap_err();
            assert!(error.to_string().ends_with("one thread reads a snapshot at a time"), "{error}");
            Ok(())
        })
        .unwrap();
    assert!(snapshot.keep(run(3, "review", "{}"), None, Vec::new())().is_err());
}

/// Tables of which `steadfast store export` writes lines.
const EXPORTED: &[&str] = &[
    "alert_deliveries",
    "alert_notices",
    "alert_streams",
    "api_keys",
    "decisions",
    "feedback",
    "flags",
    "job_items",
    "jobs",
    "message_history",
    "prompts",
    "run_facts",
    "run_texts",
    "runs",
    "selections",
    "step_scores",
    "steps",
    "tasks",
    "trajectories",
];

/// Tables of which it writes none: what is made of others, lets a store go on, or is a secret.
const LEFT_OUT: &[&str] = &[
    "alert_runs",
    "alert_state",
    "embedding_versions",
    "embeddings",
    "hash_key",
    "retention_state",
    "step_keys",
    "trajectory_agents",
    "vault_state",
];

#[test]
fn every_table_is_exported_or_left_out_on_purpose() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let tables = store.read(|connection| crate::migrations::tables(connection)).unwrap();
    let tables: Vec<&str> = tables.iter().map(|name| name.trim_matches('"')).collect();
    let mut known = [EXPORTED, LEFT_OUT].concat();
    known.sort_unstable();
    assert_eq!(
        tables, known,
        "a new table is exported by `store_export` of the engine, and named here and in docs/store.md"
    );
}
