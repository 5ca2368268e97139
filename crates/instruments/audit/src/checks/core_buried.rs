//! What the ask is mainly about is missing from the summary and the goals, though it stands elsewhere in the answer.
//!
//! The core is what the ask itself marks ("the main thing is", "most importantly", "above all", "its core is", "the central
//! question"). Its telling words are looked for in every part that sums up: executive summary, abstract, goals, pitch. An answer
//! without such a part is its own summary, and a summary may drop details.
//!
//! A single report is looked at in another way too: where its first paragraph speaks of nothing but what the ask leaves to choice, puts off or rules
//! out, and the sentence that says most of what the ask begins with stands under a heading such as "Later", that comes too late.
//!
//! Example: "the main thing is a round at two in the morning" against a summary of an internet page and a summer party.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use steadfast_annotate::{NameContext, names};
use steadfast_evidence::{Absence, Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::kin::words_of;
use crate::{aside, matching};

/// The check's id.
pub(super) const ID: &str = "core-buried";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::H,
    summary: "what the ask is mainly about is missing from summary and goals",
    run,
};

/// Share of the core's weighted words that the summing parts have together, at most, for it to be missing there.
const SHARE_SUMMARY_MAX: f64 = 0.35;
/// Share of the core's weighted words that some claim elsewhere has, at least, for it to be buried and not missing.
const SHARE_ELSEWHERE_MIN: f64 = 0.4;
/// Telling words of a core, at least.
const STEMS_MIN: usize = 3;

static CORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:the main (?:thing|point|task|aim|goal) (?:is|are)|most important(?:ly)?|above all|(?:its|the|our) (?:core|heart) (?:is|are)|(?:the|our) (?:central|core|key|main|primary) (?:question|requirement|concern|purpose|objective|deliverable) (?:is|are)|first and foremost|is essential)\b").ok()
});

/// Headings of what comes later, beside or not at all.
static LATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:later|after(?:wards?)?|optional|options|outside|outlook|beyond|not (?:in|part of)|out of scope|future|extras?|wishes|ideas|annex|appendix|miscellaneous|other)\b").ok()
});
/// Telling words of what the ask begins with, at least, in the sentence that comes to it.
const CORE_WORDS_MIN: usize = 2;

static SUMMARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:\b(?:summary|abstract|goals?|objectives?|goal statement|smart criteria|pitch|overview|at a glance|in short|tl;dr)\b|_summary|_pitch)").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = unnamed(case);
    incidents.extend(opening(case));
    incidents
}

/// A first paragraph that speaks of nothing but what the ask has beside its core.
fn opening(case: &Case<'_>) -> Option<Incident> {
    let first = aside::first_paragraph(case)?;
    let claims: Vec<&Claim> = first.iter().filter_map(|at| case.answer.claims.get(*at)).collect();
    let beside = aside::of_ask(case);
    let speaks = |claim: &&Claim| beside.iter().find(|thing| thing.is_spoken_of(claim));
    let things: Vec<&aside::Aside> = claims.iter().map(speaks).collect::<Option<_>>()?;
    let claim = claims.first()?;
    // What the whole is about, and where the report comes to it.
    let statement = case.ask.request.statements.first()?;
    let core = words_of(&statement.text, 0..statement.text.len());
    let met = |own: &&Claim| {
        let words = words_of(&own.text, 0..own.text.len());
        core.iter().filter(|stem| !matching::is_generic(stem) && words.contains(stem)).count()
    };
    let others = case.answer.claims.iter().filter(|own| !claims.iter().any(|claim| std::ptr::eq(*claim, *own)));
    // Of equals the first: the order of the comparison is that of the report, backwards.
    let later = others.rev().max_by_key(met).filter(|own| met(own) >= CORE_WORDS_MIN)?;
    // Parts of a report may stand in any order; what a heading calls later or beside comes too late wherever it stands.
    let late = LATE.as_ref()?;
    if !later.places.iter().all(|place| late.is_match(&case.answer.heading(place))) {
        return None;
    }
    let range = 0..claim.text.len();
    let quote = case.answer.quote(claim, &range)?;
    let thing = &case.ask.obligations[things.first()?.item].obligation;
    Some(
        incident(&CHECK, Severity::Moderate, 0.7, Evidence::Quote(quote))
            .at(case.answer, claim, &range)
            .source(&statement.quote)
            .also(claims.iter().skip(1).filter_map(|claim| case.answer.quote(claim, &(0..claim.text.len()))))
            .because(format!(
                "The report opens with what the prompt has beside its core (\"{}\"); what it asks for comes only at \"{}\".",
                crate::lists::shortened(thing.source().text()),
                crate::lists::shortened(&later.text)
            ))
            .repair("Begin with what the prompt asks for.")
            .done(),
    )
}

/// A core that the ask itself marks and that no part names that sums up.
fn unnamed(case: &Case<'_>) -> Vec<Incident> {
    let (Some(core), Some(summary)) = (&*CORE, &*SUMMARY) else { return Vec::new() };
    let index = &case.index;
    let mut summed: BTreeSet<String> = BTreeSet::new();
    let mut summing: Vec<&Claim> = Vec::new();
    for claim in &case.answer.claims {
        let place = claim.places.iter().find(|place| {
            let artefact = &case.answer.artefacts[place.artefact];
            let path = case.answer.section_path(place);
            path.iter().any(|title| summary.is_match(title))
                || (path.is_empty() && summary.is_match(&artefact.name))
                || summary.is_match(&artefact.name.replace(['-', '_'], " "))
        });
        if place.is_none() || !claim.voice().is_of_the_plan() {
            continue;
        }
        summing.push(claim);
        summed.extend(claim.stems.iter().map(|(_, stem)| stem.clone()));
    }
    if summing.is_empty() {
        return Vec::new();
    }
    for statement in &case.ask.request.statements {
        let Some(mark) = core.find(&statement.text) else { continue };
        let rest = if mark.end() + 12 > statement.text.len() || mark.as_str().ends_with("essential") {
            statement.text.clone()
        } else {
            statement.text[mark.end()..].to_owned()
        };
        let stems: Vec<String> = matching::stems_once(&rest)
            .into_iter()
            .filter(|stem| !matching::is_generic(stem) && stem != "essenti" && stem != "import")
            .collect();
        if stems.len() < STEMS_MIN {
            continue;
        }
        // A place or body that the core names stands for it.
        let named = names(&rest, &NameContext::default());
        let mut own = named.iter().filter(|name| !name.generic);
        if own.any(|name| summing.iter().any(|claim| claim.text.contains(&name.text))) {
            continue;
        }
        let total: f64 = stems.iter().map(|stem| index.weight(stem)).sum();
        let share: f64 = stems.iter().filter(|stem| summed.contains(*stem)).map(|stem| index.weight(stem)).sum();
        let elsewhere = index.aligned(&stems, SHARE_ELSEWHERE_MIN).into_iter().find(|one| {
            let claim = &case.answer.claims[one.claim];
            claim.voice() != crate::voice::Voice::Question && one.hits >= 2
        });
        let Some(elsewhere) = elsewhere.filter(|_| share <= SHARE_SUMMARY_MAX * total) else { continue };
        let files = case.answer.artefacts.iter().map(|artefact| artefact.file).collect();
        // Where it is buried.
        let nearest = case.answer.quote(&case.answer.claims[elsewhere.claim], &elsewhere.range);
        let absence = Absence { terms: stems, files, nearest };
        return vec![
            incident(&CHECK, Severity::Moderate, 0.7, Evidence::Absence(absence))
                .source(&statement.quote)
                .because(format!(
                    "The prompt gives this the greatest weight (\"{}\"); the parts of the report that sum up do not name it.",
                    statement.quote.text()
                ))
                .repair("Name it in the summary and among the goals.")
                .done(),
        ];
    }
    Vec::new()
}
