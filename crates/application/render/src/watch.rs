//! Drift scores of agents, step by step, and the comparison of two arms, in every format.
//!
//! Who raises an alert is told first; after that everything stands in the order of the input. A picture never stands alone: its
//! numbers stand in a table beside it.

mod compare;
mod digest;
mod drawing;
mod html;
mod page;
mod paged;

use steadfast_wire::watch::{Comparison, Watch};

use crate::{Colour, Error, Form};

pub use compare::{html as compare_html, markdown as compare_markdown, part as compare_part, text as compare_text};
pub(crate) use digest::{alerted_count, made_with, name, onset, steps_of};
pub(crate) use drawing::curve;
pub use html::{html, summary};
pub use page::{markdown, step_line, text};
pub use paged::{
    STEPS_OF_PAGE_MAX, StepText, TRAJECTORIES_OF_PAGE_MAX, live_curve, rest, steps, trajectories, trajectory,
};

/// In a form; `None` where it has none such.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn drawn(watch: &Watch, form: Form, shade: Colour) -> Result<Option<String>, Error> {
    Ok(match form {
        Form::Text => Some(text(watch, shade)),
        Form::Markdown => Some(markdown(watch)),
        Form::Html => Some(html(watch)?),
        Form::Junit | Form::Sarif => None,
    })
}

/// A comparison in a form; `None` where it has none such.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn compare_drawn(comparison: &Comparison, form: Form, shade: Colour) -> Result<Option<String>, Error> {
    Ok(match form {
        Form::Text => Some(compare_text(comparison, shade)),
        Form::Markdown => Some(compare_markdown(comparison)),
        Form::Html => Some(compare_html(comparison)?),
        Form::Junit | Form::Sarif => None,
    })
}
