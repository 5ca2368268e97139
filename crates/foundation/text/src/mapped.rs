//! Text without markup that knows where each of its bytes stands in the file.

use std::ops::Range;

use crate::Span;

/// One run of text: bytes of the plain text and the bytes of the file that they were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where the run begins in the plain text.
    pub plain: usize,
    /// Length in the plain text, in bytes.
    pub plain_len: usize,
    /// Where the run stands in the file. As long as the run where the text is verbatim; an entity, an escape or folded
    /// white space maps as a whole.
    pub source: Span,
    /// Whether the bytes of the file are the bytes of the text.
    pub verbatim: bool,
}

impl Piece {
    /// One past the run's last byte in the plain text.
    #[must_use]
    pub const fn plain_end(self) -> usize {
        self.plain + self.plain_len
    }

    /// The bytes of the file that `range` of the plain text was read from, clipped to this run.
    pub(crate) fn source_of(self, range: &Range<usize>) -> Span {
        if !self.verbatim {
            return self.source;
        }
        let start = range.start.clamp(self.plain, self.plain_end());
        let end = range.end.clamp(start, self.plain_end());
        Span::new(self.source.start + (start - self.plain), self.source.start + (end - self.plain))
    }
}

/// Plain text and the way back to the file.
///
/// The runs stand in the order of the text and of the file, cover the text without a gap, and none is empty. Between
/// two runs the file may hold markup.
#[derive(Clone, Debug, Default)]
pub struct MappedText {
    /// The text without markup.
    pub plain: String,
    /// Its runs, in order.
    pub pieces: Vec<Piece>,
}

impl MappedText {
    /// The runs that share a byte with `range` of the plain text.
    #[must_use]
    pub fn pieces_of(&self, range: &Range<usize>) -> &[Piece] {
        let first = self.pieces.partition_point(|piece| piece.plain_end() <= range.start);
        let last = self.pieces.partition_point(|piece| piece.plain < range.end);
        self.pieces.get(first..last).unwrap_or_default()
    }

    /// The smallest span of the file that covers `range` of the plain text: a run that is not verbatim is covered
    /// wholly. An empty range gives an empty span where that text would stand.
    #[must_use]
    pub fn source_span(&self, range: Range<usize>) -> Span {
        let pieces = self.pieces_of(&range);
        if let (Some(first), Some(last)) = (pieces.first(), pieces.last())
            && range.start < range.end
        {
            return Span::new(first.source_of(&range).start, last.source_of(&range).end);
        }
        let at =
            self.pieces.iter().rfind(|piece| piece.plain <= range.start).or(self.pieces.first()).map_or(0, |piece| {
                if range.start >= piece.plain_end() {
                    piece.source.end
                } else {
                    piece.source_of(&(range.start..range.start)).start
                }
            });
        Span::new(at, at)
    }

    /// Whether the file's bytes at [`MappedText::source_span`] of `range` are the bytes of the text: no markup, entity,
    /// escape or folded white space in between.
    #[must_use]
    pub fn verbatim(&self, range: Range<usize>) -> bool {
        let pieces = self.pieces_of(&range);
        pieces.iter().all(|piece| piece.verbatim)
            && pieces.windows(2).all(|pair| pair[0].source.end == pair[1].source.start)
    }
}
