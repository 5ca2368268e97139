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
    let source = &document.source;
    let joined = |left: Option<char>, right: Option<char>| {
        left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
    };
    let whole = |span: Span| {
        let parts = (source.get(..span.start), source.get(span.range()), source.get(span.end..));
        let (Some(before), Some(own), Some(after)) = parts else { return false };
        !joined(before.chars().next_back(), own.chars().next())
            && !joined(own.chars().next_back(), after.chars().next())
    };
    let found = index.locate_where(words, whole)?;
    Some((found.span, source.get(found.span.range()).unwrap_or_default().to_owned()))
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
