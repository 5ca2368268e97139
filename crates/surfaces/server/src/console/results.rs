//! What the pages of results have in common.

use askama::Template;
use axum::response::Response;
use steadfast_render::Pages;
use steadfast_wire::runs::StoredRun;

use super::Query;
use super::runs::Facts;
use super::shell::{Page, encoded, fault, filters, show, with_query};
use crate::problem::Problem;

/// A page of a result: parts that `render` made, and beside them what is only here.
#[derive(Template)]
#[template(path = "result.html")]
pub(super) struct Shown {
    pub(super) page: Page,
    /// Other things to do with it: words and address.
    pub(super) links: Vec<(&'static str, String)>,
    /// The result in other forms: words, address, and the name of the file.
    pub(super) downloads: Vec<(&'static str, String, &'static str)>,
    /// What stands before the part: HTML that is ours.
    pub(super) before: String,
    /// The part: HTML of `render`.
    pub(super) part: String,
    /// What stands behind the part: HTML that is ours.
    pub(super) behind: String,
    /// What the run was asked for; empty where it was not kept.
    pub(super) facts: String,
}

impl Shown {
    /// A page with this part alone.
    pub(super) fn new(page: Page, part: String) -> Self {
        Self {
            page,
            links: Vec::new(),
            downloads: Vec::new(),
            before: String::new(),
            part,
            behind: String::new(),
            facts: String::new(),
        }
    }

    /// As an answer.
    pub(super) fn answer(&self) -> Result<Response, Problem> {
        show(self)
    }
}

/// What a run was asked for, as a part of its page.
pub(super) fn facts(run: &StoredRun) -> Result<String, Problem> {
    Facts::of(run).render().map_err(|error| fault(&error))
}

/// A part, or why it cannot be made, which is a fault of ours.
pub(super) fn made(part: Result<String, steadfast_render::Error>) -> Result<String, Problem> {
    part.map_err(|error| fault(&error))
}

/// A template's text, or why there is none.
pub(super) fn text(template: &impl Template) -> Result<String, Problem> {
    template.render().map_err(|error| fault(&error))
}

/// A result as it was stored.
pub(super) fn read<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Problem> {
    steadfast_wire::from_json(json).map_err(|error| fault(&error))
}

/// A value of a form, without white space around it.
pub(super) fn value(form: &Query, name: &str) -> String {
    form.get(name).map(|value| value.trim().to_owned()).unwrap_or_default()
}

/// A value of a form as it was typed, with the ends of lines that browsers send taken back.
pub(super) fn typed(form: &Query, name: &str) -> String {
    form.get(name).map(|value| value.replace("\r\n", "\n")).unwrap_or_default()
}

/// The long tables of a run's page: which rows the query asks for, and where the others are. A run that is not kept has no other pages.
pub(super) struct Tables<'a> {
    pub(super) run: Option<&'a StoredRun>,
    pub(super) query: &'a Query,
}

impl Pages for Tables<'_> {
    fn from(&self, table: &str) -> usize {
        place(self.query, table)
    }

    fn href(&self, table: &str, from: usize) -> String {
        let Some(run) = self.run else { return String::new() };
        let from = if from == 0 { String::new() } else { from.to_string() };
        format!("{}#{table}", with_query(&format!("/runs/{}", encoded(&run.id)), &[(table, &from)]))
    }
}

/// A place that a query names, from 0.
pub(super) fn place(query: &Query, name: &str) -> usize {
    query.get(name).and_then(|value| value.parse().ok()).unwrap_or(0)
}
