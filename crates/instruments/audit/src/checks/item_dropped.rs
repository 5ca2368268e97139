//! An enumeration of the ask returns under the same head with an item missing.
//!
//! The head is a content word with its preposition ("funded by", "printed in"); the answer must say the same head, name at
//! least two of the items and no others, and have the missing one neither in the sentence nor in its paragraph or list. Examples
//! ("such as") and choices out of an or-list are none.
//!
//! Example: "funded by the parish, a sale and a grant"; "funded by the parish and a sale" is an incident.

use steadfast_annotate::{Pattern, stem, stems};
use steadfast_evidence::{Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "item-dropped";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "an enumeration of the ask returns with an item missing", run };

/// Longest item, in words.
const ITEM_WORDS_MAX: usize = 7;
/// Longest way from the head of a list to its end, in bytes.
const LIST_BYTES_MAX: usize = 400;

static HEAD: Pattern = Pattern::new(r"(?i)\b([a-z][a-z-]{3,})\s+(by|in|from|of|with|through|via|at|on|are|is)\s*:?\s+");
static EXAMPLES: Pattern = Pattern::new(
    r"(?i)\b(?:such as|e\.g\.|for example|for instance|including|among others|etc|partly|first|mainly|some|especially|like)\b",
);
static SPLIT: Pattern = Pattern::new(r"(?i),\s*(?:and|or)\s+|,\s+|\s+(?:and|or)\s+");

/// A list of the ask.
struct List {
    /// Stem of the word before the preposition.
    head: String,
    preposition: String,
    /// Content stems of each item, with its words.
    items: Vec<(String, Vec<String>)>,
    statement: usize,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let lists = lists(case);
    let mut incidents = Vec::new();
    for list in &lists {
        let Some((claim, missing, others)) = broken(case, list) else { continue };
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let Some(statement) = case.ask.request.statements.get(list.statement) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Moderate, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .also(others)
                .source(&statement.quote)
                .because(format!("The prompt names \"{missing}\" as well; the report's list leaves it out."))
                .repair("Name every item of the prompt's list.")
                .done(),
        );
    }
    incidents
}

/// The enumerations of three items or more in the ask.
fn lists(case: &Case<'_>) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    for (statement, sentence) in case.ask.request.statements.iter().enumerate() {
        let text = &sentence.text;
        for found in HEAD.captures_iter(text) {
            let (Some(all), Some(word), Some(preposition)) = (found.get(0), found.get(1), found.get(2)) else {
                continue;
            };
            let (items, closed) = items_after(text, all.end());
            if items.len() < 3 || !closed || items.iter().any(|(_, stems)| stems.is_empty()) {
                continue;
            }
            lists.push(List {
                head: stem(&word.as_str().to_lowercase()),
                preposition: preposition.as_str().to_lowercase(),
                items,
                statement,
            });
        }
    }
    // The head nearest to the list holds.
    lists.dedup_by(|later, earlier| {
        let same = later.statement == earlier.statement && later.items.last() == earlier.items.last();
        if same {
            std::mem::swap(later, earlier);
        }
        same
    });
    lists
}

/// The items of the list that begins at `from`, and whether an "and" or "or" closes it.
fn items_after(text: &str, from: usize) -> (Vec<(String, Vec<String>)>, bool) {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.find([';', ':', '(', '.', '—']).unwrap_or(rest.len());
    let rest = &rest[..rest.floor_char_boundary(end.min(LIST_BYTES_MAX))];
    let mut items = Vec::new();
    let (mut start, mut closed) = (0, false);
    let mut push = |words: &str| {
        let words = words.trim();
        let long = words.split_whitespace().count() > ITEM_WORDS_MAX;
        if !words.is_empty() && !long {
            items.push((words.to_owned(), stems(words)));
        }
        !long
    };
    for found in SPLIT.find_iter(rest) {
        if closed {
            break;
        }
        if !push(&rest[start..found.start()]) {
            return (Vec::new(), false);
        }
        let mark = found.as_str().to_lowercase();
        closed = mark.contains("and") || mark.contains("or");
        start = found.end();
        if closed {
            // The last item ends with its clause.
            let last = &rest[start..];
            let stop = [", ", " on ", " in ", " for ", " with ", " using ", " to ", " and ", " or "]
                .iter()
                .filter_map(|mark| last.find(mark))
                .min()
                .unwrap_or(last.len());
            push(&last[..stop]);
        }
    }
    (items, closed)
}

fn broken<'a>(case: &Case<'a>, list: &List) -> Option<(&'a Claim, String, Vec<Quote>)> {
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        if EXAMPLES.is_match(&claim.text) {
            continue;
        }
        for found in HEAD.captures_iter(&claim.text) {
            let (Some(all), Some(word), Some(preposition)) = (found.get(0), found.get(1), found.get(2)) else {
                continue;
            };
            if stem(&word.as_str().to_lowercase()) != list.head
                || preposition.as_str().to_lowercase() != list.preposition
            {
                continue;
            }
            let (named, closed) = items_after(&claim.text, all.end());
            if named.len() < 2 || !closed || named.len() >= list.items.len() {
                continue;
            }
            if let Some(missing) = missing(list, &named, &paragraph(case, claim)) {
                return Some((claim, missing, Vec::new()));
            }
        }
    }
    listed(case, list)
}

/// The enumeration as a list below its head.
fn listed<'a>(case: &Case<'a>, list: &List) -> Option<(&'a Claim, String, Vec<Quote>)> {
    let mut groups: std::collections::BTreeMap<(usize, usize), Vec<&'a Claim>> = std::collections::BTreeMap::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        let Some(place) = claim.places.first() else { continue };
        let lead = case.answer.artefacts.get(place.artefact).and_then(|own| own.document.blocks.get(place.block)?.lead);
        if let Some(lead) = lead {
            groups.entry((place.artefact, lead)).or_default().push(claim);
        }
    }
    for ((artefact, lead), claims) in groups {
        let Some(block) = case.answer.artefacts.get(artefact).and_then(|own| own.document.blocks.get(lead)) else {
            continue;
        };
        let text = format!("{} ", block.text.plain.trim());
        let heads = HEAD.captures_iter(&text).any(|found| {
            let same = found.get(1).is_some_and(|word| stem(&word.as_str().to_lowercase()) == list.head)
                && found.get(2).is_some_and(|word| word.as_str().to_lowercase() == list.preposition);
            same && found.get(0).is_some_and(|all| all.end() >= text.len())
        });
        if !heads || claims.len() < 2 || claims.len() >= list.items.len() {
            continue;
        }
        let named: Vec<(String, Vec<String>)> = claims
            .iter()
            .map(|claim| (claim.text.clone(), claim.stems.iter().map(|(_, stem)| stem.clone()).collect()))
            .collect();
        if let Some(missing) = missing(list, &named, &[]) {
            let last = claims.last()?;
            return Some((last, missing, Vec::new()));
        }
    }
    None
}

/// The first item of the ask that is not named, where what is named are items of the ask and nothing else.
fn missing(list: &List, named: &[(String, Vec<String>)], around: &[String]) -> Option<String> {
    let names = |item: &Vec<String>, own: &Vec<String>| item.iter().any(|stem| own.contains(stem));
    // Most words of each are those of an item.
    let only_items = named.iter().all(|(_, own)| {
        list.items.iter().any(|(_, item)| 2 * own.iter().filter(|stem| item.contains(stem)).count() > own.len())
    });
    if !only_items {
        return None;
    }
    let gone: Vec<&String> = list
        .items
        .iter()
        .filter(|(_, item)| {
            !named.iter().any(|(_, own)| names(item, own)) && !item.iter().any(|stem| around.contains(stem))
        })
        .map(|(words, _)| words)
        .collect();
    let kept = list.items.len() - gone.len();
    (gone.len() == 1 && kept >= 2).then(|| gone[0].clone())
}

/// Stems of the paragraph that a claim stands in.
fn paragraph(case: &Case<'_>, claim: &Claim) -> Vec<String> {
    claim
        .places
        .first()
        .and_then(|place| case.answer.artefacts.get(place.artefact)?.document.blocks.get(place.block))
        .map_or_else(Vec::new, |block| stems(&block.text.plain))
}
