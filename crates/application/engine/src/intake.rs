//! Taking files in: an archive or a list of files becomes a run, a prompt and what an agent made of it.
//!
//! A folder and a zip of that folder give the same names in the same order, so they give the same bytes of output.

mod archive;
mod docx;
mod prompt_json;
mod run;
mod text;

pub use archive::{Archive, unzip};
pub use run::{Run, holds_prompt_in_json, is_read};
pub use text::{document, note, prompt_document, text};

/// A file as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name relative to what the user gave, with `/` between its parts.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl File {
    /// A text that comes without a file, under this name.
    pub(crate) fn of(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: text.into() }
    }
}

/// Whether bytes begin as a zip archive does (an empty archive too).
#[must_use]
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}
