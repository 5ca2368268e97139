//! How much of one text another repeats.

use std::collections::{HashMap, HashSet};

use crate::{TokenKind, tokens};

/// Words in one shingle.
pub const SHINGLE_WORDS: usize = 5;

/// The share of `text`'s shingles that stand in `in_` as well, from 0 to 1.
///
/// A shingle is [`SHINGLE_WORDS`] words or numbers in a row, in lower case, punctuation and symbols left out (Broder,
/// "On the resemblance and containment of documents", 1997: this is his containment, over the multiset of `text`). A
/// text of fewer words is one shingle. A text without words gives 0. Time is linear in both texts.
#[must_use]
pub fn repeated_share(text: &str, in_: &str) -> f64 {
    let mut ids = HashMap::new();
    let words = word_ids(text, &mut ids);
    let others = word_ids(in_, &mut ids);
    let size = SHINGLE_WORDS.min(words.len());
    if size == 0 {
        return 0.0;
    }
    let there: HashSet<&[usize]> = others.windows(size).collect();
    let (mut found, mut total) = (0_u32, 0_u32);
    for shingle in words.windows(size) {
        total += 1;
        found += u32::from(there.contains(shingle));
    }
    f64::from(found) / f64::from(total)
}

fn word_ids(text: &str, ids: &mut HashMap<String, usize>) -> Vec<usize> {
    tokens(text)
        .into_iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Number))
        .map(|token| {
            let next = ids.len();
            *ids.entry(text[token.range].to_lowercase()).or_insert(next)
        })
        .collect()
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
