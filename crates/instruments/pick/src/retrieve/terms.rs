//! The terms of a text: what two texts must share to be found by each other.
//!
//! A term is the Snowball stem of a word in lower case. Words that hold hyphens or underscores are parted there, so that `agility_story`
//! and "an agile story" meet; `c#`, `c++` and `f#` are words of their own. Words too common to tell two texts apart
//! ([`is_stop_word`]) are none. Characters of scripts without spaces are words of one character, or runs, as
//! [`tokens`] has them. Time is linear in the text, and bounded: of a text the first [`TEXT_BYTES_MAX`] bytes are read.

use std::collections::HashMap;

use steadfast_annotate::{is_stop_word, stem};
use steadfast_text::{TokenKind, tokens};

/// Bytes of a text that are read; what comes after them is found by no word.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;

/// Bytes of a word that are read, so that a word without end is a term like any other.
pub const WORD_BYTES_MAX: usize = 64;

/// Tells the words of a text in their order, as they stand there, stop words among them.
pub fn each_word<'a>(text: &'a str, mut tell: impl FnMut(&'a str)) {
    let text = beginning(text, TEXT_BYTES_MAX);
    let found = tokens(text);
    // What ends here has been told already.
    let mut told_until = 0;
    for (at, token) in found.iter().enumerate() {
        let (start, end) = (token.range.start, token.range.end);
        let whole = &text[token.range.clone()];
        if start < told_until {
            continue;
        }
        match token.kind {
            TokenKind::Word => {
                told_until = signs_end(text, end, whole);
                if told_until > end {
                    tell(&text[start..told_until]);
                    continue;
                }
                let parts = whole.trim_end_matches('.').split(['-', '_', '\u{2010}', '\u{2011}']);
                parts.filter(|part| !part.is_empty()).for_each(|part| tell(beginning(part, WORD_BYTES_MAX)));
            }
            TokenKind::Number => {
                let next = found.get(at + 1).filter(|next| next.kind == TokenKind::Word && next.range.start == end);
                let unit =
                    next.filter(|next| text[next.range.clone()].bytes().all(|byte| byte.is_ascii_alphanumeric()));
                told_until = unit.map_or(end, |unit| unit.range.end);
                tell(beginning(&text[start..told_until], WORD_BYTES_MAX));
            }
            // Pictures tell texts apart; marks and signs do not.
            TokenKind::Symbol if !whole.is_ascii() => tell(beginning(whole, WORD_BYTES_MAX)),
            TokenKind::Symbol | TokenKind::Punctuation => {}
        }
    }
}

/// Where the signs end that belong to the name of a language behind one letter: C#, F#, C++.
fn signs_end(text: &str, end: usize, word: &str) -> usize {
    let rest = &text.as_bytes()[end..];
    let length = match rest {
        _ if word.len() != 1 => 0,
        [b'#', ..] => 1,
        [b'+', b'+', ..] => 2,
        _ => 0,
    };
    let glued = rest.get(length).is_some_and(|next| next.is_ascii_alphanumeric());
    if glued { end } else { end + length }
}

/// The first so many bytes of a text, fewer where a character would be cut.
fn beginning(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// The term of a word; none for a stop word.
#[must_use]
pub fn term(word: &str) -> Option<String> {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    let is_stop = is_stop_word(&lower);
    (!is_stop).then(|| stem(&lower)).filter(|term| !term.is_empty())
}

/// Terms by number, each made once however often its word is met.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The number of the term of a word in lower case, if it has one.
    words: HashMap<Box<str>, Option<u32>>,
    /// The number of a term.
    terms: HashMap<Box<str>, u32>,
    /// A word in lower case, while it is looked up.
    lower: String,
}

impl Vocabulary {
    /// The number of a word's term, which is given one where it is new; none for a stop word.
    pub fn number(&mut self, word: &str) -> Option<u32> {
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        if let Some(known) = self.words.get(self.lower.as_str()) {
            return *known;
        }
        let number = term(&self.lower).map(|term| {
            let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
            *self.terms.entry(term.into_boxed_str()).or_insert(next)
        });
        self.words.insert(self.lower.as_str().into(), number);
        number
    }

    /// All terms with their numbers.
    #[must_use]
    pub fn into_terms(self) -> HashMap<Box<str>, u32> {
        self.terms
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{TEXT_BYTES_MAX, Vocabulary, WORD_BYTES_MAX, each_word, term};

    fn terms(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        each_word(text, |word| found.extend(term(word)));
        found
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(terms(text).join(" "), expect, "for {text:?}");
    }

    #[test]
    fn cases() {
        check("", "");
        check("the of and", "");
        check("Summarize meetings", "summar meet");
        check("SUMMARIZING a Meeting's notes", "summar meet note");
        check("agility_story", "agil stori");
        check("step-by-step state\u{2011}of\u{2011}the\u{2011}art", "step step state art");
        check("AR/VR, P&L", "ar vr p l");
        check("C# and C++ (F#) #1 a+b", "c# c++ f# 1 b");
        check("Node.js ASP.NET", "node js asp net");
        check("U.S. law", "u. law");
        check("2nd 3D 1.8M 18-month 1,000", "2nd 3d 1.8m 18 month 1,000");
        check("don\u{2019}t we’re clients\u{2019}", "client");
        check("Größe NAÏVE", "größe naïv");
        check("他来了", "他 来 了");
        check("🛑 stop", "🛑 stop");
    }

    #[test]
    fn limits_hold_at_their_edges() {
        let word = "x".repeat(WORD_BYTES_MAX);
        assert_eq!(terms(&format!("{word}x")), terms(&word));
        assert_ne!(terms(&word[1..]), terms(&word));
        let text = format!("{}zebra", " ".repeat(TEXT_BYTES_MAX - 5));
        assert_eq!(terms(&text), ["zebra"]);
        assert_eq!(terms(&format!(" {text}")), ["zebr"]);
    }

    proptest! {
        #[test]
        fn any_text_has_terms_and_the_vocabulary_knows_them(text in any::<String>()) {
            let (mut vocabulary, mut numbers) = (Vocabulary::default(), Vec::new());
            each_word(&text, |word| numbers.extend(vocabulary.number(word)));
            let known = vocabulary.into_terms();
            let expect: Vec<u32> = terms(&text).iter().map(|term| known[term.as_str()]).collect();
            prop_assert_eq!(numbers, expect);
        }
    }
}
