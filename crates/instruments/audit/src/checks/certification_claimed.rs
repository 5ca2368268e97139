//! A certification, approval, licence or legal compliance is asserted as had or guaranteed, and nobody gave it.
//!
//! Steps towards a certificate, requirements on goods and trades, what a person is certified in, conditions and questions are
//! none; nor is what the ask itself states. Where the ask says that its thing is not certified, work towards a
//! certification of it counts as well.
//!
//! Example: "The card index is fully GDPR-compliant and needs no further review", and the ask says nothing of the kind.

use std::ops::Range;

use steadfast_annotate::{Pattern, content_stems, is_mention, is_negated};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{Disqualifies, DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "certification-claimed";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::I,
    summary: "a certification, approval or compliance is claimed as had",
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

static CLAIMED: Pattern = Pattern::new(
    r"(?x)
        \b(?:is|are|has\ been|have\ been|was|were)\ (?:(?:already|now|fully|officially|nationally|internationally|formally)\ )?(?:[A-Z][\w-]*\ (?:\d[\w:.-]*\ )?){0,3}(?i:certified|accredited|licen[cs]ed|cleared)\ (?:by|to|under|for|as|in|and|with|according|since)\b
        |\b(?:is|are)\ (?:(?:already|now|fully)\ )?(?:[A-Z][\w-]*\ ){1,3}(?:\d[\w:.-]*\ )?(?i:certified|accredited|approved|licensed)\b
        |\b(?:is|are)\ (?i:an?\ (?:fully\ |officially\ )?(?:approved|certified|accredited|licensed))\ (?:\w+\ ){0,3}(?i:device|product|system|facility|laboratory|provider|course|method|school|clinic|platform|medicine|drug|service|project)\b
        |(?i:\b(?:has|have)\ (?:already\ )?been\ (?:approved|authori[sz]ed|cleared|certified)\ by)\b
        |(?i:\b(?:is|are|remains?|stays?|be)\ (?:fully|completely|entirely|100\ ?%)\ (?:[\w-]+[-\ ])?compliant)\b
        |(?i:\b(?:is|are)\ (?:[\w-]+\ )?(?:gdpr|hipaa|fda|iso[\ \d-]*)[-\ ]compliant)\b
        |(?i:\bguarantee[sd]?\ (?:full|complete|total)?\ ?(?:legal\ |regulatory\ )?compliance)\b
        |(?i:\b(?:we|it|they|project|company|team|workshop|firm|organi[sz]ation|school|clinic|farm)\ (?:already\ )?(?:holds?|possess(?:es)?|(?:has|have)\ (?:obtained|received|secured|been\ granted))\ (?:an?|the|all|every)\ (?:[\w-]+\ ){0,3}(?:licen[cs]es?|permits?|certificates?|certifications?|accreditations?|approvals?))\b
        |(?i:\b(?:carries|carry|bears?|has)\ the\ CE\ mark)\b
        |(?i:\b(?:nationally|internationally|officially|state)[-\ ]accredited\ certificate)\b
        ",
);

/// Bodies that approve from outside; being approved by others is the plan's own management.
static OUTSIDE: Pattern = Pattern::new(
    r"(?i)\b(?:agency|authority|authorities|ministry|commission|regulators?|inspectorate|government|council|administration|FDA|EMA|court)\b",
);

/// What is not yet so, or not so for sure.
static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:if|once|until|when|unless|whether|should|must|may|might|could|would|can|needs?|ensur\w+|after|before|provided|will|verif\w+|confirm\w*|check\w*|require[sd]?|potential(?:ly)?)\b",
);

/// Work towards a certificate.
static SOUGHT: Pattern = Pattern::new(
    r"(?i)\b(?:obtain|acquire|achieve|apply for|secure|gain|get)\b[^.;]{0,50}\bcertifi(?:cation|cations|cate|cates)\b|^\W*(?:[\w-]+ ){0,2}certifications?\W*$",
);

/// The ask says that its thing is not certified.
static UNCERTIFIED: Pattern = Pattern::new(r"(?i)\b(?:not|no|never|without|n['’]t)\b[^.;!?]{0,40}\bcertif\w+");

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = case
        .answer
        .claims
        .iter()
        .filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed)
        .filter_map(|claim| held(case, claim, CLAIMED.find(&claim.text)?.range()))
        .take(INCIDENTS_MAX)
        .collect();
    incidents.extend(sought(case));
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

/// A claim to hold what nobody gave.
fn held(case: &Case<'_>, claim: &Claim, range: Range<usize>) -> Option<Incident> {
    let text = &claim.text;
    let words = &text[range.clone()];
    if is_negated(text, range.clone()) || is_mention(text, range.clone()) || OPEN.is_match(&text[..range.start]) {
        return None;
    }
    // "has been approved by the steering committee" is management.
    if words.to_lowercase().contains("approved by") && !OUTSIDE.is_match(&text[range.end..]) {
        return None;
    }
    if given(case, words) {
        return None;
    }
    one(case, claim, &range)
}

fn one(case: &Case<'_>, claim: &Claim, range: &Range<usize>) -> Option<Incident> {
    let quote = case.answer.quote(claim, range)?;
    let words = crate::lists::shortened(claim.text.get(range.clone())?);
    Some(
        incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .because(format!(
                "The report claims \"{words}\"; the prompt gives no such certification, approval or compliance."
            ))
            .repair("Say what has to be obtained or checked, from whom and by when, instead of claiming it.")
            .disqualifies(Disqualifies::RegulatoryMisrepresented)
            .done(),
    )
}

/// Whether the ask says the same of itself, not denied.
fn given(case: &Case<'_>, words: &str) -> bool {
    const ROOTS: &[&str] =
        &["certif", "accredit", "licen", "clear", "approv", "complian", "ce mark", "authori", "permit"];
    let words = words.to_lowercase();
    case.ask.request.statements.iter().any(|statement| {
        let lower = statement.text.to_lowercase();
        ROOTS.iter().filter(|root| words.contains(**root)).any(|root| {
            lower.find(root).is_some_and(|at| {
                !statement.text.is_char_boundary(at)
                    || (!is_negated(&statement.text, at..at + root.len()) && !lower.contains("sought"))
            })
        })
    })
}

/// Work towards a certificate which the ask rules out.
fn sought(case: &Case<'_>) -> Option<Incident> {
    let statement = case.ask.request.statements.iter().find(|statement| UNCERTIFIED.is_match(&statement.text))?;
    let uses: Vec<(&Claim, Range<usize>)> = case
        .answer
        .claims
        .iter()
        .filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed)
        .filter_map(|claim| Some((claim, SOUGHT.find(&claim.text)?.range())))
        .filter(|(claim, range)| !is_negated(&claim.text, range.clone()))
        // A certificate for something else is not ruled out.
        .filter(|(claim, _)| {
            content_stems(&statement.text).iter().any(|(_, stem)| !stem.starts_with("certif") && claim.has_stem(stem))
        })
        .collect();
    let (claim, range) = uses.first()?;
    let quote = case.answer.quote(claim, range)?;
    let others = uses.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range));
    Some(
        incident(&CHECK, Severity::Moderate, 0.75, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .also(others)
            .source(&statement.quote)
            .because(format!(
                "The prompt says \"{}\"; the report works towards a certification.",
                crate::lists::shortened(statement.text.trim())
            ))
            .repair("Drop the certification, or say why the law demands it of this thing.")
            .done(),
    )
}
