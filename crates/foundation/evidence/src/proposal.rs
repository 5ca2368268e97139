//! What somebody proposes of a text: its limits, and where its words stand. The same for every instrument.

use steadfast_text::{Document, QuoteIndex, Span};

/// Proposals of one origin that are read, at most.
pub const PROPOSALS_MAX: usize = 2_000;
/// Characters of a reason that are kept.
pub const WHY_CHARS_MAX: usize = 400;
/// A quote of more points at nothing, in bytes.
pub const PROPOSED_QUOTE_BYTES_MAX: usize = 600;
/// Letters and digits of a quote, in bytes, at least.
pub const PROPOSED_QUOTE_BYTES_MIN: usize = 4;

/// Characters of words that a message repeats.
const SHOWN_CHARS_MAX: usize = 120;

/// A reason on one line, cut to [`WHY_CHARS_MAX`].
#[must_use]
pub fn reason(why: &str) -> String {
    why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WHY_CHARS_MAX).collect()
}

/// Words that can point at a place: neither too few nor too many.
///
/// # Errors
/// Why they cannot, in words.
pub fn quotable(words: &str) -> Result<&str, String> {
    let words = words.trim();
    let telling: usize = words.chars().filter(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
    if telling < PROPOSED_QUOTE_BYTES_MIN {
        return Err(format!("\"{}\" is too short to point at a place", shown(words)));
    }
    if words.len() > PROPOSED_QUOTE_BYTES_MAX {
        return Err(format!("it quotes more than {PROPOSED_QUOTE_BYTES_MAX} bytes, which points at nothing"));
    }
    Ok(words)
}

/// Where words stand in a document as whole words, and what stands there.
#[must_use]
pub fn find_words(document: &Document, index: &QuoteIndex<'_>, words: &str) -> Option<(Span, String)> {
    let found = index.locate_where(words, |span| is_whole(document, span))?;
    Some((found.span, document.source.get(found.span.range()).unwrap_or_default().to_owned()))
}

/// Whether a place begins and ends where words do. Scripts that write no space between words end one with every character.
#[must_use]
pub fn is_whole(document: &Document, span: Span) -> bool {
    let source = &document.source;
    let (Some(before), Some(own), Some(after)) =
        (source.get(..span.start), source.get(span.range()), source.get(span.end..))
    else {
        return false;
    };
    let joined = |left: Option<char>, right: Option<char>| left.is_some_and(spaced) && right.is_some_and(spaced);
    !joined(before.chars().next_back(), own.chars().next()) && !joined(own.chars().next_back(), after.chars().next())
}

/// A letter or digit of a script that parts words by spaces: not of the planes of East and South-East Asia.
fn spaced(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c,
            '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The first words of a text, for a message.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS_MAX {
        shown.push('…');
    }
    shown
}
