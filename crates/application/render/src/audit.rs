//! An audit in any form, and parts of it for pages of others: what the report on one page shows, in pieces, with incidents by the page.

pub mod compare;

pub use crate::html::{Asked, Filter, FilterOption, Parts, in_place, parts, places};
pub use crate::standing::{Standing, because, tally, verdict};

use steadfast_wire::audit::DriftEvaluation;

use crate::{Colour, Error, Form, Links, Texts};

/// In a form.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn drawn(
    evaluation: &DriftEvaluation,
    texts: &Texts<'_>,
    links: &Links,
    form: Form,
    shade: Colour,
) -> Result<String, Error> {
    match form {
        Form::Text => Ok(crate::text(evaluation, texts, shade)),
        Form::Markdown => Ok(crate::markdown(evaluation, texts)),
        Form::Html => crate::html(evaluation, texts, links),
        Form::Junit => crate::junit(evaluation, texts),
        Form::Sarif => crate::sarif(evaluation, texts),
    }
}
