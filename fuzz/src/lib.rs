//! What targets share: what callers bound readers by, and what must hold of what they read.
//!
//! A target takes bytes of a stranger. It fails where a reader panics, names bytes that are not in the text or cut a character, takes
//! longer than the time that the fuzzer allows, or needs more memory than that.

pub mod server;

use std::ops::Range;

use steadfast_engine::File;
use steadfast_engine::vault::{self, PROMPT_BYTES_MAX, PROMPT_ID_BYTES_MAX, Selection};
use steadfast_steps::{Budget, within};
use steadfast_text::{Block, Document, Format, Span};
use steadfast_wire::session::{TURNS_MAX, read_sessions, read_typed};

/// Steps that reading may take however little there is to read, and for each byte beside them: the figures by which `engine` bounds what it judges.
const STEPS_FREE: u64 = 2_000_000_000;
const STEPS_PER_BYTE: u64 = 20_000;

/// Does work on so many bytes within the steps that callers allow it.
pub fn bounded<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let budget = Budget::of(STEPS_FREE + STEPS_PER_BYTE * bytes as u64);
    within(&budget, work).expect("reads within the steps that callers allow")
}

/// Every range can be cut from the text.
#[track_caller]
pub fn lie_within(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) {
    for range in ranges {
        assert!(text.get(range.clone()).is_some(), "{range:?} of {} bytes", text.len());
    }
}

/// Reads text as a document and checks it: spans lie in the file, ranges in the text of their block, indices in their lists.
pub fn read_document(text: &str, format: Format) -> Document {
    let document = bounded(text.len(), || Document::from_str_as(text, format));
    assert_eq!(document.source, text);
    check_document(&document);
    document
}

/// Checks a document: spans lie in the file, ranges in the text of their block, indices in their lists.
pub fn check_document(document: &Document) {
    let spans = document.sections.iter().map(|own| own.span).chain(document.scripts.iter().copied());
    lie_within(&document.source, spans.map(Span::range));
    for (at, section) in document.sections.iter().enumerate() {
        assert!(section.parent.is_none_or(|parent| parent < at), "section {at} stands in {:?}", section.parent);
    }
    for block in &document.blocks {
        check_block(document, block);
    }
    for cell in document.tables.iter().flat_map(|table| table.rows.iter().flatten()) {
        assert!(*cell < document.blocks.len(), "cell {cell} of {} blocks", document.blocks.len());
    }
}

fn check_block(document: &Document, block: &Block) {
    assert!(block.section < document.sections.len() && block.lead.is_none_or(|lead| lead < document.blocks.len()));
    let pieces = block.text.pieces.iter();
    lie_within(&document.source, pieces.map(|piece| piece.source.range()).chain([block.span.range()]));
    let ranges = || block.sentences.iter().chain(&block.label).chain(&block.struck).cloned();
    lie_within(&block.text.plain, ranges());
    lie_within(&document.source, ranges().map(|range| document.evidence_span(block, range).range()));
    let mut at = 0;
    for piece in &block.text.pieces {
        assert_eq!(piece.plain, at, "runs cover the text without a gap");
        at = piece.plain_end();
        let same = || document.quote(piece.source) == &block.text.plain[piece.plain..at];
        assert!(!piece.verbatim || same(), "{piece:?} is not what the file says");
    }
    assert_eq!(at, block.text.plain.len(), "runs cover the text to its end");
}

/// Reads the log of an agent, whole and for the words of its user alone: `head` makes it one of a format, whatever follows.
pub fn read_log(head: &str, bytes: &[u8]) {
    let log = [head.as_bytes(), bytes].concat();
    for read in bounded(log.len(), || read_sessions(&log)).into_iter().flatten() {
        assert!(read.session.turns.len() <= TURNS_MAX);
    }
    let _ = bounded(log.len(), || read_typed(&log));
}

/// Takes prompts in from a file, and checks that each has a text and a name within the limits of both.
pub fn read_prompts(name: &str, bytes: &[u8]) {
    let file = File { name: name.to_owned(), bytes: bytes.to_vec() };
    let read = bounded(bytes.len(), || vault::read(&[file], &Selection::default()));
    for (_, prompt) in &read.prompts {
        assert!((1..=PROMPT_ID_BYTES_MAX).contains(&prompt.prompt_id.len()), "{:?}", prompt.prompt_id);
        assert!(!prompt.prompt_text.trim().is_empty() && prompt.prompt_text.len() <= PROMPT_BYTES_MAX);
    }
}
