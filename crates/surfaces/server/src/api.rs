//! The JSON routes: their tables, and how what they give is written.

mod alerts;
mod audit;
mod decisions;
mod meta;
mod pick;
mod plan;
mod review;
mod runs;
mod tasks;
mod vault;
mod watch;

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use steadfast_engine::calls::{self, Refusal};
use steadfast_engine::{Rules, rules_of};
use steadfast_wire::api::{Fields, Published, members};
use steadfast_wire::to_json;

pub(crate) use runs::{WEEKS_DEFAULT, ZONE_DEFAULT};

use crate::problem::Problem;
use crate::problem::kinds::INVALID;
use crate::query::{Kind, Parameter};
use crate::routes::{Given, Route};

/// One mebibyte, in bytes.
pub(crate) const MIB: usize = 1024 * 1024;

/// Rows of a page where no number is asked for.
const LIMIT_DEFAULT: usize = 20;

/// Rows of a page.
const LIMIT_MAX: u64 = steadfast_engine::limits::PAGE_ROWS_MAX as u64;

/// Characters of a name or a cursor.
pub(crate) const NAME_CHARS_MAX: usize = 1024;

/// All tables.
pub(crate) static TABLES: &[&[Route]] = &[
    audit::ROUTES,
    plan::ROUTES,
    watch::ROUTES,
    review::ROUTES,
    pick::ROUTES,
    vault::ROUTES,
    runs::ROUTES,
    decisions::ROUTES,
    tasks::ROUTES,
    alerts::ROUTES,
    crate::live::ROUTES,
    crate::jobs::ROUTES,
    meta::ROUTES,
];

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

/// The rules of the version that a call names.
pub(crate) fn rules_asked(version: Option<&str>) -> Result<Option<Rules>, Problem> {
    Ok(version.map(rules_of).transpose().map_err(Refusal::from)?)
}

impl Given {
    /// A published value as an answer: the same bytes as `--format json`, or only the members that `fields` names.
    pub(crate) fn answer<T: Serialize>(&self, value: &T) -> Result<Response, Problem> {
        written(value, None, self.query.fields())
    }

    /// The same, where the body may name the members as well.
    pub(crate) fn answer_of<T: Published>(&self, value: &T, fields: Option<Vec<String>>) -> Result<Response, Problem> {
        let refuse = |what: &dyn std::fmt::Display| Problem::of(&INVALID, format!("`fields` {what}")).at("/fields");
        let named = match fields {
            Some(names) if names.is_empty() => return Err(refuse(&"names nothing")),
            Some(names) => Some(Fields::of(names, members::<T>).map_err(|unknown| refuse(&unknown))?),
            None => None,
        };
        written(value, None, named.or_else(|| self.query.fields()))
    }

    /// A list, whose rows stand in `rows`, as an answer.
    pub(crate) fn list<T: Serialize>(&self, value: &T, rows: &str) -> Result<Response, Problem> {
        written(value, Some(rows), self.query.fields())
    }

    /// How many rows are asked for.
    pub(crate) fn limit(&self) -> usize {
        self.query.count("limit").unwrap_or(LIMIT_DEFAULT)
    }

    /// The host, as far as calls of the engine need it.
    pub(crate) fn calling(&self) -> Arc<dyn calls::Host> {
        self.app.calling()
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
    let tag = format!("\"{}\"", calls::fingerprint(text.as_bytes()));
    let mut response = ([(header::CONTENT_TYPE, HeaderValue::from_static(media))], text).into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// An answer without a body.
pub(crate) fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
