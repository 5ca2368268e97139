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

use steadfast_annotate::{Strength, modality};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::ask::Kind;
use crate::incident::{DriftType, Incident};
use crate::kin::{folded, is_prose, share, words_of};

/// The check's id.
pub(super) const ID: &str = "condition-added";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "what the ask wants in any case is done under a condition",
    on_by_default: false,
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

/// Digits of a figure that tells something, at least.
const FIGURE_DIGITS_MIN: usize = 2;

/// A condition, up to the end of its clause.
static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:^|[\s,;(])((?:only |but only |and only )?(?:if|unless|provided(?: that)?|providing(?: that)?|as long as|as far as|so far as|insofar as|on condition that|subject to|depending on|assuming(?: that)?|in case)\b[^,;.()]*)").ok()
});
/// Words of a sentence of the ask that has a condition of its own, or leaves it to choice.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|unless|when|whenever|where|wherever|provided|as long as|subject to|in case|nice|welcome|would|could|might|may|optional\w*|possibl[ey]|perhaps|probably)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some(open) = OPEN.as_ref().filter(|_| case.kin.judges()) else { return Vec::new() };
    let mut incidents: Vec<Incident> = Vec::new();
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for (at, statement) in case.ask.request.statements.iter().enumerate() {
        if statement.strength >= Strength::Intended && !is_left_open(case, at) {
            asked.push(Asked { statement: at, quote: &statement.quote, words: words(&statement.text) });
        }
    }
    // "We call it a success if …": what stands there holds without it.
    for item in case.ask.obligations.iter().filter(|item| item.obligation.kind == Kind::Metric) {
        let demand = item.demand.and_then(|demand| case.ask.request.demands.get(demand));
        let Some(demand) = demand else { continue };
        let quote = item.obligation.source();
        asked.push(Asked { statement: demand.kind.statement, quote, words: words(quote.text()) });
    }
    asked.retain(|own| own.words.len() >= WORDS_MIN && !open.is_match(own.quote.text()));
    for claim in case.answer.claims.iter().filter(|claim| is_prose(case.answer, claim)) {
        let Some((condition, main)) = parted(&claim.text).filter(|_| !modality(&claim.text).question) else { continue };
        let own: Vec<String> = main.iter().flat_map(|part| words(&claim.text[part.clone()])).collect();
        let best = asked
            .iter()
            .enumerate()
            .map(|(at, one)| (at, share(&one.words, &own)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((best, _)) = best.filter(|(_, share)| *share >= SHARE_MIN) else { continue };
        let Asked { statement: at, quote: source, words: stems } = &asked[best];
        let at = *at;
        let hangs = words_of(&claim.text, condition.clone());
        // The ask may put its condition in a sentence beside.
        let beside =
            case.ask.request.statements.get(at.saturating_sub(1)..(at + 2).min(case.ask.request.statements.len()));
        let in_ask = beside.into_iter().flatten().any(|statement| {
            let there: Vec<String> = folded(&statement.text).map(|(_, stem)| stem).collect();
            let met = hangs.iter().filter(|stem| there.contains(stem)).count();
            !hangs.is_empty() && met as f64 >= OWN_SHARE_MIN * hangs.len() as f64
        });
        let kept = case.answer.claims.iter().any(|other| {
            !std::ptr::eq(other, claim)
                && other.is_of_the_plan()
                && parted(&other.text).is_none()
                && share(stems, &words(&other.text)) >= KEPT_SHARE_MIN
        });
        if in_ask || kept {
            continue;
        }
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
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
                .weakens()
                .done(),
        );
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}

/// Something that the ask wants in any case.
struct Asked<'a> {
    statement: usize,
    quote: &'a Quote,
    words: Vec<String>,
}

/// The words of a text, and its figures but for years.
fn words(text: &str) -> Vec<String> {
    let mut found = words_of(text, 0..text.len());
    for word in text.split_whitespace() {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        if digits.len() >= FIGURE_DIGITS_MIN && !year && !found.contains(&digits) {
            found.push(digits);
        }
    }
    found
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
