//! Of things that the prompt asks for together, the report has all but one.
//!
//! Things asked for together are the parts of a list in one obligation ("for a future date, a past date and a garbage value", "in English and
//! French"). It is an incident where each of the others has all of its words in one passage near the obligation, and the one that is left has a
//! word of its own that stands nowhere in the report.
//!
//! Example: "Messages must exist in English and French" against a report that knows English messages alone.

use std::collections::HashSet;
use std::sync::LazyLock;

use steadfast_annotate::{base_form, content_stems, is_stop_word};
use steadfast_evidence::{Evidence, Polarity, Severity, Strength};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::passages::whole;
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "sibling-dropped";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "of things that are asked for together one is missing",
    on_by_default: false,
    run,
};

static LIST: Pattern = LazyLock::new(|| {
    let item = r"(?:an? |the |one |two )?[\w'’-]+(?: [\w'’-]+){0,2}";
    steadfast_annotate::pattern(&format!(r"(?i)\b({item}(?:, {item}){{0,8}},? (?:and|&|\+) {item})\b")).ok()
});
static SPLIT: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i),? (?:and|&|\+) |, ").ok());

/// Whether an obligation asks for several things together.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Do && item.strength != Strength::May && hit(&LIST, item.obligation.source().text())
}

/// A list without the words that lead into it ("be shown in English and Welsh") and those that follow it.
fn things(list: &str) -> &str {
    let is_empty = |word: &str| {
        is_stop_word(&word.to_lowercase()) && !matches!(word.to_lowercase().as_str(), "a" | "an" | "the" | "and")
    };
    let head = list.find([',', '&', '+']).into_iter().chain(list.find(" and ")).min().unwrap_or(list.len());
    let mut start = 0;
    for (at, _) in list[..head].match_indices(' ') {
        if list[start..at].split(' ').next_back().is_some_and(is_empty) {
            start = at + 1;
        }
    }
    &list[start..]
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(list), Some(split)) = (&*LIST, &*SPLIT) else { return Vec::new() };
    let said: HashSet<&str> =
        case.answer.claims.iter().flat_map(|claim| &claim.stems).map(|(_, stem)| base_form(stem)).collect();
    let mut incidents: Vec<Incident> = Vec::new();
    for ((at, item), near) in case.ask.obligations.iter().enumerate().zip(&case.near) {
        if !looks_at(item) {
            continue;
        }
        let source = item.obligation.source();
        for found in list.find_iter(source.text()) {
            let parts: Vec<(&str, Vec<String>)> = split
                .split(things(found.as_str()))
                .map(|part| {
                    (part, content_stems(part).into_iter().map(|(_, stem)| base_form(&stem).to_owned()).collect())
                })
                .collect();
            let shared = |stem: &String| parts.iter().filter(|(_, stems)| stems.contains(stem)).count() > 1;
            let own: Vec<(&str, Vec<&String>)> = parts
                .iter()
                .map(|(part, stems)| (*part, stems.iter().filter(|stem| !shared(stem)).collect()))
                .collect();
            // Things, and no clauses: an article and words that tell, nothing else.
            let is_thing = |part: &str| {
                let words =
                    part.split_whitespace().filter(|word| !matches!(word.to_lowercase().as_str(), "a" | "an" | "the"));
                words.count() == content_stems(part).len()
            };
            if own.iter().any(|(part, stems)| stems.is_empty() || !is_thing(part)) {
                continue;
            }
            let missing: Vec<&str> = own
                .iter()
                .filter(|(_, stems)| stems.iter().all(|stem| !said.contains(stem.as_str())))
                .map(|(part, _)| *part)
                .collect();
            let [missing] = missing[..] else { continue };
            let others: Vec<&Vec<&String>> =
                own.iter().filter(|(part, _)| *part != missing).map(|(_, stems)| stems).collect();
            let passage = near.iter().find(|passage| {
                whole(case.answer, passage).is_some_and(|claim| {
                    claim.is_of_the_plan()
                        && others.iter().any(|stems| {
                            stems.iter().all(|stem| claim.stems.iter().any(|(_, own)| base_form(own) == stem.as_str()))
                        })
                })
            });
            let all = others.iter().all(|stems| stems.iter().all(|stem| said.contains(stem.as_str())));
            let Some(passage) = passage.filter(|_| all) else { continue };
            let Some(claim) = whole(case.answer, passage) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Moderate, 0.75, Evidence::Quote(passage.quote.clone()))
                    .at(case.answer, &claim, &(0..claim.text.len()))
                    .source(source)
                    .obligation(at)
                    .because(format!(
                        "The prompt asks for \"{}\"; of \"{missing}\" the report says nothing.",
                        found.as_str()
                    ))
                    .repair("Add what is missing, or say why it is left out.")
                    .done(),
            );
            break;
        }
    }
    incidents
}
