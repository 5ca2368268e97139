//! Text without markup that knows where each of its bytes stands in the file.

use std::ops::{Deref, Range};

use crate::{SharedStr, Span};

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
    pub plain: SharedStr,
    /// Its runs; empty where it is one that stands in the file as it stands in the text that `plain` is a part of.
    pieces: Box<[Piece]>,
}

/// Runs of a text, in order.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<'a> {
    one: Option<Piece>,
    many: &'a [Piece],
}

impl Deref for Pieces<'_> {
    type Target = [Piece];

    fn deref(&self) -> &[Piece] {
        self.one.as_ref().map_or(self.many, std::slice::from_ref)
    }
}

impl MappedText {
    /// A text of these runs.
    #[must_use]
    pub fn new(plain: SharedStr, pieces: Vec<Piece>) -> Self {
        let own = Self { plain, pieces: Box::default() };
        if *own.pieces() == *pieces { own } else { Self { pieces: pieces.into_boxed_slice(), ..own } }
    }

    /// Its runs, in order.
    #[must_use]
    pub fn pieces(&self) -> Pieces<'_> {
        let source = self.plain.span();
        let one = Piece { plain: 0, plain_len: source.len(), source, verbatim: true };
        Pieces { one: Some(one).filter(|one| self.pieces.is_empty() && one.plain_len > 0), many: &self.pieces }
    }

    /// The runs that share a byte with `range` of the plain text.
    #[must_use]
    pub fn pieces_of(&self, range: &Range<usize>) -> Pieces<'_> {
        let all = self.pieces();
        let first = all.partition_point(|piece| piece.plain_end() <= range.start);
        let last = all.partition_point(|piece| piece.plain < range.end);
        Pieces { one: all.one.filter(|_| first < last), many: all.many.get(first..last).unwrap_or_default() }
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
        let all = self.pieces();
        let at = all.iter().rfind(|piece| piece.plain <= range.start).or(all.first()).map_or(0, |piece| {
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
