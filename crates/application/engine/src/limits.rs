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

/// The result of a run, as it is stored.
pub const RESULT_BYTES_MAX: u64 = 256 * MIB;

/// Runs or tasks of one page of a list.
pub const PAGE_ROWS_MAX: usize = 1_000;

pub use steadfast_review::answer::TASK_ID_BYTES_MAX;

/// Tags of a flag.
pub const TAGS_MAX: usize = 32;

/// A tag, in bytes.
pub const TAG_BYTES_MAX: usize = 64;

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
