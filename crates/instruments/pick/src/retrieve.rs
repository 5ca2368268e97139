//! From a task to the prompts of the vault that may serve it.
//!
//! [`hybrid`] is the way through all of it. [`bm25`] finds by words, over the [`terms`] of texts; [`vectors`] by meaning, over vectors of
//! [`passages`], of which [`compact`] scans many; [`catalog`] is what is known of each prompt without reading it, [`pack`] writes and reads all of them. [`duplicates`] knows who is nearly the same as whom, [`filters`] holds metadata against what is wanted, [`priors`] are what is thought of a prompt whatever
//! the task.

pub mod bm25;
pub mod catalog;
pub mod compact;
pub mod duplicates;
pub mod filters;
pub mod hybrid;
pub mod pack;
pub mod passages;
pub mod priors;
pub mod terms;
pub mod top;
pub mod vectors;
