//! The one thread that writes.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;
use crate::connection::{Place, log_bytes};

/// Writes that may wait at a time, and that go to the disk together at most. Whoever comes then waits for room.
const QUEUE_WRITES_MAX: usize = 64;

/// What is done in a transaction.
pub(crate) type Work = Box<dyn FnOnce(&Connection) -> rusqlite::Result<()> + Send>;

struct Job {
    work: Work,
    /// Whether the log is emptied behind it.
    empties_log: bool,
    done: Sender<Result<(), StoreError>>,
}

/// A write that is queued or done.
#[must_use = "whether it succeeded is told by `wait` alone"]
pub(crate) struct Pending {
    end: Receiver<Result<(), StoreError>>,
    file: String,
}

impl Pending {
    /// A write that was refused.
    pub(crate) fn failed(error: StoreError) -> Self {
        let (done, end) = channel();
        let file = error.to_string();
        drop(done.send(Err(error)));
        Self { end, file }
    }

    /// Waits until the write is on the disk.
    ///
    /// # Errors
    /// [`StoreError`] where it is not.
    pub(crate) fn wait(self) -> Result<(), StoreError> {
        let ended = || Err(StoreError::Failed { file: self.file.clone(), what: "its writer has ended".to_owned() });
        self.end.recv().unwrap_or_else(|_| ended())
    }
}

/// The way to the thread.
pub(crate) struct Writer {
    queue: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
    file: String,
}

impl Writer {
    pub(crate) fn start(connection: Connection, place: Place) -> Result<Self, StoreError> {
        let file = place.file();
        let (queue, jobs) = sync_channel(QUEUE_WRITES_MAX);
        let thread = thread::Builder::new()
            .name("steadfast-store".to_owned())
            .spawn(move || run(connection, &place, &jobs))
            .map_err(|error| StoreError::Failed { file: file.clone(), what: format!("no thread: {error}") })?;
        Ok(Self { queue: Some(queue), thread: Some(thread), file })
    }

    /// Queues a write.
    pub(crate) fn write(&self, work: Work) -> Pending {
        self.queue(work, false)
    }

    /// Queues that the log is brought into the file and emptied. What a reader needs of it stays until the next time.
    pub(crate) fn empty_log(&self) -> Pending {
        self.queue(Box::new(|_| Ok(())), true)
    }

    fn queue(&self, work: Work, empties_log: bool) -> Pending {
        let (done, end) = channel();
        if let Some(queue) = &self.queue {
            // Where the thread is gone, so is `done`, and `wait` says so.
            drop(queue.send(Job { work, empties_log, done }));
        }
        Pending { end, file: self.file.clone() }
    }

    /// Waits until all that is queued is done, and closes the file.
    pub(crate) fn end(&mut self) -> Result<(), StoreError> {
        self.queue = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        thread.join().unwrap_or_else(|_| {
            Err(StoreError::Failed { file: self.file.clone(), what: "its writer has failed".to_owned() })
        })
    }
}

/// How long emptying the log waits for readers: nothing is written meanwhile.
const LOG_WAIT: Duration = Duration::from_millis(200);

fn empty_log(connection: &Connection, place: &Place, wait: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(wait)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(place.limits.busy)?;
    emptied
}

/// The next write; `None` at the end. While there is none, a log that is too long is emptied as soon as no reader needs it.
fn next(connection: &Connection, place: &Place, jobs: &Receiver<Job>) -> Option<Job> {
    while log_bytes(place) > place.limits.log_bytes {
        match jobs.recv_timeout(place.limits.log_retry) {
            // Nobody who comes meanwhile waits for a reader.
            Err(RecvTimeoutError::Timeout) => drop(empty_log(connection, place, Duration::ZERO)),
            next => return next.ok(),
        }
    }
    jobs.recv().ok()
}

fn run(mut connection: Connection, place: &Place, jobs: &Receiver<Job>) -> Result<(), StoreError> {
    let mut log_bytes_max = place.limits.log_bytes;
    while let Some(first) = next(&connection, place, jobs) {
        let queued = jobs.try_iter().take(QUEUE_WRITES_MAX - 1);
        let mut empties_log = false;
        let (works, waiting): (Vec<Work>, Vec<_>) = std::iter::once(first)
            .chain(queued)
            .map(|job| {
                empties_log |= job.empties_log;
                (job.work, job.done)
            })
            .unzip();
        let fault = |error| place.fault(&error);
        let ends = match commit(&mut connection, works) {
            Ok(ends) => ends.into_iter().map(|end| end.map_err(fault)).collect(),
            Err(error) => vec![Err(place.fault(&error)); waiting.len()],
        };
        let bytes = log_bytes(place);
        if empties_log || bytes > log_bytes_max {
            // Where somebody reads, the next one does it.
            drop(empty_log(&connection, place, LOG_WAIT));
            log_bytes_max = log_bytes(place) + place.limits.log_bytes;
        } else if bytes <= place.limits.log_bytes {
            log_bytes_max = place.limits.log_bytes;
        }
        for (done, end) in waiting.into_iter().zip(ends) {
            // Nobody need wait.
            drop(done.send(end));
        }
    }
    connection.close().map_err(|(_, error)| place.fault(&error))
}

/// Does all works in one transaction. One that fails is undone by itself; where the transaction fails, none is done.
fn commit(connection: &mut Connection, works: Vec<Work>) -> rusqlite::Result<Vec<rusqlite::Result<()>>> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut ends = Vec::with_capacity(works.len());
    for work in works {
        let savepoint = transaction.savepoint()?;
        let end = work(&savepoint);
        match end {
            Ok(()) => savepoint.commit()?,
            // SQLite gave the whole transaction up: a full disk, say.
            Err(error) if savepoint.is_autocommit() => return Err(error),
            Err(_) => savepoint.finish()?,
        }
        ends.push(end);
    }
    transaction.commit()?;
    Ok(ends)
}
