//! Plain text: paragraphs parted by blank lines, and the lists that people write in them.

use crate::Span;
use crate::builder::{Builder, is_white};

/// A line of at least so many bytes that does not end a sentence is taken as wrapped: its end is a space, not a line
/// break.
const WRAPPED_LINE_BYTES_MIN: usize = 50;

/// Columns by which an item is indented more than another to stand below it.
const INDENT_COLUMNS: usize = 2;

pub(crate) fn read(builder: &mut Builder<'_>) {
    let source = builder.source;
    let mut at = source.len() - source.trim_start_matches('\u{FEFF}').len();
    // Indents of the open lists.
    let mut indents: Vec<(usize, bool)> = Vec::new();
    let mut blank = true;
    // Where the last line ended, and whether it is a wrapped one.
    let mut last: Option<(usize, bool)> = None;
    for line in source[at..].split_inclusive('\n') {
        let text = line.trim_matches(is_white);
        let start = at + (line.len() - line.trim_start_matches(is_white).len());
        at += line.len();
        if text.is_empty() {
            builder.flush();
            blank = true;
            last = None;
            continue;
        }
        let indent = columns(&line[..line.len() - line.trim_start_matches([' ', '\t']).len()]);
        let mut body = start;
        if let Some((marker, number)) = item(text) {
            builder.flush();
            let ordered = number.is_some();
            while indents.last().is_some_and(|(open, _)| indent + INDENT_COLUMNS <= *open)
                || (indents.last().is_some_and(|(open, kind)| indent < *open + INDENT_COLUMNS && *kind != ordered))
            {
                indents.pop();
                builder.end_list();
            }
            if indents.last().is_none_or(|(open, _)| indent >= *open + INDENT_COLUMNS) {
                indents.push((indent, ordered));
                builder.start_list(number);
            }
            builder.start_item(number);
            body += marker;
            last = None;
        } else if blank {
            // After a blank line only what is indented still belongs to the item.
            while indents.last().is_some_and(|(open, _)| indent < *open + INDENT_COLUMNS) {
                indents.pop();
                builder.end_list();
            }
        }
        if let Some((end, wrapped)) = last {
            let gap = Span::new(end, start);
            if wrapped { builder.white(gap) } else { builder.line_break(gap) }
        }
        let end = start + text.len();
        builder.verbatim(Span::new(body.min(end), end));
        let wrapped = text.len() >= WRAPPED_LINE_BYTES_MIN && !text.ends_with(['.', '!', '?', ':', ';', '。', '|']);
        last = Some((end, wrapped));
        blank = false;
    }
    builder.flush();
}

fn columns(indent: &str) -> usize {
    indent.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

/// The length of an item's marker with the white space after it, and its number.
fn item(text: &str) -> Option<(usize, Option<u64>)> {
    let first = text.chars().next()?;
    let (marker, number) = if matches!(first, '-' | '*' | '•' | '‣' | '◦' | '▪' | '–') {
        (first.len_utf8(), None)
    } else {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=3).contains(&digits) || !text[digits..].starts_with(['.', ')']) {
            return None;
        }
        (digits + 1, Some(text[..digits].parse().ok()?))
    };
    let rest = &text[marker..];
    let white = rest.len() - rest.trim_start_matches(is_white).len();
    (white > 0).then_some((marker + white, number))
}
