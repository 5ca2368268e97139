//! Whether words of the notes speak of this day.

use jiff::Zoned;
use steadfast_text::{Document, Span};
use steadfast_time::Anchor;

use super::lines::lines;

/// The lines of notes that speak of this day: what the reader of notes reads.
#[derive(Clone, Debug)]
pub(crate) struct OfThisDay {
    lines: Vec<(Vec<Span>, String)>,
}

impl OfThisDay {
    /// Those of a document as of a moment.
    pub(crate) fn new(document: &Document, now: &Zoned) -> Self {
        let lines = lines(document, &Anchor::new(now.clone()));
        let of = |line: &super::lines::Line<'_>| {
            let first = line.cells.first().map_or(line.text.len(), |cell| cell.start.saturating_sub(2));
            let mut spans = vec![line.block.text.source_span(line.at..line.at + first)];
            for (at, cell) in line.cells.iter().enumerate() {
                let end = line.cells.get(at + 1).map_or(line.text.len(), |next| next.start.saturating_sub(2));
                let length = end.saturating_sub(cell.start);
                spans.push(cell.block.text.source_span(cell.at..cell.at + length));
            }
            (spans, collapsed(&line.text))
        };
        Self { lines: lines.iter().map(of).collect() }
    }

    /// Whether one of the lines stands at `span` and holds the words, or is held by them: a label before it ("Today:") is none of it.
    pub(crate) fn holds(&self, span: Span, words: &str) -> bool {
        let words = collapsed(words);
        let at = |own: &Span| own.start < span.end && span.start < own.end;
        let mut there = self.lines.iter().filter(|(spans, text)| !text.is_empty() && spans.iter().any(at));
        there.any(|(_, text)| text.contains(&words) || words.ends_with(text.as_str()))
    }
}

/// A text without the marks of links, with one space between two words.
fn collapsed(text: &str) -> String {
    text.replace("[[", " ").replace("]]", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
