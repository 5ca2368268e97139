//! Judged text made fit to be shown, before any escaping for a format.

use std::fmt::Write as _;

/// Whether a character acts on how text is shown without being seen itself: controls, bidirectional marks and overrides,
/// zero-width space and joiners of words, tags. The joiners of scripts and emoji (U+200C, U+200D) are not among them:
/// they spell words.
#[must_use]
pub const fn acts_unseen(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The text on one line, trimmed: white space of every kind becomes one space, what acts unseen is shown as `⟨U+202E⟩`.
pub(crate) fn one_line(text: &str) -> String {
    flat(text.trim(), usize::MAX)
}

/// As [`one_line`], but white space at either end stays as one space: for pieces that others stand beside. Reading stops once there
/// are more than `chars_max` characters.
fn flat(text: &str, chars_max: usize) -> String {
    let mut line = String::with_capacity(text.len().min(chars_max));
    let mut gap = false;
    // What is shown in place of a character is no shorter than that, so these are at most as many as the line has.
    let mut chars = 0;
    for character in text.chars() {
        if chars > chars_max {
            return line;
        }
        if character.is_whitespace() {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            chars += 1;
        }
        chars += 1;
        if acts_unseen(character) {
            let _ = write!(line, "⟨U+{:04X}⟩", character as u32);
        } else {
            line.push(character);
        }
    }
    if gap {
        line.push(' ');
    }
    line
}

/// At most `chars_max` characters, cut after a word where one ends in the last third, with `…` for the rest.
pub(crate) fn shorten(text: &str, chars_max: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let head = &text[..cut];
    let word_end = head.rfind(' ').filter(|end| *end >= cut - cut / 3);
    format!("{}…", head[..word_end.unwrap_or(cut)].trim_end())
}

/// Judged text on one line, of at most `chars_max` characters.
pub(crate) fn line(text: &str, chars_max: usize) -> String {
    shorten(&flat(text.trim(), chars_max), chars_max)
}

/// A text with a capital first.
pub(crate) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Text of others made fit to be shown on one line, before any escaping: white space of every kind becomes one space, what acts unseen
/// (controls, bidirectional marks) is shown as `⟨U+202E⟩`. At most `chars_max` characters, with `…` for the rest.
#[must_use]
pub fn shown_line(text: &str, chars_max: usize) -> String {
    line(text, chars_max)
}

/// Text of others made fit to be shown with its lines and its white space, before any escaping: what acts unseen is shown as
/// `⟨U+202E⟩`.
#[must_use]
pub fn shown_block(text: &str) -> String {
    let mut block = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        match character {
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => block.push('\n'),
            _ if acts_unseen(character) => {
                let _ = write!(block, "⟨U+{:04X}⟩", character as u32);
            }
            _ => block.push(character),
        }
    }
    block
}

/// The beginning of a text as [`shown_block`] shows it: at most `chars_max` characters, and how many were left out.
pub(crate) fn block(text: &str, chars_max: usize) -> (String, usize) {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => (shown_block(&text[..end]), text[end..].chars().count()),
        None => (shown_block(text), 0),
    }
}

/// Whether a file is HTML, by its name.
pub(crate) fn is_html(file: &str) -> bool {
    let extension = file.rsplit('.').next().unwrap_or_default();
    extension.eq_ignore_ascii_case("html")
        || extension.eq_ignore_ascii_case("htm")
        || extension.eq_ignore_ascii_case("xhtml")
}

/// A piece of a file as a reader of that file sees it, on one line: markup of HTML is taken off, references are decoded.
pub(crate) fn shown(file: &str, piece: &str) -> String {
    if is_html(file) { one_line(&without_tags(piece)) } else { one_line(piece) }
}

/// As [`shown`], but white space at either end stays as one space.
pub(crate) fn shown_beside(file: &str, piece: &str) -> String {
    if is_html(file) { flat(&without_tags(piece), usize::MAX) } else { flat(piece, usize::MAX) }
}

/// Whether a tag, a comment or a declaration opens at the start of `rest`.
pub(crate) fn opens_tag(rest: &str) -> bool {
    let mut bytes = rest.bytes();
    bytes.next() == Some(b'<')
        && bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
}

/// The text of a fragment of HTML. A tag that the fragment cuts off is dropped.
fn without_tags(fragment: &str) -> String {
    let mut text = String::with_capacity(fragment.len());
    let mut rest = fragment;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if opens_tag(rest) {
            let Some(end) = rest.find('>') else { return text };
            rest = &rest[end + 1..];
        } else if let Some((character, length)) = reference(rest) {
            text.push(character);
            rest = &rest[length..];
        } else {
            text.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    text.push_str(rest);
    text
}

/// The character that a reference at the start of `rest` stands for, and the reference's length in bytes.
fn reference(rest: &str) -> Option<(char, usize)> {
    /// No reference that is read here is longer.
    const REFERENCE_BYTES_MAX: usize = 12;
    let body = rest.strip_prefix('&')?;
    let end = body.bytes().take(REFERENCE_BYTES_MAX).position(|byte| byte == b';')?;
    let name = &body[..end];
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "euro" => '€',
        "pound" => '£',
        "times" => '×',
        "asymp" => '≈',
        "ge" => '≥',
        "le" => '≤',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((character, end + 2))
}

#[cfg(test)]
mod tests {
    use super::{block, one_line, shorten, shown};

    #[track_caller]
    fn line(text: &str, expected: &str) {
        assert_eq!(one_line(text), expected);
    }

    #[test]
    fn what_acts_unseen_is_shown() {
        line("plain", "plain");
        line("", "");
        line(" \n\t a \r\n b\u{a0}c \u{2028} d ", "a b c d");
        line("\u{202e}evil\u{202c}", "⟨U+202E⟩evil⟨U+202C⟩");
        line("\u{1b}[31mred", "⟨U+001B⟩[31mred");
        line("nul\u{0}", "nul⟨U+0000⟩");
        line("c1\u{9b}31m", "c1⟨U+009B⟩31m");
        line("\u{feff}bom", "⟨U+FEFF⟩bom");
        line("zero\u{200b}width", "zero⟨U+200B⟩width");
        line("tag\u{e0041}", "tag⟨U+E0041⟩");
        line("soft\u{ad}hyphen", "soft⟨U+00AD⟩hyphen");
        line("👩\u{200d}🚒", "👩\u{200d}🚒");
        line("می\u{200c}خواهم", "می\u{200c}خواهم");
    }

    #[test]
    fn a_block_keeps_its_lines() {
        for (text, expected) in [
            ("a\n  b\tc", "a\n  b\tc"),
            ("a\r\nb\rc\u{2028}d", "a\nb\nc\nd"),
            ("\u{202e}x\u{1b}[0m", "⟨U+202E⟩x⟨U+001B⟩[0m"),
        ] {
            assert_eq!(super::shown_block(text), expected);
        }
        assert_eq!(super::shown_line(" a\n b ", 80), "a b");
    }

    #[test]
    fn a_line_is_read_no_further_than_it_is_shown() {
        for text in
            ["", " a ", "a b  c", "one two\n three   four", "\u{202e}\u{1b}x y", "日本 語の 文章", "a          b"]
        {
            for chars_max in 0..20 {
                assert_eq!(super::line(text, chars_max), shorten(&one_line(text), chars_max), "{text:?} {chars_max}");
            }
        }
    }

    #[test]
    fn a_block_ends_where_it_may_be_no_longer() {
        assert_eq!(block("a\r\nb", 99), ("a\nb".to_owned(), 0));
        assert_eq!(block("日本語の文章", 3), ("日本語".to_owned(), 3));
        assert_eq!(block("abc", 3), ("abc".to_owned(), 0));
        assert_eq!(block("", 0), (String::new(), 0));
    }

    #[track_caller]
    fn cut(text: &str, chars_max: usize, expected: &str) {
        assert_eq!(shorten(text, chars_max), expected);
    }

    #[test]
    fn long_text_is_cut_after_a_word() {
        cut("short", 5, "short");
        cut("shorter", 5, "short…");
        cut("one two three", 9, "one two…");
        cut("one two three", 0, "…");
        cut("日本語の文章", 3, "日本語…");
        cut("", 0, "");
    }

    #[track_caller]
    fn html(piece: &str, expected: &str) {
        assert_eq!(shown("a.html", piece), expected);
    }

    #[test]
    fn html_is_read_as_its_reader_sees_it() {
        html("The app &amp; its <b>subscription</b>", "The app & its subscription");
        html("a < b &c; &#x41;&#66;", "a < b &c; AB");
        html("cut <b off", "cut");
        html("&lt;script&gt;", "<script>");
        html("&#xFFFFFFFF; &#; &", "&#xFFFFFFFF; &#; &");
        html("&#8238;x", "⟨U+202E⟩x");
        assert_eq!(shown("a.md", "<b>&amp;"), "<b>&amp;");
    }
}
