//! The JSON routes: their tables, and how what they give is written.

mod alerts;
mod audit;
mod calls;
mod decisions;
mod meta;
mod runs;
mod tasks;
mod vault;

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use steadfast_engine::calls::{Host, fingerprint};
use steadfast_wire::api::{Components, Fields};
use steadfast_wire::to_json;

pub(crate) use runs::{WEEKS_DEFAULT, ZONE_DEFAULT};

use crate::problem::Problem;
use crate::query::{Kind, Parameter};
use crate::routes::{Incoming, Route};

/// One mebibyte, in bytes.
pub(crate) const MIB: usize = 1024 * 1024;

/// Rows of a page where no number is asked for.
const LIMIT_DEFAULT: usize = 20;

/// Rows of a page.
const LIMIT_MAX: u64 = steadfast_engine::limits::PAGE_ROWS_MAX as u64;

/// Characters of a name or a cursor.
pub(crate) const NAME_CHARS_MAX: usize = 1024;

/// All tables.
pub(crate) static TABLES: LazyLock<Vec<&'static [Route]>> = LazyLock::new(|| {
    vec![
        &**calls::ROUTES,
        audit::ROUTES,
        vault::ROUTES,
        runs::ROUTES,
        decisions::ROUTES,
        tasks::ROUTES,
        alerts::ROUTES,
        crate::live::ROUTES,
        crate::jobs::ROUTES,
        meta::ROUTES,
    ]
});

pub(crate) const fn parameter(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, about, many: false, required: false }
}

/// `fields`: of which members an answer consists.
pub(crate) const fn fields(names: fn() -> Vec<String>) -> Parameter {
    parameter(
        "fields",
        Kind::Fields(names),
        "Only these members of the answer, or of each row of a list, parted by commas.",
    )
}

pub(crate) const LIMIT: Parameter =
    parameter("limit", Kind::Count(1, LIMIT_MAX), "Rows of the page; 20 where it is not said.");

pub(crate) const CURSOR: Parameter =
    parameter("cursor", Kind::Text(NAME_CHARS_MAX), "The `next_cursor` of the page before: where this one begins.");

impl Incoming {
    /// A published value as an answer: the same bytes as `--format json`, or only the members that `fields` names.
    pub(crate) fn answer<T: Serialize>(&self, value: &T) -> Result<Response, Problem> {
        written(value, None, self.query.fields())
    }

    /// A list, whose rows stand in `rows`, as an answer.
    pub(crate) fn list<T: Serialize>(&self, value: &T, rows: &str) -> Result<Response, Problem> {
        written(value, Some(rows), self.query.fields())
    }

    /// How many rows are asked for.
    pub(crate) fn limit(&self) -> usize {
        self.query.count("limit").unwrap_or(LIMIT_DEFAULT)
    }

    /// The host that calls are made with.
    pub(crate) fn calling(&self) -> Arc<dyn Host> {
        Arc::clone(&self.app.host)
    }
}

fn written<T: Serialize>(value: &T, rows: Option<&str>, fields: Option<Fields>) -> Result<Response, Problem> {
    let text = match fields {
        None => to_json(value),
        Some(fields) => fields.json(value, rows),
    };
    Ok(json(text.map_err(|error| Problem::fault(error.to_string()))?))
}

/// JSON as an answer, with a tag by which it is known again.
pub(crate) fn json(text: String) -> Response {
    tagged("application/json", text)
}

/// A text as an answer, with a tag by which it is known again.
pub(crate) fn tagged(media: &'static str, text: String) -> Response {
    let tag = format!("\"{}\"", fingerprint(text.as_bytes()));
    let mut response = ([(header::CONTENT_TYPE, HeaderValue::from_static(media))], text).into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Any JSON object, as a schema: which one depends on what is asked for.
fn any(_: &mut Components) -> Value {
    serde_json::json!({"type": "object"})
}

/// An answer without a body.
pub(crate) fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
