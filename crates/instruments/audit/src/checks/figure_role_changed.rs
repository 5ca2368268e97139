//! A figure of the ask returns in another role: a start within three months as a phase of three months, a minimum as a maximum,
//! a yearly sum as the total.
//!
//! Number and unit must be the same and the words beside it the ask's; where the ask itself has the number in both roles,
//! nothing is found.
//!
//! Example: "begin within 3 months of the award"; "the 3-month survey and design phase" is an incident.

use std::sync::LazyLock;

use steadfast_annotate::{Bound, Unit, content_stems};
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::figures::{self, Stated};
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;
use crate::pattern::{Pattern, hit};
use crate::same_figure as same;

/// The check's id.
pub(super) const ID: &str = "figure-role-changed";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::C, summary: "a figure of the ask returns in another role", run };

static BEGINS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:begin\w*|start\w*|commenc\w*|kick(?:s|ed)? off)\b[^,;]{0,25}$").ok()
});
static SPAN_NOUN: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)^[\s\w&/,-]{0,60}?\b(?:phase|period|stage|timeline|duration|programme|program|process)\b",
    )
    .ok()
});
static BUDGET: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:budget|funding|costs?|sum)\b[^;]{0,50}$").ok());
static TOTAL: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:total|overall|whole|entire|in all)\b").ok());

/// How the two roles differ, and how sure that is.
struct Change {
    asked: usize,
    how: &'static str,
    confidence: f64,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for claim in &case.answer.claims {
        if !claim.voice().can_drift() || claim.stance.excluded || claim.quantities.is_empty() {
            continue;
        }
        for stated in figures::stated(claim, case.answer) {
            let Some(change) = changed(case, claim, &stated) else { continue };
            let Some(figure) = case.ask.request.figures.get(change.asked) else { continue };
            if seen.contains(&change.asked) {
                continue;
            }
            let Some(quote) = case.answer.quote(claim, &stated.quantity.range) else { continue };
            seen.push(change.asked);
            let draft = incident(&CHECK, Severity::Moderate, change.confidence, Evidence::Quote(quote))
                .at(case.answer, claim, &stated.quantity.range)
                .source(&figure.quote)
                .because(format!(
                    "The prompt says \"{}\"; in the report {} has become {}.",
                    figure.quote.text().trim(),
                    stated.quantity_text(&claim.text).trim(),
                    change.how
                ))
                .repair("Give the figure the meaning that it has in the prompt.")
                .unsupported_number();
            incidents.push(match figures::obligation(case.ask, figure) {
                Some(index) => draft.obligation(index).done(),
                None => draft.done(),
            });
        }
    }
    incidents
}

fn changed(case: &Case<'_>, claim: &Claim, stated: &Stated) -> Option<Change> {
    if stated.denied {
        return None;
    }
    let figures = &case.ask.request.figures;
    let equal = |figure: &Figure| {
        figure.quantity.low == stated.quantity.low
            && figure.quantity.high == stated.quantity.high
            && match (&figure.quantity.unit, &stated.quantity.unit) {
                (Unit::Money(a), Unit::Money(b)) => a.matches(*b),
                (Unit::Count(a), Unit::Count(b)) => a.stem == b.stem,
                (a, b) => a == b,
            }
    };
    let shared = |figure: &Figure| {
        let text = same::statement_of(case.ask, figure);
        content_stems(text).into_iter().filter(|(_, stem)| !is_generic(stem) && claim.has_stem(stem)).count()
    };
    figures.iter().enumerate().filter(|(_, figure)| !figure.denied && equal(figure)).find_map(|(asked, figure)| {
        let text = same::statement_of(case.ask, figure);
        let left = text.get(..figure.quantity.range.start).unwrap_or_default();
        match &stated.quantity.unit {
            Unit::Duration(_) => {
                let own = stated.quantity_text(&claim.text);
                let after = claim.text.get(stated.quantity.range.end..).unwrap_or_default();
                let begins = figure.role == Role::Deadline && hit(&BEGINS, left);
                let spans = own.contains('-') && hit(&SPAN_NOUN, after);
                let elsewhere = figures
                    .iter()
                    .any(|other| equal(other) && matches!(other.role, Role::DurationPart | Role::DurationTotal));
                let again = hit(&BEGINS, claim.text.get(..stated.quantity.range.start).unwrap_or_default());
                let same_words = content_stems(left)
                    .iter()
                    .filter(|(_, stem)| content_stems(after).iter().any(|(_, own)| own == stem))
                    .count();
                (begins && spans && !elsewhere && !again && same_words > 0).then_some(Change {
                    asked,
                    how: "the length of it, not the time by which it begins",
                    confidence: 0.85,
                })
            }
            Unit::Count(_) | Unit::Plain => {
                let turned = matches!(
                    (figure.quantity.bound, stated.quantity.bound),
                    (Bound::AtLeast, Bound::AtMost) | (Bound::AtMost, Bound::AtLeast)
                );
                (turned && shared(figure) >= 2 && !text.to_lowercase().contains("if ")).then_some(Change {
                    asked,
                    how: if stated.quantity.bound == Bound::AtMost { "the most" } else { "the least" },
                    confidence: 0.8,
                })
            }
            Unit::Money(_) => {
                let to_total = figure.quantity.per.is_some()
                    && stated.quantity.per.is_none()
                    && hit(&TOTAL, &claim.text)
                    && hit(&BUDGET, claim.text.get(..stated.quantity.range.start).unwrap_or_default());
                let to_rate = figure.role == Role::BudgetTotal
                    && figure.quantity.per.is_none()
                    && stated.quantity.per.is_some()
                    && claim.is_of_the_plan();
                let how = match (to_total, to_rate) {
                    (true, _) => "the total",
                    (_, true) => "an amount that returns every period",
                    _ => return None,
                };
                Some(Change { asked, how, confidence: 0.85 })
            }
            _ => None,
        }
    })
}
