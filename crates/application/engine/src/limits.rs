//! What is taken in at most. Each limit is checked before the work that it bounds.

/// One mebibyte, in bytes.
pub const MIB: u64 = 1024 * 1024;

/// A single file, or a member of an archive when inflated.
pub const FILE_BYTES_MAX: u64 = 64 * MIB;

/// All files of a run together, when inflated.
pub const RUN_BYTES_MAX: u64 = 512 * MIB;

/// An archive as it stands on disk.
pub const ARCHIVE_BYTES_MAX: u64 = 256 * MIB;

/// Files of a run, or members of an archive, folders included.
pub const FILES_MAX: usize = 10_000;

/// Folders within folders.
pub const DEPTH_MAX: usize = 32;

/// How many bytes one byte of an archive may inflate to. Prose deflates to a fifth, tables to a thirtieth; only what is made to
/// inflate without end goes beyond this.
pub const INFLATION_MAX: u64 = 250;

/// Members that inflate to less may inflate by any factor: an empty page deflates to nearly nothing.
pub const INFLATION_FREE_BYTES: u64 = MIB;

/// Steps that judging may take however little there is to read. A step is about a byte that is looked at.
const STEPS_FREE: u64 = 2_000_000_000;

/// Steps that it may take beside for each byte that is read.
const STEPS_PER_BYTE: u64 = 20_000;

/// Steps that judging texts of so many bytes together may take.
pub(crate) const fn steps_max(bytes: usize) -> u64 {
    STEPS_FREE.saturating_add(STEPS_PER_BYTE.saturating_mul(bytes as u64))
}

/// The result of a run, as it is stored.
pub const RESULT_BYTES_MAX: u64 = 256 * MIB;

/// Runs or tasks of one page of a list.
pub const PAGE_ROWS_MAX: usize = 1_000;

pub use steadfast_review::answer::TASK_ID_BYTES_MAX;

/// Tags of a flag.
pub const TAGS_MAX: usize = 32;

/// A tag, in bytes.
pub const TAG_BYTES_MAX: usize = 64;

/// The texts of the inputs of one run that are kept, in bytes together.
pub const RUN_TEXTS_BYTES_MAX: u64 = 32 * MIB;

/// What is searched for in a list, in bytes.
pub const SEARCH_BYTES_MAX: usize = 256;

/// The reason of a decision, in bytes.
pub const REASON_BYTES_MAX: usize = 2_000;

/// The fingerprint of a finding, and the name of a check or of who decided, in bytes.
pub const FINDING_BYTES_MAX: usize = 200;

/// Findings of which decisions are asked for at a time.
pub const FINDINGS_MAX: usize = 10_000;

/// Keys of the API that hold at a time.
pub const KEYS_MAX: usize = 1_000;

/// The name of a key of the API, in bytes.
pub const KEY_NAME_BYTES_MAX: usize = 100;

/// Jobs that are kept; of those that have ended the oldest go first.
pub const JOBS_KEPT_MAX: usize = 1_000;

/// Parts of a job.
pub const JOB_ITEMS_MAX: u64 = 10_000;

/// What is said of a job or of a part of one, in bytes; more is cut off.
pub const JOB_MESSAGE_BYTES_MAX: usize = 4_096;

pub use steadfast_wire::live::STEPS_MAX as LIVE_STEPS_MAX;

/// The output of a step of a trajectory that is under way, in bytes.
pub const LIVE_OUTPUT_BYTES_MAX: usize = 1024 * 1024;

/// The instruction of such a step, or its initial intent, in bytes.
pub const LIVE_PROMPT_BYTES_MAX: usize = 256 * 1024;

/// The name of such a trajectory or of an agent, in bytes.
pub const LIVE_NAME_BYTES_MAX: usize = 512;

/// Steps of such a trajectory.
pub const LIVE_TRAJECTORY_STEPS_MAX: u64 = 1_000_000;

/// Agents that make the steps of such a trajectory.
pub const LIVE_AGENTS_MAX: u64 = 64;

/// The key of a request that is done once, in bytes.
pub const IDEMPOTENCY_KEY_BYTES_MAX: usize = 256;

/// How long such a key is remembered, in hours.
pub const IDEMPOTENCY_HOURS_MAX: u64 = 24;

/// How many such keys are remembered.
pub const IDEMPOTENCY_KEYS_MAX: u64 = 1_000_000;

/// For how long what an agent did counts in its gauges, in hours.
pub const LIVE_AGENTS_HOURS: u64 = 24;

/// Agents that have gauges of their own; all others have theirs together.
pub const LIVE_AGENTS_TOLD_MAX: usize = 50;

/// Trajectories that are held ready for their next step.
pub const LIVE_HELD_MAX: usize = 1_024;

/// What they may hold together, in bytes.
pub const LIVE_HELD_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Steps whose texts are not kept and that have no scores yet: what they may hold in memory together, in bytes.
pub const LIVE_PENDING_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The steps of the whole document of a trajectory, in bytes: their scores and goals.
pub const LIVE_DOCUMENT_BYTES_MAX: u64 = 64 * MIB;

/// The texts of one page of a trajectory, in bytes; one step is always shown.
pub const LIVE_PAGE_BYTES_MAX: u64 = MIB;

/// The name of a file, in bytes.
pub const NAME_BYTES_MAX: usize = 1024;

/// Characters that a trace shows of one text.
pub const TRACE_TEXT_CHARS_MAX: usize = 200;

/// Spans of a trace; those beyond are counted.
pub const TRACE_SPANS_MAX: usize = 1_000;

/// Events of a trace; those beyond are counted.
pub const TRACE_EVENTS_MAX: usize = 100;

/// Elements of one list of a trace.
pub const TRACE_LIST_MAX: usize = 200;

/// Characters of a text that are kept where only its beginning is.
pub const PREVIEW_CHARS_MAX: usize = 200;

/// Patterns by which texts are redacted.
pub const REDACTIONS_MAX: usize = 32;

/// Such a pattern, in bytes.
pub const REDACTION_PATTERN_BYTES_MAX: usize = 1_000;

/// What such a pattern may need of memory, in bytes.
pub const REDACTION_BYTES_MAX: usize = 1024 * 1024;

/// Days that something can be kept: a hundred years.
pub const RETAIN_DAYS_MAX: u32 = 36_500;

/// Agents that all rules of alerts look at together.
pub const ALERT_STREAMS_MAX: usize = 10_000;

/// How far back rules of alerts look at what was stored while no server ran, in hours.
pub const ALERT_BACK_HOURS_MAX: u64 = 24;

/// Runs, and trajectories, that rules of alerts look at before they say what changed.
pub const ALERT_LOOK_ROWS_MAX: usize = 1_000;

/// Notices of alerts that are kept; beyond them the oldest go.
pub const ALERT_NOTICES_MAX: usize = 10_000;

/// Weeks of a summary: ten years.
pub const SUMMARY_WEEKS_MAX: u32 = 520;
