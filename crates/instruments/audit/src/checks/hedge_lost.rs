//! The ask is not sure of something, and the answer asserts it.
//!
//! What the ask hedges ("believed to be", "likely", "may", "reportedly") is looked for among the plan's own claims by its
//! words; it is an incident where nothing weakens it there: no hedge, condition, question, test or attribution. A word that only
//! stands beside its noun ("the contaminated soil") asserts as well. What the ask puts with "could" and the answer with "will"
//! is for `certainty-raised`.
//!
//! Example: "its soil is believed to be contaminated" against "the contaminated soil makes housing impossible".

use steadfast_annotate::Strength;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::hedges::unhedged;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "hedge-lost";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::D, summary: "what the ask hedges is asserted", on_by_default: false, run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let index = &case.index;
    let found = unhedged(case, index);
    let mut incidents: Vec<Incident> = Vec::new();
    for (at, one) in found.iter().enumerate() {
        let repeats = found[..at].iter().any(|earlier| earlier.item == one.item);
        if repeats || one.strength >= Strength::Committed || incidents.len() == INCIDENTS_MAX {
            continue;
        }
        let claim = &case.answer.claims[one.claim];
        let Some(quote) = case.answer.quote(claim, &one.range) else { continue };
        let source = case.ask.obligations[one.item].obligation.source();
        let others = found[at + 1..]
            .iter()
            .filter(|other| other.item == one.item)
            .filter_map(|other| case.answer.quote(&case.answer.claims[other.claim], &other.range));
        incidents.push(
            incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
                .at(case.answer, claim, &one.range)
                .source(source)
                .obligation(one.item)
                .hedge_lost()
                .also(others)
                .because(format!(
                    "The prompt hedges this with \"{}\"; the report says \"{}\" as a fact.",
                    one.hedge,
                    &claim.text[one.range.clone()]
                ))
                .repair(format!("Put \"{}\" back.", one.hedge))
                .done(),
        );
    }
    incidents
}
