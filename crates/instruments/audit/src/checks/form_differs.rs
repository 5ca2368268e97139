//! The report does not have the form that the prompt asks for: headings, columns of a table, length, layout, spelling, notation, words to be
//! taken over as they are.
//!
//! What is asked for and how it is looked for stands in [`crate::form`]. Only reports of one file are looked at.
//!
//! Example: "exactly these headings: Need / Activities / Afterwards" against a report with "Need", "Activities" and "Sustainability"; "at most 80
//! words" against a report of 140.

use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::form::{self, Demand, Outcome, Page};
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "form-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "the report does not have the form that the prompt asks for",
    run,
};

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some(page) = Page::of(case.answer) else { return Vec::new() };
    let Some(claim) = case.answer.claims.first() else { return Vec::new() };
    let mut said: Vec<Demand> = Vec::new();
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate() {
        let demands = form::demands(item.obligation.source().text(), case.ask.sentence_of(item));
        for demand in demands.into_iter().flat_map(|demands| demands.all) {
            // One list of headings can be several obligations.
            if said.contains(&demand) {
                continue;
            }
            let Outcome::Broken(fault) = demand.look(&page, &case.ask.text) else { continue };
            let severity = match demand {
                Demand::Verbatim(_) | Demand::Without(_) => Severity::Major,
                _ => Severity::Moderate,
            };
            incidents.push(
                incident(&CHECK, severity, 0.85, Evidence::Quote(fault.quote))
                    .at(case.answer, claim, &(0..0))
                    .source(item.obligation.source())
                    .obligation(at)
                    .because(fault.because)
                    .repair(fault.repair)
                    .done(),
            );
            said.push(demand);
        }
    }
    incidents
}
