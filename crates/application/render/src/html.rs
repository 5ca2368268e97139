//! One self-contained page.

mod incidents;
mod obligations;
mod page;
mod parts;
mod place;
mod places;
pub(crate) mod policy;

use askama::Template;
use steadfast_wire::audit::DriftEvaluation;

use crate::context::Index;
use crate::{Error, Links, Texts};
use incidents::Incidents;
use page::Page;
pub use page::{Filter, FilterOption};
pub use parts::{Asked, Parts, parts};
pub use place::{in_place, places};
use places::Places;
use policy::policy;

/// A page without a script: what stands around its part.
#[derive(Template)]
#[template(path = "frame.html")]
pub(crate) struct Frame<'a> {
    pub(crate) css: &'static str,
    pub(crate) kind: &'a str,
    pub(crate) title: String,
    /// What stands below the title, if anything.
    pub(crate) beside: String,
    pub(crate) part: String,
    pub(crate) footer: &'a str,
}

impl Frame<'_> {
    fn csp(&self) -> String {
        policy(self.css, None)
    }
}

/// The page is never longer, however many incidents there are: what does not fit is shortened first, then counted.
pub const HTML_BYTES_MAX: usize = 1_000_000;

/// The report as one self-contained page: readable without its script and on paper, nothing is fetched, judged text is
/// escaped. Broken obligations come first, each incident stands with the paragraphs of both sides.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(evaluation: &DriftEvaluation, texts: &Texts<'_>, links: &Links) -> Result<String, Error> {
    let index = Index::new(texts);
    let places = Places { index: &index, links };
    let incidents = Incidents::new(evaluation);
    let obligations = obligations::groups(evaluation, &incidents, &places, None, None)?;
    let cards = incidents.render(evaluation, &places)?;
    Page::new(evaluation, &places, &incidents, obligations, cards).render().map_err(Error::Html)
}
