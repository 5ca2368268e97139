//! Results as Markdown, HTML, JUnit, SARIF and text for terminals, with charts as SVG.
//!
//! Every function takes wire types and the texts of the files that they quote, and gives a string: same input, same
//! bytes. Judged text is hostile until it is escaped for the format at hand; control and bidirectional characters are
//! shown, never passed on.

pub mod audit;
mod chart;
mod context;
pub mod contract;
mod css;
mod decided;
mod digest;
pub mod doctor;
mod error;
mod exam;
mod form;
mod html;
mod junit;
mod link;
pub mod lint;
mod markdown;
pub mod measure;
mod model;
mod page;
pub mod pick;
mod plain;
pub mod plan;
mod repair;
pub mod review;
mod rows;
mod sarif;
mod standing;
pub mod story;
pub mod summary;
mod terminal;
mod trail;
mod trend;
pub mod watch;

pub use context::Texts;
pub use css::RESULT_CSS;
pub use digest::none_found;
pub use error::Error;
pub use form::{Checked, Form, Stored, stored};
pub use html::{HTML_BYTES_MAX, html};
pub use junit::junit;
pub use markdown::{INCIDENTS_SHOWN_MAX, MARKDOWN_BYTES_MAX, markdown};
pub use plain::{acts_unseen, shown_block, shown_line};
pub use repair::as_prompt;
pub use rows::{OnePage, Pages, Rows};
pub use sarif::sarif;
pub use terminal::{Colour, text};
pub use trend::{Day, trend};

/// Where the artefacts stand, seen from the place that a report is written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// What goes before a file's name to reach it ("", "../run/"), percent-encoded by the caller where it needs to be.
    /// `None`: files are named, not linked (they stand in a zip, say).
    pub base: Option<String>,
}
