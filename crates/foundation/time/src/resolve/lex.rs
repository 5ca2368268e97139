//! Tokens of a block with their words in lower case, and the small words that join the parts of an expression.

use std::cell::Cell;

use crate::numeral::is_dash;
use crate::scan::{Gap, Kind, Token, Tokens};

/// Expressions inside expressions ("the week of the first Friday of next month") go no deeper than this.
const DEPTH_MAX: u8 = 4;

/// The block of the tokens in ASCII lower case.
pub(crate) fn lower_of(tokens: &Tokens<'_>) -> String {
    let base = tokens.list.first().map_or(0, |token| token.start);
    let end = tokens.list.last().map_or(base, |token| token.end);
    tokens.text[base..end].to_ascii_lowercase()
}

/// The tokens of one block, readable whatever their case.
pub(crate) struct Lex<'a, 't> {
    pub(crate) tokens: &'a Tokens<'t>,
    /// The block in ASCII lower case: byte for byte as long as the block.
    lower: &'a str,
    /// Of each token that is a word, the word in lower case; of any other nothing.
    words: Vec<&'a str>,
    base: usize,
    depth: Cell<u8>,
    timed: Cell<Option<bool>>,
}

impl<'a, 't> Lex<'a, 't> {
    /// The tokens with `lower`, which [`lower_of`] makes of them.
    pub(crate) fn new(tokens: &'a Tokens<'t>, lower: &'a str) -> Self {
        let base = tokens.list.first().map_or(0, |token| token.start);
        let word = |token: &Token| match token.kind {
            Kind::Word => &lower[token.start - base..token.end - base],
            _ => "",
        };
        let words = tokens.list.iter().map(word).collect();
        Self { tokens, lower, words, base, depth: Cell::new(0), timed: Cell::new(None) }
    }

    /// What `read` gives, unless readers stand too deep in each other already.
    pub(crate) fn nested<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        let depth = self.depth.get();
        if depth >= DEPTH_MAX {
            return None;
        }
        self.depth.set(depth + 1);
        let found = read();
        self.depth.set(depth);
        found
    }

    /// The token at `at` in lower case; empty past the end.
    pub(crate) fn any(&self, at: usize) -> &str {
        self.tokens.list.get(at).map_or("", |token| &self.lower[token.start - self.base..token.end - self.base])
    }

    /// The word at `at` in lower case; empty if there is none.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn is(&self, at: usize, word: &str) -> bool {
        self.word(at) == word
    }

    /// The word `back` places before `at`; empty if there is none.
    pub(crate) fn before(&self, at: usize, back: usize) -> &'a str {
        at.checked_sub(back).map_or("", |index| self.word(index))
    }

    pub(crate) fn mark(&self, at: usize) -> Option<char> {
        self.tokens.mark(at)
    }

    pub(crate) fn dash(&self, at: usize) -> bool {
        self.mark(at).is_some_and(is_dash)
    }

    pub(crate) fn apostrophe(&self, at: usize) -> bool {
        matches!(self.mark(at), Some('\'' | '’' | '‘'))
    }

    pub(crate) fn glued(&self, at: usize) -> bool {
        self.tokens.gap(at) == Gap::None
    }

    pub(crate) fn capital(&self, at: usize) -> bool {
        self.tokens.word(at).starts_with(char::is_uppercase)
    }

    /// Digits of at most `length` figures, as a number.
    pub(crate) fn number(&self, at: usize, length: usize) -> Option<u32> {
        self.tokens.digits(at).filter(|digits| digits.len() <= length)?.parse().ok()
    }

    /// Whether the token at `at` goes on with the expression before it: on the same line, or on the next one of wrapped prose.
    pub(crate) fn near(&self, at: usize) -> bool {
        match self.tokens.list.get(at) {
            None => false,
            Some(token) if token.gap != Gap::Line => true,
            Some(token) => {
                let small = token.kind == Kind::Word && !self.capital(at);
                let joining = at > 0 && !self.capital(at - 1) && is_joining(self.word(at - 1));
                small || joining
            }
        }
    }

    /// `at`, or the place after a hyphen that is glued to both sides.
    pub(crate) fn past_hyphen(&self, at: usize) -> usize {
        if self.dash(at) && self.glued(at) && self.glued(at + 1) { at + 1 } else { at }
    }

    /// Whether the token at `at` begins a line, perhaps after the mark of a list.
    pub(crate) fn begins_line(&self, at: usize) -> bool {
        let line = |at: usize| at == 0 || self.tokens.gap(at) == Gap::Line;
        line(at) || at > 0 && matches!(self.mark(at - 1), Some('-' | '*' | '•' | '+' | '|' | '>')) && line(at - 1)
    }

    /// Whether some line of the block begins with a clock time, so that the others may as well.
    pub(crate) fn is_timed(&self) -> bool {
        self.timed.get().unwrap_or_else(|| {
            let timed = (0..self.tokens.list.len()).any(|at| {
                self.number(at, 2).is_some_and(|hour| hour < 24)
                    && self.begins_line(at)
                    && (self.mark(at + 1) == Some(':') && self.glued(at + 1) && self.number(at + 2, 2).is_some()
                        || matches!(self.word(at + 1), "am" | "pm"))
            });
            self.timed.set(Some(timed));
            timed
        })
    }

    /// The place after the word at `at` and a full stop glued to it, if the word is an abbreviation that goes on.
    pub(crate) fn past_stop(&self, at: usize) -> usize {
        if self.mark(at) == Some('.') && self.glued(at) { at + 1 } else { at }
    }
}

fn is_joining(word: &str) -> bool {
    matches!(
        word,
        "at" | "on"
            | "by"
            | "from"
            | "to"
            | "the"
            | "of"
            | "next"
            | "this"
            | "last"
            | "in"
            | "until"
            | "till"
            | "before"
            | "after"
            | "and"
            | "between"
            | "past"
            | "every"
            | "since"
            | "through"
            | "or"
    )
}
