//! What a form sends that may have files in it.

use axum::body::{Body, Bytes};
use axum::extract::{Form, FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};

use super::Query;
use crate::app::App;
use crate::body::{self, MemoryPermit};
use crate::problem::Problem;

/// Characters of the name of a file that are kept.
const NAME_CHARS_MAX: usize = 120;

/// A file of a form.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    /// The field that it was chosen in.
    pub(super) field: String,
    /// Its name; may be empty.
    pub(super) name: String,
    pub(super) bytes: Bytes,
}

/// What a form sent. The room that it takes is free again when this is dropped.
pub(super) struct Sent {
    /// Texts by the names of their fields.
    pub(super) texts: Query,
    /// Files, in the order in which they were chosen; fields in which none was are left out.
    pub(super) files: Vec<Upload>,
    _room: MemoryPermit,
}

/// Reads a form of at most so many bytes: with files (`multipart/form-data`), or without.
pub(super) async fn read(app: &App, request: Request, bytes_max: usize) -> Result<Sent, Problem> {
    let (head, body) = request.into_parts();
    let (bytes, room) = body::form(app, body, bytes_max).await?;
    let kind = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_multipart = kind.to_ascii_lowercase().starts_with("multipart/");
    let request = Request::from_parts(head, Body::from(bytes));
    if !is_multipart {
        let form = Form::<Query>::from_request(request, &()).await;
        let Form(texts) = form.map_err(|error| unreadable(error.status(), error.body_text()))?;
        return Ok(Sent { texts, files: Vec::new(), _room: room });
    }
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|error| unreadable(error.status(), error.body_text()))?;
    let mut sent = Sent { texts: Query::new(), files: Vec::new(), _room: room };
    while let Some(part) = form.next_field().await.map_err(|error| unreadable(error.status(), error.body_text()))? {
        let field = part.name().unwrap_or_default().to_owned();
        let name = part.file_name().map(|name| steadfast_render::shown_line(name, NAME_CHARS_MAX));
        let bytes = part.bytes().await.map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name {
            // A browser sends an empty file where none was chosen.
            Some(_) if bytes.is_empty() => {}
            Some(name) => sent.files.push(Upload { field, name, bytes }),
            None => drop(sent.texts.insert(field, text(&bytes)?)),
        }
    }
    Ok(sent)
}

fn unreadable(status: StatusCode, detail: impl Into<String>) -> Problem {
    Problem::new(status, "The form cannot be read", detail)
}

fn text(bytes: &[u8]) -> Result<String, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| unreadable(StatusCode::UNPROCESSABLE_ENTITY, format!("a text is not UTF-8: {error}")))?;
    Ok(text.to_owned())
}
