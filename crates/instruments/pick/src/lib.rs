//! Which prompts of a vault, in which order, for this task, or what must be asked first?
//!
//! [`record`] is a prompt as the vault keeps it, [`task`] what is understood of a task, [`retrieve`] finds
//! the prompts that may serve it. [`planner`] makes chains of [`candidate`]s, which
//! [`critic`] looks through; [`score`] holds the formulas, [`operating_point`] the thresholds that choose. [`machine`] is the table of
//! states; [`pick`] goes through it, [`weigh`] as far as no threshold is asked. [`fill`] puts values in the place of placeholders. [`exchange`] is what a chat model may propose beside it,
//! and what it may choose.

pub mod candidate;
pub mod compatibility;
pub mod critic;
pub mod exchange;
pub mod fill;
pub mod infer;
pub mod intake;
pub mod machine;
pub mod operating_point;
mod pick;
pub mod planner;
mod ranked;
pub mod record;
pub mod retrieve;
pub mod score;
pub mod stage;
pub mod task;
mod weigh;

pub use pick::{CLARIFY_CANDIDATES, Selected, Selection, Vault, pick};
pub use weigh::{Weighed, weigh};
