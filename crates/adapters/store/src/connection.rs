//! Opening the file: what is asked of it, and who is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, MAIN_DB, OpenFlags};

use crate::StoreError;
use crate::migrations::{self, MIGRATIONS};

/// How long another process may hold the file before a call fails, in seconds.
pub const BUSY_SECONDS_MAX: u64 = 10;

/// The oldest SQLite that may write a store, as its number: before 3.51.3 a race could damage a file in WAL mode.
pub const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// Time between two attempts to open a file that another process is making.
const RETRY: Duration = Duration::from_millis(20);

/// What a test sets narrower.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// How long another process may hold the file.
    pub(crate) busy: Duration,
    /// How many pages the file may have; SQLite's own limit where it is `None`.
    pub(crate) pages_max: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { busy: Duration::from_secs(BUSY_SECONDS_MAX), pages_max: None }
    }
}

/// Where a store lies.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    path: PathBuf,
    shown: String,
    pub(crate) limits: Limits,
}

impl Place {
    pub(crate) fn new(path: &Path, limits: Limits) -> Self {
        // With `./` before it no name means anything to SQLite, such as `:memory:` and `file:…` would.
        Self { path: Path::new(".").join(path), shown: path.display().to_string(), limits }
    }

    /// The file as it was given.
    pub(crate) fn file(&self) -> String {
        self.shown.clone()
    }

    pub(crate) fn fault(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.shown, self.limits.busy.as_secs(), error)
    }

    /// The same for a file that could not be opened. It is looked at by its name alone: opening and closing it would drop the locks
    /// of this process.
    fn unopened(&self, error: &rusqlite::Error) -> StoreError {
        let file = self.file();
        if fs::metadata(&self.path).is_ok_and(|found| found.is_dir()) {
            return StoreError::Folder { file };
        }
        if self.path.parent().is_some_and(|parent| !parent.is_dir()) {
            return StoreError::NoFolder { file };
        }
        self.fault(error)
    }

    fn open(&self, flags: OpenFlags) -> Result<Connection, StoreError> {
        // The connection is used by one thread at a time.
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(|error| self.unopened(&error))?;
        connection.busy_timeout(self.limits.busy).map_err(|error| self.fault(&error))?;
        Ok(connection)
    }
}

/// The connection that writes, to a file that is ours and of this version.
pub(crate) fn writer(place: &Place) -> Result<Connection, StoreError> {
    let found = rusqlite::version_number();
    if found < SQLITE_VERSION_MIN {
        let what = format!("SQLite {} is too old", rusqlite::version());
        return Err(StoreError::Failed { file: place.file(), what });
    }
    // SQLite does not wait by itself where two processes make the same file at the same time.
    let deadline = Instant::now() + place.limits.busy;
    loop {
        match try_writer(place) {
            Err(StoreError::Locked { .. }) if Instant::now() < deadline => thread::sleep(RETRY),
            end => return end,
        }
    }
}

fn try_writer(place: &Place) -> Result<Connection, StoreError> {
    let mut connection = place.open(OpenFlags::SQLITE_OPEN_CREATE)?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    if let Some(refusal) = migrations::refusal(&mut connection, &place.shown).map_err(fault)? {
        return Err(refusal);
    }
    // SQLite opens a file that may not be written for reading, without a word.
    if connection.is_readonly(MAIN_DB).map_err(fault)? {
        return Err(StoreError::NotPermitted { file: place.file() });
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(fault)?;
    if mode != "wal" {
        let what = format!("its file system cannot hold a write-ahead log; the mode stays `{mode}`");
        return Err(StoreError::Failed { file: place.file(), what });
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(fault)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
    connection.pragma_update(None, "trusted_schema", false).map_err(fault)?;
    if let Some(pages_max) = place.limits.pages_max {
        connection
            .pragma_update_and_check(None, "max_page_count", pages_max, |row| row.get::<_, i64>(0))
            .map_err(fault)?;
    }
    migrations::migrate(&mut connection, &place.shown, MIGRATIONS, fault)?;
    Ok(connection)
}

/// A connection that only reads, to a file that a writer of this process has open.
pub(crate) fn reader(place: &Place) -> Result<Connection, StoreError> {
    let connection = place.open(OpenFlags::empty())?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
    connection.pragma_update(None, "trusted_schema", false).map_err(fault)?;
    connection.pragma_update(None, "query_only", true).map_err(fault)?;
    Ok(connection)
}
