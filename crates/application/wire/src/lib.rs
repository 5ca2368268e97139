//! Every versioned JSON type, with its schema. Nothing else is serialised to the outside; the closed vocabularies stand in the crates that decide by them.
//!
//! Types here are plain data: they hold what is published and decide nothing. Members are written in the order in which
//! the structs declare them, unknown members are refused on reading, and the same value gives the same bytes.

pub mod alerts;
pub mod api;
pub mod audit;
pub mod call;
pub mod chat;
pub mod decisions;
pub mod doctor;
pub mod embedder;
mod error;
pub mod grounding;
pub mod hook;
pub mod jobs;
mod json;
pub mod keys;
pub mod lint;
pub mod live;
pub mod measure;
mod misread;
pub mod model;
mod number;
pub mod overview;
pub mod pick;
pub mod plan;
pub mod request;
pub mod retention;
pub mod review;
mod run;
pub mod runs;
pub mod schemas;
pub mod session;
pub mod sessions;
pub mod settings;
mod span;
pub mod store_export;
pub mod summary;
pub mod tasks;
pub mod texts;
pub mod trace;
mod vocabulary;
pub mod watch;

pub use error::Error;
pub use json::{Malformed, begins_a_result, from_body, from_json, schema, to_json, to_json_line};
pub use run::Run;
pub use span::Span;
