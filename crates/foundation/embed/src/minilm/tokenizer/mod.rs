//! Texts as word pieces of the model's vocabulary, as the reference's BERT tokenizer cuts them: the same pieces, in one pass that
//! stops where the model stops reading.

mod vocabulary;
mod words;

use std::ops::{ControlFlow, Range};

use crate::EmbedError;
pub(super) use vocabulary::PIECES;
use vocabulary::Vocabulary;

/// Cuts texts into word pieces.
pub(super) struct Tokenizer {
    vocabulary: Vocabulary,
}

impl Tokenizer {
    /// From `vocab.txt`.
    pub(super) fn read(file: &[u8]) -> Result<Self, EmbedError> {
        Ok(Self { vocabulary: Vocabulary::read(file)? })
    }

    /// Adds the pieces of a text, at most `pieces_max` of them, between those that mark beginning and end, and says whether
    /// there are more.
    pub(super) fn pieces(&self, text: &str, pieces_max: usize, to: &mut Vec<u32>) -> bool {
        to.push(self.vocabulary.start);
        let first = to.len();
        let ended = words::read(text, &self.vocabulary, |_, pieces| {
            to.extend_from_slice(pieces);
            if to.len() - first > pieces_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        to.truncate(first + pieces_max);
        to.push(self.vocabulary.end);
        ended.is_break()
    }

    /// Cuts a text between words into ranges of at most `pieces_max` pieces; a word has fewer.
    pub(super) fn windows(&self, text: &str, pieces_max: usize) -> Vec<Range<usize>> {
        let mut windows: Vec<Range<usize>> = Vec::new();
        // Pieces of the last window, and the word that has been read but not placed: a character may be more than one word,
        // which stay together.
        let (mut count, mut word, mut size) = (pieces_max, 0..0, 0);
        let mut place = |word: Range<usize>, size: usize| {
            match windows.last_mut() {
                Some(window) if count + size <= pieces_max => {
                    window.end = word.end;
                    count += size;
                }
                _ => {
                    windows.push(word);
                    count = size;
                }
            };
        };
        let _: ControlFlow<()> = words::read(text, &self.vocabulary, |range, pieces| {
            if size > 0 && range.start < word.end {
                word.end = word.end.max(range.end);
                size += pieces.len();
            } else {
                if size > 0 {
                    place(word.clone(), size);
                }
                (word, size) = (range, pieces.len());
            }
            ControlFlow::Continue(())
        });
        if size > 0 {
            place(word, size);
        }
        windows
    }
}
