//! Problems as pages, for whoever asks for pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use askama::Template;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::Value;

use super::shell::{Page, Section, filters, go, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// A problem's body is no longer; one that is goes out as it is.
const PROBLEM_BYTES_MAX: usize = 64 * 1024;

/// Characters of a report that are told.
const REPORT_CHARS_MAX: usize = 400;

/// Reports that are told while a server runs: a page gone wrong could send any number.
const REPORTS_MAX: usize = 20;

/// What a request asked for, as far as it matters once it is answered.
pub(super) struct Asked {
    page: bool,
    path: String,
}

impl Asked {
    pub(super) fn of(request: &Request) -> Self {
        let accepts = request.headers().get_all(header::ACCEPT).iter();
        let html = accepts.filter_map(|value| value.to_str().ok()).any(|value| value.contains("text/html"));
        let path = request.uri().path().to_owned();
        // Programs get what they can read, whatever else they say they take.
        let programs = ["/api/", "/mcp", "/v1/", "/openapi.json", "/metrics", "/healthz", "/readyz"];
        Self { page: html && !programs.iter().any(|prefix| path.starts_with(prefix)), path }
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    page: Page,
    status: u16,
    detail: String,
    hint: String,
    path: String,
}

/// A response as it is, or the page of its problem.
pub(super) async fn as_page(_: &Arc<App>, asked: &Asked, response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_problem = kind.starts_with("application/problem+json");
    let status = response.status();
    let bare = (status.is_client_error() || status.is_server_error()) && !kind.starts_with("text/html");
    if !asked.page || !(is_problem || bare) {
        return response;
    }
    if status == StatusCode::UNAUTHORIZED {
        return go(&with_query("/sign-in", &[("to", &asked.path)]));
    }
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body, PROBLEM_BYTES_MAX).await.unwrap_or_default();
    let problem = read(is_problem, status, &body);
    let page = ErrorPage {
        page: Page::new(Section::Overview, problem.title.clone()).below(Section::Overview.label(), "/"),
        status: status.as_u16(),
        detail: problem.detail,
        hint: problem.hint,
        path: asked.path.clone(),
    };
    let Ok(shown) = show_as(status, &page) else { return Response::from_parts(head, body.into()) };
    let (shown_head, body) = shown.into_parts();
    // What the problem said beside its body stays: who may come again and when, which methods there are.
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(shown_head.headers);
    Response::from_parts(head, body)
}

struct Read {
    title: String,
    detail: String,
    hint: String,
}

fn read(is_problem: bool, status: StatusCode, body: &Bytes) -> Read {
    let words = status.canonical_reason().unwrap_or("Something went wrong").to_owned();
    let value: Value = if is_problem { serde_json::from_slice(body).unwrap_or_default() } else { Value::Null };
    let member = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let title = match status {
        StatusCode::NOT_FOUND => "Nothing is here".to_owned(),
        _ => Some(member("title")).filter(|title| !title.is_empty()).map_or(words, |title| capital(&title)),
    };
    Read { title, detail: member("detail"), hint: member("hint") }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What a browser says of a page that wanted to load or do what it may not: told to whoever watches the server, so many times.
pub(super) async fn csp_report(State(app): State<Arc<App>>, body: Bytes) -> Result<StatusCode, Problem> {
    static TOLD: AtomicUsize = AtomicUsize::new(0);
    if TOLD.fetch_add(1, Ordering::Relaxed) < REPORTS_MAX {
        let report = steadfast_render::shown_line(&String::from_utf8_lossy(&body), REPORT_CHARS_MAX);
        app.host.note(&format!("a page was kept from what it may not do: {report}"));
    }
    Ok(StatusCode::NO_CONTENT)
}
