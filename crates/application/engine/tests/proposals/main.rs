//! What chat models propose to `plan`, `pick`, `review` and `watch`, with models that are scripted or obey whatever they read.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod fakes;
mod injections;
mod pick;
mod pick_rank;
mod plan;
mod review;
mod watch;
