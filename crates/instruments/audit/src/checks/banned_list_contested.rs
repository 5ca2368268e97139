//! The answer proposes to lift a ban of the ask, or asks for its justification.
//!
//! Naming the ban to keep it is no incident; revisiting it, reconsidering it or making its terms an option again is.
//!
//! Example: the ask says "Banned words: drone"; "The banned words list should be revisited" is an incident, "The banned words
//! list is observed throughout" is none.

use steadfast_annotate::Pattern;
use steadfast_ask::speaks_of_ban;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "banned-list-contested";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "the report proposes to lift a ban", run };

static CONTESTED: Pattern = Pattern::new(
    r"(?i)\b(?:revisit\w*|reconsider\w*|re-?evaluat\w*|reassess\w*|relax\w*|lift(?:ed|ing)?|loosen\w*|challeng\w*|overturn\w*|waiv\w*|(?:seek|request|negotiat)\w* (?:an )?(?:exception|exemption)\w*|justif(?:y|ies|ying|ication)|remov(?:e|ing) the|drop(?:ping)? the)\b",
);

/// Words before the reopening that take it back.
static NOT: Pattern = Pattern::new(r"(?i)\b(?:not|never|no need to|without|cannot)\b(?:\W+\w+){0,3}\W*$");

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    for (item, forbidden) in super::prohibitions(case) {
        let mut found = case.answer.claims.iter().filter_map(|claim| {
            if !speaks_of_ban(&claim.text) {
                return None;
            }
            // "The banned words list" is any list of bans; else the sentence must name what is forbidden.
            let of_list = forbidden.is_list && claim.text.to_lowercase().contains("banned");
            if !of_list && !forbidden.stems.iter().any(|stem| claim.has_stem(stem)) {
                return None;
            }
            let range = CONTESTED.find(&claim.text)?.range();
            if NOT.is_match(claim.text.get(..range.start)?) {
                return None;
            }
            let voice = claim.voice_at(&range);
            if !voice.can_drift() {
                return None;
            }
            let quote = case.answer.quote(claim, &range)?;
            Some((voice, claim, range, quote))
        });
        let Some((voice, claim, range, quote)) = found.next() else { continue };
        let others: Vec<_> = found.map(|(.., quote)| quote).collect();
        let Some(ban) = case.ask.obligations.get(item) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.9, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .voice(voice)
                .also(others)
                .source(ban.obligation.source())
                .obligation(item)
                .because("The prompt forbids this; the report proposes to reopen the question.")
                .repair("Keep the ban: only the user can lift it.")
                .done(),
        );
    }
    incidents
}
