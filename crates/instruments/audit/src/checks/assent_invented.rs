//! Somebody is said to have agreed, approved, confirmed or checked, and the prompt knows nothing of it.
//!
//! Looked for is a sentence in which a person, a role or a body other than the writer and the reader has assented: "the partners raised no
//! objection", "was confirmed by the association", "she read it through and is happy with the wording". What is still to be approved, what is
//! denied, asked or only supposed is none, and neither is what the prompt says of the same assent.
//!
//! Example: "the partners read it before anything is printed" against "The partners raised no objection to the wording".

use steadfast_annotate::{Pattern, content_stems, is_negated, stems};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "assent-invented";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "somebody is said to have agreed or checked, of which the prompt knows nothing",
    run,
};

/// To have assented, behind whoever did.
static ASSENTED: Pattern = Pattern::new(
    r"(?ix)
        \b(?:has|have|had)\s+(?:\w+ly\s+|already\s+|also\s+|both\s+|all\s+|since\s+)?(?:approved|agreed|consented|confirmed|accepted|endorsed|cleared|signed\s+(?:off|it)|okayed|welcomed|given\s+(?:\w+\s+){0,2}(?:approval|consent|blessing|go-ahead|ok|okay))\b
        |\b(?:approved|endorsed|okayed|cleared|signed\s+off)\s+(?:on\s+)?(?:the|this|it|all|every|our|my|both)\b
        |\b(?:was|were|has\s+been|have\s+been)\s+(?:\w+ly\s+)?(?:confirmed|approved|cleared|endorsed|accepted|agreed|signed\s+off|checked|tested|reviewed)\s+(?:by|with)\s+(?:the|a|an|our|\p{Lu})
        |\b(?:raised?|raises|had|has|have|voiced|made)\s+no\s+(?:\w+\s+)?objections?\b
        |\b(?:is|are|was|were)\s+(?:quite\s+|very\s+|all\s+)?(?:happy|content|satisfied|fine|comfortable)\s+(?:with|for|to|about)\b
        |\bha(?:d|s|ve)\s+(?:nothing\s+to\s+(?:add|correct|change|object)|only\s+(?:\w+\s+){0,2}(?:remarks?|comments?|notes?|suggestions?)|no\s+(?:remarks?|comments?|corrections?|concerns?))\b
        |\b(?:has|have)\s+(?:shown?|showed)\s+(?:itself|himself|herself|themselves)\s+(?:open|willing|agreeable)\b
        ",
);

/// Words before an assent that leave it to come, or in doubt, or give it to the writer or the reader.
static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:if|unless|until|till|once|when|whenever|whether|before|after|will|would|should|must|may|might|could|can|needs?|has to|have to|to be|as soon as|not|never|nobody|no one|none|without|hope|expect|assum\w+|ask(?:ed)?|wait\w*|who(?:ever)?|which)\b",
);
/// Whoever speaks and whoever is spoken to: they know whether they agreed.
static OWN: Pattern = Pattern::new(r"(?i)\b(?:i|we|you|i've|we've|you've|your|it|this|that|there)\s*$");

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        let Some(found) = ASSENTED.find(&claim.text) else { continue };
        let before = &claim.text[..found.start()];
        let clause = before.rfind([';', ':', '(', '.']).map_or(0, |at| at + 1);
        let before = &before[clause..];
        if OPEN.is_match(before)
            || OWN.is_match(before)
            || is_negated(&claim.text, found.range()) && !found.as_str().contains(" no")
        {
            continue;
        }
        // Somebody has to be there who does so.
        if !before.chars().any(char::is_alphabetic) && !found.as_str().contains(" by ")
            || is_known(case, claim, found.as_str())
        {
            continue;
        }
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .because(format!(
                    "The report says \"{}\"; nothing that the user gave knows of such assent.",
                    found.as_str().trim()
                ))
                .repair("Leave it out, or say that it is still to be asked.")
                .done(),
        );
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}

/// Whether the prompt says of the same assent that it was given: a sentence with its verb, without a denial, and with somebody of the claim.
fn is_known(case: &Case<'_>, claim: &Claim, assent: &str) -> bool {
    // The verb or the noun of assent, without the adverb before it.
    let verbs: Vec<String> = stems(assent);
    let verbs = &verbs[verbs.len().saturating_sub(1)..];
    case.ask.request.statements.iter().any(|statement| {
        let stems = content_stems(&statement.text);
        let has = |wanted: &String| stems.iter().any(|(_, stem)| stem == wanted);
        let verb = stems.iter().find(|(_, stem)| verbs.contains(stem));
        verb.is_some_and(|(range, _)| {
            !is_negated(&statement.text, range.clone()) && !OPEN.is_match(&statement.text[..range.start])
        }) && claim.stems.iter().filter(|(_, stem)| !verbs.contains(stem)).any(|(_, stem)| has(stem))
    })
}
