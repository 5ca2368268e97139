//! What is kept over runs, in one SQLite file.
//!
//! One thread writes: what is queued at a time goes to the disk in one transaction. Readers see the last transaction that was
//! committed and wait for nobody. A write that was acknowledged is on the disk; a program that is killed at any moment loses
//! nothing of it, and the file opens again. Nothing above this crate knows that it is SQLite.

mod connection;
mod embeddings;
mod error;
mod migrations;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use steadfast_embed::Embedding;
use steadfast_engine::store::{EmbeddingStore, Receipt, StoreFailure, TextKey};

use connection::{Limits, Place};
use writer::Writer;

pub use connection::{BUSY_SECONDS_MAX, SQLITE_VERSION_MIN};
pub use error::StoreError;
pub use writer::{Pending, QUEUE_WRITES_MAX};

/// A store that is open. Dropping it waits until all that was queued is on the disk.
pub struct Store {
    place: Place,
    /// Readers that nobody uses now: as many as have read at the same time. Closed before the writer, which tidies up.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
}

impl Store {
    /// Opens a store; the file is made where it does not exist, the folder that it stands in is not.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be used: it is refused before anything in it is changed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_within(path, Limits::default())
    }

    fn open_within(path: &Path, limits: Limits) -> Result<Self, StoreError> {
        let place = Place::new(path, limits);
        let connection = connection::writer(&place)?;
        let writer = Writer::start(connection, place.clone())?;
        Ok(Self { place, readers: Mutex::default(), writer })
    }

    /// The vectors that are kept under these keys for a version of an embedder, in the order of the keys.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be read.
    pub fn embeddings_get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreError> {
        self.read(|connection| embeddings::get(connection, version, keys))
    }

    /// Queues vectors to be kept; of those that are there already the first stays. It waits only where
    /// [`QUEUE_WRITES_MAX`] writes are queued.
    pub fn embeddings_put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Pending {
        let version = version.to_owned();
        self.writer.write(Box::new(move |connection| embeddings::put(connection, &version, &vectors)))
    }

    /// Waits until all that was queued before is done with. Whether a write succeeded is told by its own [`Pending`].
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be written now.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.writer.write(Box::new(|_| Ok(()))).wait()
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
        self.writer.end()
    }

    /// Reads with a connection of its own.
    fn read<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let free = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => connection::reader(&self.place)?,
        };
        let found = work(&mut connection).map_err(|error| self.place.fault(&error))?;
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(found)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Every write has told its end to whoever waits for it.
        drop(self.end());
    }
}

impl EmbeddingStore for Store {
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure> {
        Ok(self.embeddings_get(version, keys)?)
    }

    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt {
        let pending = self.embeddings_put(version, vectors);
        Box::new(move || Ok(pending.wait()?))
    }
}

impl From<StoreError> for StoreFailure {
    fn from(error: StoreError) -> Self {
        Self { what: error.to_string(), hint: Some(error.hint().to_owned()) }
    }
}
