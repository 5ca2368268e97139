//! The plan takes up an aim that the ask never has: in its goals, objectives, vision or measures of success stands a subject
//! that is foreign to the ask.
//!
//! A goal counts where most of its content words are foreign to the ask and none of the words that every plan shares
//! ("engage stakeholders", "stay on budget"); in a run, only where the foreign subject also stands in other artefacts, since
//! a planner that adopts an aim repeats it. Steps towards the asked goal, elaborations, mitigations and flagged assumptions
//! are none.
//!
//! Example: the ask is a village bakery; "Build an export business for frozen dough" among its goals is an incident.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "goal-added";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::A,
    summary: "an aim that the ask never has is among the goals",
    on_by_default: true,
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
    steadfast_language::pattern(r"(?i)\b(?:goals?|objectives?|visions?|aims?|ambitions?|success metrics|metrics for success|success criteria|expected outcomes|purpose and goals|related goals)\b").ok()
});

static GOAL_SENTENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)\b(?:(?:primary|main|key|overall|ultimate|central|long-term|core|second|third|further|additional|new) (?:goals?|objectives?|aims?|vision|ambition) (?:is|are|include)|(?:our|the) (?:goal|vision|ambition|aim|objective) is)\b").ok()
});

/// Headings under which aims are only discussed.
static NO_GOALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)\b(?:non-goals?|no goals?|risk|mitigation|assumption|governance|terms of reference|key outputs|committee|learning objectives?|smart validation|responsibilit|kpi monitoring|audit)\b").ok()
});

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
