//! A value that the report first flags as an assumption or an estimate is later treated as given.
//!
//! The ask must not have the value, its first mention must be flagged, and a later one must say that somebody gave it ("the
//! stated budget of", "its approved 18-month timeline", "given its high budget of"). A target, schedule or budget line that the plan proposes as its own, without
//! having called it an assumption, is none.
//!
//! Example: "Assumption: the budget is $90 million", and later "the stated budget of $90 million is tight".

use std::ops::Range;

use steadfast_annotate::{Pattern, Quantity, Relation, Unit, comparable};
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_time::DurationUnit;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::same_figure as same;

/// The check's id.
pub(super) const ID: &str = "assumption-hardened";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::C, summary: "a value flagged as assumed is later treated as given", run };

/// Most incidents of one report.
const INCIDENTS_MAX: usize = 3;
/// Most values that are followed, and most claims for one.
const VALUES_MAX: usize = 400;

static FLAG: Pattern =
    Pattern::new(r"(?i)\b(?:assum\w+|estimat\w+|hypothetical\w*|tentative\w*|placeholder|provisional\w*|expected)\b");
static GIVEN: Pattern = Pattern::new(
    r"(?i)\b(?:stated|approved|allocated|specified|agreed|confirmed|user's|user’s)\b[^.;,]{0,32}$|\bgiven (?:its|the|a|an|our|their)\b[^.;]{0,45}$",
);
static HEDGED: Pattern = Pattern::new(
    r"(?i)\b(?:assum\w+|estimat\w+|approximately|about|around|propos\w+|target\w*|expected|tentativ\w+|potential\w*|likely|may|might|could|would|should|require|up to)\b",
);

struct Flagged<'a> {
    quantity: &'a Quantity,
    claim: &'a Claim,
    first: usize,
    treated: Vec<(&'a Claim, Range<usize>)>,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut flagged: Vec<Flagged<'_>> = Vec::new();
    for (index, claim) in case.answer.claims.iter().enumerate() {
        if claim.quantities.is_empty() || claim.stance.excluded {
            continue;
        }
        let is_flagged = claim.stance.assumed || FLAG.is_match(&claim.text);
        if is_flagged && claim.is_of_the_plan() {
            for quantity in claim.quantities.iter().filter(|quantity| worth_following(quantity)) {
                let known = flagged.iter().any(|own| equal(own.quantity, quantity));
                let asked = case.ask.request.figures.iter().any(|figure| equal(&figure.quantity, quantity));
                if !known && !asked && flagged.len() < VALUES_MAX {
                    flagged.push(Flagged { quantity, claim, first: index, treated: Vec::new() });
                }
            }
        }
        if claim.stance.assumed || !claim.voice().can_drift() {
            continue;
        }
        for quantity in &claim.quantities {
            let Some(own) = flagged.iter_mut().find(|own| own.first < index && equal(own.quantity, quantity)) else {
                continue;
            };
            if is_treated_as_given(claim, quantity) {
                own.treated.push((claim, quantity.range.clone()));
            }
        }
    }
    let mut incidents: Vec<Incident> = flagged.iter().filter_map(|own| told(case, own)).collect();
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

fn worth_following(quantity: &Quantity) -> bool {
    match &quantity.unit {
        Unit::Money(_) => quantity.high >= rust_decimal::Decimal::ONE_THOUSAND,
        Unit::Duration(unit) => matches!(unit, DurationUnit::Month | DurationUnit::Year | DurationUnit::Week),
        Unit::Count(counted) => !same::is_vague(&counted.stem) && quantity.high > rust_decimal::Decimal::TEN,
        _ => false,
    }
}

fn equal(a: &Quantity, b: &Quantity) -> bool {
    a.low == b.low && a.high == b.high && comparable(a, b) == Some(Relation::Equal)
        || (a.per == b.per
            && matches!((&a.unit, &b.unit), (Unit::Money(_), Unit::Money(_)))
            && comparable(a, b) == Some(Relation::Equal))
}

fn is_treated_as_given(claim: &Claim, quantity: &Quantity) -> bool {
    let left = same::sentence_before(&claim.text, quantity.range.start);
    let near = [", ", " with ", " and ", " on "]
        .iter()
        .filter_map(|mark| left.rfind(mark))
        .max()
        .map_or(left, |at| &left[at..]);
    let own = claim.text.get(quantity.range.clone()).unwrap_or_default();
    if HEDGED.is_match(near) || FLAG.is_match(left) || quantity.approximate || HEDGED.is_match(own) {
        return false;
    }
    let right = claim.text.get(quantity.range.end..).unwrap_or_default();
    let right: String = right.chars().take(30).collect();
    if FLAG.is_match(&right) {
        return false;
    }
    // What it is the value of must be the same: a noun of the claim that the flagged sentence has.
    let about = |text: &str| -> Vec<String> {
        let shown: Vec<&str> =
            ["budget", "timeline", "duration", "funding", "investment", "crew", "team", "staff", "cost"].to_vec();
        let lower = text.to_lowercase();
        shown.into_iter().filter(|word| lower.contains(word)).map(str::to_owned).collect()
    };
    let window = format!("{left} {own} {right}");
    let topics = about(&window);
    match &quantity.unit {
        Unit::Money(_) | Unit::Count(_) => {}
        _ if topics.is_empty() => return false,
        _ => {}
    }
    GIVEN.is_match(left)
}

fn told(case: &Case<'_>, flagged: &Flagged<'_>) -> Option<Incident> {
    let (claim, range) = flagged.treated.first()?;
    let quote = case.answer.quote(claim, range)?;
    let origin = case.answer.quote(flagged.claim, &flagged.quantity.range)?;
    let others: Vec<Quote> = flagged
        .treated
        .iter()
        .filter(|(other, _)| !std::ptr::eq(*other, *claim))
        .filter_map(|(claim, range)| case.answer.quote(claim, range))
        .collect();
    Some(
        incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .also(others)
            .because(format!(
                "The prompt does not give {}; the report first assumes it (\"{}\") and then treats it as given.",
                claim.text.get(range.clone()).unwrap_or_default().trim(),
                crate::lists::shortened(origin.text())
            ))
            .repair("Carry the flag along: call the value an assumption wherever it is used.")
            .unsupported_number()
            .done(),
    )
}
