//! What the ask denies is said without the denial.
//!
//! A clause of the ask that denies something is held against every sentence of the plan that has nearly all of its words: where the words that are denied
//! there stand without any denial, the rule has been turned round. What only has some of the words, hedges, conditions,
//! bounds ("no longer than"), questions and sentences that deny in another way are none.
//!
//! Example: "guests are not photographed" against "Guests are photographed at the door."

use steadfast_annotate::{Strength, base_form, is_mention, is_negated, modality, negations, verb_forms};
use steadfast_ask::{clauses, masked};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::context::is_empty_word;
use crate::incident::{DriftType, Incident};
use crate::kin::{folded, states};
use crate::matching::is_generic;

/// The check's id.
pub(super) const ID: &str = "denial-dropped";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "what the ask denies is said without the denial",
    on_by_default: false,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;
/// Share of the weighted words of the denied clause that the claim has, at least.
const SHARE_MIN: f64 = 0.75;
/// Words of the denied clause, at least; of a clause with one, a sentence may have so many.
const STEMS_MIN: usize = 2;
/// A sentence of the ask that is read as one clause, in bytes, at most.
const SHORT_BYTES_MAX: usize = 60;
/// Content words of the claim for each word of the clause, at most: a longer sentence speaks of more.
const LENGTH_MAX: usize = 3;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    if !case.kin.judges() {
        return incidents;
    }
    for statement in &case.ask.request.statements {
        let text = statement.text.as_str();
        if negations(text).is_empty() || modality(text).question || statement.strength <= Strength::Possible {
            continue;
        }
        // A short sentence is one clause, wherever its denial stands.
        let mut parts = clauses(&masked(text));
        if text.len() <= SHORT_BYTES_MAX {
            parts = std::iter::once(0..text.len()).collect();
        }
        for clause in parts {
            let words = &text[clause.clone()];
            let bounded = |at: &std::ops::Range<usize>| {
                case.ask.request.figures.iter().any(|figure| {
                    figure.quote.span().overlaps(statement.quote.span())
                        && figure.quantity.range.start < clause.start + at.end
                        && clause.start + at.start < figure.quantity.range.end
                })
            };
            let (mut stems, mut denied): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
            for (at, stem) in folded(words) {
                if bounded(&at) || is_empty_word(&stem) || stems.contains(&stem) {
                    continue;
                }
                let never = words[..at.start].to_lowercase().split_whitespace().any(|word| word == "never");
                if never || is_negated(words, at) {
                    denied.push(stem.clone());
                }
                stems.push(stem);
            }
            let telling = stems.iter().any(|stem| !is_generic(stem));
            if stems.is_empty() || denied.is_empty() || !telling {
                continue;
            }
            // Every form in which the answer may have a word.
            let forms: Vec<String> = stems.iter().flat_map(|stem| verb_forms(stem)).map(str::to_owned).collect();
            let claims = forms.iter().flat_map(|form| case.index.using(form));
            let mut claims: Vec<usize> = claims.copied().collect();
            claims.sort_unstable();
            claims.dedup();
            let weight = |stem: &String| if is_generic(stem) { 0.5 } else { 1.0 };
            let total: f64 = stems.iter().map(weight).sum();
            let found = claims.into_iter().find_map(|at| {
                let claim = case.answer.claims.get(at)?;
                let has = |stem: &&String| claim.stems.iter().any(|(_, own)| base_form(own) == stem.as_str());
                let met: f64 = stems.iter().filter(has).map(weight).sum();
                let turned = met >= SHARE_MIN * total
                    && denied.iter().all(|stem| has(&stem) || is_generic(stem))
                    && denied.iter().any(|stem| has(&stem))
                    && claim.stems.len() <= if stems.len() < STEMS_MIN { STEMS_MIN } else { LENGTH_MAX * stems.len() }
                    && states(case.answer, claim)
                    && negations(&claim.text).is_empty()
                    && modality(&claim.text).strength >= Strength::Intended
                    && !is_mention(&claim.text, 0..claim.text.len());
                turned.then_some(claim)
            });
            let Some(claim) = found else { continue };
            let range = 0..claim.text.len();
            let Some(quote) = case.answer.quote(claim, &range) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                    .at(case.answer, claim, &range)
                    .source(&statement.quote)
                    .because(format!(
                        "The prompt denies this (\"{}\"); the report says it: \"{}\".",
                        crate::lists::shortened(words.trim()),
                        crate::lists::shortened(claim.text.trim())
                    ))
                    .repair("Put the denial back, as in the prompt.")
                    .done(),
            );
            if incidents.len() == INCIDENTS_MAX {
                return incidents;
            }
        }
    }
    incidents
}
