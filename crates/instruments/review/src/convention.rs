//! What to tell a sub-agent so that its work can be reviewed.

/// The text to paste into a sub-agent's instructions (the task-evals document, "Check-in Convention").
pub const CONVENTION: &str = include_str!("convention.md");
