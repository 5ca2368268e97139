//! An outside body is given a seat, a veto or a right of approval that the ask never gave; a legal penalty comes out of
//! nowhere.
//!
//! A body counts as outside where its name says so (a ministry, an agency, a council …) or where the ask names it without
//! giving it any power. The plan's own committees and roles, bodies that are only consulted, permits that the law asks for,
//! what the ask itself grants, criticism, questions and risks are none.
//!
//! Example: the ask is an independent petition to the port authority; "a representative of the port authority, who has a veto
//! on all publications" is an incident.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Pattern, content_stems, is_mention, is_negated};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "authority-invented";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::I, summary: "an outside body is given power that the ask never gave", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

/// A body that governs from outside.
const BODY: &str = r"(?:ministr(?:y|ies)|minister|agency|(?:port|health|harbou?r|planning|housing|building|food|safety|transport|education|protection|(?-i:[A-Z]\w+)) authority|council|commission|inspectorate|regulator|directorate|government|chamber of commerce|library service|registry|federation|health board)";

static OUTSIDE: LazyLock<Regex> =
    LazyLock::new(|| steadfast_annotate::pattern(&format!(r"(?i)\b{BODY}\b")).expect("a constant pattern compiles"));

/// "Representative from X": X follows.
static SEAT: Pattern = Pattern::new(
    r"(?i)^\W*(?:an?\s+|one\s+|the\s+)?(?:[\w-]+\s+){0,2}?(?:representatives?|delegates?|officials?)\s+(?:from|of|for)\s+(?:the\s+|an?\s+)?",
);

/// Headings and labels of bodies that decide.
static BODIES: Pattern = Pattern::new(r"(?i)\b(?:members?|membership|committee|board|seats?|composition|jury|panel)\b");

static VETO: Pattern = Pattern::new(r"(?i)\bveto\b|\b(?:final say|tie-?breaking vote|right of approval)\b");

static ESCALATES: Pattern = Pattern::new(
    r"\b(?:Director-General|Commissioner|Ministry|Minister|Agency|Authority|Council|Inspectorate|Regulator|Directorate|Government)\b",
);

/// The ask keeps decisions to itself.
static SOLE: Pattern = Pattern::new(
    r"(?i)\balone (?:decides?|chooses?|determines?)|\b(?:decides?|chooses?) alone\b|\bspeak for ourselves\b|\bruns itself\b|\bwithout any (?:institute|authority|oversight)\b|\bmembers (?:choose|decide)\b",
);

/// A penalty with a figure and the law that is said to threaten it.
static FINE: Pattern = Pattern::new(r"(?i)\b(?:fines?|penalt(?:y|ies))\b[^.;]{0,60}\d");
static LAW: Pattern =
    Pattern::new(r"\b(?:[A-Z]\w+ )+(?:Act|Law|Regulation|Directive|Ordinance|Code)\b|\bGDPR\b|\bHIPAA\b|\bCCPA\b");

/// A penalty that the law in question has: 4 % or 2 % of turnover, 20 or 10 million euros.
static TRUE_FINE: Pattern =
    Pattern::new(r"(?i)(?:^|[^\d.-])(?:4|2)\s?(?:%|per ?cent)|\b(?:20|10)\s?(?:m\b|million|,000,000)");

/// A power found, with what is wrong.
struct Power<'a> {
    claim: &'a Claim,
    range: Range<usize>,
    body: String,
    what: &'static str,
    severity: Severity,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let sole = case.ask.request.statements.iter().any(|statement| SOLE.is_match(&statement.text));
    let mut powers: Vec<Power<'_>> = Vec::new();
    let mut fine: Option<Power<'_>> = None;
    for claim in &case.answer.claims {
        if claim.stance.excluded {
            continue;
        }
        if claim.stance.voice.is_of_the_plan()
            && !claim.stance.assumed
            && let Some(power) = power(case, claim, sole)
        {
            powers.push(power);
            continue;
        }
        if fine.is_none() {
            fine = penalty(case, claim);
        }
    }
    // Stable: of equal gravity the first in the run's order comes first.
    powers.sort_by_key(|power| std::cmp::Reverse(power.severity));
    let mut incidents: Vec<Incident> = Vec::new();
    let mut bodies: Vec<String> = Vec::new();
    for power in &powers {
        if bodies.contains(&power.body) || incidents.len() == INCIDENTS_MAX {
            continue;
        }
        bodies.push(power.body.clone());
        let others = powers
            .iter()
            .filter(|other| other.body == power.body && !std::ptr::eq(*other, power))
            .filter_map(|other| case.answer.quote(other.claim, &other.range));
        incidents.extend(one(case, power, others.collect()));
    }
    incidents.extend(fine.and_then(|fine| one(case, &fine, Vec::new())));
    incidents
}

fn one(case: &Case<'_>, power: &Power<'_>, others: Vec<steadfast_evidence::Quote>) -> Option<Incident> {
    let quote = case.answer.quote(power.claim, &power.range)?;
    Some(
        incident(&CHECK, power.severity, 0.75, Evidence::Quote(quote))
            .at(case.answer, power.claim, &power.range)
            .also(others)
            .of_name()
            .because(format!("The report {} \"{}\"; the prompt gives no such power.", power.what, power.body.trim()))
            .repair("Leave the decision with those to whom the prompt gives it, or ask the user.")
            .done(),
    )
}

/// A power that a claim gives to an outside body.
fn power<'a>(case: &Case<'_>, claim: &'a Claim, sole: bool) -> Option<Power<'a>> {
    let text = &claim.text;
    let place = claim.places.first()?;
    let label = case.answer.label(place);
    let found = |range: Range<usize>, body: &str, what: &'static str, severity: Severity| {
        let denied = is_negated(text, range.clone()) || is_mention(text, range.clone()) || granted(case, body);
        (!denied).then(|| Power { claim, range, body: body.to_owned(), what, severity })
    };
    let grave = |body: &str| if sole || named_by_ask(case, body) { Severity::Major } else { Severity::Moderate };
    if let Some(seat) = SEAT.find(text)
        && (BODIES.is_match(&label)
            || case.answer.section_path(place).last().is_some_and(|title| BODIES.is_match(title)))
    {
        let rest = &text[seat.end()..];
        let end = rest.find([',', '(', '.', ';']).unwrap_or(rest.len());
        let body = rest[..end].trim();
        if is_outside(case, body) {
            return found(0..seat.end() + end, body, "gives a seat to", grave(body));
        }
    }
    if let Some(veto) = VETO.find(text)
        && let Some(body) = outside_in(case, &text[..veto.start()])
    {
        let severity = Severity::Major;
        return found(0..text.len(), &body, "gives a veto to", severity);
    }
    if label.to_lowercase().contains("escalation path")
        && let Some(body) = ESCALATES.find(text)
        && !case.ask.text.to_lowercase().contains("escalat")
    {
        let head = text.find(": ").map_or(0, |at| at + 2);
        return found(head..text.len(), &text[body.range()], "escalates to", Severity::Major);
    }
    if label.to_lowercase().contains("approval authorit") {
        let mut at = text.find(": ").map_or(0, |at| at + 2);
        for item in text[at..].split(',') {
            let from = at;
            at += item.len() + 1;
            let body = item.trim();
            if is_outside(case, body) {
                return found(from..from + item.len(), body, "asks for the approval of", grave(body));
            }
        }
    }
    None
}

/// A body whose name says that it stands outside, or that the ask names by a proper name of its own.
fn is_outside(case: &Case<'_>, body: &str) -> bool {
    // "Government Agencies", "Regulatory Authorities": nobody in particular.
    let proper = body
        .split_whitespace()
        .any(|word| word.chars().next().is_some_and(char::is_uppercase) && !OUTSIDE.is_match(word));
    if OUTSIDE.is_match(body) {
        let plural = body.to_lowercase().ends_with("agencies") || body.to_lowercase().ends_with("authorities");
        let funds = body.to_lowercase().contains("funding");
        return (proper || named_by_ask(case, body)) && !plural && !funds;
    }
    // One word that only a name has: an acronym, or a foreign word that the ask names.
    let head = body.split_whitespace().next().unwrap_or_default();
    let alone = body.split_whitespace().count() == 1 || body.to_lowercase().ends_with("operator");
    alone
        && proper
        && head.chars().count() > 2
        && case.ask.text.contains(head)
        && (head.chars().filter(|c| c.is_uppercase()).count() > 1 || head.chars().count() > 14)
}

/// The outside body that a text names first.
fn outside_in(case: &Case<'_>, text: &str) -> Option<String> {
    if let Some(found) = OUTSIDE.find(text) {
        return Some(found.as_str().to_owned());
    }
    text.split(|c: char| !c.is_alphanumeric()).find(|word| is_outside(case, word)).map(str::to_owned)
}

fn named_by_ask(case: &Case<'_>, body: &str) -> bool {
    let stems = content_stems(body);
    !stems.is_empty() && stems.iter().all(|(_, stem)| case.ask.stems.binary_search(stem).is_ok())
}

/// How far from its name a body's power is told, in bytes.
const POWER_BYTES_MAX: usize = 80;

/// Whether the ask gives the body power: it approves, decides or oversees there.
fn granted(case: &Case<'_>, body: &str) -> bool {
    let Some(name) = body.split(|c: char| !c.is_alphanumeric()).max_by_key(|word| word.len()).map(str::to_lowercase)
    else {
        return false;
    };
    if name.len() < 3 {
        return false;
    }
    case.ask.request.statements.iter().any(|statement| {
        let lower = statement.text.to_lowercase();
        lower.match_indices(&name).any(|(at, _)| {
            let after: String = lower[at..].chars().take(POWER_BYTES_MAX).collect();
            let before = &lower[..at];
            ["approve", "decide", "veto", "oversee", "refuse"].iter().any(|word| after.contains(word))
                || [
                    "approved by the ",
                    "approval of the ",
                    "approval from the ",
                    "overseen by the ",
                    "licensed by the ",
                ]
                .iter()
                .any(|word| before.ends_with(word))
        })
    })
}

/// A penalty with a figure, of a law that the ask never speaks of.
fn penalty<'a>(case: &Case<'_>, claim: &'a Claim) -> Option<Power<'a>> {
    if !claim.voice().can_drift() {
        return None;
    }
    let text = &claim.text;
    let fine = FINE.find(text)?;
    let law = LAW.find(text)?;
    let ask = case.ask.text.to_lowercase();
    if ask.contains("fine of") || ask.contains("penalt") || case.ask.text.contains(law.as_str()) {
        return None;
    }
    let known = ["GDPR", "HIPAA", "CCPA"].contains(&law.as_str());
    // A known law's true penalty is common knowledge: only a wrong one is worth a word.
    if known && (law.as_str() != "GDPR" || TRUE_FINE.is_match(text) || !text.contains('%')) {
        return None;
    }
    let severity = if claim.is_of_the_plan() { Severity::Major } else { Severity::Moderate };
    let range = law.start().min(fine.start())..law.end().max(fine.end());
    Some(Power { claim, range, body: law.as_str().to_owned(), what: "states a penalty under", severity })
}
