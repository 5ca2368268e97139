//! What an agent did, as plain types: turns, calls, results and edits, whichever program wrote them down.
//!
//! A [`Session`] is made by the readers of `wire`, one for each log format. This crate says what its parts mean: [`shell`] reads command
//! lines, [`purpose`] tells what a command is for, [`test_log`] reads the counts of test runners, [`outcome`] whether a build or a linter
//! came through, [`effects`] tells what it does to files, and [`diff`] reads unified diffs. Nothing here judges.

pub mod diff;
pub mod effects;
mod model;
pub mod outcome;
pub mod purpose;
pub mod shell;
pub mod test_log;

pub use model::{Author, Call, Change, Edit, Outcome, Rules, Session, Turn, strip_ansi};
