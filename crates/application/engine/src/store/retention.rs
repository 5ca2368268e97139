//! The port to how long things are kept.

use super::StoreFailure;

/// How much was kept longer than it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Runs, with the texts of their inputs.
    pub runs: u64,
    /// Tasks whose last message is so old, with their messages and flags.
    pub tasks: u64,
    /// Messages of tasks that go on.
    pub messages: u64,
    /// Trajectories whose last step is so old, with their steps and scores.
    pub trajectories: u64,
    /// Jobs that ended.
    pub jobs: u64,
    /// Notices of alerts, and how rules stand that do not fire.
    pub alerts: u64,
}

/// How long things are kept, the key by which less is kept of them, and the room that they take beside it.
pub trait RetentionStore: Send + Sync {
    /// Bytes of what was written and is not in its place yet: the write-ahead log.
    fn log_bytes(&self) -> u64;

    /// The key of the store's hashes. It is made, of random bits, the first time that it is asked for.
    ///
    /// # Errors
    /// [`StoreFailure`] where it can be neither read nor made.
    fn hash_key(&self) -> Result<[u8; 32], StoreFailure>;

    /// Deletes what was last touched before a moment (RFC 3339 in UTC), at most `limit` rows of each kind at a time, and waits for the disk; or
    /// counts it and deletes nothing, where `dry_run` is set.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be deleted.
    fn prune(&self, before: &str, limit: usize, dry_run: bool) -> Result<Pruned, StoreFailure>;

    /// The latest moment that is known to have been: when it was last noted that what is old was deleted, else that of what was kept last.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn seen_at(&self) -> Result<Option<String>, StoreFailure>;

    /// Notes a moment (RFC 3339 in UTC) that is known to have been, and waits for the disk.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn see(&self, at: &str) -> Result<(), StoreFailure>;
}
