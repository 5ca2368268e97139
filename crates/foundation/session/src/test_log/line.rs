//! One line of a log: its text and its words.

use super::COUNT_MAX;

/// A count of tests; none where it is more than [`COUNT_MAX`].
pub(super) fn count(text: &str) -> Option<u64> {
    text.parse().ok().filter(|it| *it <= COUNT_MAX)
}

/// A line, in lower case where words are compared.
pub(super) struct Line<'a> {
    /// As it is written, without white space at its ends.
    pub(super) text: &'a str,
    /// How many blanks stand before it.
    pub(super) indent: usize,
    /// The same in lower case.
    pub(super) low: String,
    words: Vec<(usize, usize)>,
}

impl<'a> Line<'a> {
    pub(super) fn of(raw: &'a str) -> Self {
        let text = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        let low = text.to_ascii_lowercase();
        let mut words = Vec::new();
        let mut from = None;
        for (at, c) in low.char_indices() {
            match (c.is_alphanumeric() && c != 'ℹ', from) {
                (true, None) => from = Some(at),
                (false, Some(start)) => {
                    words.push((start, at));
                    from = None;
                }
                _ => {}
            }
        }
        words.extend(from.map(|start| (start, low.len())));
        Self { text, indent, low, words }
    }

    /// Its words: runs of letters and digits in lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|(from, to)| &self.low[*from..*to])
    }

    fn at(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |(from, to)| &self.low[*from..*to])
    }

    /// The word at a place, empty past the end.
    pub(super) fn word(&self, index: usize) -> &str {
        self.at(index)
    }

    /// The number at a place; none where it is more than any run of tests has.
    pub(super) fn number(&self, index: usize) -> Option<u64> {
        count(self.at(index))
    }

    /// The number that stands right before one of these words ("4 passed").
    pub(super) fn before(&self, names: &[&str]) -> Option<u64> {
        (1..self.words.len())
            .find(|at| names.contains(&self.at(*at)) && self.number(*at - 1).is_some())
            .and_then(|at| self.number(at - 1))
    }

    /// The number that stands right behind one of these words ("Failures: 1").
    pub(super) fn after(&self, names: &[&str]) -> Option<u64> {
        (0..self.words.len())
            .find(|at| names.contains(&self.at(*at)) && self.number(*at + 1).is_some())
            .and_then(|at| self.number(at + 1))
    }

    /// The number before one of these words, 0 where there is none.
    pub(super) fn count(&self, names: &[&str]) -> u64 {
        self.before(names).unwrap_or(0)
    }

    /// The number behind one of these words, 0 where there is none.
    pub(super) fn value(&self, names: &[&str]) -> u64 {
        self.after(names).unwrap_or(0)
    }

    pub(super) fn starts(&self, with: &str) -> bool {
        self.low.starts_with(with)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words().any(|own| own == word)
    }
}
