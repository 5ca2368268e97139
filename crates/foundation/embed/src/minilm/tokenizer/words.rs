//! Texts as words, cleaned, without accents and in small letters, and punctuation and ideographs each by itself.
//!
//! This is what the reference does in four passes over the whole text (BertNormalizer and BertPreTokenizer), done character by
//! character. The categories of characters are those of the tables that the reference uses, which are of an early Unicode.

use std::ops::{ControlFlow, Range};

use unicode_categories::UnicodeCategories;
use unicode_normalization::char::decompose_canonical;

use super::vocabulary::{Vocabulary, WORD_CHARS_MAX};

/// A word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    chars: usize,
    range: Range<usize>,
}

/// Reads words and gives each with its bytes in the text and its pieces, until told to stop.
pub(super) fn read<B>(
    text: &str,
    vocabulary: &Vocabulary,
    give: impl FnMut(Range<usize>, &[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut reader = Reader { vocabulary, word: Word::default(), pieces: Vec::new(), give };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if let Some((length, number)) = (c == '[').then(|| vocabulary.spelt(&text[at..])).flatten() {
            reader.end()?;
            (reader.give)(at..at + length, &[number])?;
            at += length;
            continue;
        }
        let range = at..at + c.len_utf8();
        at = range.end;
        if c.is_ascii() {
            match c {
                'a'..='z' | '0'..='9' => reader.push(c, &range),
                'A'..='Z' => reader.push(c.to_ascii_lowercase(), &range),
                ' ' | '\t' | '\n' | '\r' => reader.end()?,
                c if c.is_ascii_control() => {}
                c => reader.alone(c, &range)?,
            }
        } else if c == '\u{fffd}' || c.is_other() {
            // Not there for the reference.
        } else if c.is_whitespace() {
            reader.end()?;
        } else if is_ideograph(c) {
            reader.end()?;
            reader.decompose(c, &range)?;
            reader.end()?;
        } else {
            reader.decompose(c, &range)?;
        }
    }
    reader.end()
}

struct Reader<'a, F> {
    vocabulary: &'a Vocabulary,
    word: Word,
    pieces: Vec<u32>,
    give: F,
}

impl<B, F: FnMut(Range<usize>, &[u32]) -> ControlFlow<B>> Reader<'_, F> {
    /// Adds a character to the word.
    fn push(&mut self, c: char, range: &Range<usize>) {
        if self.word.chars == 0 {
            self.word.range.start = range.start;
        }
        self.word.range.end = range.end;
        self.word.chars += 1;
        if self.word.chars <= WORD_CHARS_MAX {
            self.word.text.push(c);
        }
    }

    /// Ends the word, if there is one.
    fn end(&mut self) -> ControlFlow<B> {
        if self.word.chars == 0 {
            return ControlFlow::Continue(());
        }
        self.vocabulary.cut(&self.word.text, self.word.chars, &mut self.pieces);
        self.word.text.clear();
        self.word.chars = 0;
        (self.give)(self.word.range.clone(), &self.pieces)
    }

    /// A character that is a word by itself.
    fn alone(&mut self, c: char, range: &Range<usize>) -> ControlFlow<B> {
        self.end()?;
        self.push(c, range);
        self.end()
    }

    /// Adds what a character is made of, but for accents, in small letters.
    fn decompose(&mut self, c: char, range: &Range<usize>) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        decompose_canonical(c, |part| {
            if part.is_mark_nonspacing() {
                return;
            }
            for small in part.to_lowercase() {
                if flow.is_break() {
                    return;
                }
                if small.is_ascii_punctuation() || small.is_punctuation() {
                    flow = self.alone(small, range);
                } else {
                    self.push(small, range);
                }
            }
        });
        flow
    }
}

/// What the reference takes for an ideograph.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF
        | 0x3400..=0x4DBF
        | 0x2_0000..=0x2_A6DF
        | 0x2_A700..=0x2_B73F
        | 0x2_B740..=0x2_B81F
        | 0x2_B920..=0x2_CEAF
        | 0xF900..=0xFAFF
        | 0x2_F800..=0x2_FA1F)
}
