//! Words and marks of one sentence as every reader sees them, and phrases of several words.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use steadfast_steps::spend;
use steadfast_text::TokenKind;

use crate::lexicon::{Class, Classes, classes, family};
use crate::verbs;

/// Steps for a byte of a sentence whose words are looked up.
const SCAN_STEPS: usize = 4;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, perhaps with inner apostrophes, digits or dots ("don't", "FIDO2").
    Word,
    /// Begins with a digit.
    Number,
    /// One other character.
    Mark,
}

/// One token. Hyphens split words, so that "cutting-edge" and "cutting edge" read alike.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// Where it stands, in bytes of the sentence.
    pub range: Range<usize>,
    /// As it is written.
    pub raw: &'a str,
    /// Lower-cased, typographic apostrophes as `'`.
    pub low: Cow<'a, str>,
    /// Its stem, of words and numbers that are no stop-words; else empty. Only [`annotate()`](crate::annotate()) fills it.
    pub stem: String,
    /// What it is.
    pub kind: Kind,
    /// No white space stands before it.
    pub glued: bool,
    /// What the lexicon knows of its lower-cased form.
    pub classes: Classes,
    /// Surely or probably a finite verb.
    pub finite: bool,
}

impl Token<'_> {
    /// Whether its lower-cased form is `word`.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        self.low == word
    }

    /// Whether its lower-cased form is one of `words`; a longer list belongs into the lexicon.
    #[must_use]
    pub fn is_in(&self, words: &[&str]) -> bool {
        words.contains(&self.low.as_ref())
    }

    /// Whether its lower-cased form is of a class.
    #[must_use]
    pub const fn is_a(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    pub(crate) fn is_auxiliary(&self) -> bool {
        verbs::is_auxiliary(&self.low, self.classes)
    }

    /// Whether it is a word.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    /// Whether some letter is a capital; a word in other scripts may say so without one.
    pub(crate) fn may_have_capitals(&self) -> bool {
        matches!(self.low, Cow::Owned(_))
    }

    pub(crate) fn is_capital(&self) -> bool {
        self.kind == Kind::Word && self.raw.chars().next().is_some_and(char::is_uppercase)
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02BC}')
}

/// A hyphen that joins words.
pub(crate) fn is_hyphen(raw: &str) -> bool {
    matches!(raw, "-" | "\u{2010}" | "\u{2011}")
}

/// A dash that parts clauses.
pub(crate) fn is_dash(raw: &str) -> bool {
    matches!(raw, "\u{2014}" | "\u{2013}" | "\u{2015}")
}

/// The tokens of `text`, in order: those of [`steadfast_text::tokens`], parted at hyphens, in lower case.
pub fn scan(text: &str) -> Vec<Token<'_>> {
    spend(SCAN_STEPS * text.len());
    let mut out: Vec<Token<'_>> = Vec::with_capacity(text.len() / 5);
    let mut add = |range: Range<usize>, kind: Kind| {
        let glued = out.last().is_some_and(|t: &Token<'_>| t.range.end == range.start);
        let raw = &text[range.clone()];
        let low = lower(raw);
        let classes = if kind == Kind::Word { classes(&low) } else { Classes::default() };
        let finite = kind == Kind::Word && (verbs::is_auxiliary(&low, classes) || verbs::is_third_person(&low));
        out.push(Token { low, range, raw, stem: String::new(), kind, glued, classes, finite });
    };
    for token in steadfast_text::tokens(text) {
        let raw = &text[token.range.clone()];
        match token.kind {
            TokenKind::Number => add(token.range, Kind::Number),
            TokenKind::Punctuation | TokenKind::Symbol => {
                if !raw.starts_with(char::is_control) {
                    add(token.range, Kind::Mark);
                }
            }
            TokenKind::Word => {
                let mut start = token.range.start;
                for (at, hyphen) in raw.match_indices(['-', '\u{2010}', '\u{2011}']) {
                    let at = token.range.start + at;
                    if start < at {
                        add(start..at, Kind::Word);
                    }
                    start = at + hyphen.len();
                    add(at..start, Kind::Mark);
                }
                if start < token.range.end {
                    // "Q3-2026", "COVID-19": what follows the hyphen may be a number.
                    let number = text[start..].starts_with(|c: char| c.is_ascii_digit());
                    add(start..token.range.end, if number { Kind::Number } else { Kind::Word });
                }
            }
        }
    }
    out
}

fn lower(raw: &str) -> Cow<'_, str> {
    if raw.is_ascii() {
        if raw.bytes().any(|b| b.is_ascii_uppercase()) { raw.to_ascii_lowercase().into() } else { raw.into() }
    } else {
        raw.chars()
            .flat_map(char::to_lowercase)
            .map(|c| if is_apostrophe(c) { '\'' } else { c })
            .collect::<String>()
            .into()
    }
}

/// The bytes from token `from` to before token `to`.
pub(crate) fn bytes(tokens: &[Token<'_>], from: usize, to: usize) -> Range<usize> {
    match (tokens.get(from), to.checked_sub(1).and_then(|last| tokens.get(last))) {
        (Some(first), Some(last)) if last.range.end >= first.range.start => first.range.start..last.range.end,
        _ => 0..0,
    }
}

/// Phrases of one or more words, each with what it means. A hyphen in the text may stand for the space in a phrase.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>>,
}

impl<T: Copy> Phrases<T> {
    /// The phrases of a family of the lexicon, with what `meaning` takes the rest of their class's name for.
    pub(crate) fn of_family(name: &str, meaning: impl Fn(&str) -> Option<T>) -> Self {
        let mut by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>> = HashMap::new();
        // Entries of one class stand together.
        let mut last: (&str, Option<T>) = ("", None);
        for (form, class) in family(name) {
            if last.0 != class {
                last = (class, meaning(class));
            }
            let mut words = form.split_whitespace();
            if let (Some(first), Some(meaning)) = (words.next(), last.1) {
                by_first.entry(first).or_default().push((words.collect(), meaning));
            }
        }
        for entries in by_first.values_mut() {
            entries.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// The longest phrase at token `at`: its meaning and one past its last token.
    pub(crate) fn at(&self, tokens: &[Token<'_>], at: usize) -> Option<(T, usize)> {
        let entries = self.by_first.get(tokens.get(at)?.low.as_ref())?;
        'entries: for (rest, meaning) in entries {
            let mut next = at + 1;
            for word in rest {
                if tokens.get(next).is_some_and(|t| is_hyphen(t.raw) && t.glued) {
                    next += 1;
                }
                if !tokens.get(next).is_some_and(|t| t.is(word)) {
                    continue 'entries;
                }
                next += 1;
            }
            return Some((*meaning, next));
        }
        None
    }
}
