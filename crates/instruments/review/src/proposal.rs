//! A proposal, and where its words stand.

use steadfast_evidence::{Origin, PROPOSED_QUOTE_BYTES_MAX, PROPOSED_QUOTE_BYTES_MIN, WHY_CHARS_MAX};
use steadfast_text::{Document, QuoteIndex, Span};

/// What is said of a criterion, of a claim, or of what the user forbade or demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The quote meets the criterion.
    Met,
    /// The output leaves it unmet.
    Unmet,
    /// What was taken for a report on it is none.
    Unreported,
    /// Other words of the output contradict the claim, or those of a call do.
    Contradicted,
    /// A call bears the claim out.
    Supported,
    /// No call speaks of the claim.
    Unsupported,
    /// A call breaks what was forbidden or demanded. Without a quote: no call does what was demanded.
    Broken,
    /// It is kept.
    Kept,
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The criterion: its id, or its text.
    pub criterion: Option<String>,
    /// Words of the output that claim something.
    pub claim: Option<String>,
    /// Words of the user that forbid or demand something.
    pub asked: Option<String>,
    /// What is said of it.
    pub relation: Relation,
    /// The turn, from 1, whose calls hold the quote. Without one it stands in the output.
    pub turn: Option<usize>,
    /// Words of the output that say so, or of a call or what it gave back.
    pub quote: String,
    /// Why, for a reader.
    pub why: String,
}

/// What one origin proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Who proposes it.
    pub by: Origin,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

/// Why, on one line and cut.
pub(crate) fn why(own: &Proposal) -> String {
    own.why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WHY_CHARS_MAX).collect()
}

/// Words that can point at a place: neither too few nor too many.
pub(crate) fn quotable(words: &str) -> Result<&str, String> {
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
pub(crate) fn find(document: &Document, index: &QuoteIndex<'_>, words: &str) -> Option<(Span, String)> {
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
pub(crate) fn shown(text: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 120;
    let mut shown: String = text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS_MAX {
        shown.push('…');
    }
    shown
}
