//! Which prompts of a vault, in which order, for this task, or what must be asked first?
//!
//! [`record`] is a prompt as the vault keeps it, [`task`] what is understood of a task, [`intake`] how that is read.

pub mod intake;
pub mod record;
pub mod stage;
pub mod task;
