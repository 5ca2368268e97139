//! The prompt is not sure of something, says so, and the report states it as a fact.
//!
//! What the prompt is not sure of is what it hedges ("I think `retry_queue` is dead code", "can't remember if the seed was 7 or 17", "nobody
//! has checked"). It is an incident where a sentence of the report has most of the words of the doubted claim and asserts it: no hedge, no
//! question, no condition, no denial, no word on what is open. A sentence that names who thinks so keeps the doubt.
//!
//! Example: "We suspect the double-tap protection" against "The double-tap protection is the root cause."

use std::sync::LazyLock;

use steadfast_annotate::{Strength, content_stems, modality, negations};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::ask::{ContractItem, Kind};
use crate::incident::{DriftType, Incident};
use crate::kin::is_prose;
use crate::passages::whole;
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "doubt-settled";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::D, summary: "what the prompt is not sure of is stated as a fact", run };

/// What says in the prompt that something is not sure.
static DOUBT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?ix)\b(?:i|we|they|he|she)\s+(?:\w+ly\s+|\*)?(?:think|thought|believe|suspect|guess|assume|reckon|suppose)\b|\bnot\s+(?:\w+\s+)?(?:sure|certain|100\s?%)|\bno\s+idea\b|\bdunno\b|\b(?:can.?t|cannot)\s+(?:remember|tell|say|hear)\b|\b(?:don.?t|doesn.?t|do\s+not)\s+(?:\w+ly\s+)?know\b|\bnobody\s+(?:has|knows|wrote)\b|\b(?:unclear|unknown|perhaps|maybe|probably|supposedly|apparently)\b",
    )
    .ok()
});
/// What a hedge says in the prompt: a modal behind its subject.
static HEDGED: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\w \*?(?:may|might|could)\b").ok());
/// What says in the report that something is open, or who thinks so.
static OPEN: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?ix)\b(?:if|whether|unless|suspect\w*|suspicion|assum\w+|think|thinks|thought|believ\w+|guess\w*|likely|unlikely|probab\w+|possib\w+|perhaps|maybe|may|might|could|would|should|seem\w*|appear\w*|apparent\w*|uncertain\w*|unclear|unknown|unsure|unverified|unconfirmed|unproven|hypothes\w+|candidate|not\s+(?:yet\s+)?(?:known|clear|certain|sure|confirmed|proven|checked|verified|decided|settled)|nobody|no\s+one|open|question\w*|confirm|confirmed|verify|verified|check(?:ed)?|flag(?:ged)?|ask(?:ed)?|pending|to\s+be|expect\w*|estimat\w*|says?|said|according|report(?:s|ed)?\s+that|provisional|around|about|roughly|approximat\w+|until|your\s+(?:hunch|impression))\b|\?",
    )
    .ok()
});

/// Share of the doubted claim's words that a sentence has, at least, and how many.
const SHARE_MIN: f64 = 0.5;
const HITS_MIN: usize = 3;
/// Words that doubt, and none of what is doubted.
const DOUBTING: &[&str] = &[
    "think", "thought", "believ", "suspect", "guess", "assum", "reckon", "suppos", "sure", "certain", "idea", "dunno",
    "rememb", "tell", "say", "hear", "know", "known", "wrote", "whether", "unclear", "unknown", "perhap", "mayb",
    "probabl", "suppos", "appar", "honest", "true",
];
/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

/// Whether an obligation says that something is not sure.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    // "May slip" leaves to choice, and is not sure of nothing.
    let hedged = item.obligation.kind == Kind::Uncertainty && hit(&HEDGED, said);
    item.obligation.kind != Kind::Intent && (hedged || hit(&DOUBT, said))
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    for ((at, item), near) in case.ask.obligations.iter().enumerate().zip(&case.near) {
        let source = item.obligation.source();
        if !looks_at(item) {
            continue;
        }
        // What is to be done about it is no part of the doubt.
        let claimed = source.text().split(", so ").next().unwrap_or_default();
        let doubted: Vec<String> = content_stems(claimed)
            .into_iter()
            .map(|(_, stem)| stem)
            .filter(|stem| !DOUBTING.contains(&stem.as_str()))
            .collect();
        if doubted.len() < HITS_MIN {
            continue;
        }
        for passage in near {
            let Some(claim) = whole(case.answer, passage).filter(|claim| claim.is_of_the_plan()) else { continue };
            let hits = doubted.iter().filter(|stem| claim.has_stem(stem)).count();
            let wide = hits as f64 >= SHARE_MIN * doubted.len() as f64;
            let open = !is_prose(case.answer, &claim)
                || claim.stance.assumed
                || hit(&OPEN, &claim.text)
                || claim.places.first().is_some_and(|place| {
                    case.answer.section_path(place).iter().any(|title| hit(&OPEN, title))
                        || hit(&OPEN, &case.answer.label(place))
                });
            if hits < HITS_MIN
                || !wide
                || open
                || !negations(&claim.text).is_empty()
                || modality(&claim.text).strength < Strength::Asserted
            {
                continue;
            }
            // The prompt's own words on something else that it is sure of.
            if case.ask.request.statements.iter().any(|statement| {
                !hit(&DOUBT, &statement.text)
                    && claim.stems.len() > 1
                    && claim
                        .stems
                        .iter()
                        .all(|(_, stem)| content_stems(&statement.text).iter().any(|(_, own)| own == stem))
            }) {
                continue;
            }
            incidents.push(
                incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(passage.quote.clone()))
                    .at(case.answer, &claim, &(0..claim.text.len()))
                    .source(source)
                    .obligation(at)
                    .hedge_lost()
                    .because(format!(
                        "The prompt is not sure (\"{}\"); the report states it as a fact.",
                        source.text().trim()
                    ))
                    .repair("Say how sure it is, and what would settle it.")
                    .done(),
            );
            break;
        }
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}
