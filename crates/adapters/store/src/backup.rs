//! Copies of a store, and back.
//!
//! A copy is one file without companions. It is made by SQLite's own online backup in one step: it holds what was committed last when the
//! step began, and whoever writes meanwhile is not held up.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::connection::{self, Limits, Place};
use crate::migrations;

/// How many copies of stores that were replaced may stand beside one.
pub const REPLACED_MAX: u32 = 1_000;

/// Time between two attempts to begin a copy.
const RETRY: Duration = Duration::from_millis(20);

/// What a store holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The version of its tables.
    pub version: i64,
    /// Runs.
    pub runs: u64,
    /// Tasks.
    pub tasks: u64,
    /// Messages of tasks.
    pub messages: u64,
    /// Vectors of texts.
    pub vectors: u64,
    /// Prompts of the vault.
    pub prompts: u64,
    /// Steps of trajectories that are under way.
    pub steps: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
}

impl Contents {
    /// What a file holds; tables that its version does not have hold nothing.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let tables = migrations::tables(connection)?;
        let count = |table: &str| -> rusqlite::Result<u64> {
            if !tables.iter().any(|it| it.trim_matches('"') == table) {
                return Ok(0);
            }
            let count = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
            Ok(count?.unsigned_abs())
        };
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        Ok(Self {
            version: migrations::version(connection)?,
            runs: count("runs")?,
            tasks: count("tasks")?,
            messages: count("message_history")?,
            vectors: count("embeddings")?,
            prompts: count("prompts")?,
            steps: count("steps")?,
            bytes: pragma("page_count")?.unsigned_abs() * pragma("page_size")?.unsigned_abs(),
        })
    }
}

/// What came of bringing a copy back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What the store holds now.
    pub contents: Contents,
    /// Where what it held before is kept, named as the store was; `None` where it held nothing.
    pub replaced: Option<String>,
}

/// Whether a copy is looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// It is, and a copy that is not whole is not kept.
    Whole,
    /// It is taken as it is.
    AsItIs,
}

/// The copy that a user asks for.
pub(crate) fn backup(source: &Connection, from: &Place, into: &Path) -> Result<Contents, StoreError> {
    let into = Place::new(into, from.limits.clone());
    if let Ok(found) = fs::metadata(into.path()) {
        if found.is_dir() {
            return Err(StoreError::Folder { file: into.file() });
        }
        if same(from.path(), into.path()) {
            return Err(StoreError::Spared { file: into.file(), what: "is the store itself" });
        }
        if found.len() > 0 {
            // An older copy, and nothing else, is written over.
            let refusal = connection::reader(&into).map(|mut older| migrations::refusal(&mut older, &into.file()));
            if !matches!(refusal, Ok(Ok(None | Some(StoreError::Newer { .. })))) {
                return Err(StoreError::Spared { file: into.file(), what: "is no copy of a store" });
            }
        }
    }
    copy(source, from, &into, Check::Whole)?;
    let copied = connection::reader(&into)?;
    Contents::of(&copied).map_err(|error| into.fault(&error))
}

/// Writes a copy under a temporary name, looks through it, and gives it its name. It is on the disk when this returns.
pub(crate) fn copy(source: &Connection, from: &Place, into: &Place, check: Check) -> Result<(), StoreError> {
    let part = Part(into.beside(&format!(".{}.part", process::id())));
    // What a killed process of the same number left.
    drop(fs::remove_file(part.0.path()));
    let mut target = part.0.open(OpenFlags::SQLITE_OPEN_CREATE).map_err(|error| renamed(error, into))?;
    pages(source, from, &mut target, into)?;
    let fault = |error: rusqlite::Error| into.fault(&error);
    let mode = connection::set_journal_mode(&target, "DELETE").map_err(fault)?;
    if mode != "delete" {
        return Err(StoreError::Failed { file: into.file(), what: format!("its mode stays `{mode}`") });
    }
    if check == Check::Whole {
        whole(&target, into)?;
    }
    target.close().map_err(|(_, error)| fault(error))?;
    let disk = |error: io::Error| of_disk(into, &error);
    fs::rename(part.0.path(), into.path()).map_err(disk)?;
    sync_folder(into.path()).map_err(disk)
}

/// Copies all pages in one step.
fn pages(source: &Connection, from: &Place, target: &mut Connection, into: &Place) -> Result<(), StoreError> {
    let deadline = Instant::now() + from.limits.busy;
    let backup = Backup::new(source, target).map_err(|error| into.fault(&error))?;
    loop {
        match backup.step(-1).map_err(|error| into.fault(&error))? {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ if Instant::now() < deadline => thread::sleep(RETRY),
            _ => return Err(StoreError::Locked { file: from.file(), seconds: from.limits.busy.as_secs() }),
        }
    }
}

/// Looks through every page, index and reference.
fn whole(connection: &Connection, place: &Place) -> Result<(), StoreError> {
    let not = |what: String| StoreError::NotWhole { file: place.file(), what };
    let checked = connection
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
        .map_err(|error| not(error.to_string()))?;
    if checked != "ok" {
        // Behind a line that names the database.
        return Err(not(checked.lines().last().unwrap_or_default().to_owned()));
    }
    let dangling = connection
        .prepare("PRAGMA foreign_key_check")
        .and_then(|mut check| check.exists([]))
        .map_err(|error| not(error.to_string()))?;
    if dangling { Err(not("a row refers to one that is not there".to_owned())) } else { Ok(()) }
}

/// Puts what a copy holds in the place of what a store holds, which is kept beside it as `STORE.before-restore-1`. Nothing is changed
/// where the copy is not whole or somebody has the store open; a program that is killed meanwhile leaves the old or the new.
///
/// # Errors
/// [`StoreError`] where the copy cannot be read or the store not be written.
pub fn restore(copy_path: &Path, path: &Path) -> Result<Restored, StoreError> {
    let from = Place::new(copy_path, Limits::default());
    // Whoever has it open keeps it open: there is nothing to wait for.
    let to = Place::new(path, Limits { busy: Duration::ZERO, ..Limits::default() });
    if same(from.path(), to.path()) {
        return Err(StoreError::Spared { file: to.file(), what: "is the copy itself" });
    }
    let source = match connection::first_reader(&from) {
        // An older copy is brought to this version when the store is opened.
        Err(StoreError::Older { .. }) => connection::reader(&from)?,
        found => found?.0,
    };
    if migrations::version(&source).map_err(|error| from.fault(&error))? == 0 {
        return Err(StoreError::NotWhole { file: from.file(), what: "it is empty".to_owned() });
    }
    whole(&source, &from)?;
    let (mut target, moved) = match alone(&to) {
        // What it holds cannot even be listed: it is kept as a file.
        Err(StoreError::Damaged { .. }) if has_our_header(to.path()) => {
            let kept = moved_aside(&to)?;
            (alone(&to)?, Some(kept.file()))
        }
        found => (found?, None),
    };
    let fault = |error: rusqlite::Error| to.fault(&error);
    // Where that cannot be told the store is damaged, and kept as it is.
    let replaced = if moved.is_some() {
        moved
    } else if migrations::holds_something(&target).unwrap_or(true) {
        let kept = free_name(&to)?;
        copy(&target, &to, &kept, Check::AsItIs)?;
        Some(kept.file())
    } else {
        None
    };
    pages(&source, &from, &mut target, &to)?;
    whole(&target, &to)?;
    let contents = Contents::of(&target).map_err(fault)?;
    target.close().map_err(|(_, error)| fault(error))?;
    Ok(Restored { contents, replaced })
}

/// A connection to a store that nobody else has open, and that nobody can open while it is there.
fn alone(place: &Place) -> Result<Connection, StoreError> {
    let open = |error: rusqlite::Error| match place.fault(&error) {
        StoreError::Locked { file, .. } => StoreError::Open { file },
        other => other,
    };
    connection::renew_log(place)?;
    let mut connection = place.open(OpenFlags::SQLITE_OPEN_CREATE)?;
    if let Some(refusal) = migrations::refusal(&mut connection, &place.file()).map_err(open)? {
        return Err(refusal);
    }
    if connection.is_readonly(rusqlite::MAIN_DB).map_err(open)? {
        return Err(StoreError::NotPermitted { file: place.file() });
    }
    // A connection leaves the log behind only where it is the only one.
    connection::set_journal_mode(&connection, "DELETE").map_err(open)?;
    connection
        .pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |row| row.get::<_, String>(0))
        .map_err(open)?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT").map_err(open)?;
    // What is written makes the journal, which stays until the end: its name is to last before anything is written over.
    let version = migrations::version(&connection).map_err(open)?;
    connection.pragma_update(None, "user_version", version).map_err(open)?;
    settle_names(place)?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(open)?;
    if mode == "delete" { Ok(connection) } else { Err(StoreError::Open { file: place.file() }) }
}

/// Whether a file says in its header that it is a store of ours.
fn has_our_header(path: &Path) -> bool {
    let mut header = [0; 72];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok()
        && header.starts_with(b"SQLite format 3\0")
        && header[68..].iter().fold(0_i64, |all, byte| all << 8 | i64::from(*byte)) == migrations::APPLICATION_ID
}

/// Gives a damaged store that nobody has open, and what belongs to it, another name.
fn moved_aside(place: &Place) -> Result<Place, StoreError> {
    let connection = place.open(OpenFlags::SQLITE_OPEN_CREATE)?;
    let held = connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
    if let Err(error) = held
        && matches!(place.fault(&error), StoreError::Locked { .. })
    {
        return Err(StoreError::Open { file: place.file() });
    }
    drop(connection);
    let kept = free_name(place)?;
    let failed = |error: std::io::Error| StoreError::Failed { file: place.file(), what: error.to_string() };
    fs::rename(place.path(), kept.path()).map_err(failed)?;
    for ending in ["-wal", "-shm"] {
        let beside = place.beside(ending);
        if beside.path().exists() {
            fs::rename(beside.path(), kept.beside(ending).path()).map_err(failed)?;
        }
    }
    Ok(kept)
}

fn free_name(place: &Place) -> Result<Place, StoreError> {
    (1..=REPLACED_MAX)
        .map(|number| place.beside(&format!(".before-restore-{number}")))
        .find(|kept| fs::symlink_metadata(kept.path()).is_err())
        .ok_or_else(|| StoreError::Failed {
            file: place.file(),
            what: format!("{REPLACED_MAX} files named `….before-restore-…` stand beside it"),
        })
}

/// Whether two paths lead to one file.
fn same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The same error, about the file that was asked for.
fn renamed(error: StoreError, into: &Place) -> StoreError {
    let file = into.file();
    match error {
        StoreError::NoFolder { .. } => StoreError::NoFolder { file },
        StoreError::NotPermitted { .. } => StoreError::NotPermitted { file },
        StoreError::Full { .. } => StoreError::Full { file },
        other => StoreError::Failed { file, what: other.what() },
    }
}

pub(crate) fn of_disk(into: &Place, error: &io::Error) -> StoreError {
    let file = into.file();
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::NotPermitted { file },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { file },
        _ => StoreError::Failed { file, what: error.to_string() },
    }
}

/// Makes names in the folder of a store last, where its file system has a word for that. SQLite does so with the names of its companions, and does
/// not tell where it cannot.
pub(crate) fn settle_names(place: &Place) -> Result<(), StoreError> {
    match sync_folder(place.path()) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied) => {
            Err(of_disk(place, &error))
        }
        _ => Ok(()),
    }
}

/// Makes a new name last.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A copy under its temporary name. Dropped before it has its own, it is gone.
struct Part(Place);

impl Drop for Part {
    fn drop(&mut self) {
        for place in [self.0.beside("-journal"), self.0.beside("-wal"), self.0.beside("-shm"), self.0.clone()] {
            drop(fs::remove_file(place.path()));
        }
    }
}
