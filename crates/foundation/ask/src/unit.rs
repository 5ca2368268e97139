//! The parts of a sentence that can each oblige to something of their own.
//!
//! A part begins at a mark that parts clauses, at a main clause or an aside of the annotated sentence, and at a comma behind which something is
//! ordered, ruled out, bounded or said with a verb of its own. A condition stays with what depends on it. Linear in the number of tokens.

use std::ops::Range;

use steadfast_annotate::lexicon::Class;
use steadfast_annotate::{Kind, Role, Sentence, Token};

use crate::scan::{joins_figures, trimmed};

/// Words behind a comma that are looked through for a verb.
const AHEAD_WORDS_MAX: usize = 7;

/// The units of a sentence, in order, without the conjunctions and marks around them.
pub(crate) fn units(sentence: &Sentence<'_>) -> Vec<Range<usize>> {
    let (tokens, masked) = (&sentence.tokens, sentence.masked.as_str());
    let mut starts: Vec<usize> = sentence
        .clauses
        .iter()
        .filter(|clause| matches!(clause.role, Role::Main | Role::Aside))
        .map(|clause| clause.tokens.start)
        .collect();
    starts.sort_unstable();
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut begin, mut depth) = (0, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        if depth == 0 && at > begin && parts(tokens, masked, begin, at, starts.binary_search(&at).is_ok()) {
            found.push(tokens[begin].range.start..tokens[at - 1].range.end);
            begin = at;
        }
        match token.raw {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if let (Some(first), Some(last)) = (tokens.get(begin), tokens.last()) {
        found.push(first.range.start..last.range.end);
    }
    found
        .into_iter()
        .map(|range| trimmed(masked, polite(tokens, masked, range)))
        .filter(|range| masked[range.clone()].chars().any(char::is_alphanumeric))
        .collect()
}

/// Words that ask nicely or go on from what was said, and are no part of what is asked.
const COURTESY: &[&str] = &[
    "please", "pls", "plz", "kindly", "thanks", "ta", "thx", "cheers", "oh", "ok", "okay", "just", "so", "and", "but",
    "or", "then", "also",
];

/// A unit without the words of courtesy at its ends.
fn polite(tokens: &[Token<'_>], masked: &str, range: Range<usize>) -> Range<usize> {
    let own = &tokens[tokens.partition_point(|token| token.range.start < range.start)..];
    let own = &own[..own.partition_point(|token| token.range.start < range.end)];
    let empty = |token: &Token<'_>| token.is_in(COURTESY) || token.raw == ",";
    let that = own.get(1).is_some_and(|token| token.is("that"));
    let first = own.iter().position(|token| !empty(token)).filter(|at| !(that && *at == 1)).unwrap_or(0);
    let last = own.iter().rposition(|token| !token.is_in(&COURTESY[..8]) && token.raw != ",").unwrap_or(0);
    match (own.get(first), own.get(last)) {
        (Some(one), Some(other)) if one.range.start < other.range.end => {
            one.range.start..if last + 1 == own.len() { range.end } else { other.range.end }
        }
        _ => trimmed(masked, range),
    }
}

/// Whether a unit that began at token `begin` ends before token `at`.
fn parts(tokens: &[Token<'_>], masked: &str, begin: usize, at: usize, clause: bool) -> bool {
    let (before, token) = (&tokens[at - 1], &tokens[at]);
    let between = &masked[before.range.end..token.range.start];
    let spaced = |index: usize| {
        tokens.get(index).is_some_and(|mark| !mark.glued) && tokens.get(index + 1).is_some_and(|next| !next.glued)
    };
    match before.raw {
        ";" | "\u{2014}" => return true,
        ":" => return !token.glued,
        "-" | "\u{2013}" => {
            return spaced(at - 1) && !joins_figures(&masked[..before.range.start], &masked[token.range.start..]);
        }
        _ => {}
    }
    if between.contains('\n') {
        return true;
    }
    // "Do not apologise, name the builder or mention costs": what is denied goes on to the last "or".
    let joins = |token: &Token<'_>| token.is_in(&["or", "nor"]);
    let goes_on = tokens[at..].iter().take(AHEAD_WORDS_MAX).take_while(|token| !token.is_in(ENDS)).any(joins);
    if (joins(token) || before.raw == "," && goes_on) && !opens_denial(tokens, at) && is_denied(tokens, begin) {
        return false;
    }
    let conditional = tokens[begin].is_in(&["if", "when", "where", "unless", "once", "whenever", "should"])
        && !tokens[begin..at - 1].iter().any(|token| token.raw == ",");
    if before.raw == "," {
        return !conditional && !asks(tokens, at) && (clause || opens(tokens, at));
    }
    if token.is_in(&["and", "but", "so", "or", "then"]) {
        return !conditional && !asks(tokens, at) && (clause || opens_plainly(tokens, at + 1));
    }
    // "because …", "since …": an aside without a comma. "From when to when" asks for a time.
    clause
        && token.is_a(Class::Subordinator)
        && !before.is_in(&["from", "to", "until", "till", "by", "since", "of", "on"])
}

/// What ends a list of things that are denied together.
const ENDS: &[&str] = &["and", "but", "so", "then", ";", ":", ".", "!", "?"];

/// Whether a unit that begins at a token orders not to do something: "do not", "don't", "never".
fn is_denied(tokens: &[Token<'_>], begin: usize) -> bool {
    let mut own = tokens[begin..].iter().filter(|token| !token.is_in(COURTESY) && token.raw != ",");
    let Some(first) = own.next() else { return false };
    first.is_in(&["don't", "dont", "don’t", "never"])
        || first.is_in(&["do", "must", "should", "you"]) && own.take(2).any(|token| token.is_in(&["not", "never"]))
}

/// Whether a denial of its own begins at a token or behind its conjunction: "or don't send it at all".
fn opens_denial(tokens: &[Token<'_>], at: usize) -> bool {
    let at = at + usize::from(tokens.get(at).is_some_and(|token| token.is_in(&["and", "but", "or", "nor"])));
    is_denied(tokens, at)
}

/// Whether what is to be answered begins at a token or behind its conjunction: "say what happened, and how many were affected".
fn asks(tokens: &[Token<'_>], at: usize) -> bool {
    let at = at + usize::from(tokens.get(at).is_some_and(|token| token.is_in(&["and", "or"])));
    tokens.get(at).is_some_and(|token| token.is_in(&["how", "what", "why", "who", "whom", "whose", "whether"]))
}

/// Whether what begins at a token behind a comma stands by itself.
fn opens(tokens: &[Token<'_>], at: usize) -> bool {
    let at = at + usize::from(tokens.get(at).is_some_and(|token| token.is_in(&["and", "but", "or", "so", "then"])));
    opens_plainly(tokens, at) || is_bounded(tokens, at) || has_verb(tokens, at)
}

/// Whether an order or a ban begins at a token.
fn opens_plainly(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let next = tokens.get(at + 1);
    let verb = next.is_some_and(|next| next.kind != Kind::Mark && !next.glued);
    // "Once, not twice" is one thing.
    if token.is("not") && next.is_some_and(|next| next.is_in(&["once", "twice", "thrice"])) {
        return false;
    }
    token.is_in(&["no", "not", "never", "nothing", "don't", "dont", "don’t", "please", "pls", "plz", "also", "only"])
        || (token.is_in(&["i", "we", "you", "he", "she", "they", "it", "u", "i'd", "i'll", "i'm", "it's"]) && verb)
        || (token.is_a(Class::OrderVerb)
            && verb
            && (!token.is_a(Class::OrderNounVerb) || next.is_some_and(|next| next.is_a(Class::Determiner))))
}

/// "max 2 lines", "at most one page", "40 characters a line".
fn is_bounded(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    token.is_in(&["max", "maximum", "min", "minimum", "at", "under", "up", "exactly", "within", "by"])
        && tokens[at + 1..]
            .iter()
            .take(3)
            .any(|token| token.kind == Kind::Number || token.is_in(&["most", "least", "one", "two", "three"]))
        || tokens[at..].windows(2).take(3).take_while(|pair| pair[0].kind != Kind::Mark).any(|pair| {
            pair[0].is_in(&["under", "over", "below", "above", "only", "max"]) && pair[1].kind == Kind::Number
        })
        || token.kind == Kind::Number && tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Word && !next.glued)
}

/// Whether a verb stands before the next mark.
fn has_verb(tokens: &[Token<'_>], at: usize) -> bool {
    tokens
        .iter()
        .skip(at)
        .take(AHEAD_WORDS_MAX)
        .take_while(|token| token.kind != Kind::Mark || token.raw == "'" || token.glued)
        .any(|token| token.finite || token.is_a(Class::Modal))
}
