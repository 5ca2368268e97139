//! Lead-ins: the few words before a colon that say what the rest is.

use std::ops::Range;

use crate::BlockKind;

/// Words that a lead-in before a colon may have.
const LEAD_IN_WORDS_MAX: usize = 6;
/// Words that a lead-in may have which is bold or stands alone on its line.
const BOLD_WORDS_MAX: usize = 12;

/// The lead-in of a line that holds text without markup: up to six words before its first colon (twelve where nothing
/// follows), as a range of `line` without the colon. The colon must be followed by white space or nothing, so a clock time or an
/// address has none. Of use for cells and paragraphs that hold several lines.
#[must_use]
pub fn lead_in(line: &str) -> Option<Range<usize>> {
    let (at, colon) = line.char_indices().find(|(_, c)| matches!(c, ':' | '：' | '\n'))?;
    if colon == '\n' {
        return None;
    }
    let rest = &line[at + colon.len_utf8()..];
    let followed = rest.chars().next();
    if colon == ':' && followed.is_some_and(|c| !c.is_whitespace()) {
        return None;
    }
    let alone = rest.split('\n').next().is_none_or(|line| line.trim().is_empty());
    let words = if alone { BOLD_WORDS_MAX } else { LEAD_IN_WORDS_MAX };
    trimmed(line, 0..at).filter(|range| is_label(&line[range.clone()], words))
}

/// The lead-in of a block, bold or not.
pub(crate) fn label(kind: &BlockKind, plain: &str, bold: &[Range<usize>]) -> Option<Range<usize>> {
    if matches!(kind, BlockKind::Code { .. } | BlockKind::Heading) {
        return None;
    }
    let start = plain.len() - plain.trim_start().len();
    if let Some(first) = bold.first().filter(|first| first.start <= start) {
        let inside = &plain[first.clone()];
        let after = plain[first.end..].trim_start_matches(' ');
        let colon_inside = inside.trim_end().ends_with([':', '：']);
        let alone = after.is_empty() || after.starts_with('\n');
        let leads = colon_inside
            || after.starts_with([':', '：', '–', '—'])
            || after.starts_with("- ")
            || (!alone && inside.trim_end().ends_with('.'))
            || (alone && !matches!(kind, BlockKind::TableCell { .. }) && !inside.trim_end().ends_with(['.', '!', '?']));
        if leads {
            let range = trimmed(plain, first.clone())?;
            let text = plain[range.clone()].trim_end_matches([':', '：', '.']).trim_end();
            let range = range.start..range.start + text.len();
            // "**Impact: High.** …": the label is what stands before the colon.
            if let Some(inner) = lead_in(text) {
                return Some(range.start + inner.start..range.start + inner.end);
            }
            if text.split_whitespace().nth(BOLD_WORDS_MAX).is_none() && text.chars().any(char::is_alphanumeric) {
                return Some(range);
            }
        }
    }
    lead_in(plain)
}

fn is_label(text: &str, words_max: usize) -> bool {
    text.split_whitespace().nth(words_max).is_none()
        && text.chars().any(char::is_alphabetic)
        && !text.contains(['?', '!', ';', '。'])
        && !text.contains(". ")
        && is_balanced(text)
}

/// Whether no quotation or bracket is open at the colon ("'The Game: Part 2' sells").
fn is_balanced(text: &str) -> bool {
    let count = |marks: &[char]| text.matches(marks).count();
    let single = text.starts_with('\'') && !text[1..].contains('\'');
    !single
        && count(&['"']) % 2 == 0
        && count(&['(']) == count(&[')'])
        && count(&['[']) == count(&[']'])
        && count(&['“']) == count(&['”'])
        && count(&['‘']) <= count(&['’'])
}

fn trimmed(plain: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = &plain[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    let end = start + text.trim().len();
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::lead_in;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        assert_eq!(lead_in(line).map_or("", |range| &line[range]), expect, "for {line:?}");
    }

    #[test]
    fn cases() {
        check("", "");
        check(":", "");
        check("Impact: high", "Impact");
        check("Impact : high", "Impact");
        check("Impact:", "Impact");
        check("Q1: ready", "Q1");
        check("at 10:30 we go: now", "");
        check("see https://a.b", "");
        check("10: thirty", "");
        check("The things that we need to buy right now: apples", "");
        check("The things that we need to buy right now:", "The things that we need to buy right now");
        check("Why? Because: no", "");
        check("First. Then: no", "");
        check("Impact\nCost: high", "");
        check("影响：高", "影响");
        check("'The Game: Part 2' sells", "");
        check("'The Game': a film", "'The Game'");
        check("(as said: no) it", "");
        check("Target (FY26): $2M", "Target (FY26)");
    }
}
