//! The words of a short text, with what stands around them.

use std::ops::Range;

use steadfast_annotate::content_stems;

/// One word of a text.
pub(super) struct Word<'a> {
    pub(super) range: Range<usize>,
    pub(super) low: String,
    /// Its stem; `None` for words too common to count.
    pub(super) stem: Option<String>,
    /// Whether it opens the text, or a clause.
    pub(super) is_head: bool,
    /// Whether a mark follows that ends a clause.
    pub(super) ends_clause: bool,
    pub(super) raw: &'a str,
}

/// The words of a text, marks at their ends taken off; what stands inside ("17:00", "check-in") stays.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut at = 0;
    let mut is_head = true;
    let mut all = content_stems(text).into_iter().peekable();
    for piece in text.split_inclusive(char::is_whitespace) {
        let start = at;
        at += piece.len();
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() {
            is_head |= piece.trim().chars().any(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | ':' | ';' | '|'));
            continue;
        }
        let from = start + piece.find(bare).unwrap_or_default();
        let tail = text.get(from + bare.len()..at).unwrap_or_default();
        let ends_clause = tail.contains(['.', ',', ';', ':', '!', '?', ')', '"']);
        // A quotation begins anew.
        is_head |= piece.get(..from - start).is_some_and(|before| before.contains(['"', '\u{201C}', '(']));
        // The first content word that begins in it.
        while all.next_if(|(range, _)| range.start < from).is_some() {}
        let stem = all.next_if(|(range, _)| range.start < from + bare.len()).map(|(_, stem)| stem);
        out.push(Word {
            range: from..from + bare.len(),
            low: bare.to_lowercase(),
            stem,
            is_head,
            ends_clause,
            raw: bare,
        });
        is_head = tail.contains(['.', ';', ':', '!', '?']);
    }
    out
}
