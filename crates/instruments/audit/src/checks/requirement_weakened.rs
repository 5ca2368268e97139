//! What must be is made optional, conditional, postponed, left out of scope or denied.
//!
//! What the ask puts as a duty is looked for by its words in the plan's own claims and in its lists of exclusions; it is an
//! incident where a word of choice ("if possible", "consider", "optional", "in a later phase") governs it, or where most
//! of its words stand in a denial, and no other claim of the plan keeps it. A condition on an elaboration, or weighing the way and not the thing, is none.
//!
//! Example: "every session must have two lifeguards" against "if possible, two lifeguards are on duty".

use std::sync::LazyLock;

use regex::Regex;
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};
use steadfast_language::{Strength, is_mention, is_negated, modality, negations};

use super::{Case, Check, incident, rule};
use crate::ask::Kind;
use crate::incident::{DriftType, Incident};
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "requirement-weakened";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "what must be is made optional, conditional, or put off",
    on_by_default: true,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;
/// Share of the weighted words of the requirement that the claim has, at least.
const SHARE_MIN: f64 = 0.38;
/// The same where it has only two of them.
const SHARE_OF_TWO: f64 = 0.5;
/// Share of the weighted words of the requirement that a claim has, at least, that denies it.
const SHARE_DENIED: f64 = 0.7;
/// Content words from the first to the last of these, for each, at most.
const SPREAD_MAX: usize = 2;

static DUTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)\b(?:must|shall|required|essential|mandatory|critical|need(?:s)? to|has to|have to|compulsory|obligatory|never|always)\b").ok()
});

/// Words that make it a matter of choice, before it or after it.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)(?:\b(?:if (?:possible|feasible|practicable|the budget allows|funds allow)|where (?:possible|feasible|practicable)|subject to (?:available )?(?:budget|funding|funds|time)|ideally|optional(?:ly)?)\b|^\W*consider\w* (?:mak|hav|us|add|provid|keep|offer|introduc|includ)\w*)").ok()
});

static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_language::pattern(r"(?i)\b(?:in a (?:later|second|future|subsequent) (?:phase|stage|release|version)|at a later (?:stage|date)|if possible|where possible|if feasible|(?:is|are|remains?) (?:optional|desirable)|is postponed|are postponed|is deferred|are deferred|as a nice-to-have)\b").ok()
});

/// What becomes of the requirement.
#[derive(Clone, Copy)]
enum How {
    LeftOut,
    Weakened,
    Denied,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(duty), Some(before), Some(after)) = (&*DUTY, &*BEFORE, &*AFTER) else { return Vec::new() };
    let index = &case.index;
    let mut incidents = Vec::new();
    for (item, obligation) in case.ask.obligations.iter().enumerate() {
        let Some(Rule::Require { what, .. }) = rule(case, item) else { continue };
        let source = obligation.obligation.source();
        if obligation.obligation.kind != Kind::Constraint || !duty.is_match(source.text()) {
            continue;
        }
        let stems: Vec<String> = matching::stems_once(&duty.replace_all(what, " "))
            .into_iter()
            .filter(|stem| !matches!(stem.as_str(), "everi" | "abl" | "year" | "all"))
            .collect();
        if stems.len() < 2 {
            continue;
        }
        let found = index.aligned(&stems, SHARE_MIN);
        let mut weak = None;
        for alignment in &found {
            let claim = &case.answer.claims[alignment.claim];
            let text = &claim.text;
            if alignment.hits < 2
                || (alignment.share < SHARE_OF_TWO && alignment.hits < 3)
                || alignment.words > SPREAD_MAX * alignment.hits + 1
                || claim.stance.assumed
            {
                continue;
            }
            let left_out = claim.voice().is_of_the_plan() && claim.stance.excluded;
            if !claim.is_of_the_plan() && !left_out {
                continue;
            }
            let marked = before
                .find(text)
                .filter(|mark| {
                    mark.start() <= alignment.range.start
                        && clause_is_one(&text[mark.end()..alignment.range.start.max(mark.end())], mark.start() == 0)
                })
                .or_else(|| {
                    after.find(text).filter(|mark| {
                        mark.start() >= alignment.range.end
                            && clause_is_one(&text[alignment.range.end..mark.start()], false)
                    })
                });
            let denied = alignment.share >= SHARE_DENIED
                && !claim.stance.excluded
                && negations(what).is_empty()
                && modality(text).strength_at(alignment.range.clone()) >= Strength::Intended
                && claim.stems.iter().any(|(range, stem)| {
                    stems.contains(stem) && !matching::is_generic(stem) && is_negated(text, range.clone())
                });
            if denied {
                if weak.is_none() && !is_mention(text, alignment.range.clone()) {
                    weak = Some((claim, alignment.range.clone(), How::Denied));
                }
            } else if left_out || marked.is_some() {
                if weak.is_none() && !is_mention(text, alignment.range.clone()) | left_out {
                    let range = marked.map_or(alignment.range.clone(), |mark| {
                        mark.start().min(alignment.range.start)..mark.end().max(alignment.range.end)
                    });
                    weak = Some((claim, range, if left_out { How::LeftOut } else { How::Weakened }));
                }
            } else if modality(text).strength_at(alignment.range.clone()) >= Strength::Intended {
                // Kept elsewhere, or here.
                weak = None;
                break;
            }
        }
        let Some((claim, range, how)) = weak else { continue };
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let how = match how {
            How::LeftOut => "leaves it out",
            How::Weakened => "makes it a matter of choice or of later",
            How::Denied => "denies it",
        };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(item)
                .because(format!("The prompt demands \"{}\"; the report {how}.", source.text()))
                .repair(format!("Put it as a requirement: \"{}\".", source.text()))
                .done(),
        );
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}

/// Whether no mark ends the clause in these words; one comma may follow a condition that opens the sentence.
fn clause_is_one(words: &str, opens: bool) -> bool {
    let commas = words.matches(',').count();
    !words.contains([';', '.', ':', '—']) && commas <= usize::from(opens)
}
