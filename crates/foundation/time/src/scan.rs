//! One pass over a text into tokens, which every reader of numbers, dates and durations walks.
//!
//! Addresses, identifiers and other mixtures of letters and digits come out as one [`Kind::Opaque`] token, so that no
//! reader finds a number inside them.

use std::ops::Range;

/// A block longer than this is cut at the next line end, so that no text makes a token list without bound.
pub const BLOCK_BYTES: usize = 1 << 16;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A run of ASCII digits.
    Digits,
    /// A run of letters (with `²` and `³`), apostrophes not included.
    Word,
    /// An identifier, an address, letters and digits mixed: never a number.
    Opaque,
    /// Any other single character.
    Mark(char),
}

/// What stands between a token and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing.
    None,
    /// One blank (also a no-break or thin one).
    Space,
    /// More than one blank, without a line end.
    Wide,
    /// A line end, perhaps with blanks.
    Line,
}

/// One token: half-open bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
    /// What stands before it.
    pub gap: Gap,
}

/// The tokens of one block of a text (a paragraph or, in long ones, a part of it).
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    /// The whole text, in which the tokens' bytes count.
    pub text: &'t str,
    /// The tokens, in order.
    pub list: Vec<Token>,
}

impl<'t> Tokens<'t> {
    /// The token at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Token> {
        self.list.get(index).copied()
    }

    /// The text of the token at `index`; empty past the end.
    #[must_use]
    pub fn str(&self, index: usize) -> &'t str {
        self.list.get(index).map_or("", |token| &self.text[token.start..token.end])
    }

    /// The text of the token at `index` if it is a word; empty otherwise.
    #[must_use]
    pub fn word(&self, index: usize) -> &'t str {
        match self.list.get(index) {
            Some(token) if token.kind == Kind::Word => &self.text[token.start..token.end],
            _ => "",
        }
    }

    /// Whether the token at `index` is the word `lower`, whatever its case (`lower` is ASCII lower case).
    #[must_use]
    pub fn is_word(&self, index: usize, lower: &str) -> bool {
        self.word(index).eq_ignore_ascii_case(lower)
    }

    /// The character at `index` if the token there is a mark.
    #[must_use]
    pub fn mark(&self, index: usize) -> Option<char> {
        match self.list.get(index)?.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    /// The digits at `index`, if the token there is a run of digits.
    #[must_use]
    pub fn digits(&self, index: usize) -> Option<&'t str> {
        match self.list.get(index) {
            Some(token) if token.kind == Kind::Digits => Some(&self.text[token.start..token.end]),
            _ => None,
        }
    }

    /// What stands before the token at `index`; a line end where there is no such token.
    #[must_use]
    pub fn gap(&self, index: usize) -> Gap {
        self.list.get(index).map_or(Gap::Line, |token| token.gap)
    }

    /// The bytes from the start of token `first` to the end of token `last - 1`.
    #[must_use]
    pub fn range(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.list.get(first).map_or(self.text.len(), |token| token.start);
        let end = last.checked_sub(1).and_then(|index| self.list.get(index)).map_or(start, |token| token.end);
        start..end.max(start)
    }
}

/// Letters that may stand directly before digits without making an identifier of them: quarters, halves, fiscal years,
/// and whatever looks like a currency code (three capitals) or a unit before `$`.
fn may_lead_digits(word: &str) -> bool {
    matches!(word, "Q" | "q" | "H" | "FY" | "CY" | "Rs" | "kr" | "Kr" | "x")
        || (word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

fn is_word_char(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '²' | '³' | 'µ' | '°')
}

fn is_run_char(character: char) -> bool {
    character.is_ascii_digit() || character == '_' || is_word_char(character)
}

/// Calls `visit` with the tokens of each block of `text`, in order. One pass; memory is bounded by the longest block.
///
/// A block ends at a blank line, or at the first line end after [`BLOCK_BYTES`].
pub fn blocks<'t>(text: &'t str, mut visit: impl FnMut(&Tokens<'t>)) {
    steadfast_steps::spend(text.len());
    let mut tokens = Tokens { text, list: Vec::new() };
    let mut block_start = 0;
    let mut at = 0;
    let mut gap = Gap::Line;
    while let Some(character) = text[at..].chars().next() {
        if character.is_whitespace() || character == '\u{feff}' || character == '\u{200b}' {
            if character == '\n' {
                let blank = gap == Gap::Line;
                if (blank || at - block_start > BLOCK_BYTES) && !tokens.list.is_empty() {
                    visit(&tokens);
                    tokens.list.clear();
                    block_start = at;
                }
                gap = Gap::Line;
            } else if gap == Gap::None {
                gap = Gap::Space;
            } else if gap == Gap::Space {
                gap = Gap::Wide;
            }
            at += character.len_utf8();
            continue;
        }
        at = push_run(&mut tokens, at, character, gap);
        gap = Gap::None;
    }
    if !tokens.list.is_empty() {
        visit(&tokens);
    }
}

const UUID_BYTES: usize = 36;

/// Whether a UUID in its usual form begins at `at`: its first group may be digits alone.
fn is_uuid(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 8) == Some(&b'-')
        && bytes.get(at..at + UUID_BYTES).is_some_and(|form| {
            form.iter().enumerate().all(|(index, byte)| match index {
                8 | 13 | 18 | 23 => *byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            })
        })
}

/// Where the word at `at` ends if it is one of ASCII letters alone, as most are, and can be nothing else.
fn plain_word(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let end = at + length;
    let alone = match bytes.get(end) {
        None => true,
        Some(b'.') => length != 3,
        Some(b'-') => length != 8,
        Some(byte) => byte.is_ascii() && !byte.is_ascii_digit() && *byte != b'_',
    };
    (length > 0 && alone).then_some(end)
}

/// Pushes the token or tokens that begin at `at` and returns where they end.
fn push_run(tokens: &mut Tokens<'_>, at: usize, first: char, gap: Gap) -> usize {
    let text = tokens.text;
    if !is_run_char(first) {
        let end = at + first.len_utf8();
        let kind = match first {
            '@' | '\\' if gap == Gap::None => return push_opaque(tokens, at, end, gap),
            ':' if gap == Gap::None && text[at..].starts_with("://") => {
                return push_opaque(tokens, at, end, gap);
            }
            mark => Kind::Mark(mark),
        };
        tokens.list.push(Token { start: at, end, kind, gap });
        return end;
    }
    let bytes = text.as_bytes();
    if let Some(end) = plain_word(bytes, at) {
        tokens.list.push(Token { start: at, end, kind: Kind::Word, gap });
        return end;
    }
    if is_uuid(bytes, at) {
        tokens.list.push(Token { start: at, end: at + UUID_BYTES, kind: Kind::Opaque, gap });
        return at + UUID_BYTES;
    }
    let mut end = at;
    let mut changes = [at; 4];
    let mut parts = 0;
    let mut digits_now = None;
    let mut underscore = false;
    let mut any_digit = false;
    for character in text[at..].chars() {
        if !is_run_char(character) {
            break;
        }
        let digit = character.is_ascii_digit();
        any_digit |= digit;
        underscore |= character == '_';
        if digits_now != Some(digit) {
            if parts < 4 {
                changes[parts] = end;
            }
            parts += 1;
            digits_now = Some(digit);
        }
        end += character.len_utf8();
    }
    let starts_digit = bytes[at].is_ascii_digit();
    if underscore && any_digit {
        return push_opaque(tokens, at, end, gap);
    }
    let www = !any_digit && &text[at..end] == "www" && bytes.get(end) == Some(&b'.');
    if www {
        return push_opaque(tokens, at, end, gap);
    }
    let split = match parts {
        1 => true,
        2 if starts_digit => true,
        2 => may_lead_digits(&text[at..changes[1]]),
        // "1h30", "2h15min": hours and minutes written together; "Q3FY" and the like stay opaque. "DKK10m" is money.
        3 if starts_digit => matches!(&text[changes[1]..changes[2]], "h" | "H" | "T"),
        3 => may_lead_digits(&text[at..changes[1]]),
        4 if starts_digit => {
            matches!(&text[changes[1]..changes[2]], "h" | "H") && matches!(&text[changes[3]..end], "m" | "min" | "mins")
        }
        _ => false,
    };
    if !split {
        return push_opaque(tokens, at, end, gap);
    }
    let mut start = at;
    for part in 0..parts {
        let stop = if part + 1 < parts { changes[part + 1] } else { end };
        let kind = if bytes[start].is_ascii_digit() { Kind::Digits } else { Kind::Word };
        tokens.list.push(Token { start, end: stop, kind, gap: if part == 0 { gap } else { Gap::None } });
        start = stop;
    }
    end
}

/// Pushes an opaque token that begins at `at`, reaching over joined parts: `v1.2.3`, `a1b2-c3d4`, `//host/path?x=1`.
fn push_opaque(tokens: &mut Tokens<'_>, at: usize, end: usize, gap: Gap) -> usize {
    let text = tokens.text;
    let address = matches!(text.as_bytes().get(at), Some(b':' | b'@' | b'w' | b'\\'));
    let mut stop = end;
    let mut rest = text[end..].chars().peekable();
    while let Some(character) = rest.next() {
        let joins = if address {
            !character.is_whitespace() && !matches!(character, ')' | ']' | '>' | '"' | '<' | '|' | '`')
        } else {
            is_run_char(character)
                || (matches!(character, '.' | '-' | '_' | '/' | ':' | '@' | '=')
                    && rest.peek().is_some_and(|next| is_run_char(*next)))
        };
        if !joins {
            break;
        }
        stop += character.len_utf8();
    }
    tokens.list.push(Token { start: at, end: stop, kind: Kind::Opaque, gap });
    stop
}
