//! Verbatim text of a file, and where it stands.

use steadfast_text::{Document, Span};

/// A file of the ask or the answer, by its place in the list of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Verbatim text of a file. The only way to make one is to cut it from a document, so a quote that is not there
/// cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quote {
    file: FileId,
    span: Span,
    text: String,
}

impl Quote {
    /// Cuts `span` out of `document`, which is file `file`. `None` where the span is empty, lies outside the file, cuts a
    /// character in two or holds white space alone.
    #[must_use]
    pub fn cut(file: FileId, document: &Document, span: Span) -> Option<Self> {
        let text = document.source.get(span.range())?;
        if text.trim().is_empty() {
            return None;
        }
        Some(Self { file, span, text: text.to_owned() })
    }

    /// The file that it stands in.
    #[must_use]
    pub const fn file(&self) -> FileId {
        self.file
    }

    /// Where it stands, in bytes of the file.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The bytes of the file at that span.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
