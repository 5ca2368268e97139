//! The pages for people: rendered here, readable without a script, with everything that they load from here.
//!
//! `shell` is what all pages share, `assets` what they load, `help` the one list of definitions. A result's page is found by the verb of
//! its run ([`result_page`]), so that `/runs/ID` leads to any of them. Pages read what the JSON routes read; what a form asks for is one
//! of the engine's calls, as at every other door.

mod alerts;
mod assets;
mod audit;
mod compare;
mod errors;
mod help;
#[cfg(test)]
mod instrument_tests;
#[cfg(test)]
mod judge_tests;
mod live;
mod overview;
mod pick;
mod plan;
mod results;
mod review;
mod runs;
mod sessions;
mod settings;
mod shell;
mod sign_in;
mod summary;
#[cfg(test)]
pub(crate) mod tests;
mod upload;
mod vault;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{get, post};
use steadfast_wire::runs::RunRecord;

use crate::app::App;
use crate::problem::Problem;

/// What is asked of a result's page, besides the run: the names and values behind the `?` of its address.
pub(crate) type Query = std::collections::BTreeMap<String, String>;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(overview::page))
        .route("/runs", get(runs::list))
        .route("/runs/{id}", get(runs::one))
        .route("/runs/{id}/delete", get(runs::ask_to_delete).post(runs::delete))
        .route("/search", get(runs::search))
        .route("/summary", get(summary::page))
        .route("/settings", get(settings::page))
        .route("/alerts", get(alerts::page))
        .route("/help", get(help::page))
        .route("/assets/{hash}/{name}", get(assets::asset))
        .route("/favicon.ico", get(assets::icon))
        .route("/sign-in", get(sign_in::page).post(sign_in::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/csp-report", post(errors::csp_report))
        .merge(audit::routes())
        .merge(plan::routes())
        .merge(watch::routes())
        .merge(live::routes())
        .merge(review::routes())
        .merge(sessions::routes())
        .merge(pick::routes())
        .merge(vault::routes())
        .merge(compare::routes())
}

/// The page of a stored result.
///
/// # Errors
/// [`Problem`] where it cannot be shown.
pub(crate) async fn result_page(app: &Arc<App>, record: RunRecord, query: Query) -> Result<Response, Problem> {
    // What has no page of its own is shown as it was stored.
    match record.run.verb.as_str() {
        "audit" => audit::result(app, record, query).await,
        "plan" | "plan check" | "plan constraints" => plan::result(app, &record, &query).await,
        "watch" | "watch compare" => watch::result(app, &record, &query).await,
        "review" | "session" => review::result(app, &record, &query).await,
        "pick" => pick::result(app, &record, &query).await,
        _ => runs::plain(&record, &query),
    }
}

/// Makes pages of problems for whoever asks for pages, and says of every page what it may load.
pub(crate) async fn pages(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let asked = errors::Asked::of(&request);
    let response = next.run(request).await;
    shell::guarded(errors::as_page(&app, &asked, response).await)
}
