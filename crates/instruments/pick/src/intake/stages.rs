//! The stages that a task needs.

use std::collections::BTreeSet;

use super::actions::Action;
use super::parts::Part;
use super::verbs::Intent;
use super::words::Text;
use crate::stage::Stage;
use crate::task::RiskLevel;

/// What is known of a task when its stages are chosen.
pub(super) struct Known<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) actions: &'a [Action],
    pub(super) intent: Intent,
    pub(super) risk_level: RiskLevel,
    pub(super) parts: &'a [Part],
    pub(super) multistep: bool,
    /// Whether it is a whole undertaking: strategy and execution, a campaign.
    pub(super) project: bool,
    /// Whether something required is missing.
    pub(super) unclear: bool,
}

/// Words of a text that ask for a stage by its own name.
const CLARIFY: &[&str] = &[
    "clarify",
    "requirements",
    "scope",
    "scoping",
    "brief",
    "discovery",
    "ambiguous",
    "interview",
    "assumptions",
    "kickoff",
];
const VERIFY: &[&str] = &[
    "verify",
    "check",
    "test",
    "tests",
    "validate",
    "proofread",
    "review",
    "audit",
    "qa",
    "checklist",
    "double",
    "fact",
    "confirm",
    "quality",
    "tone",
    "bias",
];
const REFLECT: &[&str] = &[
    "retrospective",
    "retro",
    "postmortem",
    "reflect",
    "reflection",
    "lessons",
    "learned",
    "weekly",
    "journal",
    "debrief",
    "hindsight",
    "retrospect",
];
const PLAN: &[&str] = &[
    "plan",
    "plans",
    "strategy",
    "roadmap",
    "schedule",
    "calendar",
    "timeline",
    "outline",
    "agenda",
    "campaign",
    "itinerary",
    "milestones",
    "budget",
    "organize",
    "prioritize",
];

/// From as many stages on that a task tells in parts of its own they are its stages.
const TOLD_MIN: usize = 2;

/// The stages, in their order, never empty.
pub(super) fn read(known: &Known<'_>) -> Vec<Stage> {
    let told: BTreeSet<Stage> = known.parts.iter().map(|part| part.stage).collect();
    let mut wanted: BTreeSet<Stage> = if known.project {
        let whole = [Stage::Clarify, Stage::Plan, Stage::Execute, Stage::Verify];
        whole.into_iter().chain(told.contains(&Stage::Reflect).then_some(Stage::Reflect)).collect()
    } else if known.multistep && told.len() >= TOLD_MIN {
        told
    } else if known.multistep {
        spoken_of(known)
    } else {
        BTreeSet::from([single(known)])
    };
    if known.unclear {
        wanted.insert(Stage::Clarify);
    }
    wanted.into_iter().collect()
}

/// Whether the task looks back on something.
fn reflects(known: &Known<'_>) -> bool {
    let text = known.text;
    // "weekly" and "learned" look back only with what is looked back on.
    let back = |word: &str| match word {
        "weekly" => text.any(&["review", "reflection", "retro", "retrospective", "journal"]),
        "learned" => text.any(&["lessons", "we", "i"]),
        _ => true,
    };
    super::pieces::intent_of_phrase(text) == Some(Intent::Review)
        || text.own().any(|(_, word)| REFLECT.contains(&word.low.as_ref()) && back(&word.low))
}

/// The stages of several steps that no parts tell: by intents and by words that name a stage.
fn spoken_of(known: &Known<'_>) -> BTreeSet<Stage> {
    let says = |words: &[&str]| known.text.any(words);
    let did = |intents: &[Intent]| {
        known.actions.iter().any(|action| !action.verb.light && intents.contains(&action.verb.intent))
            || intents.contains(&known.intent)
    };
    let makes = did(&[
        Intent::Create,
        Intent::Transform,
        Intent::Communicate,
        Intent::Fix,
        Intent::Act,
        Intent::Summarize,
        Intent::Explain,
        Intent::Find,
        Intent::Analyze,
        Intent::Learn,
    ]);
    let mut wanted: BTreeSet<Stage> = BTreeSet::new();
    let mut add = |stage: Stage, holds: bool| {
        if holds {
            wanted.insert(stage);
        }
    };
    add(Stage::Clarify, says(CLARIFY));
    add(Stage::Plan, did(&[Intent::Plan, Intent::Decide]) || says(PLAN) || known.actions.len() > 2);
    add(Stage::Execute, makes);
    add(Stage::Verify, did(&[Intent::Review]) || says(VERIFY) || known.risk_level > RiskLevel::Low);
    add(Stage::Reflect, reflects(known));
    if wanted.is_empty() {
        wanted.insert(Stage::Execute);
    }
    wanted
}

/// The stage of a task of one step: what it looks back on, asks to be asked, is ordered to do, and only then what its words name.
fn single(known: &Known<'_>) -> Stage {
    let told = |stage: Stage| known.parts.iter().any(|part| part.stage == stage && part.by_phrase);
    let ordered = known.parts.iter().find(|part| !part.by_phrase).map(|part| part.stage);
    if reflects(known) || told(Stage::Reflect) {
        Stage::Reflect
    } else if told(Stage::Clarify) {
        Stage::Clarify
    } else if let Some(stage) = ordered.filter(|stage| *stage != Stage::Execute) {
        stage
    } else if ordered.is_none() && told(Stage::Verify) {
        Stage::Verify
    } else if ordered.is_none() && told(Stage::Plan) {
        Stage::Plan
    } else {
        match known.intent {
            Intent::Plan | Intent::Decide => Stage::Plan,
            Intent::Review => Stage::Verify,
            _ => Stage::Execute,
        }
    }
}
