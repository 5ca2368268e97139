//! The ports to what is kept over runs.

mod alerts;
mod decisions;
mod jobs;
mod keys;
mod live;
mod overview;
mod retention;
mod vault;

use steadfast_embed::Embedding;

pub use alerts::{AlertStore, Looked, NoticePage, StoredNotice, StoredStream, StreamPage};
pub use decisions::{DecisionCount, DecisionPage, DecisionStore, StoredDecision};
pub use jobs::{JobChange, JobStore, StoredJob, Whose};
pub use keys::{KeyStore, StoredKey};
pub use live::{
    AgentCount, AppendReceipt, Appended, Appending, LiveStore, LiveSummary, NewStep, ScoredStep, Scoring, StoredScore,
    StoredStep, TrajectoryPage,
};
pub use overview::{AgentAudits, RunText};
pub use retention::{Pruned, RetentionStore};
pub use vault::{Derived, PointCounts, PromptKey, ReadAt, StoredFeedback, StoredPrompt, StoredSelection, VaultStore};

// What is kept as it is published.
pub use steadfast_wire::alerts::{AlertDelivery, DeliveryState};
pub use steadfast_wire::jobs::JobItem;
pub use steadfast_wire::live::TrajectoryHead;
pub use steadfast_wire::overview::DayCount;

use crate::EngineError;

/// What a text is kept under: its SHA-256.
pub type TextKey = [u8; 32];

/// Waits until a write is on the disk, and says whether it is.
pub type Receipt = Box<dyn FnOnce() -> Result<(), StoreFailure> + Send>;

/// Vectors of texts that were embedded in earlier runs. It holds no text.
pub trait EmbeddingStore: Send + Sync {
    /// The vectors of these texts, in their order; `None` where there is none of this version. What a version is, is for the caller to
    /// say: [`bits`](steadfast_embed::Embedder::bits) of the embedder.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure>;

    /// Keeps vectors. It does not wait for the disk: the receipt does.
    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt;
}

/// A new identity and the moment at which it was given. Only what is stored has one: nothing else depends on a clock or on chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// A UUIDv7, in lower case: ids sort by the time at which they were given.
    pub id: String,
    /// The moment: RFC 3339 in UTC, to the millisecond.
    pub at: String,
}

/// The clock and the entropy of what is stored.
pub trait Stamps: Send + Sync {
    /// A new stamp.
    ///
    /// # Errors
    /// [`StoreFailure`] where no random bits can be had.
    fn stamp(&self) -> Result<Stamp, StoreFailure>;

    /// A clock that never goes back: milliseconds since any moment.
    fn ticks_ms(&self) -> u64;
}

/// What a run was, without its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunHead {
    /// Its UUIDv7.
    pub id: String,
    /// What was asked for: `audit`, `plan check`.
    pub verb: String,
    /// When it began: RFC 3339 in UTC.
    pub created_at: String,
    /// The version of the program that ran.
    pub program_version: String,
    /// The version of the result's JSON.
    pub schema_version: String,
    /// The version of the rules that judged, where they have one.
    pub rules_version: Option<String>,
    /// The SHA-256 of the list of inputs, in hexadecimal.
    pub input_sha256: String,
    /// The inputs: a JSON array of names, lengths and hashes.
    pub inputs: String,
    /// The settings: a JSON object.
    pub settings: String,
    /// What came of it, in a word.
    pub verdict: Option<String>,
    /// The exit status.
    pub exit_status: u8,
    /// How long each part took: a JSON object of milliseconds.
    pub spans: String,
    /// The task that it belongs to, where it has one.
    pub task_id: Option<String>,
    /// Whose work it is about, where that is known.
    pub agent: Option<String>,
    /// How many checks found a hard obligation broken, where one could be. It is kept to be counted, and not read back.
    pub broken: Option<u64>,
    /// Length of the result in bytes.
    pub result_bytes: u64,
}

/// A run with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What it was.
    pub head: RunHead,
    /// The JSON of its result, as it is published, without the member `run`.
    pub result: String,
}

/// Which runs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPage {
    /// Only those of this verb.
    pub verb: Option<String>,
    /// Only those that came to this.
    pub verdict: Option<String>,
    /// Only those that are about the work of this agent.
    pub agent: Option<String>,
    /// Only those that began at this moment or later: RFC 3339 in UTC.
    pub since: Option<String>,
    /// Only those whose id begins so, or of which the name of an input or the task holds this.
    pub search: Option<String>,
    /// Only those that want looking at: a gate failed, nothing could be evaluated, or the verdict is a bad one.
    pub attention: bool,
    /// Only those that come after this id, in the order that is asked for.
    pub after: Option<String>,
    /// The newest first, else the oldest.
    pub newest_first: bool,
    /// At most so many.
    pub limit: usize,
}

/// What somebody thinks of a sequence of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// An example to follow.
    Good,
    /// An example of what not to do.
    Bad,
    /// Neither: no example.
    Unsure,
}

impl Quality {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Good, Self::Bad, Self::Unsure];

    /// As it is stored and published.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Unsure => "unsure",
        }
    }

    /// The quality of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.name() == name)
    }

    /// Whether what is flagged so is a candidate for training.
    #[must_use]
    pub const fn is_candidate(self) -> bool {
        !matches!(self, Self::Unsure)
    }
}

/// What somebody said of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its UUIDv7.
    pub id: String,
    /// When it was said: RFC 3339 in UTC.
    pub at: String,
    /// What was said.
    pub quality: Quality,
    /// In which respects, in the order in which they were given.
    pub tags: Vec<String>,
}

/// A message of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its UUIDv7.
    pub id: String,
    /// The task.
    pub task_id: String,
    /// Who speaks: `assistant` for what an agent made.
    pub role: String,
    /// All of what was said.
    pub content: String,
    /// When it was stored: RFC 3339 in UTC.
    pub created_at: String,
    /// Its score, 0 to 1; `None` where it could not be evaluated.
    pub eval_score: Option<f64>,
    /// Its summary, where one was made.
    pub eval_summary: Option<String>,
    /// What followed from the score.
    pub recommendation: Option<String>,
    /// What the last flag of its task says.
    pub quality_flag: Option<Quality>,
    /// The tags of that flag.
    pub tags: Vec<String>,
    /// Whether it is a candidate for training.
    pub training_candidate: bool,
    /// The run that it was stored with, while that is kept.
    pub run_id: Option<String>,
}

/// A task: what its messages have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id, as a block of a message says, else made of the message.
    pub id: String,
    /// When its first message was stored.
    pub created_at: String,
    /// When its last one was.
    pub updated_at: String,
    /// How many messages it has.
    pub messages: u64,
    /// How many of them are candidates for training.
    pub candidates: u64,
    /// All that was said of it, oldest first.
    pub flags: Vec<Flag>,
}

/// Which tasks are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskPage {
    /// Those that changed last first; else in the order of their ids.
    pub newest_first: bool,
    /// Only those that come after this id, in the order that is asked for.
    pub after: Option<String>,
    /// Where those that changed last come first: the moment at which the one that they come after changed.
    pub after_at: Option<String>,
    /// Only those that have candidates for training.
    pub candidates_only: bool,
    /// Only those whose id holds this.
    pub search: Option<String>,
    /// Only those of which this was said last.
    pub quality: Option<Quality>,
    /// At most so many.
    pub limit: usize,
}

/// The runs of all instruments.
pub trait RunStore: Stamps + Send + Sync {
    /// Keeps a run, the message that it was about, where there is one, and the texts of its inputs, where they are to be kept: all or
    /// nothing. Where the run is there already, with its id, nothing changes: its request was retried.
    fn keep(&self, run: Run, message: Option<Message>, texts: Vec<RunText>) -> Receipt;

    /// Runs of a page, without their results.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn runs(&self, page: &RunPage) -> Result<Vec<RunHead>, StoreFailure>;

    /// One run.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn run(&self, id: &str) -> Result<Option<Run>, StoreFailure>;

    /// The texts of a run's inputs, by their names; none where they were not kept.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn run_texts(&self, id: &str) -> Result<Vec<RunText>, StoreFailure>;

    /// How many runs came to what since a moment, by day, verb, verdict and exit status.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn run_counts(&self, since: &str) -> Result<Vec<DayCount>, StoreFailure>;

    /// Audits since a moment (RFC 3339 in UTC), by the agent whose work they are about: the `limit` agents that have most, in that order, and all
    /// others together.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn agent_audits(&self, since: &str, limit: usize) -> Result<Vec<AgentAudits>, StoreFailure>;

    /// Deletes runs, and waits for the disk. Where one of them is not there none is deleted, and it is named.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be deleted.
    fn delete_runs(&self, ids: &[String]) -> Result<Option<String>, StoreFailure>;
}

/// Tasks and their messages.
pub trait TaskStore: Stamps + Send + Sync {
    /// One task.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn task(&self, id: &str) -> Result<Option<Task>, StoreFailure>;

    /// Tasks of a page.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn tasks(&self, page: &TaskPage) -> Result<Vec<Task>, StoreFailure>;

    /// Messages of a task, oldest first: those after an id, at most so many.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn messages(&self, task_id: &str, after: Option<&str>, limit: usize) -> Result<Vec<Message>, StoreFailure>;

    /// The last message of a task.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn latest_message(&self, task_id: &str) -> Result<Option<Message>, StoreFailure>;

    /// Flags a task and every message that it has now, and waits for the disk. `false` where there is no such task.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn flag(&self, task_id: &str, flag: Flag) -> Result<bool, StoreFailure>;

    /// Deletes a task with its messages and flags, and waits for the disk. `false` where there is no such task.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn delete_task(&self, id: &str) -> Result<bool, StoreFailure>;
}

/// All that a store keeps.
pub trait Keep:
    RunStore
    + TaskStore
    + EmbeddingStore
    + VaultStore
    + KeyStore
    + DecisionStore
    + JobStore
    + LiveStore
    + AlertStore
    + RetentionStore
{
}

impl<T> Keep for T where
    T: RunStore
        + TaskStore
        + EmbeddingStore
        + VaultStore
        + KeyStore
        + DecisionStore
        + JobStore
        + LiveStore
        + AlertStore
        + RetentionStore
{
}

/// Why a store did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct StoreFailure {
    /// The file, and what is wrong with it.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether there is no room for what is to be written.
    pub full: bool,
}

impl From<StoreFailure> for EngineError {
    fn from(StoreFailure { what, hint, full }: StoreFailure) -> Self {
        Self::Store { what, hint, full }
    }
}

/// Bits of a UUIDv7 that tell fractions of a millisecond (RFC 9562, section 6.2, method 3).
const FRACTION_BITS: u32 = 12;

/// A UUIDv7 of a moment, in microseconds since 1970, and 64 random bits, of which 62 are used. Ids of one machine sort by their
/// moments, to a quarter of a microsecond.
#[must_use]
pub fn uuid_v7(at_us: u64, random: u64) -> String {
    let (ms, rest_us) = (at_us / 1_000, at_us % 1_000);
    let fraction = (rest_us << FRACTION_BITS) / 1_000;
    let variant = (random & (u64::MAX >> 2)) | (1 << 63);
    format!(
        "{:08x}-{:04x}-7{fraction:03x}-{:04x}-{:012x}",
        (ms >> 16) & 0xffff_ffff,
        ms & 0xffff,
        variant >> 48,
        variant & 0xffff_ffff_ffff
    )
}

/// The UUIDv7 that comes `count` places after this one, with the moment that it says; `None` where `id` is none.
#[must_use]
pub fn uuid_v7_after(id: &str, count: u64) -> Option<Stamp> {
    let (head, node) = id.split_at_checked(24).filter(|(_, node)| node.len() == 12)?;
    let node = u64::from_str_radix(node, 16).ok()?.wrapping_add(count) & 0xffff_ffff_ffff;
    Some(Stamp { id: format!("{head}{node:012x}"), at: rfc3339(uuid_v7_ms(id) * 1_000) })
}

/// The moment that a UUIDv7 says, in milliseconds since 1970; 0 where it is none.
#[must_use]
pub fn uuid_v7_ms(id: &str) -> u64 {
    let digits: String = id.chars().filter(|own| *own != '-').take(12).collect();
    u64::from_str_radix(&digits, 16).unwrap_or_default()
}

/// The moment of RFC 3339, in microseconds since 1970; `None` where it is none, or before that.
#[must_use]
pub fn micros(rfc3339: &str) -> Option<u64> {
    u64::try_from(rfc3339.parse::<jiff::Timestamp>().ok()?.as_microsecond()).ok()
}

/// A moment, in microseconds since 1970, as RFC 3339 in UTC to the microsecond.
#[must_use]
pub fn rfc3339_us(at_us: u64) -> String {
    let us = i64::try_from(at_us).unwrap_or(i64::MAX);
    let moment = jiff::Timestamp::from_microsecond(us).unwrap_or(jiff::Timestamp::MAX);
    format!("{moment:.6}")
}

/// A moment, in microseconds since 1970, as RFC 3339 in UTC to the millisecond.
#[must_use]
pub fn rfc3339(at_us: u64) -> String {
    let ms = i64::try_from(at_us / 1_000).unwrap_or(i64::MAX);
    let moment = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX);
    format!("{moment:.3}")
}

#[cfg(test)]
mod tests {
    use super::{micros, rfc3339, rfc3339_us, uuid_v7};

    #[test]
    fn ids_are_version_7_and_sort_by_time() {
        // The example of RFC 9562, A.6: 2022-02-22 14:22:22.000.
        let id = uuid_v7(1_645_557_742_000_000, 0x18C4_DC0C_0C07_398F);
        assert_eq!(id, "017f22e2-79b0-7000-98c4-dc0c0c07398f");
        let ids: Vec<String> =
            [0, 1, 999, 1_000, 1_001, u64::from(u32::MAX) * 1_000].map(|at| uuid_v7(at, u64::MAX - at)).to_vec();
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 36 && id.as_bytes()[14] == b'7'), "{ids:?}");
        assert_eq!(uuid_v7(999, u64::MAX), "00000000-0000-7ffb-bfff-ffffffffffff");
    }

    #[test]
    fn moments_are_told_to_the_millisecond() {
        assert_eq!(rfc3339(1_645_557_742_000_999), "2022-02-22T19:22:22.000Z");
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert!(rfc3339(u64::MAX).ends_with('Z'));
    }

    #[test]
    fn moments_come_back() {
        assert_eq!(rfc3339_us(1_645_557_742_000_999), "2022-02-22T19:22:22.000999Z");
        assert_eq!(micros("2022-02-22T19:22:22.000999Z"), Some(1_645_557_742_000_999));
        assert_eq!(micros("2022-02-22T14:22:22-05:00"), Some(1_645_557_742_000_000));
        for none in ["", "yesterday", "1969-12-31T23:59:59Z", "2022-02-22"] {
            assert_eq!(micros(none), None, "{none}");
        }
    }
}
