//! Sessions of agents that are kept: their list. A session's own page is that of its run.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Query as Asked, State};
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::sessions::list_sessions;
use steadfast_wire::sessions::{KeptSession, SessionVerdict, VERB};

use super::Query;
use super::results::value;
use super::shell::{Page, Section, filters, keeps, kept, non_empty, show, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Sessions on a page.
const SESSIONS_ON_A_PAGE: usize = 50;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/sessions", get(sessions))
}

/// A session as the list shows it.
struct Row {
    own: KeptSession,
    tone: &'static str,
    /// What code says, in counts, each with its name.
    said: Vec<(usize, &'static str)>,
}

#[derive(Template)]
#[template(path = "sessions.html")]
struct SessionsPage {
    page: Page,
    keeps: bool,
    rows: Vec<Row>,
    first: String,
    next: String,
}

/// The list of sessions, the newest first.
async fn sessions(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let cursor = value(&query, "cursor");
    let page = Page::new(Section::Review, "Sessions")
        .in_section()
        .lead("What agents did in their sessions: the user’s words, the calls, and what code says of both.")
        .json(with_query(
            "/api/runs",
            &[("verb", VERB), ("limit", &SESSIONS_ON_A_PAGE.to_string()), ("cursor", &cursor)],
        ));
    if !keeps(&app) {
        return show(&SessionsPage { page, keeps: false, rows: vec![], first: String::new(), next: String::new() });
    }
    let after = non_empty(&cursor);
    let list = kept(&app, move |store| list_sessions(store, after.as_deref(), SESSIONS_ON_A_PAGE)).await?;
    show(&SessionsPage {
        page,
        keeps: true,
        rows: list.sessions.into_iter().map(Row::of).collect(),
        first: if cursor.is_empty() { String::new() } else { "/sessions".to_owned() },
        next: list.next_cursor.map_or_else(String::new, |next| with_query("/sessions", &[("cursor", &next)])),
    })
}

impl Row {
    fn of(own: KeptSession) -> Self {
        let said = own.said();
        let tone = match own.verdict {
            SessionVerdict::Contradicted | SessionVerdict::Broken => "serious",
            SessionVerdict::Doubtful | SessionVerdict::Unsupported => "warn",
            SessionVerdict::Supported => "good",
            SessionVerdict::Open => "info",
        };
        Self { own, tone, said }
    }
}
