//! Sentences of what users and agents write: those of `text`, parted at semicolons and ellipses too, with code left whole.

use std::ops::Range;

/// The sentences of a text as ranges of it, in pieces of at most [`steadfast_text::SENTENCE_BYTES_MAX`]. Marks within backticks end none.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let plain = masked(text);
    let mut out = Vec::new();
    for range in steadfast_text::sentences(&plain) {
        let mut start = range.start;
        for (at, mark) in plain[range.clone()].match_indices([';', '.']) {
            let end = range.start + at + 1;
            let parts = mark == ";" || plain[range.start..end].ends_with("...");
            if parts && plain[end..range.end].starts_with(char::is_whitespace) {
                out.push(start..end);
                start = end + (plain[end..].len() - plain[end..].trim_start().len());
            }
        }
        if start < range.end {
            out.push(start..range.end);
        }
    }
    out
}

/// A text of the same length in which no mark within backticks ends a sentence. A code span ends with its line.
fn masked(text: &str) -> String {
    let mut code = false;
    let mask = |c: char| {
        code = (code != (c == '`')) && c != '\n';
        match c {
            '.' | '!' | '?' | ';' if code => '_',
            '…' if code => '—',
            _ => c,
        }
    };
    text.chars().map(mask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfast_text::SENTENCE_BYTES_MAX;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let got: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(got.join("|"), expect, "for {text:?}");
    }

    #[test]
    fn ends_of_sentences() {
        check("All pass. See e.g. `a. b`; it is fine!", "All pass.|See e.g. `a. b`;|it is fine!");
        check("`a. b… c` is `d", "`a. b… c` is `d");
        check("Fix `a. b\nThen stop. Done", "Fix `a. b|Then stop.|Done");
        check("a;b; c;", "a;b;|c;");
        check("dont commit... eh nvm, do", "dont commit...|eh nvm, do");
    }

    #[test]
    fn long_sentences_come_in_pieces() {
        assert_eq!(sentences(&"x".repeat(SENTENCE_BYTES_MAX)).len(), 1);
        assert_eq!(sentences(&"x".repeat(SENTENCE_BYTES_MAX + 1)).len(), 2);
    }

    /// Marks without white space behind them cost time in the square of the text where whoever looks back is not bounded.
    #[test]
    fn a_hostile_text_is_read_in_linear_time() {
        for piece in ["a.", "a;", "`.", "(."] {
            let text = piece.repeat(200_000);
            assert!(sentences(&text).iter().all(|range| range.len() <= SENTENCE_BYTES_MAX));
        }
    }
}
