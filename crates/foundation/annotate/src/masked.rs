//! Quotations: words of somebody else, which oblige nobody.

use std::ops::Range;

/// Longest quotation, in bytes: beyond it a quotation mark is taken as a stray one.
const QUOTATION_BYTES_MAX: usize = 600;

/// What stands between double quotation marks or backticks, without the marks. Typographic apostrophes are none.
pub(crate) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, first) in text.char_indices() {
        let close = match first {
            '"' => '"',
            '“' => '”',
            '«' => '»',
            '`' => '`',
            _ => continue,
        };
        let after = at + first.len_utf8();
        if at < from {
            continue;
        }
        let window = text.floor_char_boundary(after + QUOTATION_BYTES_MAX);
        if let Some(length) = text[after..window].find(close) {
            found.push(after..after + length);
            from = after + length + close.len_utf8();
        }
    }
    found
}

/// `text`, byte for byte as long, with its quotations blotted out by `_`.
#[must_use]
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for quotation in quotations(text) {
        out.push_str(&text[at..quotation.start]);
        out.extend(std::iter::repeat_n('_', quotation.len()));
        at = quotation.end;
    }
    out + &text[at..]
}
