//! Regular expressions over English prose.

use std::ops::Deref;
use std::sync::OnceLock;

use regex::Error;
use steadfast_steps::Regex;

/// Letters of words: ASCII and Latin with accents ("café", "Łódź").
const WORD: &str = "0-9A-Za-z_\u{C0}-\u{24F}";

/// A regular expression in which `\w` and `\d` mean the letters and digits of European words and `\b` the edge of an ASCII
/// word. The classes of all scripts make programs of a hundred times the size, and their word edge is searched for slowly as
/// soon as a text has a typographic apostrophe; English cues need neither.
///
/// # Errors
///
/// Where `source` is no regular expression.
///
/// # Example
///
/// ```
/// let funded = steadfast_annotate::pattern(r"(?i)\bfunded by (\w+)").unwrap();
/// assert_eq!(&funded.captures("It’s Funded by Zoë.").unwrap()[1], "Zoë");
/// ```
pub fn pattern(source: &str) -> Result<Regex, Error> {
    let mut plain = String::with_capacity(source.len() * 2);
    let mut inside = false;
    let mut characters = source.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match (characters.next(), inside) {
                (Some('b'), false) => plain.push_str(r"(?-u:\b)"),
                (Some('w'), false) => plain.extend(["[", WORD, "]"]),
                (Some('w'), true) => plain.push_str(WORD),
                (Some('W'), false) => plain.extend(["[^", WORD, "]"]),
                (Some('d'), false) => plain.push_str("[0-9]"),
                (Some('d'), true) => plain.push_str("0-9"),
                (Some(other), _) => plain.extend(['\\', other]),
                (None, _) => plain.push('\\'),
            },
            '[' => {
                inside = true;
                plain.push(c);
            }
            ']' => {
                inside = false;
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    Regex::new(&plain)
}

/// A constant pattern, compiled when it is first used. It panics there where its source is no regular expression.
///
/// ```
/// static FUNDED: steadfast_annotate::Pattern = steadfast_annotate::Pattern::new(r"(?i)\bfunded by (\w+)");
/// assert!(FUNDED.is_match("Funded by Zoë"));
/// ```
pub struct Pattern {
    source: &'static str,
    compile: fn(&str) -> Result<Regex, Error>,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    /// A pattern over European words, compiled by [`pattern`].
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self::with(source, pattern)
    }

    /// A pattern that `compile` compiles.
    #[must_use]
    pub const fn with(source: &'static str, compile: fn(&str) -> Result<Regex, Error>) -> Self {
        Self { source, compile, compiled: OnceLock::new() }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.compiled
            .get_or_init(|| (self.compile)(self.source).unwrap_or_else(|error| panic!("{}: {error}", self.source)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, pattern};

    #[track_caller]
    fn check(source: &str, text: &str, expect: Option<&str>) {
        assert_eq!(pattern(source).unwrap().find(text).map(|found| found.as_str()), expect, "{source}");
    }

    #[test]
    fn classes() {
        check(r"\w+", "…café.", Some("café"));
        check(r"[\w'’-]+", "the child’s", Some("the"));
        check(r"[^\w]+$", "over ->", Some(" ->"));
        check(r"\W+\d{2}", "a, 12", Some(", 12"));
        check(r"\d+", "१२", None);
        check(r"(?i)\bdon.?t\b", "I DON’T", Some("DON’T"));
        check(r"\[\w\]", "x[y]", Some("[y]"));
        check(r"\bcap\b", "recap capped cap", Some("cap"));
        assert!(pattern("(").is_err());
    }

    #[test]
    #[should_panic(expected = "(: regex parse error")]
    fn a_constant_that_is_none() {
        static NONE: Pattern = Pattern::new("(");
        let _ = NONE.is_match("");
    }
}
