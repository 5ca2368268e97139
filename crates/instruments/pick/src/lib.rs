//! Which prompts of a vault, in which order, for this task, or what must be asked first?
//!
//! [`record`] is a prompt as the vault keeps it, [`task`] what is understood of a task, [`retrieve`] finds the prompts that
//! may serve it.

pub mod record;
pub mod retrieve;
pub mod stage;
pub mod task;
