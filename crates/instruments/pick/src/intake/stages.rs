//! The stages that a task needs.

use super::actions::Action;
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

/// The stages, in their order, never empty.
pub(super) fn read(known: &Known<'_>) -> Vec<Stage> {
    let text = known.text;
    let says = |words: &[&str]| text.any(words);
    let did = |intents: &[Intent]| {
        known.actions.iter().any(|action| !action.verb.light && intents.contains(&action.verb.intent))
            || intents.contains(&known.intent)
    };
    // "weekly" and "learned" look back only with what is looked back on.
    let back = |word: &str| match word {
        "weekly" => says(&["review", "reflection", "retro", "retrospective", "journal"]),
        "learned" => says(&["lessons", "we", "i"]),
        _ => true,
    };
    let reflects = super::pieces::intent_of_phrase(text) == Some(Intent::Review)
        || text.own().any(|(_, word)| REFLECT.contains(&word.low.as_ref()) && back(&word.low));
    let mut wanted: Vec<Stage> = Vec::new();
    if known.unclear || known.project || says(CLARIFY) {
        wanted.push(Stage::Clarify);
    }
    if known.project
        || did(&[Intent::Plan, Intent::Decide])
        || says(PLAN)
        || (known.multistep && known.actions.len() > 2)
    {
        wanted.push(Stage::Plan);
    }
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
    if known.project || (makes && (known.multistep || !reflects)) {
        wanted.push(Stage::Execute);
    }
    let checks = did(&[Intent::Review]) || says(VERIFY);
    if known.project
        || (checks && !reflects)
        || (checks && known.multistep)
        || (known.multistep && known.risk_level > RiskLevel::Low)
    {
        wanted.push(Stage::Verify);
    }
    if reflects {
        wanted.push(Stage::Reflect);
    }
    // One step: the stage that the intent itself stands for.
    if !known.multistep && !known.project && wanted.len() > 1 {
        let own = match known.intent {
            _ if reflects => Stage::Reflect,
            Intent::Plan | Intent::Decide => Stage::Plan,
            Intent::Review => Stage::Verify,
            _ => Stage::Execute,
        };
        wanted.retain(|stage| *stage == own || (*stage == Stage::Clarify && known.unclear));
        if wanted.is_empty() || wanted == [Stage::Clarify] {
            wanted.push(own);
        }
    }
    if wanted.is_empty() {
        wanted.push(Stage::Execute);
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}
