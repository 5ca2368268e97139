//! The model's vocabulary: which pieces a word is made of.

use std::collections::HashMap;

use crate::EmbedError;

/// Pieces of the vocabulary.
pub(crate) const PIECES: usize = 30_522;

/// Characters of the longest word that is cut; a longer one is unknown.
pub(super) const WORD_CHARS_MAX: usize = 100;

/// What a piece begins with that continues a word.
const CONTINUES: &str = "##";

/// Pieces that a text may spell out, as the tokenizer reads them wherever they stand.
const SPELT: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// The pieces and their numbers.
pub(super) struct Vocabulary {
    first: HashMap<Box<str>, u32>,
    further: HashMap<Box<str>, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    spelt: Vec<(&'static str, u32)>,
    unknown: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Vocabulary {
    /// From `vocab.txt`: a piece on each line, its number the line's.
    pub(super) fn read(file: &[u8]) -> Result<Self, EmbedError> {
        let wrong = |what: String| EmbedError::Vocabulary { what };
        let lines = std::str::from_utf8(file)
            .map_err(|error| wrong(format!("is not UTF-8 after {} bytes", error.valid_up_to())))?;
        let pieces: Vec<(&str, u32)> = lines.lines().map(str::trim_end).zip(0..).collect();
        if pieces.len() != PIECES {
            return Err(wrong(format!("has {} pieces, not {PIECES}", pieces.len())));
        }
        let (mut first, mut further) = (HashMap::with_capacity(PIECES), HashMap::new());
        for &(piece, number) in &pieces {
            match piece.strip_prefix(CONTINUES).filter(|rest| !rest.is_empty()) {
                Some(rest) => further.insert(Box::from(rest), number),
                None => first.insert(Box::from(piece), number),
            };
        }
        let number = |piece: &str| first.get(piece).copied().ok_or_else(|| wrong(format!("no piece `{piece}`")));
        let spelt = SPELT.into_iter().map(|piece| Ok((piece, number(piece)?))).collect::<Result<_, EmbedError>>()?;
        let (unknown, start, end) = (number("[UNK]")?, number("[CLS]")?, number("[SEP]")?);
        let longest = pieces.iter().map(|(piece, _)| piece.len()).max().unwrap_or_default();
        Ok(Self { longest, spelt, unknown, start, end, first, further })
    }

    /// The piece that the text spells out where it begins, in bytes and its number.
    pub(super) fn spelt(&self, text: &str) -> Option<(usize, u32)> {
        self.spelt.iter().find(|(piece, _)| text.starts_with(piece)).map(|(piece, number)| (piece.len(), *number))
    }

    /// The pieces of a word of so many characters: from its beginning the longest that the vocabulary has, each time; one that
    /// stands for the unknown where none fits.
    pub(super) fn cut(&self, word: &str, chars: usize, to: &mut Vec<u32>) {
        to.clear();
        if chars > WORD_CHARS_MAX {
            return to.push(self.unknown);
        }
        let mut at = 0;
        while at < word.len() {
            let pieces = if at == 0 { &self.first } else { &self.further };
            let mut end = word.floor_char_boundary(at + self.longest);
            let found = loop {
                if let Some(number) = pieces.get(&word[at..end]) {
                    break Some(*number);
                }
                end = word.floor_char_boundary(end - 1);
                if end <= at {
                    break None;
                }
            };
            let Some(number) = found else {
                to.clear();
                return to.push(self.unknown);
            };
            to.push(number);
            at = end;
        }
    }
}
