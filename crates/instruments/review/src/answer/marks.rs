//! Where items begin in a line: signs, alone or side by side, and the labels before them.

use steadfast_text::Span;

use super::lines::{LABEL_BYTES_MAX, LABEL_WORDS_MAX, Line};
use super::sign::{Marked, may_begin, sign_at};

/// A sign in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) marked: Marked,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Signs that stand together and begin an item each, of one text.
pub(super) struct Group {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) signs: Vec<Found>,
    /// The label that stands before it.
    pub(super) lead: Option<Span>,
}

/// Every sign of a line, with no legend ("✅ = verified").
pub(super) fn signs(text: &str, start: usize, end: usize) -> Vec<Found> {
    let mut out = Vec::new();
    let mut at = start;
    while let Some((offset, _)) =
        text.get(at..end).and_then(|rest| rest.char_indices().find(|(_, first)| may_begin(*first)))
    {
        at += offset;
        match sign_at(text, at).filter(|(_, after)| *after <= end) {
            Some((marked, after)) => {
                if !text[after..end].trim_start().starts_with('=') {
                    out.push(Found { marked, start: at, end: after });
                }
                at = after;
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    out
}

/// Words after which a picture is part of the sentence.
const WITHIN: &[&str] = &[
    "the", "a", "an", "of", "with", "for", "and", "or", "as", "no", "to", "any", "this", "that", "our", "my", "by",
    "in", "on", "is", "are", "was", "mark", "marked", "use", "used",
];

/// The groups of signs that begin items.
pub(super) fn beginnings(text: &str, line: &Line<'_>, signs: &[Found]) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    let mut last_end = usize::MAX;
    for found in signs {
        let gap = text.get(last_end.min(found.start)..found.start).unwrap_or_default();
        if last_end <= found.start && gap.chars().all(|c| c.is_whitespace() || matches!(c, '/' | '+' | ',')) {
            // Beside another sign: of the same text.
            if let Some(group) = out.last_mut().filter(|group| group.end == last_end) {
                if !group.signs.iter().any(|other| other.marked == found.marked) {
                    group.signs.push(*found);
                }
                group.end = found.end;
                last_end = found.end;
                continue;
            }
        }
        let before = text.get(line.start..found.start).unwrap_or_default();
        let lead = lead(before).map(|len| Span::new(line.start, line.start + len));
        if before.trim_start_matches(['*', '_', '[', '(', '"', '\'', ' ', '\t', ':', '-', '#', '`']).is_empty()
            || (out.is_empty() && lead.is_some())
            || begins_within(text, line, found, before)
        {
            out.push(Group { start: found.start, end: found.end, signs: vec![*found], lead });
            last_end = found.end;
        } else {
            last_end = usize::MAX;
        }
    }
    out
}

/// "Label:" before a sign: the length of the label without its colon.
fn lead(before: &str) -> Option<usize> {
    let trimmed = before.trim_end().trim_end_matches(['*', '_', '[', '(']).trim_end();
    let label = trimmed.strip_suffix([':', '|', '–', '—', '→'])?.trim_end();
    let label = label.trim_end_matches(['*', '_']);
    (label.len() <= LABEL_BYTES_MAX
        && !label.is_empty()
        && label.split_whitespace().count() <= LABEL_WORDS_MAX
        && !label.contains(['.', '!', '?', ';']))
    .then_some(label.len())
}

/// Whether a sign in the middle of a line begins an item of its own: after a separator or the end of a sentence, or before a
/// capital unless the word before it makes the picture part of the sentence.
fn begins_within(text: &str, line: &Line<'_>, found: &Found, before: &str) -> bool {
    // Looks at a bounded piece of what stands before.
    let mut from = before.len().saturating_sub(40);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let near = before.get(from..).unwrap_or_default();
    let word = near.trim_end();
    if word.len() == near.len() && !word.ends_with(['|', ';', ',']) {
        // Glued to a word.
        return false;
    }
    if word.ends_with(['.', ';', '|', ',', '·', '•', '!', '?', ')', ']', '-', '–', '—']) {
        return true;
    }
    let last = word.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    if WITHIN.contains(&last.as_str()) {
        return false;
    }
    let after = text.get(found.end..line.end).unwrap_or_default().trim_start();
    after.chars().next().is_some_and(|next| next.is_uppercase() || matches!(next, '[' | '*'))
}
