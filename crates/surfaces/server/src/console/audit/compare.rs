//! Two stored audits, held against each other.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query as Asked, State};
use axum::response::Response;
use steadfast_engine::calls;
use steadfast_engine::runs::{RunFilter, find_runs};
use steadfast_render::audit::compare::{BothTexts, part};
use steadfast_render::{Pages, Texts};
use steadfast_wire::request::{AuditCompare, JsonSource};

use super::super::Query;
use super::super::results::{Shown, made, place, value};
use super::super::runs::Row;
use super::super::shell::{Page, Section, encoded, filters, keeps, show, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Audits that can be chosen: the newest.
const CHOICES_MAX: usize = 50;

#[derive(Template)]
#[template(path = "audit_compare.html")]
struct FormPage {
    page: Page,
    keeps: bool,
    rows: Vec<Row>,
    a: String,
    b: String,
}

/// The comparison of two runs that are named, or the form.
pub(super) async fn page(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let (a, b) = (value(&query, "a"), value(&query, "b"));
    if a.is_empty() || b.is_empty() {
        return form(&app, a, b).await;
    }
    let stored = |id: &String| JsonSource::Value(id.clone().into());
    let request = AuditCompare { a: stored(&a), b: stored(&b) };
    let outcome = calls::audit_compare(&app.host, request).await?;
    let [of_a, of_b] = outcome.texts.each_ref().map(Texts::of);
    let texts = BothTexts { a: &of_a, b: &of_b };
    let own = [("a", a.as_str()), ("b", b.as_str())];
    let page = Page::new(Section::Audit, "Two audits compared")
        .in_section()
        .lead("A is what was before, B what is now.")
        .json(with_query("/api/audit/compare", &own));
    let tables = Tables { query: &query, own: &own };
    let mut shown = Shown::new(page, made(part(&outcome.comparison, texts, &tables))?);
    shown.links = vec![
        ("Audit A", format!("/runs/{}", encoded(&a))),
        ("Audit B", format!("/runs/{}", encoded(&b))),
        ("The other way round", with_query("/audit/compare", &[("a", &b), ("b", &a)])),
    ];
    shown.answer()
}

async fn form(app: &Arc<App>, a: String, b: String) -> Result<Response, Problem> {
    let page = Page::new(Section::Audit, "Compare two audits")
        .in_section()
        .lead("Two generations of one prompt, or before and after a change: what is newly broken, what is repaired.");
    let keeps = keeps(app);
    let audits = RunFilter { verb: Some("audit".to_owned()), ..RunFilter::default() };
    let rows = if keeps {
        let list = calls::with_store(&app.host, |store| find_runs(store, audits, None, CHOICES_MAX)).await?;
        list.runs.iter().map(Row::of).collect()
    } else {
        Vec::new()
    };
    show(&FormPage { page, keeps, rows, a, b })
}

/// The long tables of the page: which rows the query asks for, and where the others are.
struct Tables<'a> {
    query: &'a Query,
    own: &'a [(&'static str, &'a str)],
}

impl Pages for Tables<'_> {
    fn from(&self, table: &str) -> usize {
        place(self.query, table)
    }

    fn href(&self, table: &str, from: usize) -> String {
        let from = if from == 0 { String::new() } else { from.to_string() };
        let values = [self.own, &[(table, from.as_str())]].concat();
        format!("{}#{table}", with_query("/audit/compare", &values))
    }
}
