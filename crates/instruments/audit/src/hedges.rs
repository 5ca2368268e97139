//! What the ask is not sure of, and where the answer says it without the doubt.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{MarkKind, Strength, content_stems, is_mention, is_negated, modality};
use steadfast_ask::Rule;
use steadfast_steps::Regex;

use crate::ask::Contract;
use crate::checks::Case;
use crate::matching::Index;

/// Share of a hedged claim's weighted words that the answer's claim has, at least.
const SHARE_MIN: f64 = 0.72;
/// Content words between the first and the last word that two claims share, for each shared word, at most.
const SPREAD_MAX: usize = 3;
/// Content words before a hedge that are taken for its subject, at most.
const SUBJECT_WORDS_MAX: usize = 3;
/// Bytes between a hedge and the word before a noun that it weakens, at most.
const HEDGE_BYTES_MAX: usize = 12;
/// Content words of a hedged predicate, at most: of longer ones too little is meant by a match.
const PREDICATE_WORDS_MAX: usize = 8;

/// Bytes behind the words in question in which a condition still governs them.
const OPEN_BYTES_MAX: usize = 40;

/// A hedged claim of the ask that the answer asserts.
pub(crate) struct Unhedged {
    /// The obligation, by its place in the contract.
    pub(crate) item: usize,
    /// The hedge, in the ask's words.
    pub(crate) hedge: String,
    /// The claim, by index.
    pub(crate) claim: usize,
    /// The words in question, in bytes of the claim.
    pub(crate) range: Range<usize>,
    /// How strongly the answer says it.
    pub(crate) strength: Strength,
    /// How well it meets the ask's words, 0 to 1.
    pub(crate) share: f64,
}

/// Words around which a claim is not yet made: it is asked, tested, thought of or attributed.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:whether|if|unless|hypothes\w*|assum\w*|suppos\w*|perceiv\w*|alleged\w*|so-called|uncertain\w*|unclear|potential\w*|possib\w*|presum\w*|risk (?:of|that)|in case|verify|confirm|determine|find out|check that|imagine)\b").ok()
});

/// Verbs that the reader of modality takes for weak, and that here say what somebody does.
static NO_HEDGE: LazyLock<Option<Regex>> =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^(?:anticipat|expect|hop|try|attempt|plan|consider|find)").ok());

/// Every hedged claim of the ask that the plan asserts, the clearest first.
pub(crate) fn unhedged(case: &Case<'_>, index: &Index<'_>) -> Vec<Unhedged> {
    let mut found = Vec::new();
    for item in 0..case.ask.obligations.len() {
        let Some(Rule::Hedge { .. }) = crate::checks::rule(case, item) else { continue };
        let Some(hedged) = read(case.ask, item) else { continue };
        let mut stems = hedged.predicate.clone();
        stems.extend(hedged.subject.iter().filter(|stem| !hedged.predicate.contains(stem)).cloned());
        // A predicate of one or two words needs all of them and one of its subject; a longer one most of all.
        let short = hedged.predicate.len() <= 2;
        let share = if short { 0.0 } else { SHARE_MIN };
        for alignment in index.aligned(&stems, share) {
            let claim = &case.answer.claims[alignment.claim];
            if !claim.is_of_the_plan() || claim.stance.assumed {
                continue;
            }
            let of_subject =
                hedged.subject.is_empty() && stems.len() > 1 || hedged.subject.iter().any(|stem| claim.has_stem(stem));
            if short && !(of_subject && hedged.predicate.iter().all(|stem| claim.has_stem(stem))) {
                continue;
            }
            if alignment.words > SPREAD_MAX * alignment.hits {
                continue;
            }
            let Some(at) =
                claim.stems.iter().find(|(_, stem)| hedged.predicate.contains(stem)).map(|(range, _)| range.clone())
            else {
                continue;
            };
            // "The contaminated soil …" takes it for granted, whatever is said of the soil.
            let granted = claim
                .stems
                .windows(2)
                .any(|pair| pair[0].0 == at && hedged.subject.contains(&pair[1].1) && pair[1].0.start <= at.end + 1);
            // What follows far behind speaks of something else.
            let near = floor(&claim.text, (alignment.range.end + OPEN_BYTES_MAX).min(claim.text.len()));
            if OPEN.as_ref().is_none_or(|open| open.is_match(&claim.text[..near]))
                || (!granted && is_negated(&claim.text, at.clone()) != hedged.negated)
                || is_mention(&claim.text, at.clone())
            {
                continue;
            }
            let reading = modality(&claim.text);
            let mut strength = reading.strength_at(at.clone());
            let weakened = reading
                .marks
                .iter()
                .any(|mark| mark.range.end <= at.start && mark.range.end + HEDGE_BYTES_MAX >= at.start);
            if granted && !weakened && !reading.question {
                strength = strength.max(Strength::Asserted);
            }
            if strength < Strength::Asserted {
                continue;
            }
            found.push(Unhedged {
                item,
                hedge: hedged.hedge.clone(),
                claim: alignment.claim,
                range: alignment.range,
                strength,
                share: alignment.share,
            });
        }
    }
    found.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.claim.cmp(&b.claim)));
    found
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

struct Hedged {
    hedge: String,
    /// Whether the ask hedges a denial: "will probably not ask for a permit".
    negated: bool,
    predicate: Vec<String>,
    subject: Vec<String>,
}

/// The hedge of an obligation, what it governs and what that is said of.
fn read(ask: &Contract, item: usize) -> Option<Hedged> {
    let obligation = ask.obligations.get(item)?;
    let demand = ask.request.demands.get(obligation.demand?)?;
    let statement = ask.request.statements.get(demand.kind.statement)?;
    let text = statement.text.as_str();
    let source = obligation.obligation.source().text();
    // "I think the roof would hold": a belief about the whole claim.
    if let Rule::Hedge { what, stems } = &demand.kind.rule
        && let Some(at) = source.find(what.as_str()).filter(|at| *at > 0)
        && (1..=PREDICATE_WORDS_MAX).contains(&stems.len())
    {
        return Some(Hedged {
            hedge: source[..at].trim().to_owned(),
            negated: false,
            predicate: stems.clone(),
            subject: Vec::new(),
        });
    }
    let start = text.find(source)?;
    let within = start..start + source.len();
    let reading = modality(text);
    let mark = reading.marks.iter().find(|mark| {
        mark.range.start >= within.start
            && mark.range.end <= within.end
            && mark.strength <= Strength::Likely
            && NO_HEDGE.as_ref().is_some_and(|none| !none.is_match(&text[mark.range.clone()]))
            && matches!(mark.kind, MarkKind::Hedge | MarkKind::Modal | MarkKind::Attribution)
    })?;
    let end = clause_end(text, mark.range.end, within.end);
    let mut predicate = Vec::new();
    for (_, stem) in content_stems(&text[mark.range.end..end]) {
        if !predicate.contains(&stem) {
            predicate.push(stem);
        }
    }
    let before = content_stems(&text[..mark.range.start]);
    let subject = before
        .iter()
        .rev()
        .map(|(_, stem)| stem.clone())
        .filter(|stem| !predicate.contains(stem))
        .take(SUBJECT_WORDS_MAX)
        .collect();
    if predicate.is_empty() || predicate.len() > PREDICATE_WORDS_MAX {
        return None;
    }
    let first = content_stems(&text[mark.range.end..end])
        .into_iter()
        .next()
        .map(|(range, _)| mark.range.end + range.start..mark.range.end + range.end);
    let negated = first.is_some_and(|range| is_negated(text, range));
    Some(Hedged { hedge: text[mark.range.clone()].to_owned(), negated, predicate, subject })
}

/// Where the clause that begins at `from` ends.
fn clause_end(text: &str, from: usize, end: usize) -> usize {
    text[from..end].find([',', ';', '(', ')', '—', ':', '.']).map_or(end, |at| from + at)
}
