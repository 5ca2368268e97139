//! A word of the prompt returns as its opposite: north for south, landscape for portrait, before for after.
//!
//! Looked at are words that have one opposite, with the content word beside them. It is an incident where a sentence of the report has the
//! opposite beside the same word, and no sentence has the word of the prompt there, or the opposite stands in the prompt.
//!
//! Example: "the stairs at the north side" against "use the stairs at the south side".

use std::ops::Range;

use steadfast_annotate::{is_mention, is_negated};
use steadfast_evidence::{Evidence, Polarity, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "opposite-said";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "a word of the prompt returns as its opposite", run };

/// Words that exclude each other where they are said of one thing. The first of each is the one that an incident names.
const OPPOSITES: &[[&str; 2]] = &[
    ["north", "south"],
    ["northern", "southern"],
    ["east", "west"],
    ["eastern", "western"],
    ["northbound", "southbound"],
    ["eastbound", "westbound"],
    ["left", "right"],
    ["upper", "lower"],
    ["upstairs", "downstairs"],
    ["landscape", "portrait"],
    ["landscape", "upright"],
    ["horizontal", "vertical"],
    ["ascending", "descending"],
    ["indoor", "outdoor"],
    ["inbound", "outbound"],
    ["incoming", "outgoing"],
    ["arrival", "departure"],
    ["morning", "evening"],
    ["morning", "afternoon"],
    ["weekday", "weekend"],
    ["daily", "weekly"],
    ["weekly", "monthly"],
    ["monthly", "yearly"],
    ["public", "private"],
    ["internal", "external"],
    ["enabled", "disabled"],
    ["opt-in", "opt-out"],
    ["optional", "mandatory"],
    ["odd", "even"],
    ["oldest", "newest"],
    ["cheapest", "dearest"],
    ["minimum", "maximum"],
    ["increase", "decrease"],
    ["front", "rear"],
    ["hot", "cold"],
    ["male", "female"],
];

/// A word with the content word beside it.
struct Paired {
    word: &'static str,
    opposite: &'static str,
    beside: String,
}

/// Whether an obligation has a word with an opposite.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Do && !paired(item.obligation.source().text()).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    let mut seen: Vec<(&str, &str, String)> = Vec::new();
    for statement in &case.ask.request.statements {
        for own in paired(&statement.text) {
            if seen.contains(&(own.word, own.opposite, own.beside.clone()))
                || !beside(&case.ask.text, own.opposite, &own.beside).is_empty()
            {
                continue;
            }
            seen.push((own.word, own.opposite, own.beside.clone()));
            let claims = || case.answer.claims.iter().filter(|claim| claim.is_of_the_plan());
            if claims().any(|claim| !beside(&claim.text, own.word, &own.beside).is_empty()) {
                continue;
            }
            let found = claims().find_map(|claim| {
                let range = beside(&claim.text, own.opposite, &own.beside).into_iter().next()?;
                let denied = is_negated(&claim.text, range.clone()) || is_mention(&claim.text, range.clone());
                (!denied).then_some((claim, range))
            });
            let Some((claim, range)) = found else { continue };
            let Some(quote) = case.answer.quote(claim, &(0..claim.text.len())) else { continue };
            let draft = incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(&statement.quote)
                .because(format!("Asked: \"{}\"; report: \"{}\".", own.word, own.opposite))
                .repair("Put the word of the prompt back.");
            let is_its = |item: &ContractItem| {
                let source = item.obligation.source();
                source.span().overlaps(statement.quote.span())
                    && !beside(source.text(), own.word, &own.beside).is_empty()
            };
            incidents.push(match case.ask.obligations.iter().position(is_its) {
                Some(at) => draft.obligation(at).done(),
                None => draft.done(),
            });
        }
    }
    incidents
}

/// The words of a text that have an opposite, each with the content words right before and behind it.
fn paired(text: &str) -> Vec<Paired> {
    let stems = words(text);
    let mut found = Vec::new();
    for pair in OPPOSITES {
        for (word, opposite) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            for at in places(&stems, word) {
                for next in neighbours(&stems, at) {
                    found.push(Paired { word, opposite, beside: next });
                }
            }
        }
    }
    found
}

/// Words of a text with what they are compared by: letters and digits in small letters, without those that name nothing.
fn words(text: &str) -> Vec<(Range<usize>, String)> {
    const NAME_NOTHING: [&str; 20] = [
        "the", "a", "an", "of", "and", "or", "to", "in", "at", "on", "is", "are", "for", "with", "by", "it", "its",
        "be", "as", "from",
    ];
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() || c == '-' && start.is_some() {
            start = start.or(Some(at));
        } else if let Some(from) = start.take() {
            let low = text[from..at].to_lowercase();
            if !NAME_NOTHING.contains(&low.as_str()) {
                found.push((from..at, low));
            }
        }
    }
    found
}

/// Where a word stands beside another one.
fn beside(text: &str, word: &str, other: &str) -> Vec<Range<usize>> {
    let stems = words(text);
    let places = places(&stems, word);
    places
        .into_iter()
        .filter(|at| neighbours(&stems, *at).any(|own| own == other))
        .map(|at| stems[at].0.clone())
        .collect()
}

/// The places of a word among content words.
fn places(words: &[(Range<usize>, String)], word: &str) -> Vec<usize> {
    words.iter().enumerate().filter(|(_, (_, own))| own == word).map(|(at, _)| at).collect()
}

fn neighbours(stems: &[(Range<usize>, String)], at: usize) -> impl Iterator<Item = String> + '_ {
    let before = at.checked_sub(1).and_then(|at| stems.get(at));
    before.into_iter().chain(stems.get(at + 1)).map(|(_, stem)| stem.clone())
}
