//! What is kept over runs, in one SQLite file.
//!
//! One thread writes: what is queued at a time goes to the disk in one transaction. Readers see the last transaction that was
//! committed and wait for nobody. A write that was acknowledged is on the disk; a program that is killed at any moment loses
//! nothing of it, and the file opens again. Nothing above this crate knows that it is SQLite.

mod alerts;
mod backup;
mod connection;
mod decisions;
mod derived;
mod embeddings;
mod error;
mod jobs;
mod keys;
mod live;
mod migrations;
mod owner;
mod ports;
mod prompts;
mod retention;
mod runs;
mod tasks;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use connection::{Limits, Place, Reading};
use owner::Owner;
use writer::{Pending, Writer};

pub use backup::{Contents, REPLACED_MAX, Restored, restore};
pub use connection::{BUSY_SECONDS_MAX, LOG_BYTES_MAX, SQLITE_VERSION_MIN};
pub use error::StoreError;
pub use migrations::VERSION;

/// A store that is open. Dropping it waits until all that was queued is on the disk.
pub struct Store {
    place: Place,
    reading: Reading,
    /// Readers that nobody uses now: as many as have read at the same time. Closed before the writer, which tidies up.
    readers: Mutex<Vec<Connection>>,
    /// `None` where it is only read.
    writer: Option<Writer>,
    /// Under which name this process takes jobs in, once it has.
    owner: Mutex<Option<Owner>>,
}

impl Store {
    /// Opens a store; the file is made where it does not exist, the folder that it stands in is not. One that an older version of the
    /// program wrote is brought to this one: a copy of it is kept beside it first, `FILE.before-v2`.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be used: it is refused before anything in it is changed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_within(path, Limits::default())
    }

    /// The same for whoever answers strangers: once it is open, no message says where it lies.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open_unnamed(path: &Path) -> Result<Self, StoreError> {
        let place = Place::new(path, Limits::default());
        let connection = connection::writer(&place)?;
        Self::of(connection, place.unnamed())
    }

    fn open_within(path: &Path, limits: Limits) -> Result<Self, StoreError> {
        let place = Place::new(path, limits);
        let connection = connection::writer(&place)?;
        Self::of(connection, place)
    }

    fn of(connection: Connection, place: Place) -> Result<Self, StoreError> {
        derived::sweep(&place);
        let writer = Writer::start(connection, place.clone())?;
        Ok(Self {
            place,
            reading: Reading::Live,
            readers: Mutex::default(),
            writer: Some(writer),
            owner: Mutex::default(),
        })
    }

    /// Opens a store to read it; every write fails. It needs no room on the disk and no leave to write, neither the file nor its folder.
    /// One that an older version of the program wrote is brought to this one first.
    ///
    /// # Errors
    /// [`StoreError`] where there is no such file or it cannot be read.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let place = Place::new(path, Limits::default());
        let first = match connection::first_reader(&place) {
            Err(StoreError::Older { file, found, known, .. }) => {
                Self::open(path).map_err(|error| StoreError::Older { file, found, known, why: error.what() })?;
                connection::first_reader(&place)?
            }
            first => first?,
        };
        Ok(Self { place, reading: first.1, readers: Mutex::new(vec![first.0]), writer: None, owner: Mutex::default() })
    }

    /// The same as of one moment: all that is read is of when it was opened, whatever is written meanwhile. One thread reads it at a time. As long as
    /// it is open, the write-ahead log keeps what is written.
    ///
    /// # Errors
    /// Those of [`Store::open_to_read`].
    pub fn open_snapshot(path: &Path) -> Result<Self, StoreError> {
        let mut store = Self::open_to_read(path)?;
        // SQLite begins with the first read.
        store.read(|connection| connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema"))?;
        store.reading = Reading::Snapshot;
        Ok(store)
    }

    /// What a store of any version that is known holds. Neither the file nor its log is changed: an older one stays as it is.
    ///
    /// # Errors
    /// [`StoreError`] where there is no such file or it cannot be read.
    pub fn inspect(path: &Path) -> Result<Contents, StoreError> {
        let place = Place::new(path, Limits::default());
        let mut connection = connection::inspector(&place)?;
        let transaction = connection.transaction().map_err(|error| place.fault(&error))?;
        Contents::of(&transaction).map_err(|error| place.fault(&error))
    }

    /// Writes a copy of the store as it is at one moment to `into`, while others go on writing, and looks through it. It appears whole
    /// or not at all; an older copy of a store is written over, and nothing else.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read or the copy cannot be written.
    pub fn backup(&self, into: &Path) -> Result<Contents, StoreError> {
        let source = connection::reader_as(&self.place, self.reading)?;
        backup::backup(&source, &self.place, into)
    }

    /// What the store holds.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be read.
    pub fn contents(&self) -> Result<Contents, StoreError> {
        self.read_at_once(Contents::of)
    }

    /// Bytes of the write-ahead log. What a reader needs of it stays there: beside one that goes on it grows with all that is written.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        connection::log_bytes(&self.place)
    }

    /// Waits until all that was queued before is done with. Whether a write succeeded is told by its own receipt.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be written now.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())).wait()
    }

    /// Ends all work, and takes the file's companions (`FILE-wal`, `FILE-shm`) away where nobody else has it open.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be written. What was acknowledged is on the disk nevertheless.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.readers.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.writer.as_mut().map_or(Ok(()), Writer::end)
    }

    /// The name under which this process takes jobs in.
    fn owner(&self) -> Result<String, StoreError> {
        let mut own = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = &*own {
            return Ok(owner.name().to_owned());
        }
        // SQLite's generator is seeded by the system.
        let name: String =
            self.read(|connection| connection.query_row("SELECT lower(hex(randomblob(8)))", [], |row| row.get(0)))?;
        let owner = Owner::of(&self.place, name.clone()).map_err(|error| StoreError::Failed {
            file: self.place.file(),
            what: format!("no file can be made beside it: {error}"),
        })?;
        *own = Some(owner);
        Ok(name)
    }

    /// Whether the process goes on that takes jobs in under this name.
    fn goes_on(&self, owner: &str) -> bool {
        let own = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        own.as_ref().is_some_and(|own| own.name() == owner) || owner::goes_on(&self.place, owner)
    }

    /// Reads with a connection of its own.
    fn read<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let free = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => connection::reader_as(&self.place, self.reading)?,
        };
        let found = work(&mut connection).map_err(|error| self.place.fault(&error));
        if found.is_ok() || self.reading == Reading::Snapshot {
            self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        found
    }

    /// Reads with several statements that all see the same moment.
    fn read_at_once<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.read(|connection| match self.reading {
            Reading::Snapshot => work(connection),
            Reading::Live | Reading::Frozen => work(&*connection.transaction()?),
        })
    }

    /// Queues a write.
    fn write(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static) -> Pending {
        match &self.writer {
            Some(writer) => writer.write(Box::new(work)),
            None => Pending::failed(StoreError::NotPermitted { file: self.place.file() }),
        }
    }

    /// Queues that the write-ahead log is brought into the file and emptied, as far as no reader needs it.
    fn empty_log(&self) -> Pending {
        match &self.writer {
            Some(writer) => writer.empty_log(),
            None => Pending::failed(StoreError::NotPermitted { file: self.place.file() }),
        }
    }

    /// Writes, waits for the disk, and gives what the work found.
    fn write_and_tell<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = channel();
        self.write(move |connection| {
            // Whoever waits is there until the work is done.
            drop(tell.send(work(connection)?));
            Ok(())
        })
        .wait()?;
        told.recv().map_err(|_| Self::ended(self.place.file()))
    }

    /// What is said where the thread that writes is gone.
    fn ended(file: String) -> StoreError {
        StoreError::Failed { file, what: "its writer has ended".to_owned() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Every write has told its end to whoever waits for it.
        drop(self.end());
    }
}

/// A count as SQLite keeps numbers.
fn signed(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}
