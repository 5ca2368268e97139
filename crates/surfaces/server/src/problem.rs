//! Problem details (RFC 9457): what a route says in the place of its answer.
//!
//! A [`Problem`] is made wherever a request fails; `guard` puts the request's id into it before it goes out.

pub(crate) mod kinds;

use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use steadfast_engine::ErrorKind;
use steadfast_engine::calls::Refusal;
use steadfast_wire::api;

pub(crate) use kinds::Kind;

/// Where problems are told of.
pub(crate) const PROBLEMS: &str = "/problems/";

/// Seconds after which a refused client may come again, where nothing better is known.
pub(crate) const RETRY_SECONDS: u64 = 1;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: &'static Kind,
    pub(crate) status: StatusCode,
    pub(crate) title: &'static str,
    pub(crate) detail: String,
    pub(crate) hint: Option<String>,
    more: Option<Box<More>>,
}

/// What only some problems have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    /// The member of the body that is wrong, as a JSON Pointer.
    pub(crate) pointer: Option<String>,
    /// The query parameter that is wrong.
    pub(crate) parameter: Option<String>,
    /// Line and column of the body, from 1.
    pub(crate) place: Option<(usize, usize)>,
    /// Seconds after which to come again.
    pub(crate) retry_seconds: Option<u64>,
    /// What is known of a fault, for whoever watches the server: it does not go out.
    pub(crate) inner: Option<String>,
    /// Whether it is told [late](Problem::late).
    pub(crate) late: bool,
}

impl Problem {
    pub(crate) fn of(kind: &'static Kind, detail: impl Into<String>) -> Self {
        Self { kind, status: kind.status, title: kind.title, detail: detail.into(), hint: None, more: None }
    }

    /// A problem of a status, with a title of its own.
    pub(crate) fn new(status: StatusCode, title: &'static str, detail: impl Into<String>) -> Self {
        let kind = kinds::of_status(status).unwrap_or(&kinds::INTERNAL);
        Self { status, title, ..Self::of(kind, detail) }
    }

    fn with(mut self, set: impl FnOnce(&mut More)) -> Self {
        set(self.more.get_or_insert_default());
        self
    }

    /// What only some problems have.
    pub(crate) fn more(&self) -> More {
        self.more.as_deref().cloned().unwrap_or_default()
    }

    /// A fault of ours: what is known of it is for whoever watches the server.
    pub(crate) fn fault(inner: impl Into<String>) -> Self {
        let detail = "the server failed; what it wrote of this request on its stderr says more";
        Self::of(&kinds::INTERNAL, detail).with(|more| more.inner = Some(inner.into()))
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    pub(crate) fn at(self, pointer: impl Into<String>) -> Self {
        self.with(|more| more.pointer = Some(pointer.into()))
    }

    pub(crate) fn parameter(self, name: impl Into<String>) -> Self {
        self.with(|more| more.parameter = Some(name.into()))
    }

    pub(crate) fn retry(self, seconds: u64) -> Self {
        self.with(|more| more.retry_seconds = Some(seconds))
    }

    /// Told after a pause: what only somebody sends who wants to keep the server busy, so that one such request after another costs little.
    pub(crate) fn late(self) -> Self {
        self.with(|more| more.late = true)
    }

    /// At a line and column of the body.
    pub(crate) fn place(self, line: usize, column: usize) -> Self {
        self.with(|more| more.place = Some((line, column)))
    }

    /// As it goes out, for a request of this id.
    pub(crate) fn told(&self, request: &str) -> api::Problem {
        let More { pointer, parameter, place, .. } = self.more();
        api::Problem {
            kind: format!("{PROBLEMS}{}", self.kind.name),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            instance: request.to_owned(),
            hint: self.hint.clone(),
            pointer,
            parameter,
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let Refusal { kind, message, hint, answer: _ } = refusal;
        let kind = match kind {
            ErrorKind::Input => &kinds::UNUSABLE,
            ErrorKind::Memory => &kinds::MEMORY,
            ErrorKind::NotEvaluable => &kinds::NOT_EVALUABLE,
            ErrorKind::NotFound => &kinds::NOT_STORED,
            ErrorKind::External => &kinds::UNAVAILABLE,
            ErrorKind::Full => &kinds::FULL,
            ErrorKind::Fault => return Self::fault(message),
        };
        let problem = Self { hint, ..Self::of(kind, message) };
        if problem.status == StatusCode::SERVICE_UNAVAILABLE { problem.retry(RETRY_SECONDS) } else { problem }
    }
}

impl IntoResponse for Problem {
    /// The status and the problem itself, for the guard to write: it knows the request.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if let Some(seconds) = self.more().retry_seconds {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The media type of problems.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";
