//! Signing in with a key, where the server asks for one, and out again.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Query, Request, State};
use axum::http::header;
use axum::response::Response;
use serde::Deserialize;

use super::shell::{Page, Section, filters, go, show, show_as};
use crate::app::App;
use crate::guard::keys;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    page: Page,
    to: String,
    needed: bool,
}

/// Where to go once signed in.
#[derive(Default, Deserialize)]
pub(super) struct To {
    #[serde(default)]
    to: String,
}

/// What the form holds.
#[derive(Deserialize)]
pub(super) struct SignInForm {
    key: String,
    #[serde(default)]
    to: String,
}

pub(super) async fn page(State(app): State<Arc<App>>, Query(To { to }): Query<To>) -> Result<Response, Problem> {
    show(&filled(&app, to, None))
}

pub(super) async fn sign_in(State(app): State<Arc<App>>, Form(given): Form<SignInForm>) -> Result<Response, Problem> {
    let SignInForm { key, to } = given;
    match keys::sign_in(&app, key).await {
        Ok(cookie) => {
            let mut response = go(own_path(&to));
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(problem) => show_as(problem.status, &filled(&app, to, Some(problem))),
    }
}

pub(super) async fn sign_out(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    if let Some(id) = keys::session(request.headers()) {
        app.sessions.end(id);
    }
    let mut response = go("/sign-in");
    response.headers_mut().insert(header::SET_COOKIE, keys::sign_out()?);
    Ok(response)
}

fn filled(app: &App, to: String, trouble: Option<Problem>) -> SignInPage {
    let page = Page::new(Section::Overview, "Sign in").trouble(trouble);
    SignInPage { page, to: own_path(&to).to_owned(), needed: app.settings.needs_key }
}

/// A path of this server, or its first page: nobody is led elsewhere by an address that somebody else made.
fn own_path(to: &str) -> &str {
    let is_own = to.starts_with('/') && !to.starts_with("//") && !to.contains('\\') && !to.contains(char::is_control);
    if is_own { to } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn nobody_is_led_elsewhere() {
        assert_eq!(own_path("/runs?verb=audit"), "/runs?verb=audit");
        for other in ["", "runs", "https://a.example/", "//a.example/", "/\\a.example", "/a\nb"] {
            assert_eq!(own_path(other), "/", "{other}");
        }
    }
}
