//! Whether a claim says the same as an obligation: as much, of as many, and denied where that is denied.

use std::ops::Range;

use steadfast_annotate::{Negation, Pattern, base_form, negations};
use steadfast_evidence::{Polarity, Quote};

use super::{binds, numbers, stems, weakens};
use crate::answer::Claim;
use crate::ask::ContractItem;

fn covers(negation: &Negation, range: &std::ops::Range<usize>) -> bool {
    negation.scope.start < range.end && range.start < negation.scope.end
}

/// Whether a claim says all that it was to say: "Say that water is at the desk." A claim in the prompt's own words keeps that as well.
pub(super) fn says_as_told(item: &ContractItem, claim: &Claim, met: &[Range<usize>]) -> bool {
    const SAYING: [&str; 5] = ["say", "mention", "state", "note", "announce"];
    let text = item.obligation.source().text();
    let first = text.split_whitespace().next().unwrap_or_default();
    let told = text.get(first.len()..).unwrap_or_default();
    let figures = told.split_whitespace().filter(|word| word.contains(|c: char| c.is_ascii_digit())).count();
    let told = stems(told);
    let is_told = item.polarity == Polarity::Do && SAYING.contains(&first.to_lowercase().as_str());
    is_told
        && !told.is_empty()
        && told.len() + figures >= TOLD_MIN
        && told.iter().all(|stem| claim.stems.iter().any(|(_, own)| base_form(own) == base_form(stem)))
        && numbers::are_said(text, met, &claim.text)
        && claim.is_of_the_plan()
        && !binds(&claim.text)
        && denies_nothing_of(item, claim)
        && !weakens(&claim.text)
}

/// Words and figures that somebody is told to say, at least: fewer are a subject, of which anything could be said.
const TOLD_MIN: usize = 2;

/// How many words of a text deny something.
pub(super) fn denials(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'));
    let denies = |word: &str| {
        let low = word.to_lowercase();
        matches!(
            low.as_str(),
            "not" | "never" | "no" | "nobody" | "nothing" | "none" | "without" | "cannot" | "dont" | "wont"
        ) || low.ends_with("n't")
            || low.ends_with("n\u{2019}t")
    };
    words.filter(|word| denies(word)).count()
}

/// Whether what is asked denies something behind what it names, and what is to keep it denies nothing: "experience is a plus but not a must",
/// "the budget is €48,000, please don't mention it". Whoever says what is named may break that very part.
pub(super) fn takes_back(asked: &str, sentence: &str, kept: &[Quote]) -> bool {
    static DENIED: Pattern = Pattern::new(
        r"(?i)[,;\u{2013}\u{2014}(]\s*(?:(?:but|and|please|pls|so)\s+)*(?:don['\u{2019}]t|do\s+not|never)\b|\bbut\s+(?:not|no|never|don['\u{2019}]t)\b",
    );
    static OF_IT: Pattern = Pattern::new(
        r"(?i)^[^.!?]{0,20}[,;\u{2013}\u{2014}(]\s*(?:(?:but|and|please|pls)\s+)*(?:don['\u{2019}]t|do\s+not|never)\s+\w+(?:\s+\w+){0,2}?\s+(?:it|that|this|them)\b",
    );
    let behind = sentence.find(asked).and_then(|at| sentence.get(at + asked.len()..)).unwrap_or_default();
    let denied = DENIED.is_match(asked) && kept.iter().all(|quote| denials(quote.text()) == 0);
    denied || OF_IT.is_match(behind)
}

/// Whether a claim wants and denies the same things as an obligation: each word that both have stands under a negation in both or in
/// neither. What a heading forbids is denied without a word of its own.
pub(super) fn wants_the_same(item: &ContractItem, claim: &Claim) -> bool {
    let said = item.obligation.source().text();
    let asked = negations(said);
    let forbidden = item.polarity == Polarity::Not && asked.is_empty();
    let own = negations(&claim.text);
    let asked_words = steadfast_annotate::content_stems(said);
    let denied =
        |negations: &[Negation], range: &std::ops::Range<usize>| negations.iter().any(|one| covers(one, range));
    claim.stems.iter().all(|(range, stem)| {
        let stem = base_form(stem);
        let mut same = asked_words.iter().filter(|(_, asked)| base_form(asked) == stem).peekable();
        let is_denied = claim.stance.excluded || denied(&own, range);
        same.peek().is_none() || same.any(|(range, _)| (forbidden || denied(&asked, range)) == is_denied)
    })
}

/// Whether a claim that is to keep what is to be done denies nothing of it: "with a plain index, because CONCURRENTLY can't run here" has the words of
/// "created CONCURRENTLY". What is denied in a part of the claim without a word of the obligation is something else.
pub(super) fn denies_nothing_of(item: &ContractItem, claim: &Claim) -> bool {
    static PARTS: Pattern =
        Pattern::new(r"(?i)[,;:\u{2014}]\s|\s(?:because|since|as|but|although|though|and|so|which)\s");
    static IN_PLACE: Pattern = Pattern::new(r"(?i)\b(?:instead of|rather than|in place of|no longer)\b");
    let said = item.obligation.source().text();
    if item.polarity == Polarity::Not || !negations(said).is_empty() {
        return true;
    }
    let own = steadfast_annotate::content_stems(said);
    let speaks = |part: &str| {
        steadfast_annotate::content_stems(part)
            .iter()
            .any(|(_, stem)| own.iter().any(|(_, asked)| base_form(asked) == base_form(stem)))
    };
    let denies = |part: &str| !negations(part).is_empty() || IN_PLACE.is_match(part);
    !PARTS.split(&claim.text).any(|part| denies(part) && speaks(part))
}

/// Words that say of how many something holds: of all, of none, of nothing else.
const UNIVERSAL: &[&str] = &[
    "all", "always", "any", "both", "each", "entire", "every", "exactly", "never", "no", "nobody", "none", "nothing",
    "only", "whole",
];
/// Behind "no" these make a limit.
const LIMITS: &[&str] = &["earlier", "fewer", "later", "less", "longer", "more"];
/// Words that take some out of all.
const PARTIAL: &[&str] = &["almost", "mainly", "most", "mostly", "nearly", "other", "second", "some", "usually"];

/// Whether a claim holds of as many as an obligation asks: where that says "every" or "only", the claim says so too and takes none out.
pub(super) fn is_as_wide(item: &ContractItem, claim: &Claim) -> bool {
    let has = |text: &str, list: &[&str]| {
        let mut words =
            text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase).peekable();
        std::iter::from_fn(|| Some((words.next()?, words.peek().cloned().unwrap_or_default())))
            // "No more than 12" is a limit.
            .any(|(word, next)| list.contains(&word.as_str()) && !(word == "no" && LIMITS.contains(&next.as_str())))
    };
    let said = item.obligation.source().text();
    if item.polarity == Polarity::Not || !has(said, UNIVERSAL) {
        return true;
    }
    has(&claim.text, UNIVERSAL) && (has(said, PARTIAL) || !has(&claim.text, PARTIAL))
}
