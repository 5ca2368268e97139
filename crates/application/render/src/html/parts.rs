//! The report in pieces, for a page that pages its incidents.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident};

use super::incidents::{Incidents, Rendered, value};
use super::obligations;
use super::page::{FILTERS, Filter, Page, filters};
use super::places::Places;
use crate::context::Index;
use crate::standing::Standing;
use crate::{Error, Links, Pages, Texts};

/// What of an audit is asked for.
pub struct Asked<'a> {
    /// What filters let through, by the names of [`Filter`]; what is no filter, or empty, lets everything through.
    pub filters: &'a BTreeMap<String, String>,
    /// How many of the incidents that are let through come before the first that is shown.
    pub from: usize,
    /// So many incidents are shown at most.
    pub limit: usize,
    /// The obligations in this state alone.
    pub state: Option<Standing>,
    /// Which of the obligations are shown, by the names of their states.
    pub pages: &'a dyn Pages,
    /// What goes before the id of an incident in the address of a page that shows it.
    pub address: &'a str,
    /// What stands at the end of an incident's card: HTML of the caller.
    pub beside: &'a dyn Fn(&DriftIncident) -> String,
}

/// An audit in pieces, each of them HTML that may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Why it is not usable as it is.
    pub why: String,
    /// Failures, actions, and what was preserved.
    pub lists: String,
    /// The obligations, by what became of them.
    pub obligations: String,
    /// The cards of the incidents that are shown.
    pub cards: String,
    /// How many there are.
    pub shown: usize,
    /// How many incidents the filters let through.
    pub matching: usize,
    /// By what incidents can be sorted out, with the counts of all of them.
    pub filters: Vec<Filter>,
    /// The ten dimensions.
    pub dimensions: String,
    /// What was set aside, a model's view, the sources.
    pub rest: String,
}

/// An audit in pieces, with the incidents that are asked for, most severe first.
///
/// # Errors
/// [`Error::Html`] where a template fails.
pub fn parts(evaluation: &DriftEvaluation, texts: &Texts<'_>, asked: &Asked<'_>) -> Result<Parts, Error> {
    let (index, links) = (Index::new(texts), Links { base: None });
    let places = Places { index: &index, links: &links };
    let all = Incidents::new(evaluation);
    let passes = |incident: &DriftIncident| {
        FILTERS.iter().all(|(name, _)| {
            asked.filters.get(*name).is_none_or(|wanted| wanted.is_empty() || *wanted == value(incident, name))
        })
    };
    let numbered = all.ordered.iter().enumerate();
    let matching: Vec<usize> = numbered.filter(|(_, (_, incident))| passes(incident)).map(|(at, _)| at).collect();
    let shown: Vec<usize> = matching.iter().skip(asked.from).take(asked.limit).copied().collect();
    let incidents = all.some(&shown, asked.address);
    let cards = incidents.cards(evaluation, &places, &shown, asked.beside)?;
    let groups = obligations::groups(evaluation, &incidents, &places, asked.state, Some(asked.pages))?;
    let mut page = Page::new(evaluation, &places, &incidents, groups, Rendered::default());
    page.help = true;
    let html = |rendered: askama::Result<String>| rendered.map_err(Error::Html);
    Ok(Parts {
        why: html(page.as_why().render())?,
        lists: html(page.as_lists().render())?,
        obligations: html(page.as_obligations().render())?,
        cards,
        shown: shown.len(),
        matching: matching.len(),
        filters: filters(&incidents),
        dimensions: html(page.as_dimensions().render())?,
        rest: html(page.as_rest().render())?,
    })
}
