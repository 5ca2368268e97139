//! The review of an output: as text for a terminal, Markdown, one self-contained page, JUnit and SARIF.

mod digest;
mod html;
mod junit;
mod over_time;
mod page;
mod sarif;

use steadfast_wire::review::Review;

use crate::{Colour, Error, Form, Texts};

pub(crate) use digest::{capped, criterion, is_good, verdict};
pub use html::{html, part};
pub use junit::junit;
pub use over_time::scores_over_time;
pub use page::{markdown, text};
pub use sarif::sarif;

/// In a form.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn drawn(review: &Review, texts: &Texts<'_>, form: Form, shade: Colour) -> Result<String, Error> {
    match form {
        Form::Text => Ok(text(review, texts, shade)),
        Form::Markdown => Ok(markdown(review, texts)),
        Form::Html => html(review, texts),
        Form::Junit => junit(review, texts),
        Form::Sarif => sarif(review, texts),
    }
}
