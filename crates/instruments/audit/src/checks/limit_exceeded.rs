//! A number of the answer goes beyond a limit of the ask: more sites than "no more than three", more money than a ceiling, a
//! longer running time.
//!
//! The same noun (or the whole budget, or the running time of what the ask is about), in the plan's own voice. Candidates,
//! visits, other projects and what would happen beyond the limit are none; limits in a condition ("if fewer than") and limits
//! of a decision ("above X requires approval") limit nothing.
//!
//! Example: "no more than three sites"; "the charity opens five sites" is an incident.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use steadfast_annotate::{Bound, Relation, Unit, content_stems};
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::figures::{self, Stated};
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;
use crate::pattern::{Pattern, hit};
use crate::same_figure as same;

/// The check's id.
pub(super) const ID: &str = "limit-exceeded";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "a number goes beyond a limit of the ask", run };

static CONDITION: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:if|when|once|where|unless|until|before triggering|approv\w+|fewer than|less than)\b",
    )
    .ok()
});
static TAKES: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:runs?|lasts?|takes?|length|duration|running time|long|is over in|spans?)\b[^;,]{0,25}$|^\W*(?:length|duration|running time)\W*$").ok()
});
static COSTS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:costs?|price|total|comes to|adds up to|spend)(?: (?:is|are|of|at|to|us|about|around|approximately|roughly|comes to|amounts to|will be|would be|a|total|altogether))*\W*$").ok()
});
static ELSEWHERE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:comparable|similar|other|elsewhere|previous|last year|candidates?|shortlist\w*|visits?|inspect\w*)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let limits: Vec<(usize, &Figure)> = case
        .ask
        .request
        .figures
        .iter()
        .enumerate()
        .filter(|(_, figure)| {
            figure.quantity.bound == Bound::AtMost
                && !figure.denied
                && figure.role != Role::Deadline
                && !hit(&CONDITION, figure.quote.text())
        })
        .collect();
    if limits.is_empty() {
        return Vec::new();
    }
    let mut found: BTreeMap<usize, Vec<(&Claim, Stated)>> = BTreeMap::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.quantities.is_empty()) {
        let around = same::around(case.answer, claim);
        for stated in figures::stated(claim, case.answer) {
            if same::is_other(claim, &stated, &around) || hit(&ELSEWHERE, &claim.text) {
                continue;
            }
            let over = limits.iter().find(|(_, figure)| exceeds(case, claim, &stated, &around, figure));
            if let Some((index, _)) = over {
                found.entry(*index).or_default().push((claim, stated));
            }
        }
    }
    found.into_iter().filter_map(|(index, places)| told(case, index, &places)).collect()
}

/// Whether a claim speaks of what a limited number is of: "batches of 5000 rows" limits a batch.
fn is_of_its_whole(claim: &Claim, before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let whole = words.next().filter(|word| *word == "of").and(words.next());
    whole.is_none_or(|whole| content_stems(whole).iter().all(|(_, stem)| is_generic(stem) || claim.has_stem(stem)))
}

fn exceeds(case: &Case<'_>, claim: &Claim, stated: &Stated, around: &str, figure: &Figure) -> bool {
    let above = same::relation(&stated.quantity, &figure.quantity) == Some(Relation::Above);
    if !above || stated.quantity.bound == Bound::AtLeast {
        return false;
    }
    let text = same::statement_of(case.ask, figure);
    match &figure.quantity.unit {
        Unit::Count(counted) => {
            !same::is_vague(&counted.stem)
                && !same::has_foreign_modifier(claim, &stated.quantity, text)
                && is_of_its_whole(claim, text.get(..figure.quantity.range.start).unwrap_or_default())
                && !same::is_given_or_derived(case.ask, claim, &stated.quantity)
        }
        Unit::Money(_) => {
            let is_whole =
                || same::is_whole_budget(case.answer, claim, stated, &figure.subject) || is_cost(case, claim, stated);
            (figure.role == Role::BudgetTotal && is_whole()) || {
                let key = same::key(text, &figure.quantity);
                key.iter().any(|stem| !is_generic(stem)) && key.iter().all(|stem| claim.has_stem(stem))
            }
        }
        Unit::Duration(_) => {
            let left = same::sentence_before(&claim.text, stated.quantity.range.start);
            let takes = hit(&TAKES, left) || hit(&TAKES, around);
            let intent = case.ask.request.statements.first().map_or("", |statement| statement.text.as_str());
            let about = content_stems(text).into_iter().chain(content_stems(intent));
            takes && about.into_iter().any(|(_, stem)| !is_generic(&stem) && claim.has_stem(&stem))
        }
        _ => false,
    }
}

/// Whether the claim says that what is asked for costs this much. A part that costs more than the whole may is over as well.
fn is_cost(case: &Case<'_>, claim: &Claim, stated: &Stated) -> bool {
    let left = same::sentence_before(&claim.text, stated.quantity.range.start);
    let intents = case.ask.obligations.iter().filter(|item| item.obligation.kind == Kind::Intent);
    hit(&COSTS, left)
        && stated.quantity.per.is_none()
        && intents
            .flat_map(|item| content_stems(item.obligation.source().text()))
            .any(|(_, stem)| !is_generic(&stem) && claim.has_stem(&stem))
}

fn told(case: &Case<'_>, index: usize, places: &[(&Claim, Stated)]) -> Option<Incident> {
    let figure = case.ask.request.figures.get(index)?;
    let (claim, stated) = places.first()?;
    let quote = case.answer.quote(claim, &stated.quantity.range)?;
    let others: Vec<Quote> =
        places.iter().skip(1).filter_map(|(claim, stated)| case.answer.quote(claim, &stated.quantity.range)).collect();
    let draft = incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
        .at(case.answer, claim, &stated.quantity.range)
        .also(others)
        .source(&figure.quote)
        .because(format!(
            "The prompt sets a limit, \"{}\"; the report has {}.",
            figure.quote.text().trim(),
            stated.quantity_text(&claim.text).trim()
        ))
        .repair("Stay within the limit of the prompt.");
    Some(match figures::obligation(case.ask, figure) {
        Some(index) => draft.obligation(index).done(),
        None => draft.done(),
    })
}
