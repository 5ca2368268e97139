//! Opening the file: what is asked of it, and who is refused.

use std::fs;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use crate::StoreError;
use crate::backup::{self, Check};
use crate::migrations::{self, MIGRATIONS, VERSION};

/// How long another process may hold the file before a call fails, in seconds.
pub const BUSY_SECONDS_MAX: u64 = 10;

/// The oldest SQLite that may write a store, as its number: before 3.51.3 a race could damage a file in WAL mode.
pub const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// Statements that a connection keeps prepared.
const STATEMENTS_KEPT: usize = 64;

/// What stays as it is in the path of an address.
const IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Bytes of a log that are written again at a time.
const REWRITTEN_BYTES: usize = 1024 * 1024;

/// Time between two attempts to open a file that another process is making.
const RETRY: Duration = Duration::from_millis(20);

/// What a test sets narrower.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// How long another process may hold the file.
    pub(crate) busy: Duration,
    /// How many pages the file may have; SQLite's own limit where it is `None`.
    pub(crate) pages_max: Option<u32>,
    /// Bytes of the log from which on it is emptied as soon as readers let it, and after that each time that it has grown by as many. Half
    /// of it stays on the disk once all of it is in the file.
    pub(crate) log_bytes: u64,
    /// Time between two attempts to empty a log that is longer, while nobody writes.
    pub(crate) log_retry: Duration,
    /// What time it is, in microseconds since 1970.
    pub(crate) clock_us: fn() -> u64,
}

/// The clock of this machine.
fn clock_us() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            busy: Duration::from_secs(BUSY_SECONDS_MAX),
            pages_max: None,
            log_bytes: LOG_BYTES,
            log_retry: LOG_RETRY,
            clock_us,
        }
    }
}

/// Bytes of the log from which on it is emptied.
const LOG_BYTES: u64 = 32 * 1024 * 1024;

/// Time between two attempts to empty it while nobody writes.
const LOG_RETRY: Duration = Duration::from_secs(5);

/// Bytes of the log above which somebody has to be told. It was tried seven times by then to empty it, so a reader holds it for long: a busy
/// moment does not explain it. Readers of this program are done in seconds.
pub const LOG_BYTES_MAX: u64 = 8 * LOG_BYTES;

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

    /// The file as it is opened.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A file beside it: the same name with an ending.
    pub(crate) fn beside(&self, ending: &str) -> Self {
        let named = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self { path: named(&self.path), shown: format!("{}{ending}", self.shown), limits: self.limits.clone() }
    }

    /// The same place, of which messages no longer say where it is.
    pub(crate) fn unnamed(self) -> Self {
        Self { shown: "the store".to_owned(), ..self }
    }

    /// Makes the file, where there is none, so that nobody but its owner can read it. SQLite gives its companions the same rights.
    fn make(&self) {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // Where it cannot be made SQLite says why.
        drop(options.open(&self.path));
    }

    pub(crate) fn open(&self, flags: OpenFlags) -> Result<Connection, StoreError> {
        if flags.contains(OpenFlags::SQLITE_OPEN_CREATE) {
            self.make();
        }
        // The connection is used by one thread at a time.
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(|error| self.unopened(&error))?;
        connection.busy_timeout(self.limits.busy).map_err(|error| self.fault(&error))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        Ok(connection)
    }

    /// The file without locks and companions: for one that nobody can write to now.
    fn open_frozen(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let path = percent_encode(self.path.as_os_str().as_encoded_bytes(), IN_A_PATH);
        let name = format!("file:{path}?immutable=1");
        Connection::open_with_flags(name, flags).map_err(|error| self.unopened(&error))
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

/// Writes the log again that the last process left, and brings it into the file, where nobody has the store open.
///
/// Where a sync failed in that process the system may show what is not on the disk, and take it for written: what is committed behind it would
/// be lost with it when the power fails.
pub(crate) fn renew_log(place: &Place) -> Result<(), StoreError> {
    let log = place.beside("-wal");
    if log_bytes(place) == 0 {
        return Ok(());
    }
    // Whoever has it open knows what of the log counts, and writes the rest again. What else is in the way is told where it is opened to be used.
    let alone = || -> rusqlite::Result<Option<Connection>> {
        let Ok(mut connection) = place.open(OpenFlags::empty()) else { return Ok(None) };
        connection.busy_timeout(Duration::ZERO)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |row| row.get::<_, String>(0))?;
        let refusal = migrations::refusal(&mut connection, &place.shown)?;
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        Ok((refusal.is_none() && mode == "wal" && !connection.is_readonly(MAIN_DB)?).then_some(connection))
    };
    let Ok(Some(connection)) = alone() else { return Ok(()) };
    rewrite(log.path()).map_err(|error| backup::of_disk(place, &error))?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(fault)?;
    connection.close().map_err(|(_, error)| fault(error))
}

/// Writes what a file holds to where it stands, and waits for the disk.
fn rewrite(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut piece = vec![0; REWRITTEN_BYTES];
    loop {
        let at = file.stream_position()?;
        let count = file.read(&mut piece)?;
        if count == 0 {
            return file.sync_all();
        }
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&piece[..count])?;
    }
}

fn try_writer(place: &Place) -> Result<Connection, StoreError> {
    renew_log(place)?;
    let mut connection = place.open(OpenFlags::SQLITE_OPEN_CREATE)?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    if let Some(refusal) = migrations::refusal(&mut connection, &place.shown).map_err(fault)? {
        return Err(refusal);
    }
    // SQLite opens a file that may not be written for reading, without a word.
    if connection.is_readonly(MAIN_DB).map_err(fault)? {
        return Err(StoreError::NotPermitted { file: place.file() });
    }
    let mode = set_journal_mode(&connection, "WAL").map_err(fault)?;
    if mode != "wal" {
        let what = format!("its file system cannot hold a write-ahead log; the mode stays `{mode}`");
        return Err(StoreError::Failed { file: place.file(), what });
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(fault)?;
    connection
        .pragma_update_and_check(
            None,
            "journal_size_limit",
            i64::try_from(place.limits.log_bytes / 2).unwrap_or(i64::MAX),
            |row| row.get::<_, i64>(0),
        )
        .map_err(fault)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
    connection.pragma_update(None, "trusted_schema", false).map_err(fault)?;
    // What is deleted is gone: its bytes are overwritten.
    connection.pragma_update_and_check(None, "secure_delete", true, |row| row.get::<_, i64>(0)).map_err(fault)?;
    if let Some(pages_max) = place.limits.pages_max {
        connection
            .pragma_update_and_check(None, "max_page_count", pages_max, |row| row.get::<_, i64>(0))
            .map_err(fault)?;
    }
    migrations::migrate(&mut connection, &place.shown, MIGRATIONS, fault, |version| {
        // Another connection sees what was committed last: what the step that is under way has not changed.
        let source = reader(place)?;
        backup::copy(&source, place, &place.beside(&format!(".before-v{}", version + 1)), Check::Whole)
    })?;
    // The log has its name by now.
    backup::settle_names(place)?;
    Ok(connection)
}

/// Sets the journal mode, and gives the one that holds then. SQLite tells the new mode before it has committed it: that the statement is run to
/// its end shows whether it has.
pub(crate) fn set_journal_mode(connection: &Connection, mode: &str) -> rusqlite::Result<String> {
    let mut statement = connection.prepare(&format!("PRAGMA journal_mode = {mode}"))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    connection.pragma_query_value(None, "journal_mode", |row| row.get(0))
}

/// How a store is read where nobody of this process writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// With the locks and companions that let others write at the same time.
    Live,
    /// Without: nothing can be written where it lies, not even they.
    Frozen,
    /// As it was when its one connection began a transaction that goes on.
    Snapshot,
}

/// Bytes of the write-ahead log.
pub(crate) fn log_bytes(place: &Place) -> u64 {
    fs::metadata(place.beside("-wal").path()).map_or(0, |found| found.len())
}

/// A connection that only reads, to a store of any version that is known, and that leaves the file and its log as they are.
pub(crate) fn inspector(place: &Place) -> Result<Connection, StoreError> {
    there(place)?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    let mut connection = reader_as(place, if log_bytes(place) == 0 { Reading::Frozen } else { Reading::Live })?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fault)?;
    let refusal = migrations::refusal(&mut connection, &place.shown).map_err(fault)?;
    refusal.map_or(Ok(connection), Err)
}

fn there(place: &Place) -> Result<(), StoreError> {
    if fs::metadata(&place.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Err(StoreError::Missing { file: place.file() });
    }
    Ok(())
}

/// A connection that only reads, to a store of this version; how it was opened. An older one is told as such.
pub(crate) fn first_reader(place: &Place) -> Result<(Connection, Reading), StoreError> {
    there(place)?;
    // Where it cannot be written it can be read nevertheless.
    drop(renew_log(place));
    match checked(place, Reading::Live) {
        Ok(connection) => Ok((connection, Reading::Live)),
        // The companions cannot be made: a folder that may not be written, a full disk. Where there is a log, they are needed.
        Err(
            error @ (StoreError::NotPermitted { .. }
            | StoreError::Full { .. }
            | StoreError::NoWrite { .. }
            | StoreError::Failed { .. }),
        ) => match checked(place, Reading::Frozen) {
            Ok(connection) if log_bytes(place) == 0 => Ok((connection, Reading::Frozen)),
            _ => Err(error),
        },
        Err(error) => Err(error),
    }
}

fn checked(place: &Place, reading: Reading) -> Result<Connection, StoreError> {
    let mut connection = reader_as(place, reading)?;
    let fault = |error: rusqlite::Error| place.fault(&error);
    if let Some(refusal) = migrations::refusal(&mut connection, &place.shown).map_err(fault)? {
        return Err(refusal);
    }
    let found = migrations::version(&connection).map_err(fault)?;
    if found < VERSION {
        let why = "it is only read".to_owned();
        return Err(StoreError::Older { file: place.file(), found, known: VERSION, why });
    }
    Ok(connection)
}

/// A connection that only reads, to a file that a writer of this process has open.
pub(crate) fn reader(place: &Place) -> Result<Connection, StoreError> {
    reader_as(place, Reading::Live)
}

/// A connection that only reads.
pub(crate) fn reader_as(place: &Place, reading: Reading) -> Result<Connection, StoreError> {
    let connection = match reading {
        Reading::Live => place.open(OpenFlags::empty())?,
        Reading::Frozen => place.open_frozen()?,
        Reading::Snapshot => {
            let what = "one thread reads a snapshot at a time".to_owned();
            return Err(StoreError::Failed { file: place.file(), what });
        }
    };
    let fault = |error: rusqlite::Error| place.fault(&error);
    connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
    connection.pragma_update(None, "trusted_schema", false).map_err(fault)?;
    connection.pragma_update(None, "query_only", true).map_err(fault)?;
    Ok(connection)
}
