//! The plan takes up an aim that the ask never has: in its goals, objectives, vision or measures of success stands a subject
//! that is foreign to the ask.
//!
//! A goal counts where most of its content words are foreign to the ask and none of the words that every plan shares
//! ("engage stakeholders", "stay on budget"); in a run, only where the foreign subject also stands in other artefacts, since
//! a planner that adopts an aim repeats it. In a single report two other signs tell: an item of a list all of whose other items take up the
//! ask and that has nothing of it, and a sentence that says itself that it adds an aim ("a further goal is …"). Steps towards the asked goal, elaborations, mitigations and flagged assumptions
//! are none.
//!
//! Example: the ask is a village bakery; "Build an export business for frozen dough" among its goals is an incident.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Strength, modality};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;
use steadfast_text::BlockKind;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::kin::{leans, states};
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "goal-added";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::A,
    summary: "an aim that the ask never has is among the goals",
    on_by_default: false,
    run,
};

/// Share of a goal's own content words that are foreign to the ask, at least.
const FOREIGN_SHARE_MIN: f64 = 0.6;
/// The same for an answer of few artefacts, where recurrence says nothing.
const FOREIGN_SHARE_ALONE_MIN: f64 = 1.0;
/// Artefacts in whose goals a foreign subject stands, at least, where there are many artefacts.
const ARTEFACTS_MIN: usize = 3;
/// From so many artefacts on an answer is a run, and recurrence is asked for.
const RUN_ARTEFACTS_MIN: usize = 4;
/// A goal in a list is short; longer ones are descriptions, in content words.
const GOAL_STEMS_MAX: usize = 14;
/// A heading of goals is short, in words.
const HEADING_WORDS_MAX: usize = 7;
/// Words with which aims of management begin, whatever they are about.
const MANAGING: &[&str] = &[
    "keep",
    "stay",
    "remain",
    "manage",
    "inform",
    "communicate",
    "report",
    "document",
    "ensure",
    "maintain",
    "comply",
    "monitor",
];
/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 2;

static GOALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:goals?|objectives?|visions?|aims?|ambitions?|success metrics|metrics for success|success criteria|expected outcomes|purpose and goals|related goals)\b").ok()
});

static GOAL_SENTENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:(?:primary|main|key|overall|ultimate|central|long-term|core|second|third|further|additional|new) (?:goals?|objectives?|aims?|vision|ambition) (?:is|are|include)|(?:our|the) (?:goal|vision|ambition|aim|objective) is)\b").ok()
});

/// Headings under which aims are only discussed.
static NO_GOALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:non-goals?|no goals?|risk|mitigation|assumption|governance|terms of reference|key outputs|committee|learning objectives?|smart validation|responsibilit|kpi monitoring|audit)\b").ok()
});

/// A sentence says itself that it adds something.
static ADDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:second|third|fourth|another|further|additional|new|more|extra)\b[^.;:]{0,16}\b(?:aims?|goals?|objectives?|purposes?|targets?|tasks?|ambitions?|missions?)\b|^\W*(?:in addition|additionally|besides|beyond (?:that|this)|furthermore|moreover|on top of (?:that|this)|as well as (?:that|this)|apart from (?:that|this))\b").ok()
});
/// Items of a list beside one, at least, before it can stand out among them.
const SIBLINGS_MIN: usize = 2;
/// Telling words of an item, at least, before it can stand out: "The tone is factual" describes, and adds nothing.
const TELLING_MIN: usize = 3;

/// Items and sentences that are foreign to the ask, in a report that is no run.
fn additions<'a>(case: &Case<'a>) -> Vec<(&'a Claim, Range<usize>, String)> {
    if !case.kin.judges() {
        return Vec::new();
    }
    let of = |claim: &'a Claim| {
        if !states(case.answer, claim) || modality(&claim.text).strength < Strength::Tentative {
            return None;
        }
        // The words of the frame say nothing of the aim.
        let adds = ADDS.as_ref()?.find_iter(&claim.text).last();
        let from = adds.map_or(0, |found| found.end());
        let colon = claim.text[from..].find(": ").filter(|_| adds.is_some()).map_or(from, |at| from + at);
        let range = colon..claim.text.len();
        let ties = case.kin.ties(claim, &range);
        let foreign = ties.is_foreign() || ties.is_alone();
        if !foreign || case.kin.has_figure_of_ask(claim) || case.kin.supports(&claim.text[range]) {
            return None;
        }
        // Running text that was cut into items goes on from item to item; an aim that was added does not.
        let own = !leans(&claim.text) && ties.telling >= TELLING_MIN;
        let stands_out = || own && stands_out(case, claim) && ties.asked == 0 && ties.told * 2 <= ties.telling;
        (adds.is_some() || stands_out()).then(|| (claim, 0..claim.text.len(), ties.words(&claim.text)))
    };
    case.answer.claims.iter().filter_map(of).collect()
}

/// Whether all other items of a list without numbers take up words of the ask.
fn stands_out(case: &Case<'_>, claim: &Claim) -> bool {
    let Some(place) = claim.places.first() else { return false };
    let Some(artefact) = case.answer.artefacts.get(place.artefact) else { return false };
    let blocks = &artefact.document.blocks;
    let is_item = |at: usize| {
        blocks.get(at).is_some_and(|block| matches!(block.kind, BlockKind::ListItem { depth: 0, ordinal: None, .. }))
    };
    if !is_item(place.block) {
        return false;
    }
    let first = (0..place.block).rev().take_while(|at| is_item(*at)).last().unwrap_or(place.block);
    let items: Vec<usize> = (first..).take_while(|at| is_item(*at)).filter(|at| *at != place.block).collect();
    let takes_up = |at: &usize| {
        let claims = case.answer.by_block.get(&(place.artefact, *at)).into_iter().flatten();
        let mut claims = claims.filter_map(|own| case.answer.claims.get(*own));
        claims.any(|own| case.kin.ties(own, &(0..own.text.len())).asked > 0 || case.kin.supports(&own.text))
    };
    items.len() >= SIBLINGS_MIN && items.iter().all(takes_up)
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let asked = matching::asked(case.ask);
    let is_run = case.answer.artefacts.len() >= RUN_ARTEFACTS_MIN;
    let share_min = if is_run { FOREIGN_SHARE_MIN } else { FOREIGN_SHARE_ALONE_MIN };
    let goals: Vec<&Claim> = case
        .answer
        .claims
        .iter()
        .filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed && is_goal(case, claim))
        .collect();
    let mut by_stem: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for claim in &goals {
        for stem in matching::novel(claim, &asked) {
            by_stem.entry(stem).or_default().extend(claim.places.iter().map(|place| place.artefact));
        }
    }
    let mut found: Vec<(usize, &Claim, String)> = Vec::new();
    for claim in goals {
        let novel = matching::novel(claim, &asked);
        let own = claim.stems.iter().filter(|(_, stem)| !matching::is_generic(stem)).count();
        if own == 0 || (novel.len() as f64) < share_min * own as f64 {
            continue;
        }
        let Some((stem, artefacts)) = novel
            .iter()
            .map(|stem| (*stem, by_stem.get(stem).map_or(0, BTreeSet::len)))
            .max_by_key(|(stem, artefacts)| (*artefacts, std::cmp::Reverse(*stem)))
        else {
            continue;
        };
        if (is_run && artefacts < ARTEFACTS_MIN) || (!is_run && novel.len() < 2) {
            continue;
        }
        found.push((artefacts, claim, stem.to_owned()));
    }
    found.sort_by_key(|(artefacts, ..)| std::cmp::Reverse(*artefacts));
    let mut incidents: Vec<Incident> = Vec::new();
    let mut subjects: Vec<String> = Vec::new();
    for (_, claim, stem) in &found {
        if subjects.contains(stem) || incidents.len() == INCIDENTS_MAX {
            continue;
        }
        subjects.push(stem.clone());
        let Some(range) = claim.stems.iter().find(|(_, own)| own == stem).map(|(range, _)| range.clone()) else {
            continue;
        };
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let word = &claim.text[range.clone()];
        let others = found
            .iter()
            .filter(|(_, other, own)| own == stem && !std::ptr::eq(*other, *claim))
            .filter_map(|(_, other, _)| case.answer.quote(other, &(0..other.text.len())));
        incidents.push(
            incident(&CHECK, Severity::Moderate, 0.7, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .also(others)
                .because(format!("The report makes this a goal; the prompt never speaks of \"{word}\"."))
                .repair(format!("Drop the goal of \"{word}\", or mark it as an idea outside the scope."))
                .done(),
        );
    }
    for (claim, range, words) in additions(case) {
        if incidents.len() >= INCIDENTS_MAX || found.iter().any(|(_, known, _)| std::ptr::eq(*known, claim)) {
            continue;
        }
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Moderate, 0.7, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .because(format!(
                    "The report adds this; neither the prompt nor the rest of the report speaks of {words}."
                ))
                .repair("Drop it, or mark it as an idea outside the scope.")
                .done(),
        );
    }
    incidents
}

fn is_goal(case: &Case<'_>, claim: &Claim) -> bool {
    let (Some(goals), Some(sentence), Some(none)) = (&*GOALS, &*GOAL_SENTENCE, &*NO_GOALS) else { return false };
    if sentence.is_match(&claim.text) {
        return true;
    }
    let opening = claim.text.split_whitespace().next().unwrap_or_default().to_lowercase();
    if claim.stems.len() > GOAL_STEMS_MAX || MANAGING.contains(&opening.as_str()) {
        return false;
    }
    claim.places.iter().any(|place| {
        let heading = case.answer.heading(place);
        heading.split_whitespace().count() <= HEADING_WORDS_MAX && goals.is_match(&heading) && !none.is_match(&heading)
    })
}
