//! What the form of an audit sends.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::StatusCode;

use crate::app::App;
use crate::body::{self, Room};
use crate::problem::Problem;

/// Bytes of all that the form sends.
pub(super) const FORM_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes of the name of an archive that are kept.
const NAME_CHARS_MAX: usize = 120;

/// What an archive is called that has no name.
const ARCHIVE_NAME: &str = "run.zip";

/// What was given.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) prompt: String,
    pub(super) report: String,
    pub(super) judge: String,
    /// The archive of a run: its name and its bytes.
    pub(super) archive: Option<(String, Bytes)>,
}

/// Reads the form. The room that it takes is free again when that is dropped.
pub(super) async fn read(app: &App, request: Request) -> Result<(Given, Room), Problem> {
    let (head, body) = request.into_parts();
    let (bytes, room) = body::form(app, body, FORM_BYTES_MAX).await?;
    let request = Request::from_parts(head, Body::from(bytes));
    let unreadable = |status, detail| Problem::new(status, "The form cannot be read", detail);
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|error| unreadable(error.status(), error.body_text()))?;
    let mut given = Given::default();
    while let Some(field) = form.next_field().await.map_err(|error| unreadable(error.status(), error.body_text()))? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.file_name().map(|name| steadfast_render::shown_line(name, NAME_CHARS_MAX));
        let bytes = field.bytes().await.map_err(|error| unreadable(error.status(), error.body_text()))?;
        match name.as_str() {
            "archive" if bytes.is_empty() => {}
            "archive" => {
                let name = file.filter(|name| !name.is_empty()).unwrap_or_else(|| ARCHIVE_NAME.to_owned());
                given.archive = Some((name, bytes));
            }
            "prompt" => given.prompt = text(&bytes)?,
            "report" => given.report = text(&bytes)?,
            "judge" => given.judge = text(&bytes)?,
            _ => {}
        }
    }
    Ok((given, room))
}

/// A text as it was typed: forms send lines that end in CR LF.
fn text(bytes: &[u8]) -> Result<String, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "The form cannot be read",
            format!("a text is not UTF-8: {error}"),
        )
    })?;
    Ok(text.replace("\r\n", "\n"))
}
