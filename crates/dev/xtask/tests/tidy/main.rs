//! The rules of the house as tests: they read `cargo metadata` and the files of the repository, and run nothing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod checks;
mod container;
mod dependencies;
mod docs;
mod house;
mod lexicon;
mod modules;
mod sources;
