//! What a store promises, looked at from inside.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use steadfast_embed::Embedding;
use steadfast_engine::store::{EmbeddingStore as _, StoreFailure, TextKey};
use tempfile::TempDir;

use crate::connection::{self, Limits, Place, SQLITE_VERSION_MIN};
use crate::migrations::{APPLICATION_ID, MIGRATIONS, migrate};
use crate::{Store, StoreError};

mod alerts;
mod copies;
mod live;
mod records;
mod retention;
mod served;
mod vault;

const VERSION: &str = "test/1";

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    (folder, file)
}

fn key(number: usize) -> TextKey {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_le_bytes());
    key
}

fn vector(number: usize) -> Embedding {
    Embedding { vector: [number as f32, 0.1, -0.0, f32::MIN_POSITIVE / 2.0].into(), truncated: number % 2 == 1 }
}

fn vectors(numbers: std::ops::Range<usize>) -> Vec<(TextKey, Embedding)> {
    numbers.map(|number| (key(number), vector(number))).collect()
}

fn put(store: &Store, numbers: std::ops::Range<usize>) -> Result<(), StoreFailure> {
    store.put(VERSION, vectors(numbers))()
}

/// Which of the first `count` are there; what is there is right.
fn present(store: &Store, count: usize) -> Vec<bool> {
    let keys: Vec<TextKey> = (0..count).map(key).collect();
    let found = store.get(VERSION, &keys).unwrap();
    assert_eq!(found.len(), count);
    for (number, found) in found.iter().enumerate() {
        if let Some(found) = found {
            let bits = |it: &Embedding| it.vector.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
            assert_eq!((bits(found), found.truncated), (bits(&vector(number)), vector(number).truncated));
        }
    }
    found.iter().map(Option::is_some).collect()
}

#[test]
fn sqlite_is_new_enough() {
    assert!(rusqlite::version_number() >= SQLITE_VERSION_MIN, "{}", rusqlite::version());
    let (_folder, file) = folder();
    let connection = Connection::open(file).unwrap();
    let version: String = connection.query_row("SELECT sqlite_version()", [], |row| row.get(0)).unwrap();
    assert_eq!(version, rusqlite::version());
}

#[test]
fn every_pragma_is_as_it_was_set() {
    let (_folder, file) = folder();
    let place = Place::new(&file, Limits::default());
    let writer = connection::writer(&place).unwrap();
    let reader = connection::reader(&place).unwrap();
    let number = |connection: &Connection, pragma| -> i64 {
        connection.pragma_query_value(None, pragma, |row| row.get(0)).unwrap()
    };
    for connection in [&writer, &reader] {
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
        assert_eq!(number(connection, "synchronous"), 2, "FULL");
        assert_eq!(number(connection, "busy_timeout"), 10_000);
        assert_eq!(number(connection, "foreign_keys"), 1);
        assert_eq!(number(connection, "trusted_schema"), 0);
        assert_eq!(number(connection, "application_id"), APPLICATION_ID);
        assert_eq!(number(connection, "user_version"), MIGRATIONS.len() as i64);
    }
    assert_eq!(number(&writer, "secure_delete"), 1);
    assert_eq!((number(&writer, "query_only"), number(&reader, "query_only")), (0, 1));
    assert!(reader.execute("DELETE FROM embeddings", []).is_err(), "a reader cannot write");
}

#[test]
fn what_was_put_is_got_to_the_bit_and_the_first_stays() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    assert_eq!(present(&store, 3), [false; 3]);
    put(&store, 0..2).unwrap();
    store.put(VERSION, vec![(key(1), vector(7)), (key(2), vector(2))])().unwrap();
    assert_eq!(present(&store, 4), [true, true, true, false]);
    assert_eq!(store.get("test/2", &[key(0)]).unwrap(), [None], "another version");
    assert_eq!(store.get(VERSION, &[]).unwrap(), []);
    assert_eq!(store.get(VERSION, &[key(2), key(9), key(2)]).unwrap(), [Some(vector(2)), None, Some(vector(2))]);
}

#[test]
fn closing_flushes_and_leaves_one_file() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    for number in 0..200 {
        drop(store.put(VERSION, vectors(number..number + 1)));
    }
    store.close().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let store = Store::open(&file).unwrap();
    assert_eq!(present(&store, 200), [true; 200]);
    drop(store.put(VERSION, vectors(200..201)));
    drop(store);
    assert_eq!(present(&Store::open(&file).unwrap(), 201), [true; 201], "dropping closes");
}

#[test]
fn a_flush_waits_for_all_before_it() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    for number in 0..300 {
        drop(store.put(VERSION, vectors(number..number + 1)));
    }
    store.flush().unwrap();
    assert_eq!(present(&store, 300), [true; 300]);
}

#[test]
fn many_threads_and_many_stores_write_and_read_one_file() {
    let (_folder, file) = folder();
    let barrier = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let (file, barrier) = (file.clone(), Arc::clone(&barrier));
            thread::spawn(move || {
                barrier.wait();
                let store = Store::open(&file).unwrap();
                for round in 0..10 {
                    put(&store, round * 40 + thread * 10..round * 40 + thread * 10 + 20).unwrap();
                    present(&store, 420);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(present(&Store::open(&file).unwrap(), 410), [true; 410]);
}

#[test]
fn a_write_that_fails_is_undone_alone() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let held = Connection::open(&file).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    // All three wait for the same lock: the last two share a transaction.
    let first = store.put(VERSION, vectors(0..1));
    let bad = store.write(|connection| {
        connection.execute("INSERT INTO embedding_versions (version) VALUES ('half')", [])?;
        connection.execute("INSERT INTO embeddings VALUES (99, zeroblob(32), 0, zeroblob(4))", []).map(drop)
    });
    let last = store.put(VERSION, vectors(1..2));
    held.execute_batch("COMMIT").unwrap();
    first().unwrap();
    let error = bad.wait().unwrap_err();
    assert!(error.to_string().contains("FOREIGN KEY"), "{error}");
    last().unwrap();
    assert_eq!(present(&store, 2), [true; 2]);
    let half: i64 = held.query_row("SELECT count(*) FROM embedding_versions", [], |row| row.get(0)).unwrap();
    assert_eq!(half, 1);
}

/// A copy of the file and its log as they are now, the log up to so many bytes: what a program that was killed leaves.
fn killed(file: &Path, log: &[u8], into: &Path) {
    fs::copy(file, into).unwrap();
    let mut name = into.as_os_str().to_owned();
    name.push("-wal");
    fs::write(&name, log).unwrap();
    name = into.as_os_str().to_owned();
    name.push("-shm");
    drop(fs::remove_file(name));
}

#[test]
fn a_store_that_was_killed_at_any_byte_opens_again() {
    const PUTS: usize = 12;
    const EACH: usize = 5;
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    for round in 0..PUTS {
        put(&store, round * EACH..(round + 1) * EACH).unwrap();
    }
    // Neither closed nor checkpointed: all of it lies in the log, which only grows.
    let log = fs::read(folder.path().join("s.db-wal")).unwrap();
    std::mem::forget(store);
    let copy = folder.path().join("copy.db");
    let mut most = 0;
    for length in (0..log.len()).step_by(1_523).chain([log.len()]) {
        killed(&file, &log[..length], &copy);
        let again = Store::open(&copy).unwrap();
        let there = present(&again, PUTS * EACH);
        let count = there.iter().filter(|there| **there).count();
        assert!(count % EACH == 0 && there[..count].iter().all(|there| *there), "{length}: {there:?}");
        assert!(count >= most, "{length} bytes hold {count}, fewer than before");
        most = count;
        put(&again, 0..PUTS * EACH).unwrap();
        again.close().unwrap();
        let whole = Connection::open(&copy).unwrap();
        let check: String = whole.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
    }
    assert_eq!(most, PUTS * EACH, "what was acknowledged is there");
    assert_eq!(present(&Store::open(&file).unwrap(), PUTS * EACH), [true; PUTS * EACH]);
}

#[test]
fn a_copy_in_the_midst_of_writing_opens() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let copy = folder.path().join("copy.db");
    for round in 0..20 {
        let pending = store.put(VERSION, vectors(round * 5..round * 5 + 5));
        let log = fs::read(folder.path().join("s.db-wal")).unwrap();
        killed(&file, &log, &copy);
        let there = present(&Store::open(&copy).unwrap(), 100);
        let count = there.iter().filter(|there| **there).count();
        assert!(count == round * 5 || count == round * 5 + 5, "{there:?}");
        pending().unwrap();
    }
}

#[test]
fn a_step_of_migration_is_whole_or_undone() {
    let (_folder, file) = folder();
    let mut connection = Connection::open(&file).unwrap();
    let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x); CREATE TABLE a (x)"];
    let fault = |error: rusqlite::Error| StoreError::of("s.db", 1, &error);
    let save = |_| panic!("nothing is there to be saved");
    // A new store goes through all steps or none; one of an earlier version keeps those that were done.
    for (first, (tables, version)) in [(0, (0, 0)), (1, (2, 2))] {
        migrate(&mut connection, "s.db", &steps[..first], fault, save).unwrap();
        let error = migrate(&mut connection, "s.db", &steps, fault, save).unwrap_err();
        assert!(error.to_string().contains("table a already exists"), "{error}");
        let found: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(found, tables);
        assert_eq!(connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap(), version);
    }
    migrate(&mut connection, "s.db", &steps[..2], fault, save).unwrap();
}

fn refused(file: &Path) -> String {
    let error = Store::open(file).map(drop).unwrap_err();
    assert!(!error.hint().is_empty());
    error.to_string().replace(&format!("{}", file.parent().unwrap().display()), "…")
}

#[test]
fn what_is_no_store_of_this_version_is_refused_unchanged() {
    let (folder, file) = folder();
    Store::open(&file).unwrap().close().unwrap();
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(refused(&file), "…/s.db: is a store of version 99; this program knows versions up to 9");

    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = fs::read(&other).unwrap();
    assert_eq!(refused(&other), "…/other.db: is a database of another program, and nothing in it was changed");
    assert_eq!(fs::read(&other).unwrap(), before);

    for text in ["{\"task_id\": 1}\n", &"words ".repeat(5_000)] {
        let log = folder.path().join("run.jsonl");
        fs::write(&log, text).unwrap();
        assert_eq!(refused(&log), "…/run.jsonl: is no store, and nothing in it was changed");
        assert_eq!(fs::read_to_string(&log).unwrap(), text);
    }

    assert_eq!(refused(&folder.path().join("no/s.db")), "…/s.db: the folder it is to stand in does not exist");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    assert_eq!(refused(&inner), "…/inner: is a folder, no store");

    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    assert!(Store::open(&empty).is_ok(), "an empty file is a store to be");
}

#[test]
fn a_file_that_is_held_for_too_long_is_said() {
    let (_folder, file) = folder();
    Store::open(&file).unwrap().close().unwrap();
    let limits = Limits { busy: Duration::from_millis(30), ..Limits::default() };
    let store = Store::open_within(&file, limits).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = put(&store, 0..1).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("end the other process, or name another file"), "{error}");
    assert_eq!(present(&store, 1), [false], "reading goes on");
    other.execute_batch("COMMIT").unwrap();
    put(&store, 0..1).unwrap();
    assert_eq!(present(&store, 1), [true], "and writing, once it is free");
}

#[test]
fn a_full_disk_is_said_and_what_was_acknowledged_stays() {
    let (_folder, file) = folder();
    let store = Store::open_within(&file, Limits { pages_max: Some(80), ..Limits::default() }).unwrap();
    let mut kept = 0;
    let error = loop {
        match put(&store, kept..kept + 20) {
            Ok(()) => kept += 20,
            Err(error) => break error,
        }
    };
    assert!(error.full && error.what.ends_with(": the disk is full"), "{error}");
    let there = present(&store, kept + 20);
    assert!(kept > 0 && there[..kept].iter().all(|there| *there) && there[kept..].iter().all(|there| !there));
    store.close().unwrap();
    let store = Store::open(&file).unwrap();
    put(&store, kept..kept + 20).unwrap();
    assert_eq!(present(&store, kept + 20), vec![true; kept + 20], "with room it goes on");
}

#[test]
fn names_that_mean_something_to_sqlite_are_files() {
    let (folder, _) = folder();
    for name in [":memory:", "file:x?mode=memory", " "] {
        let file = folder.path().join(name);
        Store::open(&file).unwrap().close().unwrap();
        assert!(file.is_file(), "{name}");
    }
}

#[test]
fn what_sqlite_says_is_said_in_words() {
    let said = |code| {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        StoreError::of("s.db", 10, &error).to_string()
    };
    use rusqlite::ffi::{SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_NOTADB, SQLITE_PERM, SQLITE_READONLY};
    assert_eq!(said(SQLITE_BUSY), "s.db: another process has held it for more than 10 s");
    assert_eq!(said(SQLITE_FULL), "s.db: the disk is full");
    assert_eq!(said(SQLITE_NOTADB), "s.db: is no store, and nothing in it was changed");
    for code in [SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN] {
        assert_eq!(said(code), "s.db: may not be read and written");
    }
}

#[test]
#[cfg(unix)]
fn nobody_but_its_owner_reads_a_store_or_what_lies_beside_it() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    put(&store, 0..3).unwrap();
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        names.push(entry.file_name().into_string().unwrap());
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{names:?}");
    }
    names.sort();
    assert_eq!(names, ["s.db", "s.db-shm", "s.db-wal"]);
}

#[test]
fn a_store_that_serves_strangers_does_not_say_where_it_lies() {
    let (_folder, file) = folder();
    let store = Store::open_unnamed(&file).unwrap();
    assert_eq!(store.place.file(), "the store");
    assert_eq!(store.place.beside(".words").file(), "the store.words");
}

#[test]
fn parts_that_nobody_writes_any_more_are_removed() {
    let (folder, file) = folder();
    let old = std::time::SystemTime::now() - Duration::from_secs(25 * 3_600);
    let part = |name: &str, aged: bool| {
        let part = fs::File::create(folder.path().join(name)).unwrap();
        if aged {
            part.set_modified(old).unwrap();
        }
    };
    part("s.db.words.7-1.part", true);
    part("s.db.vectors.7-2.part", false);
    part("other.part", true);
    part("s.db.words", true);
    drop(Store::open(&file).unwrap());
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("s.db-"))
        .collect();
    left.sort();
    assert_eq!(left, ["other.part", "s.db", "s.db.vectors.7-2.part", "s.db.words"]);
}

#[test]
fn the_log_is_emptied_once_a_reader_lets_it() {
    const LIMIT: u64 = 512 * 1024;
    let (folder, file) = folder();
    let store = Store::open_within(&file, Limits { log_bytes: LIMIT, ..Limits::default() }).unwrap();
    let log = || fs::metadata(folder.path().join("s.db-wal")).map_or(0, |found| found.len());
    put(&store, 0..10).unwrap();
    let mut reader = Connection::open(&file).unwrap();
    let held = reader.transaction().unwrap();
    let count = || held.query_row("SELECT count(*) FROM embeddings", [], |row| row.get::<_, i64>(0));
    assert_eq!(count().unwrap(), 10);
    let mut written = 10;
    while log() < 2 * LIMIT {
        put(&store, written..written + 500).unwrap();
        written += 500;
    }
    assert_eq!(count().unwrap(), 10);
    drop(held);
    // It grows by as much again at most, and is short from then on.
    let most = log() + 2 * LIMIT;
    let mut shortest = log();
    for _ in 0..60 {
        put(&store, written..written + 500).unwrap();
        written += 500;
        assert!(log() <= most, "{} bytes", log());
        shortest = shortest.min(log());
    }
    assert!(shortest <= LIMIT, "{shortest} bytes");
}

#[test]
fn a_log_that_a_reader_held_is_emptied_though_nobody_writes() {
    const LIMIT: u64 = 512 * 1024;
    let (folder, file) = folder();
    let limits = Limits { log_bytes: LIMIT, log_retry: Duration::from_millis(1), ..Limits::default() };
    let store = Store::open_within(&file, limits).unwrap();
    put(&store, 0..10).unwrap();
    let mut reader = Connection::open(&file).unwrap();
    let held = reader.transaction().unwrap();
    held.query_row("SELECT count(*) FROM embeddings", [], |row| row.get::<_, i64>(0)).unwrap();
    let mut written = 10;
    while store.log_bytes() <= 2 * LIMIT {
        put(&store, written..written + 500).unwrap();
        written += 500;
    }
    assert_eq!(store.log_bytes(), fs::metadata(folder.path().join("s.db-wal")).unwrap().len());
    drop(held);
    let deadline = Instant::now() + Duration::from_secs(60);
    while store.log_bytes() > LIMIT {
        assert!(Instant::now() < deadline, "{} bytes", store.log_bytes());
        std::thread::yield_now();
    }
    // What was written is there.
    put(&store, written..written + 1).unwrap();
    let count = |connection: &mut Connection| {
        connection.query_row("SELECT count(*) FROM embeddings", [], |row| row.get::<_, i64>(0))
    };
    assert_eq!(store.read(count).unwrap(), i64::try_from(written).unwrap() + 1);
}
