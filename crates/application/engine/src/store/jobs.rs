//! The port to what takes long.

use steadfast_wire::jobs::JobItem;

use super::{Stamps, StoreFailure};

/// A piece of work that takes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredJob {
    /// Its UUIDv7.
    pub id: String,
    /// What is done.
    pub kind: String,
    /// How it stands, by its name.
    pub state: String,
    /// When it was asked for: RFC 3339 in UTC.
    pub created_at: String,
    /// When it changed last.
    pub updated_at: String,
    /// How many parts it has.
    pub total: u64,
    /// How many of them are done.
    pub done: u64,
    /// What is to be said of it, where something is.
    pub message: Option<String>,
}

/// How a job changes. Only one whose state is among `from` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobChange {
    /// The states from which it may change, by their names.
    pub from: &'static [&'static str],
    /// Its state from now on.
    pub state: &'static str,
    /// What is to be said of it; what was said before stays where there is nothing.
    pub message: Option<String>,
    /// What came of one more part, where one is done.
    pub item: Option<JobItem>,
    /// When: RFC 3339 in UTC.
    pub at: String,
}

/// Whose jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those that this process took in.
    Own,
    /// Those that processes took in which have ended.
    Ended,
}

/// Jobs. Each belongs to the process that took it in: its texts are there.
pub trait JobStore: Stamps + Send + Sync {
    /// Keeps a new job of this process, and waits for the disk. Where more than `kept_max` are kept then, the oldest of those whose state is among `ended`
    /// go.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn add_job(&self, job: StoredJob, ended: &'static [&'static str], kept_max: usize) -> Result<(), StoreFailure>;

    /// Changes a job, and waits for the disk. `None` where there is no such job, else how it stands then: whether it changed is to be seen by
    /// its state.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn change_job(&self, id: &str, change: JobChange) -> Result<Option<StoredJob>, StoreFailure>;

    /// Gives all jobs of some processes whose state is among `from` another one, and waits for the disk; how many there were.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be written.
    fn change_jobs(&self, whose: Whose, change: JobChange) -> Result<usize, StoreFailure>;

    /// One job.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn job(&self, id: &str) -> Result<Option<StoredJob>, StoreFailure>;

    /// What came of the parts of a job, in the order of their numbers: those from `from` on, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn job_items(&self, id: &str, from: u64, limit: usize) -> Result<Vec<JobItem>, StoreFailure>;

    /// Jobs, the newest first: those after an id, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn jobs(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredJob>, StoreFailure>;
}
