//! Does the finished report still say what the prompt asked for?
//!
//! [`ask`] reads the prompt into a contract, [`answer`] reads the report or a planner's whole run into claims, each in its
//! [`voice`], [`passages`] finds what the answer says nearest to each obligation, [`checks`] hold the one against the other, [`status`]
//! says what became of each obligation, [`verdict`] computes scores, risk and whether the report is usable. [`audit`] is all of it in one call.
//!
//! [`reading`] takes a reading of the prompt that was handed in, [`unread`] lists what looks like a request and is none of the obligations, [`proposals`] takes what
//! somebody who understands both texts says of them, and [`exchange`] asks a chat model for the same.

pub mod answer;
pub mod ask;
mod assessed;
pub mod checks;
mod context;
mod denied;
mod details;
pub mod evaluation;
pub mod exchange;
pub mod figures;
mod form;
mod given;
pub mod incident;
mod left_alone;
pub mod lint;
pub mod lists;
mod locate;
mod look;
pub mod matching;
pub mod meaning;
mod not_judged;
mod numbers;
pub mod passages;
pub mod proposals;
pub mod reading;
pub mod run;
mod same_figure;
pub mod status;
pub mod trail;
pub mod unread;
mod value;
pub mod verdict;
pub mod voice;

pub use evaluation::{Assessed, Counts, Disqualifier, Evaluation, Examined, Judged, Settings, Source, audit, examine};
