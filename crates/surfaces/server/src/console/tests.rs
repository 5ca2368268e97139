//! Pages, asked for as a browser does.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::Keep;
use steadfast_wire::request::EmbedderChoice;
use tower::ServiceExt;

use crate::app::{App, Settings, router};
use crate::console;

/// A server that keeps nothing.
pub(crate) struct Bare;

impl Host for Bare {
    fn embedder(&self, _: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        Err(Refusal::input("no embedder"))
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        None
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, _: &str) {}
}

fn app() -> Router {
    router(Arc::new(App::new(Arc::new(Bare), Settings::default(), None)))
}

/// Status, headers and body of what a browser that goes to `path` gets.
async fn visit(path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path)
        .header(header::HOST, "127.0.0.1:8787")
        .header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8")
        .body(Body::empty())
        .unwrap();
    let response = app().oneshot(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, headers, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_page_says_what_it_is_and_what_it_may_do() {
    for (path, title) in [
        ("/", "Overview"),
        ("/runs", "Runs"),
        ("/audit", "Audit"),
        ("/settings", "Settings"),
        ("/help", "What the figures mean"),
    ] {
        let (status, headers, html) = visit(path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(html.contains(&format!("<title>{title} · Steadfast</title>")), "{path}");
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        // Nothing that the policy forbids is even tried.
        for word in [" style=", "<style", "javascript:", " onclick", " onload", "http://www", "https://"] {
            assert!(!html.contains(word), "{path}: {word}");
        }
        assert_eq!(html.matches("<h1>").count(), 1, "{path}");
    }
}

#[tokio::test]
async fn a_problem_is_a_page_for_whoever_asks_for_pages() {
    let (status, headers, html) = visit("/assets/0/nothing.js").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/html"));
    assert!(headers.contains_key(header::CONTENT_SECURITY_POLICY));
    assert!(html.contains("<h1>Nothing is here</h1>") && html.contains("Status 404"), "{html}");

    let request = Request::get("/assets/0/nothing.js").header(header::HOST, "127.0.0.1").body(Body::empty()).unwrap();
    let response = app().oneshot(request).await.unwrap();
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
}

#[tokio::test]
async fn what_a_page_names_is_there_and_kept_by_browsers() {
    let (_, _, html) = visit("/").await;
    let addresses: Vec<&str> = html.split("\"/assets/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(addresses.len() >= 5, "{addresses:?}");
    for address in addresses {
        let (status, headers, _) = visit(&format!("/assets/{address}")).await;
        assert_eq!(status, StatusCode::OK, "{address}");
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable", "{address}");
        assert!(!headers.contains_key(header::CONTENT_SECURITY_POLICY), "{address}");
    }
    let (_, headers, _) = visit("/assets/0000000000000000/console.css").await;
    assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
}

#[tokio::test]
async fn text_of_others_in_an_address_is_shown_and_not_run() {
    let (_, _, html) = visit("/%3Cscript%3Ealert(1)%3C/script%3E%E2%80%AE").await;
    assert!(!html.contains("<script>alert"), "{html}");
}

#[test]
fn every_instrument_has_its_place() {
    for verb in console::runs::VERBS {
        assert_ne!(console::shell::Section::of_verb(verb), console::shell::Section::Runs, "{verb}");
    }
}
