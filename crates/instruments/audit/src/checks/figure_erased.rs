//! A figure that the ask states is "to be determined" in the answer.
//!
//! What is left open must be the figure itself: a budget, a deadline, a number of something that the ask gives. A part of
//! it, a finer value ("the exact day") or something that the ask never gave may be open.
//!
//! Example: the ask gives a budget; "Budget: to be determined after talks with sponsors" is an incident.

use steadfast_annotate::{Pattern, Unit, stem, stems};
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::figures;
use crate::incident::{DriftType, Incident};
use crate::same_figure as same;

/// The check's id.
pub(super) const ID: &str = "figure-erased";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "a figure of the ask is left to be determined", run };

static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:(?:is|are|was|were|remains?|still|yet)\s+)*(?:to be (?:determined|decided|defined|confirmed|established|set|specified|agreed|finali[sz]ed)|tbd|tbc|tba|(?:has|have|is|are) not (?:yet )?(?:been )?(?:defined|determined|decided|set|specified|known|fixed|agreed)|(?:is|are) (?:unspecified|undefined|unknown|undetermined|open))\b",
);

/// Stems of words that may stand beside the thing whose figure is open.
const BESIDE: &[&str] = &[
    "number", "count", "total", "overal", "project", "plan", "amount", "size", "figur", "valu", "yet", "still",
    "final", "complet", "due", "date", "end", "target",
];

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()) {
        let Some(found) = OPEN.find(&claim.text) else { continue };
        let subject = subject(case, claim, found.start());
        let Some((index, figure)) = erased(case, &subject) else { continue };
        if seen.contains(&index) || claim.quantities.iter().any(|own| same::relation(own, &figure.quantity).is_some()) {
            continue;
        }
        seen.push(index);
        let Some(quote) = case.answer.quote(claim, &found.range()) else { continue };
        let draft = incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
            .at(case.answer, claim, &found.range())
            .source(&figure.quote)
            .because(format!("The prompt gives \"{}\"; the report leaves it OPEN.", figure.quote.text().trim()))
            .repair("State the figure of the prompt.");
        incidents.push(match figures::obligation(case.ask, figure) {
            Some(index) => draft.obligation(index).done(),
            None => draft.done(),
        });
    }
    incidents
}

/// Stems of what is open: the words before it in its clause, else its label or the head of its row.
fn subject(case: &Case<'_>, claim: &Claim, at: usize) -> Vec<String> {
    let all = claim.text.get(..at).unwrap_or_default();
    let mut clause = &all[[", ", "; "].iter().filter_map(|mark| all.rfind(mark)).max().map_or(0, |at| at + 2)..];
    if clause.trim().is_empty() {
        clause = all;
    }
    let own = stems(clause);
    if !own.is_empty() {
        return own;
    }
    let Some(place) = claim.places.first() else { return Vec::new() };
    match same::cell_heads(case.answer, place) {
        [Some(row), _] => stems(row),
        [None, Some(column)] => stems(column),
        _ => stems(&case.answer.label(place)),
    }
}

fn erased<'a>(case: &Case<'a>, subject: &[String]) -> Option<(usize, &'a Figure)> {
    if subject.is_empty() {
        return None;
    }
    let only = |wanted: &[&str]| {
        subject.iter().any(|own| wanted.contains(&own.as_str()))
            && subject.iter().all(|own| wanted.contains(&own.as_str()) || BESIDE.contains(&own.as_str()))
    };
    case.ask.request.figures.iter().enumerate().filter(|(_, figure)| !figure.denied).find(|(_, figure)| {
        match (&figure.quantity.unit, figure.role) {
            (Unit::Money(_), Role::BudgetTotal) => only(&["budget", "fund"]),
            (_, Role::Deadline) => only(&["deadlin"]),
            (_, Role::DurationTotal) => only(&["durat", "timelin", "timefram"]),
            (Unit::Count(counted), _)
                if !same::is_vague(&counted.stem) && figure.quantity.high > rust_decimal::Decimal::ONE =>
            {
                only(&[stem(&counted.stem).as_str()])
                    && subject.iter().any(|own| own == "number" || own == "count" || own == "total" || own == "size")
            }
            _ => false,
        }
    })
}
