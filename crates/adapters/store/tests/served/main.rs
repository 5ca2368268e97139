//! The use cases of a server over a store: trajectories under way, keys, decisions, jobs, runs at a glance.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod books;
mod live;
