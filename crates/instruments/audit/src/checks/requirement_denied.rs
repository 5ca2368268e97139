//! What is to be done is said not to be: most of its words stand in a denial of the plan's own, and no other claim says it as it was asked.
//!
//! Example: "Add tests" against "I did not add tests".

use steadfast_annotate::lexicon::{self, Class};
use steadfast_annotate::{Pattern, Strength, is_mention, is_negated, modality, negations, stems_once};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity, Strength as Asked};

use super::{Case, Check, incident, rule};
use crate::ask::Kind;
use crate::incident::{DriftType, Incident};
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "requirement-denied";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what is to be done is said not to be", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 6;
/// Share of the weighted words of what is asked that a claim has, at least, that denies it; without a word of duty all of them.
const SHARE_DENIED: f64 = 0.7;
const SHARE_DENIED_WHOLE: f64 = 0.99;
/// Content words from the first to the last of these, for each, at most, and some beside.
const SPREAD_MAX: usize = 2;
const SPREAD_SLACK: usize = 3;
/// A claim that keeps it outweighs one that denies it if it has this share of that one's words, at least.
const KEPT_SHARE_MIN: f64 = 0.8;

static DUTY: Pattern = Pattern::new(
    r"(?i)\b(?:must|shall|required|essential|mandatory|critical|need(?:s)? to|has to|have to|compulsory|obligatory|never|always)\b",
);
/// Words that deny no more than that a limit is passed: "must not exceed 4 minutes" asks for what "at most 4 minutes" asks for.
static LIMIT: Pattern = Pattern::new(
    r"(?i)\b(?:not|never|cannot)\s+(?:to\s+)?(?:exceed|pass|surpass|(?:be|cost|take|last|go)\s+(?:more|less|over|under|above|below|beyond|longer|later))\b|\bno\s+(?:more|less|fewer|later|longer|earlier|higher|lower)\s+than\b",
);

fn run(case: &Case<'_>) -> Vec<Incident> {
    let found = case.ask.obligations.iter().enumerate().filter_map(|(at, _)| denied(case, at));
    found.take(INCIDENTS_MAX).collect()
}

fn denied(case: &Case<'_>, at: usize) -> Option<Incident> {
    let item = &case.ask.obligations[at];
    let Some(Rule::Require { what, .. }) = rule(case, at) else { return None };
    let source = item.obligation.source();
    let firm = DUTY.is_match(source.text());
    // "Add tests" is an order, "31 files" is none.
    let first = source.text().split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    let orders = item.strength == Asked::Must && lexicon::has(Class::Verb, &first.to_lowercase());
    if item.obligation.kind != Kind::Constraint || !firm && !orders || !negations(what).is_empty() {
        return None;
    }
    let stems: Vec<String> = stems_once(&DUTY.replace_all(what, " "))
        .into_iter()
        .filter(|stem| !matches!(stem.as_str(), "everi" | "each" | "ani" | "abl" | "year" | "all"))
        .collect();
    if stems.len() < 2 {
        return None;
    }
    let least = if firm { SHARE_DENIED } else { SHARE_DENIED_WHOLE };
    let mut found = None;
    let mut share = 0.0;
    for alignment in case.index.aligned(&stems, least * KEPT_SHARE_MIN) {
        let claim = &case.answer.claims[alignment.claim];
        let (text, range) = (&claim.text, alignment.range.clone());
        let is_near = alignment.words <= SPREAD_MAX * alignment.hits + SPREAD_SLACK;
        if alignment.hits < 2
            || !is_near
            || !claim.is_of_the_plan()
            || claim.stance.assumed
            || claim.stance.excluded
            || modality(text).strength_at(range.clone()) < Strength::Intended
        {
            continue;
        }
        let is_denied = claim
            .stems
            .iter()
            .any(|(own, stem)| stems.contains(stem) && !matching::is_generic(stem) && is_negated(text, own.clone()));
        if !is_denied {
            // Kept elsewhere, or here.
            if alignment.share >= KEPT_SHARE_MIN * share {
                return None;
            }
        } else if found.is_none()
            && alignment.share >= least
            && !LIMIT.is_match(text)
            && !is_mention(text, range.clone())
        {
            found = Some((claim, range));
            share = alignment.share;
        }
    }
    let (claim, range) = found?;
    let quote = case.answer.quote(claim, &range)?;
    let draft = incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
        .at(case.answer, claim, &range)
        .source(source)
        .obligation(at)
        .because(format!("The prompt demands \"{}\"; the report denies it.", source.text()))
        .repair(format!("Do it, or say openly that it is not done: \"{}\".", source.text()));
    Some(draft.done())
}
