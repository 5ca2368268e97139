//! Words that make a limit of a time: "until", "no later than", "onwards".

use std::ops::Range;

use super::cue::{approximate_before, clause_ends};
use super::lex::Lex;
use crate::expression::{Limit, LimitWord};

/// The limit that the words before the expression at `at` make of it.
pub(crate) fn limit_before(lex: &Lex<'_, '_>, at: usize) -> Option<LimitWord> {
    let mut place = approximate_before(lex, at).unwrap_or(at);
    if lex.before(place, 1) == "the" {
        place -= 1;
    }
    let placed = matches!(lex.before(place, 1), "at" | "on" | "of");
    let word_at = place.checked_sub(1 + usize::from(placed))?;
    if !lex.near(word_at + 1) {
        return None;
    }
    let back = |count: usize, words: &[&str]| words.contains(&lex.before(word_at, count));
    let of = lex.is(place - 1, "of");
    let (limit, words) = match lex.word(word_at) {
        "than" if back(1, &["later"]) => {
            if back(2, &["no", "not"]) {
                (Limit::By, 3)
            } else {
                (Limit::After, 2)
            }
        }
        "than" if back(1, &["earlier", "sooner"]) => {
            if back(2, &["no", "not"]) {
                (Limit::From, 3)
            } else {
                (Limit::Before, 2)
            }
        }
        _ if of && lex.is(word_at, "as") => (Limit::From, 1),
        _ if of => return None,
        "after" if back(1, &["or"]) && back(2, &["on", "at", "in"]) => (Limit::From, 3),
        "before" if back(1, &["or"]) && back(2, &["on", "at", "in", "by"]) => (Limit::By, 3),
        "after" if back(1, &["not", "never"]) => (Limit::By, 2),
        "after" | "past" => (Limit::After, 1),
        "before" if back(1, &["not", "never"]) => (Limit::From, 2),
        "before" => (Limit::Before, 1),
        "to" if back(1, &["prior"]) => (Limit::Before, 2),
        "to" if back(1, &["up"]) => (Limit::Until, 2),
        "until" | "till" | "til" if back(1, &["not"]) => (Limit::From, 2),
        "until" | "till" | "til" | "through" | "thru" => (Limit::Until, 1),
        "by" | "due" | "deadline" => (Limit::By, 1),
        "since" | "from" | "starting" | "beginning" | "commencing" => (Limit::From, 1),
        _ => return None,
    };
    let span: Range<usize> = lex.tokens.range(word_at + 1 - words, word_at + 1);
    Some(LimitWord { limit, span })
}

/// A limit that stands after the expression: "3pm onwards", "Friday at the latest".
pub(crate) fn limit_after(lex: &Lex<'_, '_>, at: usize, end: usize) -> Option<LimitWord> {
    if !lex.near(end) {
        return None;
    }
    let (limit, words) = match lex.word(end) {
        "onwards" | "onward" => (Limit::From, 1),
        "on" if lex.is(at.wrapping_sub(1), "from") => (Limit::From, 1),
        "or" if lex.is(end + 1, "later") || lex.is(end + 1, "after") => (Limit::From, 2),
        "or" if matches!(lex.word(end + 1), "earlier" | "before" | "sooner") => (Limit::By, 2),
        "and" if matches!(lex.word(end + 1), "later" | "after") && clause_ends(lex, end + 2) => (Limit::From, 2),
        "at" if lex.is(end + 1, "the") && matches!(lex.word(end + 2), "latest") => (Limit::By, 3),
        "at" if lex.is(end + 1, "the") && matches!(lex.word(end + 2), "earliest") => (Limit::From, 3),
        "latest" => (Limit::By, 1),
        "earliest" => (Limit::From, 1),
        _ => return None,
    };
    Some(LimitWord { limit, span: lex.tokens.range(end, end + words) })
}
