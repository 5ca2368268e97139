//! A sentence that says what a sentence of the ask says has another figure.
//!
//! Sentences of the plan are held against the sentences of the ask that have most of the same words. Where the ask's sentence has a figure and
//! the plan's has another one of the same kind instead, the figure was replaced: another value where the ask gives a plain one, a
//! looser bound where it sets one. Figures that the ask has anywhere, values within a bound, dates, conditions, hedges of the ask's
//! own and sentences with several figures of the kind are none.
//!
//! Example: "the hall has 320 seats" against "All 480 seats of the hall are numbered."

use steadfast_annotate::{Bound, Quantity, Unit, comparable, is_mention, modality};
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::kin::{Aligned, is_prose, words_of};

/// The check's id.
pub(super) const ID: &str = "figure-replaced";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a sentence that says what the ask says has another figure",
    on_by_default: true,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 4;
/// Share of the words of the shorter sentence that both have, at least.
const SHARE_MIN: f64 = 0.6;

fn run(case: &Case<'_>) -> Vec<Incident> {
    if !case.kin.judges() {
        return Vec::new();
    }
    let mut incidents: Vec<Incident> = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| !claim.quantities.is_empty() && is_prose(case.answer, claim))
    {
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
        if modality(&claim.text).question || is_mention(&claim.text, 0..claim.text.len()) {
            continue;
        }
        let words = words_of(&claim.text, 0..claim.text.len());
        let found = above_all(case, claim).or_else(|| {
            case.kin.aligned(&words, SHARE_MIN).into_iter().find_map(|Aligned { statement, .. }| {
                let own: Vec<&Quantity> = claim.quantities.iter().filter(|own| has_amount(own)).collect();
                let asked =
                    case.ask.request.figures.iter().filter(|figure| figure.statement == statement && !figure.denied);
                asked.filter(|figure| has_amount(&figure.quantity)).find_map(|figure| {
                    let same = |own: &&&Quantity| comparable(own, &figure.quantity).is_some();
                    let mut others = own.iter().filter(same);
                    let (first, second) = (others.next()?, others.next());
                    let known = |own: &Quantity| {
                        case.ask
                            .request
                            .figures
                            .iter()
                            .any(|it| it.quantity.low == own.low && it.quantity.high == own.high)
                    };
                    let siblings = case.ask.request.figures.iter().filter(|other| {
                        other.statement == statement && comparable(&other.quantity, &figure.quantity).is_some()
                    });
                    (second.is_none() && siblings.count() == 1 && !known(first) && is_another(first, &figure.quantity))
                        .then_some(((*first).clone(), figure))
                })
            })
        });
        let Some((own, figure)) = found else { continue };
        let Some(quote) = case.answer.quote(claim, &own.range) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &own.range)
                .source(&figure.quote)
                .unsupported_number()
                .because(format!(
                    "The prompt says \"{}\"; the report says the same with {}.",
                    crate::lists::shortened(figure.quote.text().trim()),
                    claim.text.get(own.range.clone()).unwrap_or_default().trim()
                ))
                .repair("Put the figure of the prompt back, or say openly that it is changed and why.")
                .done(),
        );
    }
    incidents
}

/// A limit of the plan above all the money that the ask has.
fn above_all<'a>(case: &Case<'a>, claim: &Claim) -> Option<(Quantity, &'a Figure)> {
    let mut totals =
        case.ask.request.figures.iter().filter(|figure| {
            figure.role == Role::BudgetTotal && !figure.denied && figure.quantity.bound == Bound::AtMost
        });
    let total = totals.next().filter(|_| totals.next().is_none())?;
    let own = claim.quantities.iter().find(|own| {
        own.bound == Bound::AtMost && comparable(own, &total.quantity).is_some() && own.high > total.quantity.high
    })?;
    (!claim.quantities.iter().any(|it| it.high == total.quantity.high)).then(|| (own.clone(), total))
}

/// Whether a quantity says how much, or how many.
fn has_amount(quantity: &Quantity) -> bool {
    !matches!(quantity.unit, Unit::Label | Unit::Ordinal | Unit::Date(_)) && quantity.high > 1.into()
}

/// Whether a figure is another than the ask's, or lies beyond its bound.
fn is_another(own: &Quantity, asked: &Quantity) -> bool {
    match asked.bound {
        Bound::Exact => own.low != asked.low && own.high != asked.high && own.bound == Bound::Exact,
        Bound::AtLeast => own.low < asked.low && own.bound == asked.bound,
        Bound::AtMost => own.high > asked.high,
    }
}
