//! What the ask wants in any case is done under a condition.
//!
//! A sentence with a condition ("if …", "unless …", "provided that …", "subject to …") is parted into the condition and what is said under it. Where
//! that has most of the words of a sentence of the ask that has no condition, and the condition itself stands nowhere in the
//! ask, the report has added it. Conditions of the ask, wishes and hedged sentences, elaborations, risks and what another
//! sentence of the plan says without the condition are none.
//!
//! Example: "every boat carries a flare" against "Every boat carries a flare, if the season goes well."

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};
use steadfast_language::{Strength, modality};

use super::{Case, Check, incident, rule};
use crate::incident::{DriftType, Incident};
use crate::kin::{folded, is_prose, share, words_of};

/// The check's id.
pub(super) const ID: &str = "condition-added";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "what the ask wants in any case is done under a condition",
    on_by_default: true,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 4;
/// Share of the words of the shorter of the two that both have, at least.
const SHARE_MIN: f64 = 0.6;
/// The same for a sentence that keeps it without a condition.
const KEPT_SHARE_MIN: f64 = 0.6;
/// Words of a sentence of the ask, at least.
const WORDS_MIN: usize = 2;
/// Share of a condition's words that a sentence of the ask has, at least, for the condition to be the ask's own.
const OWN_SHARE_MIN: f64 = 0.5;

/// A condition, up to the end of its clause.
static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)(?:^|[\s,;(])((?:only |but only |and only )?(?:if|unless|provided(?: that)?|providing(?: that)?|as long as|as far as|so far as|insofar as|on condition that|subject to|depending on|assuming(?: that)?|in case)\b[^,;.()]*)").ok()
});
/// Words of a sentence of the ask that has a condition of its own, or leaves it to choice.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)\b(?:if|unless|when|whenever|where|wherever|provided|as long as|subject to|in case|nice|welcome|would|could|might|may|optional\w*|possibl[ey]|perhaps|probably)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some(open) = OPEN.as_ref().filter(|_| case.kin.judges()) else { return Vec::new() };
    let mut incidents: Vec<Incident> = Vec::new();
    let asked: Vec<(usize, Vec<String>)> = case
        .ask
        .request
        .statements
        .iter()
        .enumerate()
        .filter(|(_, statement)| !open.is_match(&statement.text) && statement.strength >= Strength::Intended)
        .filter(|(at, _)| !is_left_open(case, *at))
        .map(|(at, statement)| (at, words_of(&statement.text, 0..statement.text.len())))
        .filter(|(_, stems)| stems.len() >= WORDS_MIN)
        .collect();
    for claim in case.answer.claims.iter().filter(|claim| is_prose(case.answer, claim)) {
        let Some((condition, main)) = parted(&claim.text).filter(|_| !modality(&claim.text).question) else { continue };
        let own: Vec<String> = main.iter().flat_map(|part| words_of(&claim.text, part.clone())).collect();
        let best = asked
            .iter()
            .map(|(at, stems)| (*at, share(stems, &own), stems))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((at, _, stems)) = best.filter(|(_, share, _)| *share >= SHARE_MIN) else { continue };
        let words = words_of(&claim.text, condition.clone());
        // The ask may put its condition in a sentence beside.
        let beside =
            case.ask.request.statements.get(at.saturating_sub(1)..(at + 2).min(case.ask.request.statements.len()));
        let in_ask = beside.into_iter().flatten().any(|statement| {
            let there: Vec<String> = folded(&statement.text).map(|(_, stem)| stem).collect();
            let met = words.iter().filter(|stem| there.contains(stem)).count();
            !words.is_empty() && met as f64 >= OWN_SHARE_MIN * words.len() as f64
        });
        let kept = case.answer.claims.iter().any(|other| {
            !std::ptr::eq(other, claim)
                && other.is_of_the_plan()
                && parted(&other.text).is_none()
                && share(stems, &words_of(&other.text, 0..other.text.len())) >= KEPT_SHARE_MIN
        });
        if in_ask || kept {
            continue;
        }
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let source = &case.ask.request.statements[at].quote;
        incidents.push(
            incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .because(format!(
                    "The prompt wants this in any case (\"{}\"); in the report it hangs on \"{}\".",
                    crate::lists::shortened(source.text().trim()),
                    claim.text[condition].trim()
                ))
                .repair("Drop the condition, as in the prompt.")
                .done(),
        );
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}

/// Whether the ask leaves a sentence of its own to choice, or is not sure of it.
fn is_left_open(case: &Case<'_>, statement: usize) -> bool {
    case.ask.obligations.iter().enumerate().any(|(item, own)| {
        let of_it = own.demand.and_then(|demand| case.ask.request.demands.get(demand)).map(|own| own.kind.statement);
        of_it == Some(statement) && matches!(rule(case, item), Some(Rule::Option { .. } | Rule::Hedge { .. }))
    })
}

/// The condition of a sentence, and what is said under it.
fn parted(text: &str) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let found = CONDITION.as_ref()?.captures(text)?.get(1)?;
    let main = vec![0..found.start(), found.end()..text.len()];
    Some((found.range(), main))
}
