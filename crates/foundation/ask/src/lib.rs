//! The obligations that any request states: bans, non-goals, limits, requirements, options, hedges, metrics, budgets,
//! deadlines, places; each with the words that say so.
//!
//! [`read()`] gives a [`Request`]: the request's sentences, every figure in it with its *role*, and its obligations. What
//! only one instrument needs to know of a request (the customer of a plan, a time of day) that instrument reads for itself.
//!
//! A sentence is read in the light of the heading, label or list that it stands under (`topic`), parted into clauses or items
//! (`scan`), and each of them is judged by its cue (`cue`: forbids, disclaims, offers, demands, hedges). Words between quotation
//! marks, block quotes, code and questions oblige nobody.

mod ban;
mod cue;
mod figure;
mod form;
mod once;
mod place;
mod read;
mod request;
mod scan;
mod today;
mod topic;
mod unit;
mod weigh;

pub use ban::{may_ban, speaks_of_ban};
pub use cue::{imperative, is_background};
pub use form::{FORM_BYTES_MAX, FORMS_MAX, Form, HowMany, Tongue, WantedForm, forms};
pub use read::{PromptPart, is_question};
pub use request::{Demand, Figure, Kind, Request, Role, Rule, Statement};
pub use scan::{clauses, core, items, segment, trimmed};
pub use steadfast_annotate::masked;

use steadfast_annotate::Annotated;
use steadfast_evidence::FileId;

/// Reads the request in a document, which is file `file` of the sources. Statements and demands come from its annotated body alone;
/// the day of the request is looked for in the whole file.
#[must_use]
pub fn read(file: FileId, annotated: &Annotated<'_>) -> Request {
    read::read(file, annotated)
}

/// The parts of a prompt's sentences that may ask for something, each with the features that its weight is made of: what `coefficients.tsv` is fitted on.
#[must_use]
pub fn parts(annotated: &Annotated<'_>) -> Vec<PromptPart> {
    read::parts(annotated)
}

/// Whether a heading or label says that what stands under it is asked for, limited or forbidden.
#[must_use]
pub fn is_asking(label: &str) -> bool {
    use topic::Topic::{Background, Other, Uncertain};
    topic::of_label(label).is_some_and(|topic| !matches!(topic, Background | Uncertain | Other))
}
