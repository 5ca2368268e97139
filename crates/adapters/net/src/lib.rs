//! The one HTTP client of the house, and what is fetched with it: model files.
//!
//! Nothing else in the workspace speaks HTTP to the outside. [`Client`] knows limits: how long it waits, how much it reads and
//! where it may be led. What it sends carries a [`Credential`] only to the origin that it was made for. [`models`] brings the files of an embedding model to a folder, each checked by its hash before it stands
//! under its name.

mod client;
mod error;
mod metadata;
pub mod models;
mod send;

pub use client::{Answer, Client, Proxy, Redirects, Request, Resume, Timeouts};
pub use error::Error;
pub use send::{Credential, Method, Origin, Received, Sending, origin_of, random};

/// How many times an answer may lead on to another address.
pub const REDIRECTS_MAX: usize = 5;
