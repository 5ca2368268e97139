//! The settings as they are in force.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query as Asked, State};
use axum::response::Response;
use steadfast_engine::calls::{self, ModelState};
use steadfast_engine::keys;
use steadfast_wire::keys::ApiKey;

use super::Query;
use super::results::place;
use super::shell::{Page, Section, filters, keeps, kept, show};
use crate::app::{App, Shown};
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: Page,
    shown: Vec<Shown>,
    needs_key: bool,
    names: Vec<String>,
    keeps: bool,
    models: bool,
    /// How far the embedding model is at hand: words, their tone, and what to do.
    model: (&'static str, &'static str, &'static str),
    keys: Vec<ApiKey>,
    count: usize,
    first: String,
    next: String,
}

/// Keys on a page.
const KEYS_ON_A_PAGE: usize = 50;

const fn said(model: ModelState) -> (&'static str, &'static str, &'static str) {
    match model {
        ModelState::Loaded => ("loaded", "good", "it makes the vectors of watch and of the vault"),
        ModelState::Loading => ("being loaded", "info", "calls that need it wait for it"),
        ModelState::There => ("there", "good", "it is loaded when it is first needed"),
        ModelState::Missing => {
            ("not there", "warn", "watch can be asked with the embedder lexical, pick goes by words")
        }
    }
}

pub(super) async fn page(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let keeps = keeps(&app);
    let mut names = app.names.clone();
    names.sort();
    names.dedup();
    let keys = if keeps { kept(&app, |store| keys::list(store)).await?.keys } else { Vec::new() };
    let (host, count) = (Arc::clone(&app.host), keys.len());
    let from = place(&query, "from").min(count.saturating_sub(1)) / KEYS_ON_A_PAGE * KEYS_ON_A_PAGE;
    let after = from + KEYS_ON_A_PAGE;
    show(&SettingsPage {
        page: Page::new(Section::Settings, "Settings")
            .lead("What is in force, and where it comes from. Settings are changed where the server is started."),
        shown: app.settings.shown.clone(),
        needs_key: app.settings.needs_key,
        names,
        keeps,
        models: calls::audit_models(&app.host).await,
        model: said(
            calls::blocking(&host, {
                let host = Arc::clone(&host);
                move || Ok(host.model())
            })
            .await?,
        ),
        keys: keys.into_iter().skip(from).take(KEYS_ON_A_PAGE).collect(),
        count,
        first: if from == 0 { String::new() } else { "/settings#keys".to_owned() },
        next: if after < count { format!("/settings?from={after}#keys") } else { String::new() },
    })
}
