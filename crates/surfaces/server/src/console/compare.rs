//! What can be compared: variants of a plan, arms of a watch, two audits, operating points of pick with their intervals.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::calls::with_store;
use steadfast_engine::vault::vault_results;

use super::shell::{Page, Section, filters, keeps, show};
use crate::app::App;
use crate::problem::Problem;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/compare", get(page))
}

/// An operating point and how it did.
struct Point {
    name: String,
    selections: usize,
    single: usize,
    chain: usize,
    clarify: usize,
    good: usize,
    bad: usize,
    share: String,
    interval: String,
    picture: String,
}

/// Two of them.
struct Pair {
    a: String,
    b: String,
    difference: String,
    interval: String,
    verdict: String,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    page: Page,
    keeps: bool,
    points: Vec<Point>,
    pairs: Vec<Pair>,
}

async fn page(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let page = Page::new(Section::Runs, "Compare").lead(
        "Variants of a plan, arms of a watch, two audits, operating points of pick: figures side by side, with their intervals.",
    );
    if !keeps(&app) {
        return show(&ComparePage { page, keeps: false, points: Vec::new(), pairs: Vec::new() });
    }
    let results = with_store(&app.host, |store| vault_results(store)).await?;
    let points = results.points.iter().map(|own| Point {
        name: own.operating_point.clone(),
        selections: own.selections,
        single: own.single,
        chain: own.chain,
        clarify: own.clarify,
        good: own.good,
        bad: own.bad,
        share: own.share_good.map_or_else(|| "n/a".to_owned(), |share| format!("{share:.3}")),
        interval: own.ci95.map_or_else(|| "n/a".to_owned(), |[lo, hi]| format!("{lo:.3} to {hi:.3}")),
        picture: steadfast_render::pick::interval(own.share_good, own.ci95),
    });
    let pairs = results.comparisons.iter().map(|own| Pair {
        a: own.a.clone(),
        b: own.b.clone(),
        difference: own.difference.map_or_else(|| "n/a".to_owned(), signed),
        interval: own.ci95.map_or_else(|| "n/a".to_owned(), |[lo, hi]| format!("{} to {}", signed(lo), signed(hi))),
        verdict: own.verdict.clone(),
    });
    let (points, pairs) = (points.collect(), pairs.collect());
    show(&ComparePage { page: page.json("/api/vault/results"), keeps: true, points, pairs })
}

/// A difference with its sign.
fn signed(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    match value {
        _ if text == "0.000" => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}
