//! What an agent reports of its own work: the blocks of its output, their items, and where a task stands.
//!
//! Three syntaxes are read (`<npl-block type="reflection|check-in">`, `<npl-ref>`, `<npl-reflection>`), any number of them,
//! nested, cut off by a token limit, in code fences where there are no others. An item is what follows one of the signs of
//! [`Sign`] at the beginning of a line, of a table's cell or of a sentence, at any depth of a list; in a list or table a sign at
//! the end of a line marks what stands before it. Everything has its span in bytes of the output, and reading is linear in it.

mod blocks;
mod code_pages;
mod lines;
mod marks;
mod sign;

use steadfast_text::Span;

pub use blocks::{Block, BlockKind, Syntax, TAG_BYTES_MAX};
pub(crate) use sign::sign_at;
pub use sign::{Bare, Profile, Sign};

/// One thing that an agent reports of its work, with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its sign.
    pub sign: Sign,
    /// What it says: without markup at its ends, white space folded.
    pub text: String,
    /// From the sign to the end of the text (or from the text to the sign, where that stands behind it), in bytes of the output.
    pub span: Span,
    /// The block that it stands in, by index.
    pub block: usize,
    /// Whether it stands under `acceptance_criteria`.
    pub criterion: bool,
    /// Whether it says that there is nothing of its kind ("🐛 none found").
    pub none: bool,
}

/// The same with a sign that has no weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BareItem {
    /// What its sign means.
    pub sign: Bare,
    /// The sign as it is written.
    pub mark: String,
    /// What it says.
    pub text: String,
    /// Where it stands, in bytes of the output.
    pub span: Span,
    /// The block that it stands in, by index.
    pub block: usize,
    /// Whether it stands under `acceptance_criteria`.
    pub criterion: bool,
}

/// A line of prose under a label ("Correctness: …").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The label, without its colon.
    pub label: String,
    /// What follows it on its line.
    pub text: String,
    /// The whole line, in bytes of the output.
    pub span: Span,
    /// The block that it stands in, by index.
    pub block: usize,
}

/// One step that an agent will take next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// What it will do.
    pub text: String,
    /// Where that stands, in bytes of the output.
    pub span: Span,
}

/// Where a task stands, as a check-in block says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckIn {
    /// The task.
    pub task_id: Option<String>,
    /// Its status, in the agent's words.
    pub status: Option<String>,
    /// What comes next.
    pub next_steps: Vec<NextStep>,
    /// The block, by index.
    pub block: usize,
}

/// Everything that an output reports of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its blocks, in the order in which they begin.
    pub blocks: Vec<Block>,
    /// Items with weights, in the order of the output.
    pub items: Vec<Item>,
    /// Items without, in the order of the output.
    pub bare: Vec<BareItem>,
    /// Lines of prose under labels.
    pub labelled: Vec<Labelled>,
    /// Check-ins in the order of the output: the timeline of the task.
    pub check_ins: Vec<CheckIn>,
}

impl Report {
    /// The task that the output belongs to: that of the last block that names one in a usable way.
    #[must_use]
    pub fn task_id(&self) -> Option<&str> {
        self.blocks.iter().rev().filter_map(|block| block.task_id.as_deref()).find(|id| is_task_id(id))
    }
}

/// The longest id of a task, in bytes.
pub const TASK_ID_BYTES_MAX: usize = 256;

/// Whether a task can be called so: 1 to [`TASK_ID_BYTES_MAX`] bytes without control characters.
#[must_use]
pub fn is_task_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= TASK_ID_BYTES_MAX && !id.contains(char::is_control)
}

/// Reads what `output` reports of itself. Never fails: what is no block is no report.
#[must_use]
pub fn read(output: &str) -> Report {
    let (blocks, segments) = blocks::blocks(output);
    lines::read(output, blocks, &segments)
}
