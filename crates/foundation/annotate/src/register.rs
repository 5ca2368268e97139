//! Promotional language: hype words, superlatives, sales address.
//!
//! The lists follow the "puffery" and "peacock" words that style guides warn of (Wikipedia, "Manual of Style: words to watch")
//! and Hyland's boosters of evaluation; weights are our own judgement of how far a word is from a plain plan.

use std::ops::Range;
use std::sync::LazyLock;

use crate::lexicon::{Class, meant};
use crate::negation::negations;
use crate::words::{Kind, Phrases, Token, is_hyphen, scan};

/// What makes a phrase promotional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PromotionKind {
    /// "revolutionary", "game-changing", "cutting-edge".
    Hype,
    /// "the first", "the best", "the only": a claim to stand above all others.
    Superlative,
    /// "imagine a …", "join us", "don't miss": the reader is being sold to.
    Address,
    /// An exclamation mark on a sentence that sells.
    Exclamation,
}

/// One promotional phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// Where it stands, in bytes of the sentence.
    pub range: Range<usize>,
    /// What makes it promotional.
    pub kind: PromotionKind,
    /// 1 (could stand in a plain plan: "exciting") to 3 (only advertising says so: "revolutionary").
    pub weight: u8,
}

use PromotionKind::{Address, Exclamation, Hype, Superlative};

static PHRASES: LazyLock<Phrases<(PromotionKind, u8)>> = LazyLock::new(|| {
    Phrases::of_family("register", |meaning| {
        let (kind, weight) = meaning.split_once('.')?;
        Some((meant(&[Hype, Superlative, Address], Some(kind))?, weight.parse().ok()?))
    })
});

/// Every promotional phrase of a sentence, in order. Linear in its length.
///
/// Negated words ("not revolutionary"), ranks that count ("the first phase") and "unique" or "new" alone are left out; a
/// weak word (weight 1) counts only in a sentence that has another promotional phrase.
#[must_use]
pub fn promotional(sentence: &str) -> Vec<Promotion> {
    let tokens = scan(sentence);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(((kind, weight), end)) = PHRASES.at(&tokens, at) else {
            at += 1;
            continue;
        };
        if counts(&tokens, at, end, kind, weight) {
            out.push(Promotion { range: tokens[at].range.start..tokens[end - 1].range.end, kind, weight });
        }
        at = end;
    }
    if !out.is_empty() {
        let mut denied: Vec<Range<usize>> = negations(sentence).into_iter().map(|n| n.scope).collect();
        denied.sort_by_key(|scope| scope.start);
        let mut next = 0;
        let mut end = 0;
        out.retain(|p| {
            while denied.get(next).is_some_and(|scope| scope.start <= p.range.start) {
                end = end.max(denied[next].end);
                next += 1;
            }
            p.range.end > end || p.kind == Address
        });
    }
    let told = out.iter().any(|p| p.weight > 1) || out.len() > 2;
    if !told {
        out.clear();
    }
    exclamation(&tokens, &mut out);
    out
}

/// Whether the phrase is promotional where it stands.
fn counts(tokens: &[Token<'_>], at: usize, end: usize, kind: PromotionKind, weight: u8) -> bool {
    let next = tokens.get(end);
    let before = at.checked_sub(1).map(|p| &tokens[p]);
    if next.is_some_and(|t| is_hyphen(t.raw) && t.glued) && kind != Superlative {
        return false;
    }
    match kind {
        Superlative if weight == 2 => {
            // "the first 10 days", "on the first Monday", "the only risk": a count.
            let noun = next.is_some_and(|t| {
                t.is_word() && !t.is_a(Class::RankCounted) && !t.finite && !t.is_a(Class::Preposition)
            });
            let predicative = before.is_some_and(|t| t.is_a(Class::Be) || t.is_in(&["as", "become", "be"]));
            noun && predicative
        }
        Superlative => !next.is_some_and(|t| t.is_a(Class::RankCounted)) && !before.is_some_and(|t| t.is("of")),
        Address => {
            let opens = before.is_none_or(|t| t.kind == Kind::Mark)
                || !tokens[at].is_in(&["ready", "imagine", "picture", "step", "dive", "take", "not", "be"]);
            opens
                && !(tokens[at].is("not")
                    && before.is_some_and(Token::is_word)
                    && !before.is_some_and(|t| t.is_a(Class::Be)))
        }
        // "frontier", "premier", "elite" inside names; "passion", "dream" are too common to count alone.
        Hype => !(tokens[at].is_capital() && at > 0 && before.is_some_and(Token::is_word)),
        Exclamation => true,
    }
}

/// An exclamation mark sells where something else does, or where two stand together.
fn exclamation(tokens: &[Token<'_>], out: &mut Vec<Promotion>) {
    let marks: Vec<&Token<'_>> = tokens.iter().filter(|t| t.raw == "!").collect();
    let sells = !out.is_empty() || marks.windows(2).any(|w| w[1].glued && w[0].range.end == w[1].range.start);
    if let (true, Some(first)) = (sells, marks.first()) {
        let place = out.partition_point(|p| p.range.start < first.range.start);
        out.insert(place, Promotion { range: first.range.clone(), kind: Exclamation, weight: 1 });
    }
}
