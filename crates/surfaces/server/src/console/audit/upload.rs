//! What the form of an audit sends.

use axum::body::Bytes;
use axum::extract::Request;

use super::super::results::{typed, value};
use super::super::upload::{self, Sent, Upload};
use crate::app::App;
use crate::problem::Problem;

/// Bytes of all that the form sends.
pub(super) const FORM_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What an archive is called that has no name.
const ARCHIVE_NAME: &str = "run.zip";

/// What was given.
#[derive(Clone, Debug, Default)]
pub(super) struct AuditForm {
    pub(super) prompt: String,
    pub(super) report: String,
    pub(super) judge: String,
    /// The archive of a run: its name and its bytes.
    pub(super) archive: Option<(String, Bytes)>,
}

/// Reads the form. The room that it takes is free again when what it sent is dropped.
pub(super) async fn read(app: &App, request: Request) -> Result<(AuditForm, Sent), Problem> {
    let mut sent = upload::read(app, request, FORM_BYTES_MAX).await?;
    let archive = sent.files.iter().position(|file| file.field == "archive").map(|at| sent.files.swap_remove(at));
    let archive =
        archive.map(|Upload { name, bytes, .. }| (if name.is_empty() { ARCHIVE_NAME.to_owned() } else { name }, bytes));
    let given = AuditForm {
        prompt: typed(&sent.texts, "prompt"),
        report: typed(&sent.texts, "report"),
        judge: value(&sent.texts, "judge"),
        archive,
    };
    Ok((given, sent))
}
