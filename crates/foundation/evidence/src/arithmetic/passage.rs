//! A block of prose with its figures, and the words around them.

use std::ops::Range;

use super::figure::Figure;
use super::found::Place;

/// The longest text between two figures that can join them, in bytes.
const GAP_BYTES_MAX: usize = 160;

/// One block as its readers see it.
pub(super) struct Passage<'a> {
    pub(super) block: usize,
    pub(super) text: &'a str,
    pub(super) figures: &'a [Figure],
    pub(super) sentences: &'a [Range<usize>],
}

impl<'a> Passage<'a> {
    /// The text between two ends of it, if it is short.
    pub(super) fn between(&self, start: usize, end: usize) -> Option<&'a str> {
        if end < start || end - start > GAP_BYTES_MAX {
            return None;
        }
        self.text.get(start..end)
    }

    /// The text between figure `index` and the next, if it is short.
    pub(super) fn gap(&self, index: usize) -> Option<&'a str> {
        let left = self.figures.get(index)?;
        let right = self.figures.get(index + 1)?;
        self.between(left.range.end, right.range.start)
    }

    /// The sentence that holds the byte `at`.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        let index = self.sentences.partition_point(|sentence| sentence.end <= at);
        self.sentences.get(index).filter(|sentence| sentence.start <= at).cloned().unwrap_or(0..self.text.len())
    }

    /// Up to `bytes` of text from `at` on, not past its sentence.
    pub(super) fn after(&self, at: usize, bytes: usize) -> &'a str {
        let end = self.sentence(at.saturating_sub(1)).end.min(at.saturating_add(bytes)).min(self.text.len());
        let end = self.text.floor_char_boundary(end);
        self.text.get(at..end).unwrap_or_default()
    }

    /// Up to `bytes` of text before `at`, not before its sentence.
    pub(super) fn before(&self, at: usize, bytes: usize) -> &'a str {
        let start = self.sentence(at).start.max(at.saturating_sub(bytes)).min(at);
        let start = self.text.floor_char_boundary(start);
        self.text.get(start..at).unwrap_or_default()
    }

    /// From one figure to the other, whichever comes first.
    pub(super) fn claim(&self, first: &Figure, last: &Figure) -> Place {
        Place { block: self.block, range: first.range.start.min(last.range.start)..last.range.end.max(first.range.end) }
    }
}
