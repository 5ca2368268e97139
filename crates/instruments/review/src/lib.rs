//! Is what a sub-agent reports of its own work worth reading in full, and is it true?
//!
//! [`answer`] reads the report: blocks, items with their signs, check-ins. [`verdict`] makes a score and a recommendation of the
//! items, by the formula of the task-evals document. [`ask`] matches acceptance criteria to the items that report on them, [`checks`]
//! computes again what the output says of its own figures and counts: a self-report is a claim, and neither an open criterion nor a
//! false claim is approved, whatever the score. [`summary`] is what is shown of an output that is not worth reading in full.
//! [`session`] holds what an agent did against what it was asked and what it says. [`proposals`] takes what somebody says of criteria and claims who understands the output, [`exchange`] asks a chat model for it. [`review`] does all of it.

pub mod answer;
pub mod ask;
pub mod checks;
pub mod convention;
mod criterion;
pub mod exchange;
mod proposal;
pub mod proposals;
mod review;
pub mod session;
pub mod summary;
pub mod verdict;
mod words;

pub use criterion::{Criterion, CriterionStatus, ReportedBy};
pub use review::{ByCode, Review, Settings, Tokens, WARNINGS_MAX, review};
