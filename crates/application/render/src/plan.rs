//! Day plans and their proofs, in every format.
//!
//! What is drawn is a [`Sheet`]: a plan that was made, or somebody's that was checked. What fails a plan stands before the plan.

mod bench;
mod constraints;
mod day;
mod digest;
mod files;
mod html;
mod junit;
mod marked;
mod model;
mod moved;
mod page;
mod sarif;
mod variants;

use steadfast_wire::plan::{
    Confidence, Constraints, ModelView, Overload, PlanItem, PlanMove, PlanResponse, Status, TraceSpan, Validation,
};

use crate::{Colour, Error, Form, Texts};

pub(crate) use day::clock;
pub(crate) use digest::counts;

pub use bench::{html as bench_html, text as bench_text};
pub use constraints::{
    CONSTRAINTS_SHOWN_MAX, html as constraints_html, markdown as constraints_markdown, text as constraints_text,
};
pub use files::{file, file_media};
pub(crate) use html::{Picture, picture_of};
pub use html::{html, part, subtitle, title};
pub use junit::junit;
pub use marked::{NOTES_CHARS_MAX, marked};
pub use page::{markdown, text};
pub use sarif::sarif;
pub use variants::{VARIANTS_MAX, variants};

/// A plan with its proof, as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// What came of checking it.
    pub validation: &'a Validation,
    /// Its items.
    pub items: &'a [PlanItem],
    /// The time that it is for, RFC 3339.
    pub current_time: &'a str,
    /// The zone that the notes were read in.
    pub timezone: &'a str,
    /// What was settled without asking.
    pub assumptions: &'a [String],
    /// What must be asked.
    pub questions: &'a [String],
    /// What of the notes is nothing to plan today, a line each.
    pub set_apart: &'a [String],
    /// What became of an earlier plan, where this one goes on with it.
    pub moved: &'a [PlanMove],
    /// Who made it.
    pub origin: Origin<'a>,
    /// What chat models were asked, and what came of it.
    pub model_view: Option<&'a ModelView>,
}

/// Who made a plan.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// The planner: what it says of its plan.
    Made {
        /// Whether the plan may be presented.
        status: Status,
        /// Whether everything fits.
        feasible: Option<bool>,
        /// Why not.
        overload: Option<&'a Overload>,
        /// How sure the planner is.
        confidence: Confidence,
        /// How it was made.
        variant: &'static str,
        /// The way that it took.
        trace: &'a [TraceSpan],
    },
    /// Somebody: the file that it stands in.
    Given {
        /// The file's name.
        file: &'a str,
    },
}

impl<'a> From<&'a PlanResponse> for Sheet<'a> {
    fn from(response: &'a PlanResponse) -> Self {
        Self {
            validation: &response.validation,
            items: &response.plan,
            current_time: &response.current_time,
            timezone: &response.timezone,
            assumptions: &response.assumptions,
            questions: &response.questions,
            set_apart: &response.not_planned,
            moved: response.moved.as_deref().unwrap_or_default(),
            origin: Origin::Made {
                status: response.status,
                feasible: response.feasible,
                overload: response.overload.as_ref(),
                confidence: response.confidence,
                variant: response.debug.variant.name(),
                trace: &response.trace,
            },
            model_view: response.model_view.as_ref(),
        }
    }
}

/// In a form.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn drawn(sheet: &Sheet<'_>, texts: &Texts<'_>, form: Form, shade: Colour) -> Result<String, Error> {
    match form {
        Form::Text => Ok(text(sheet, texts, shade)),
        Form::Markdown => Ok(markdown(sheet, texts)),
        Form::Html => html(sheet, texts),
        Form::Junit => junit(sheet, texts),
        Form::Sarif => sarif(sheet, texts),
    }
}

/// What notes require, in a form; `None` where it has none such.
///
/// # Errors
/// [`Error`] where it cannot be drawn.
pub fn constraints_drawn(
    constraints: &Constraints,
    texts: &Texts<'_>,
    form: Form,
    shade: Colour,
) -> Result<Option<String>, Error> {
    Ok(match form {
        Form::Text => Some(constraints_text(constraints, texts, shade)),
        Form::Markdown => Some(constraints_markdown(constraints, texts)),
        Form::Html => Some(constraints_html(constraints, texts)?),
        Form::Junit | Form::Sarif => None,
    })
}
