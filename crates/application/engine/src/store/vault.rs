//! The port to the vault of prompts.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use super::{Receipt, Stamps, StoreFailure};

/// A prompt of the vault.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPrompt {
    /// Its name in the vault.
    pub id: String,
    /// The folder or file that it came from, by a hash.
    pub source: String,
    /// The SHA-256 of what it says, in hexadecimal.
    pub content_hash: String,
    /// The least confidence of what was inferred of it; 1 where nothing was.
    pub confidence: f64,
    /// What was inferred: a JSON array.
    pub inferred: String,
    /// The JSON of its record, as it is published.
    pub record: String,
}

/// A prompt of the vault, without what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptKey {
    /// Its name in the vault.
    pub id: String,
    /// The folder or file that it came from, by a hash.
    pub source: String,
    /// The SHA-256 of what it says, in hexadecimal.
    pub content_hash: String,
    /// The least confidence of what was inferred of it; 1 where nothing was.
    pub confidence: f64,
}

/// What was picked, as far as feedback needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSelection {
    /// What it is called.
    pub trace_id: String,
    /// When it was first picked: RFC 3339 in UTC.
    pub created_at: String,
    /// The operating point that chose, by its name.
    pub operating_point: String,
    /// The SHA-256 of its thresholds, in hexadecimal; `None` for what was kept before it was.
    pub point_sha256: Option<String>,
    /// The prompts: a JSON array of ids.
    pub prompts: String,
}

/// What is known of the selections of one operating point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointCounts {
    /// Its name.
    pub operating_point: String,
    /// The SHA-256 of its thresholds; `None` for what was kept before it was.
    pub point_sha256: Option<String>,
    /// Selections without a prompt: questions.
    pub clarify: usize,
    /// Those of one prompt.
    pub single: usize,
    /// Those of several.
    pub chain: usize,
    /// Those of which something was said, and the last word on each prompt was good.
    pub good: usize,
    /// Those of which the last word on some prompt was bad.
    pub bad: usize,
}

/// What was said of a prompt in a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFeedback {
    /// Its UUIDv7.
    pub id: String,
    /// The selection.
    pub trace_id: String,
    /// The prompt.
    pub prompt_id: String,
    /// Whether it was good.
    pub good: bool,
    /// When it was said: RFC 3339 in UTC.
    pub at: String,
}

/// What is made from the vault and kept beside it, so that it need not be made again. Nothing is lost with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// The index of words and metadata.
    Words,
    /// Vectors of all prompts.
    Vectors,
}

/// Bytes that are read where they are needed.
pub trait ReadAt: Debug + Send + Sync {
    /// How many there are.
    ///
    /// # Errors
    /// Where that cannot be known.
    fn length(&self) -> io::Result<u64>;

    /// Reads those from `offset` on, as many as fill `into`.
    ///
    /// # Errors
    /// Where there are not as many, or they cannot be read.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let start = usize::try_from(offset).map_err(|_| short())?;
        let end = start.checked_add(into.len()).ok_or_else(short)?;
        into.copy_from_slice(self.get(start..end).ok_or_else(short)?);
        Ok(())
    }
}

/// The vault of prompts.
pub trait VaultStore: Stamps + Send + Sync {
    /// All prompts, by their ids, without what they say.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn prompt_keys(&self) -> Result<Vec<PromptKey>, StoreFailure>;

    /// Tells all prompts in the order of their ids, all as of one moment, until `tell` gives `false`; gives the stamp of that moment.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn each_prompt(&self, tell: &mut dyn FnMut(StoredPrompt) -> bool) -> Result<String, StoreFailure>;

    /// The prompts of some ids, in the order of these; none for an id that is not there.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn prompts_of(&self, ids: &[&str]) -> Result<Vec<Option<StoredPrompt>>, StoreFailure>;

    /// Prompts in the order of their ids: those after this id, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn prompts_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredPrompt>, StoreFailure>;

    /// What changes whenever a prompt does, and never comes again.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn vault_stamp(&self) -> Result<String, StoreFailure>;

    /// What was made from the vault, where it was kept and can be read.
    fn derived(&self, kind: Derived) -> Option<Arc<dyn ReadAt>>;

    /// Keeps what is made from the vault, in the place of what was kept: all of it or nothing. Where nothing can be written beside the store it is
    /// held in memory.
    ///
    /// # Errors
    /// [`StoreFailure`] where `write` fails.
    fn make_derived(
        &self,
        kind: Derived,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<Arc<dyn ReadAt>, StoreFailure>;

    /// Prompts of which something was inferred with less than this confidence, the least sure first: `rows` says from
    /// which of them on, and how many at most. And how many there are.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn unsure_prompts(&self, below: f64, rows: (usize, usize)) -> Result<(Vec<StoredPrompt>, usize), StoreFailure>;

    /// Puts prompts, in the place of those of their ids, and removes others, and waits for the disk: all of it or nothing.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be written.
    fn change_prompts(&self, put: Vec<StoredPrompt>, remove: Vec<String>) -> Result<(), StoreFailure>;

    /// Keeps a selection; one that is there already stays.
    fn keep_selection(&self, selection: StoredSelection) -> Receipt;

    /// One selection.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn selection(&self, trace_id: &str) -> Result<Option<StoredSelection>, StoreFailure>;

    /// Selections in the order of their names: those after this one, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn selections_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredSelection>, StoreFailure>;

    /// What was said, the oldest first: what comes after this id, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn feedback_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredFeedback>, StoreFailure>;

    /// Keeps what was said, and waits for the disk.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn add_feedback(&self, said: Vec<StoredFeedback>) -> Result<(), StoreFailure>;

    /// How often each prompt was said to be good and bad, by its id.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn feedback(&self) -> Result<Vec<(String, u32, u32)>, StoreFailure>;

    /// What is known of the selections of each operating point, by name and thresholds.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn results(&self) -> Result<Vec<PointCounts>, StoreFailure>;
}
