//! Words of a sentence in lower case, and the numbers among them.

use steadfast_time::numeral::small_cardinal;

/// The longest sentence that is looked at, in bytes: what is longer is no claim.
pub(crate) const SENTENCE_BYTES_MAX: usize = 2_000;

/// The words of a sentence in lower case, punctuation taken off; a mark that ends a clause stays as a word of its own.
pub(crate) fn words(sentence: &str) -> Vec<String> {
    steadfast_steps::spend(sentence.len());
    if sentence.len() > SENTENCE_BYTES_MAX {
        return Vec::new();
    }
    let mut out = Vec::new();
    for raw in sentence.split_whitespace() {
        let low = raw.to_lowercase().replace('’', "'");
        let ends = low.ends_with([',', ';', ':', '.', '!', '?']) || low == "--" || low == "–" || low == "—";
        let word = low.trim_matches(|c: char| !c.is_alphanumeric() && c != '%');
        if !word.is_empty() {
            out.push(word.to_owned());
        }
        if ends {
            out.push(low.chars().last().map_or_else(String::new, String::from));
        }
    }
    out
}

/// A whole number in digits ("12", "1,204") or in words up to twenty.
pub(crate) fn number(word: &str) -> Option<u64> {
    if let Some(small) = small_cardinal(word) {
        return Some(small.into());
    }
    let digits: String = word.chars().filter(|c| *c != ',').collect();
    if digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// "5/5", "4 of 5", "4 out of 5" at a place in the words: both numbers and how many words they take.
pub(crate) fn fraction(words: &[String], at: usize) -> Option<(u64, u64, usize)> {
    let word = words.get(at)?;
    if let Some((part, whole)) = word.split_once('/') {
        return Some((number(part)?, number(whole)?, 1));
    }
    let part = number(word)?;
    let next = |offset: usize| words.get(at + offset).map_or("", String::as_str);
    if next(1) == "of" {
        let skip = usize::from(matches!(next(2), "the" | "all"));
        return Some((part, number(next(2 + skip))?, 3 + skip));
    }
    if next(1) == "out" && next(2) == "of" {
        return Some((part, number(next(3))?, 4));
    }
    None
}

/// Whether a sentence takes back or bounds what it says.
pub(crate) fn hedged(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "not"
                | "no"
                | "never"
                | "cannot"
                | "except"
                | "unless"
                | "should"
                | "would"
                | "will"
                | "once"
                | "if"
                | "until"
                | "about"
                | "almost"
                | "nearly"
                | "roughly"
                | "approximately"
                | "least"
                | "most"
                | "up"
                | "over"
                | "before"
                | "originally"
                | "previously"
                | "only"
                | "target"
                | "expected"
                | "want"
                | "ensure"
                | "make"
                | "verify"
                | "whether"
        ) || word.ends_with("n't")
    })
}
