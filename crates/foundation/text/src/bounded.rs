//! Tags with more attributes than any page has.

use std::borrow::Cow;

/// Attributes of one tag that are read: the tokenizer goes one call deeper with each.
const ATTRIBUTES_MAX: usize = 256;

/// Elements whose text holds no tags.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// The same text, byte for byte as long, in which the attributes of a tag beyond the first 256 are white space. Linear in the text.
pub(crate) fn bounded(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut blanked: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        let open = at + found;
        at = open + 1;
        if html[at..].starts_with("!--") {
            at = html[at..].find("-->").map_or(bytes.len(), |end| at + end);
            continue;
        }
        let name = at + usize::from(bytes.get(at) == Some(&b'/'));
        if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let tag = Tag::read(bytes, name);
        if let Some(from) = tag.from.filter(|from| *from < tag.end) {
            blanked.push((from, tag.end));
        }
        let raw = RAW.iter().find(|raw| name == at && is_named(&html[name..], raw));
        at = match raw {
            Some(raw) => end_of(html, tag.end, raw),
            None => tag.end,
        };
    }
    if blanked.is_empty() {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    let mut copied = 0;
    for (from, to) in blanked {
        out.push_str(&html[copied..from]);
        out.extend(std::iter::repeat_n(' ', to - from));
        copied = to;
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// Where a tag ends, and where the attributes begin that are too many.
struct Tag {
    end: usize,
    from: Option<usize>,
}

impl Tag {
    /// Reads a tag whose name begins at `name`, up to its `>` or the end.
    fn read(bytes: &[u8], name: usize) -> Self {
        let (mut attributes, mut from, mut quote) = (0_usize, None, None);
        // The name counts as the first.
        let mut apart = true;
        for (at, byte) in bytes.iter().copied().enumerate().skip(name) {
            match (quote, byte) {
                (Some(open), byte) => {
                    if byte == open {
                        quote = None;
                        // An attribute may follow without a space.
                        apart = true;
                    }
                }
                (None, b'>') => return Self { end: at, from },
                (None, b'"' | b'\'') if at > 0 && is_value(bytes, at) => quote = Some(byte),
                (None, b'/') => apart = true,
                (None, byte) if byte.is_ascii_whitespace() => apart = true,
                (None, _) if apart => {
                    apart = false;
                    attributes += 1;
                    if attributes == ATTRIBUTES_MAX + 2 {
                        from = Some(at);
                    }
                }
                (None, _) => {}
            }
        }
        Self { end: bytes.len(), from }
    }
}

/// Whether a quotation mark opens a value: an equals sign stands before it.
fn is_value(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'=')
}

/// Whether a tag has this name.
fn is_named(tag: &str, name: &str) -> bool {
    let own = tag.get(..name.len());
    own.is_some_and(|own| own.eq_ignore_ascii_case(name))
        && !tag.as_bytes().get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
}

/// Where the end tag of an element of raw text begins, from `at` on.
fn end_of(html: &str, at: usize, name: &str) -> usize {
    let ends = html.get(at..).into_iter().flat_map(|rest| rest.match_indices("</"));
    ends.map(|(found, _)| at + found).find(|open| is_named(&html[open + 2..], name)).unwrap_or(html.len())
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES_MAX, bounded};

    #[track_caller]
    fn unchanged(html: &str) {
        assert_eq!(bounded(html), html);
    }

    #[test]
    fn pages_stay_as_they_are() {
        unchanged("");
        unchanged("a < b and c > d");
        unchanged("<p class=\"a > b\" data-x='1'>text</p><!-- <a x x x> --><br/>");
        unchanged("<");
        unchanged("<a");
        unchanged("<a x=\"never closed > ");
        let many = "x=\"\" ".repeat(ATTRIBUTES_MAX - 1);
        unchanged(&format!("<a {many}>é</a>"));
        let words = "word ".repeat(4 * ATTRIBUTES_MAX);
        unchanged(&format!("<script>if (a <b {words}) {{}}</script><!-- <b {words} -->"));
        unchanged(&format!("<p>{words}</p>"));
    }

    #[test]
    fn what_is_too_much_is_blank_and_as_long() {
        for attribute in ["x=\"\" ", "x=''", "x=1 ", "x ", "é=\"ü\" ", "/x"] {
            let html = format!("<a {}>text &amp; <b>more</b></a>", attribute.repeat(40_000));
            let own = bounded(&html);
            assert_eq!(own.len(), html.len(), "{attribute}");
            assert!(own.ends_with(" >text &amp; <b>more</b></a>"), "{attribute}");
            assert!(own.trim_end().split('>').next().unwrap_or_default().trim_end().len() < 10_000, "{attribute}");
        }
    }
}
