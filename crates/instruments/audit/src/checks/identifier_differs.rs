//! A telephone number, an address, a reference number or a version of the prompt returns with other characters.
//!
//! Looked at are numbers of six digits or more with their marks, mail addresses, reference numbers ("INV-2041"), and versions ("v2.4.0"). It is an incident where the one
//! that the prompt gives stands nowhere in the report, and one of the same kind stands there that the prompt does not give and that differs in a
//! few characters.
//!
//! Example: "Phone 555-0142" against "Call 555-0124."

use std::sync::LazyLock;

use steadfast_evidence::{Evidence, Polarity, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "identifier-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a telephone number, an address, a reference number or a version returns with other characters",
    run,
};

static IDENTIFIERS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"\+?\d[\d ()/-]{4,20}\d",
        r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        r"\b[A-Z]{1,5}-\d{2,8}\b",
        r"\bv?\d{1,3}(?:\.\d{1,3}){2}\b",
    ]
    .iter()
    .filter_map(|source| steadfast_annotate::pattern(source).ok())
    .collect()
});
/// Digits of a telephone number, at least.
const DIGITS_MIN: usize = 6;
/// Characters in which two identifiers of one thing differ, at most; two that are swapped are two.
const DIFFERING_MAX: usize = 2;

/// Whether an obligation gives an identifier.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Do && !identifiers(item.obligation.source().text()).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    let given: Vec<(usize, String)> =
        identifiers(&case.ask.text).into_iter().map(|(kind, _, own)| (kind, own)).collect();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        for (kind, wanted, asked) in identifiers(source.text()) {
            let own = |claim: &crate::answer::Claim| identifiers(&claim.text);
            if case
                .answer
                .claims
                .iter()
                .any(|claim| own(claim).iter().any(|(other, _, said)| *other == kind && *said == asked))
            {
                continue;
            }
            let found = case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()).find_map(|claim| {
                let other = own(claim).into_iter().find(|(other, _, said)| {
                    *other == kind
                        && !given.contains(&(*other, said.clone()))
                        && differing(&asked, said) <= DIFFERING_MAX
                })?;
                Some((claim, other.1))
            });
            let Some((claim, said)) = found else { continue };
            let range = 0..claim.text.len();
            let Some(quote) = case.answer.quote(claim, &range) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.9, Evidence::Quote(quote))
                    .at(case.answer, claim, &range)
                    .source(source)
                    .obligation(at)
                    .because(format!("Asked: \"{wanted}\"; report: \"{said}\"."))
                    .repair("Put the identifier of the prompt back.")
                    .done(),
            );
        }
    }
    incidents
}

/// The identifiers of a text: which kind, as written, and without the marks in them.
fn identifiers(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    for (kind, pattern) in IDENTIFIERS.iter().enumerate() {
        for own in pattern.find_iter(text) {
            let bare: String = match kind {
                0 => own.as_str().chars().filter(char::is_ascii_digit).collect(),
                3 => own.as_str().trim_start_matches('v').to_owned(),
                _ => own.as_str().trim_end_matches('.').to_lowercase(),
            };
            // A year span and a date are no telephone number.
            if kind > 0 || bare.len() >= DIGITS_MIN && !own.as_str().contains("  ") && is_number(own.as_str()) {
                found.push((kind, own.as_str().to_owned(), bare));
            }
        }
    }
    found
}

/// Whether digits with marks are no span of years and no date: a group of them has three digits or more, and not all have four.
fn is_number(written: &str) -> bool {
    let groups: Vec<usize> =
        written.split(|c: char| !c.is_ascii_digit()).map(str::len).filter(|len| *len > 0).collect();
    groups.len() > 1
        && groups.iter().any(|len| *len >= 3)
        && groups != [4, 4]
        && groups != [4, 2, 2]
        && groups != [2, 2, 4]
}

/// In how many characters two identifiers of one length differ; those of other lengths in all.
fn differing(one: &str, other: &str) -> usize {
    if one.chars().count() != other.chars().count() {
        return usize::MAX;
    }
    one.chars().zip(other.chars()).filter(|(a, b)| a != b).count()
}
