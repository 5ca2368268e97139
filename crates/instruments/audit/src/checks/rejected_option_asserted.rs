//! An option that the answer weighed and did not choose is asserted elsewhere as the plan.
//!
//! An option is known by its head: its first four content words, the verb and what it acts on. Where another section says
//! the same head in the plan's own voice, and neither the ask, nor what was chosen, nor the account of the decision has
//! those words, the rejected option has come back. Options that stay where they are weighed, are denied, criticised or
//! imagined are none; neither are words that options share.
//!
//! Example: "Install motion-triggered sirens" was not chosen; it stands among the actions of the project plan.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use steadfast_annotate::{Pattern, content_stems, is_mention, is_negated};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::voice::Voice;

/// The check's id.
pub(super) const ID: &str = "rejected-option-asserted";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::G, summary: "an option that was not chosen returns as the plan", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

/// Headings and labels under which options are weighed.
static OPTIONS: Pattern = Pattern::new(r"(?i)\b(?:choices?|options?|alternatives?|paths?|scenarios?)\b");

/// Alternatives of another kind: what to do instead of a document that cannot be had.
static OTHERS: Pattern = Pattern::new(r"(?i)\bfallback\b|\blocations?\b");

/// Content stems in a row that know an option again.
const HEAD_STEMS: usize = 4;

/// So many content stems in a row.
type Head = [String; HEAD_STEMS];

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut options: BTreeMap<Head, &Claim> = BTreeMap::new();
    let mut weighed: BTreeSet<usize> = BTreeSet::new();
    for claim in case.answer.claims.iter().filter(|claim| is_option(case, claim)) {
        weighed.extend(claim.places.iter().map(|place| place.artefact));
        if let Some(head) = heads(claim, label_end(&claim.text)).into_iter().next() {
            options.entry(head.0).or_insert(claim);
        }
    }
    if options.is_empty() {
        return Vec::new();
    }
    let is_run = case.answer.artefacts.len() > 1;
    for head in known(case, is_run, &weighed) {
        options.remove(&head);
    }
    let mut found: BTreeMap<&Head, Vec<(&Claim, Range<usize>)>> = BTreeMap::new();
    for claim in &case.answer.claims {
        if is_run && claim.places.iter().all(|place| weighed.contains(&place.artefact)) {
            continue;
        }
        for (head, range) in heads(claim, 0) {
            let Some((head, _)) = options.get_key_value(&head) else { continue };
            let said = (claim.is_of_the_plan() || claim.voice_at(&range) == Voice::Proposed) && !claim.stance.assumed;
            if said && !is_negated(&claim.text, range.clone()) && !is_mention(&claim.text, range.clone()) {
                found.entry(head).or_default().push((claim, range));
            }
        }
    }
    let mut incidents: Vec<(usize, Incident)> =
        found.into_iter().filter_map(|(head, uses)| one(case, options.get(head)?, &uses)).collect();
    incidents.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    incidents.into_iter().map(|(_, incident)| incident).take(INCIDENTS_MAX).collect()
}

/// One incident for one option: its first assertion, the others beside it.
fn one(case: &Case<'_>, option: &Claim, uses: &[(&Claim, Range<usize>)]) -> Option<(usize, Incident)> {
    let (claim, range) = uses.iter().find(|(claim, _)| claim.is_of_the_plan()).or_else(|| uses.first())?;
    let quote = case.answer.quote(claim, range)?;
    let others = uses
        .iter()
        .filter(|(other, _)| !std::ptr::eq(*other, *claim))
        .filter_map(|(other, range)| case.answer.quote(other, range));
    let own = claim.is_of_the_plan();
    let severity = if own { Severity::Major } else { Severity::Moderate };
    let option = crate::lists::shortened(option.text.trim());
    let incident = incident(&CHECK, severity, 0.85, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .voice(claim.voice_at(range))
        .also(others)
        .because(format!("The report weighed \"{option}\" and did not choose it; here it is part of the plan."))
        .repair("Follow the option that was chosen, or say that the choice has changed and why.")
        .done();
    Some((uses.len(), incident))
}

fn is_option(case: &Case<'_>, claim: &Claim) -> bool {
    claim.stance.voice == Voice::OptionNotChosen
        && claim.places.iter().any(|place| {
            let label = case.answer.label(place);
            let path = case.answer.section_path(place);
            let lead = case.answer.lead(place).unwrap_or_default();
            let named = |pattern: &Regex| {
                pattern.is_match(&label)
                    || pattern.is_match(lead)
                    || path.iter().rev().take(3).any(|title| pattern.is_match(title))
            };
            named(&OPTIONS) && !OTHERS.is_match(&label) && !path.last().is_some_and(|title| OTHERS.is_match(title))
        })
}

/// Heads that say nothing: those of the ask, of what was chosen and of the account of the decision.
fn known(case: &Case<'_>, is_run: bool, weighed: &BTreeSet<usize>) -> BTreeSet<Head> {
    let mut known = BTreeSet::new();
    for statement in &case.ask.request.statements {
        known.extend(rows(&content_stems(&statement.text)).map(|(head, _)| head));
    }
    for claim in &case.answer.claims {
        let account = is_run
            && claim.stance.voice == Voice::Asserted
            && claim.places.first().is_some_and(|place| weighed.contains(&place.artefact));
        if claim.stance.voice == Voice::Chosen || account {
            known.extend(heads(claim, 0).into_iter().map(|(head, _)| head));
        }
    }
    known
}

/// Every row of content stems of what follows `from`, with its range in the claim's text.
fn heads(claim: &Claim, from: usize) -> Vec<(Head, Range<usize>)> {
    let stems: Vec<(Range<usize>, String)> = claim
        .stems
        .iter()
        .filter(|(range, _)| range.start >= from && !is_adverb(&claim.text[range.clone()]))
        .cloned()
        .collect();
    rows(&stems).collect()
}

fn rows(stems: &[(Range<usize>, String)]) -> impl Iterator<Item = (Head, Range<usize>)> {
    stems.windows(HEAD_STEMS).map(|row| {
        let head = std::array::from_fn(|at| row[at].1.clone());
        (head, row[0].0.start..row[HEAD_STEMS - 1].0.end)
    })
}

/// "Fully embrace" and "embrace" are one option's verb.
fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly")
}

/// Longest label before an option ("Labour: …"), in bytes.
const LABEL_BYTES_MAX: usize = 80;

/// Where the option itself begins, after its lever's name.
fn label_end(text: &str) -> usize {
    text.find(": ").filter(|at| *at <= LABEL_BYTES_MAX).map_or(0, |at| at + 2)
}
