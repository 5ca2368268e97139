//! The prompt names the headings, and the report has another one in the place of one of them.
//!
//! Headings are asked for where a sentence that says "headings" or "sections" lists three or more, in code spans, in quotation marks or between
//! slashes, dashes or semicolons. The report is held against them where it has at least half of them. An incident is a heading of the same level
//! as those that are there, which is none of the list, while one of the list is missing.
//!
//! Example: "exactly these headings: Need / Activities / Afterwards" against a report with "Need", "Activities" and "Sustainability".

use std::sync::LazyLock;

use steadfast_evidence::{Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::ask::{ContractItem, Kind};
use crate::incident::{DriftType, Incident};
use crate::same_figure::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "heading-replaced";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "the report has another heading in the place of one that the prompt names",
    on_by_default: true,
    run,
};

/// Headings that a list has, at least and at most.
const HEADINGS_MIN: usize = 3;
const HEADINGS_MAX: usize = 24;
/// Words of a heading, at most.
const WORDS_MAX: usize = 8;

static SPEAKS: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:headings?|sections?|structure)\b").ok());
static MARKED: Pattern = LazyLock::new(|| steadfast_annotate::pattern("`#* *([^`]+)`|\"([^\"]+)\"|“([^”]+)”").ok());

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for statement in &case.ask.request.statements {
        let asked = headings(statement.quote.text());
        if asked.len() < HEADINGS_MIN {
            continue;
        }
        let of_it = |item: &ContractItem| {
            item.obligation.kind != Kind::Intent && item.obligation.source().span().overlaps(statement.quote.span())
        };
        let own_item = case.ask.obligations.iter().rposition(of_it);
        for artefact in &case.answer.artefacts {
            let document = &artefact.document;
            let own: Vec<(u8, String, Option<Quote>)> = document
                .blocks
                .iter()
                .filter(|block| block.kind == steadfast_text::BlockKind::Heading)
                .map(|block| {
                    let level = document.sections.get(block.section).map_or(0, |section| section.level);
                    (level, folded(&block.text.plain), Quote::cut(artefact.file, document, block.span))
                })
                .collect();
            let there: Vec<&(u8, String, Option<Quote>)> =
                own.iter().filter(|(_, title, _)| asked.contains(title)).collect();
            let missing = asked.iter().find(|title| !own.iter().any(|(_, own, _)| own == *title));
            let Some(missing) = missing.filter(|_| there.len() * 2 >= asked.len()) else { continue };
            let level = there.first().map(|(level, ..)| *level);
            let other =
                own.iter().find(|(own, title, _)| Some(*own) == level && !asked.contains(title) && !title.is_empty());
            let Some((_, title, Some(quote))) = other else { continue };
            let Some(claim) = case.answer.claims.first() else { continue };
            let draft = incident(&CHECK, Severity::Moderate, 0.85, Evidence::Quote(quote.clone()))
                .at(case.answer, claim, &(0..0))
                .source(own_item.map_or(&statement.quote, |item| case.ask.obligations[item].obligation.source()))
                .because(format!("The prompt asks for the heading \"{missing}\"; the report has \"{title}\"."))
                .repair("Use the headings of the prompt.");
            incidents.push(match own_item {
                Some(item) => draft.obligation(item).done(),
                None => draft.done(),
            });
            break;
        }
    }
    incidents
}

/// The headings that a sentence lists; none where it speaks of no headings.
fn headings(text: &str) -> Vec<String> {
    if !hit(&SPEAKS, text) {
        return Vec::new();
    }
    let marked: Vec<String> = MARKED
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text))
        .filter_map(|found| found.get(1).or(found.get(2)).or(found.get(3)))
        .map(|found| folded(found.as_str()))
        .take(HEADINGS_MAX)
        .collect();
    if marked.len() >= HEADINGS_MIN {
        return marked;
    }
    let list = text.rsplit_once(": ").map_or("", |(_, list)| list);
    [" / ", " – ", " - ", "; "]
        .iter()
        .map(|mark| {
            list.split(mark).map(folded).filter(|title| !title.is_empty()).take(HEADINGS_MAX).collect::<Vec<_>>()
        })
        .find(|titles| titles.len() >= HEADINGS_MIN && titles.iter().all(|title| title.split(' ').count() <= WORDS_MAX))
        .unwrap_or_default()
}

/// A heading in lower case, without marks and numbers around it.
fn folded(title: &str) -> String {
    title.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().replace('’', "'")
}
