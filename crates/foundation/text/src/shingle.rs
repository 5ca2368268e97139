//! How much of one text another repeats.

use std::collections::{HashMap, HashSet};

use crate::{TokenKind, tokens};

/// Words in one shingle.
pub const SHINGLE_WORDS: usize = 5;

/// The shingles of a text, for looking up how much of others it holds.
///
/// A shingle is [`SHINGLE_WORDS`] words or numbers in a row, in lower case, punctuation and symbols left out (Broder,
/// "On the resemblance and containment of documents", 1997).
#[derive(Clone, Debug, Default)]
pub struct Shingles {
    ids: HashMap<String, usize>,
    words: Vec<usize>,
    there: HashSet<[usize; SHINGLE_WORDS]>,
}

impl Shingles {
    /// Reads a text once. Time is linear in it.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut ids = HashMap::new();
        let mut words = Vec::new();
        for word in folded_words(text) {
            let next = ids.len();
            words.push(*ids.entry(word).or_insert(next));
        }
        let there = words.windows(SHINGLE_WORDS).filter_map(|window| window.try_into().ok()).collect();
        Self { ids, words, there }
    }

    /// The share of `text`'s shingles that stand here as well, from 0 to 1: Broder's containment, over the multiset of `text`. A text of
    /// fewer words is one shingle, a text without words gives 0. Time is linear in `text`; for one of fewer words, in the text
    /// that was read.
    #[must_use]
    pub fn share_of(&self, text: &str) -> f64 {
        let words: Vec<Option<usize>> = folded_words(text).map(|word| self.ids.get(&word).copied()).collect();
        if words.is_empty() {
            return 0.0;
        }
        if words.len() < SHINGLE_WORDS {
            let Some(own) = words.into_iter().collect::<Option<Vec<usize>>>() else { return 0.0 };
            return if self.words.windows(own.len()).any(|window| window == own) { 1.0 } else { 0.0 };
        }
        let (mut found, mut total) = (0_u32, 0_u32);
        for window in words.windows(SHINGLE_WORDS) {
            let shingle: Option<Vec<usize>> = window.iter().copied().collect();
            let stands = shingle
                .and_then(|own| <[usize; SHINGLE_WORDS]>::try_from(own).ok())
                .is_some_and(|own| self.there.contains(&own));
            total += 1;
            found += u32::from(stands);
        }
        f64::from(found) / f64::from(total)
    }
}

/// The share of `text`'s shingles that stand in `in_` as well, see [`Shingles::share_of`].
#[must_use]
pub fn repeated_share(text: &str, in_: &str) -> f64 {
    Shingles::of(in_).share_of(text)
}

fn folded_words(text: &str) -> impl Iterator<Item = String> {
    tokens(text)
        .into_iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Number))
        .map(|token| text[token.range].to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::repeated_share;

    #[track_caller]
    fn check(text: &str, in_: &str, expect: f64) {
        let share = repeated_share(text, in_);
        assert!((share - expect).abs() < 1e-9, "{share} for {text:?} in {in_:?}");
    }

    #[test]
    fn shares() {
        check("", "", 0.0);
        check("", "a b c", 0.0);
        check("…", "…", 0.0);
        check("a", "", 0.0);
        check("a", "b a c", 1.0);
        check("a b", "b a", 0.0);
        check("a b c d e", "A b, c: d (e)", 1.0);
        check("a b c d e f", "a b c d e", 0.5);
        check("a b c d e f", "x a b c d e x b c d e f", 1.0);
        check("a b c d e f g h i j", "a b c d e", 1.0 / 6.0);
        check("a b c d e", "e d c b a", 0.0);
        check("Pay 5 teams by May 3", "We pay 5 teams by May 3.", 1.0);
    }
}
