//! From a task to the prompts of the vault that may serve it: [`bm25`] finds by words.

pub mod bm25;
pub mod terms;
pub mod top;
