//! From bytes to a document, and the limits on the way.

use std::ops::Range;

use crate::builder::Builder;
use crate::document::{Block, Document, Format};
use crate::{Span, html, markdown, plain};

/// The largest file that is read, in bytes (64 MiB).
pub const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The deepest nesting of elements (HTML), lists and quotes that is kept apart; what stands deeper is read as standing
/// at this depth.
pub const NESTING_DEPTH_MAX: usize = 256;

/// The most blocks that are read of one document: paragraphs, items of lists, cells of tables. Each holds some 160 bytes.
pub const BLOCKS_MAX: usize = 1_000_000;

/// Why a file is not a document.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// The file is larger than [`DOCUMENT_BYTES_MAX`].
    #[error("{name}: {bytes} bytes, more than the {DOCUMENT_BYTES_MAX} that one document may have")]
    TooLarge {
        /// The file.
        name: String,
        /// Its size, in bytes.
        bytes: usize,
    },
    /// The file has more than [`BLOCKS_MAX`] blocks.
    #[error("{name}: has more than {BLOCKS_MAX} paragraphs, items and cells; hint: give less at a time")]
    TooManyBlocks {
        /// The file.
        name: String,
    },
    /// The file is not UTF-8.
    #[error("{name}: not UTF-8 at byte {offset}; hint: convert the file to UTF-8")]
    NotUtf8 {
        /// The file.
        name: String,
        /// The first byte that is not UTF-8, from 0.
        offset: usize,
    },
    /// The file holds NUL bytes, so it is no text.
    #[error("{name}: binary (NUL at byte {offset}); hint: give text, Markdown or HTML in UTF-8")]
    Binary {
        /// The file.
        name: String,
        /// The first NUL, from 0.
        offset: usize,
    },
}

impl Format {
    /// The format that a file's name speaks of, by its ending and whatever its case: `md` and `markdown` are Markdown,
    /// `html`, `htm` and `xhtml` are HTML, everything else is plain text.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        if ["md", "markdown", "mdown", "mkd"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            Self::Markdown
        } else if ["html", "htm", "xhtml"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            Self::Html
        } else {
            Self::Plain
        }
    }
}

impl Document {
    /// Reads the bytes of the file `name` (which only error messages use). A byte order mark is accepted and stays in
    /// the offsets.
    ///
    /// # Errors
    /// When the file is larger than [`DOCUMENT_BYTES_MAX`], holds a NUL byte or is not UTF-8.
    pub fn read(name: &str, bytes: &[u8], format: Format) -> Result<Self, TextError> {
        if bytes.len() > DOCUMENT_BYTES_MAX {
            return Err(TextError::TooLarge { name: name.to_owned(), bytes: bytes.len() });
        }
        if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
            return Err(TextError::Binary { name: name.to_owned(), offset });
        }
        match std::str::from_utf8(bytes) {
            Ok(source) => {
                let document = Self::from_str_as(source, format);
                if document.blocks.len() > BLOCKS_MAX {
                    return Err(TextError::TooManyBlocks { name: name.to_owned() });
                }
                Ok(document)
            }
            Err(error) => Err(TextError::NotUtf8 { name: name.to_owned(), offset: error.valid_up_to() }),
        }
    }

    /// Reads text that is already known to be text; cannot fail. Limits on size are the caller's; one block more than [`BLOCKS_MAX`] is
    /// the last that is read.
    #[must_use]
    pub fn from_str_as(source: &str, format: Format) -> Self {
        steadfast_steps::spend(source.len());
        let mut builder = Builder::new(source);
        match format {
            Format::Markdown => markdown::read(&mut builder),
            Format::Html => html::read(&mut builder),
            Format::Plain => plain::read(&mut builder),
        }
        builder.finish(format)
    }

    /// The titles from the outermost section down to `section` (an index into [`Document::sections`]), the file itself
    /// left out.
    #[must_use]
    pub fn section_path(&self, section: usize) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = Some(section);
        while let Some(section) = at.and_then(|index| self.sections.get(index)) {
            if section.level > 0 {
                path.push(section.title.as_str());
            }
            at = section.parent;
        }
        path.reverse();
        path
    }

    /// The bytes of the file at `span`; empty where the span is not of this file or would cut a character.
    #[must_use]
    pub fn quote(&self, span: Span) -> &str {
        self.source.get(span.range()).unwrap_or_default()
    }

    /// What to show of the file as evidence for `range` of `block.text.plain`.
    ///
    /// In Markdown and plain text it is the smallest span that covers the range. In HTML, too, when the file holds no
    /// tag, comment or entity there; else it is that part of the range that is the longest run without any (the first
    /// of equals), so that the raw bytes are what a reader sees. White space at the ends is left out.
    #[must_use]
    pub fn evidence_span(&self, block: &Block, range: Range<usize>) -> Span {
        let text = &block.text;
        let whole = text.source_span(range.clone());
        if self.format != Format::Html || range.is_empty() {
            return whole;
        }
        let seen = |at: Span| {
            let quote = self.quote(at);
            !quote.is_empty() && quote.bytes().all(|byte| byte.is_ascii_whitespace())
        };
        let mut best: Option<Span> = None;
        let mut run: Option<Span> = None;
        for piece in text.pieces_of(&range).iter() {
            let source = piece.source_of(&range);
            let legible = piece.verbatim || seen(source);
            run = match run {
                Some(open) if legible && open.end == source.start => Some(Span::new(open.start, source.end)),
                _ if legible => Some(source),
                _ => None,
            };
            if let Some(run) = run.map(|run| self.trimmed(run))
                && best.is_none_or(|best| run.len() > best.len())
            {
                best = Some(run);
            }
        }
        best.filter(|best| !best.is_empty()).unwrap_or(whole)
    }

    /// A span without the white space at its ends.
    fn trimmed(&self, span: Span) -> Span {
        let quote = self.quote(span);
        let start = span.start + (quote.len() - quote.trim_start().len());
        Span::new(start, (start + quote.trim().len()).max(start))
    }
}
