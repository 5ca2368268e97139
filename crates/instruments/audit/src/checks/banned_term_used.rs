//! A term that the ask bans is used again: named as a feature, a means or a topic of the plan's own.
//!
//! Restating the ban, denying the term before or behind it ("drones are not used", "drones have no place here"), listing it among exclusions, or naming it in an option that was not chosen, in a
//! question, in an imagined failure or of another project is mention, not use. A ban that the ask limits to a context holds
//! only where the sentence is about that context. Source: the seed's first disqualifying condition.
//!
//! Example: the ask says "Banned words: drone"; "Survey the roof by drone" is an incident, "No drone is used" is none.

use std::collections::BTreeMap;
use std::ops::Range;

use steadfast_annotate::{TermMatcher, is_mention, stems};
use steadfast_ask::speaks_of_ban;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::denied::is_denied;
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::voice::Voice;

/// The check's id.
pub(super) const ID: &str = "banned-term-used";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "a banned term or concept is used", run };

/// One use of a term: how grave, in which claim, and where in it.
type Use<'a> = (Severity, &'a Claim, Range<usize>);

/// A term, with the obligation that bans it.
struct Banned {
    item: usize,
    term: String,
    context: Vec<String>,
}

/// Things that a context such as "claiming a mature system" is about, as stems: a ban on a claim about one of them holds for
/// the others too.
const PRODUCTS: &[&str] = &[
    "system",
    "tool",
    "platform",
    "product",
    "model",
    "algorithm",
    "solut",
    "softwar",
    "devic",
    "technolog",
    "servic",
];

fn run(case: &Case<'_>) -> Vec<Incident> {
    let banned: Vec<Banned> = super::bans(case)
        .flat_map(|ban| {
            let context: Vec<String> = ban.context.map(stems).unwrap_or_default();
            let of = |term: &String| Banned { item: ban.item, term: term.clone(), context: context.clone() };
            ban.terms.iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    if banned.is_empty() {
        return Vec::new();
    }
    let matcher = TermMatcher::new(&banned.iter().map(|ban| ban.term.as_str()).collect::<Vec<_>>());
    let mut uses: BTreeMap<usize, Vec<Use<'_>>> = BTreeMap::new();
    for claim in &case.answer.claims {
        if claim.stance.excluded {
            continue;
        }
        for found in matcher.find_all(&claim.text) {
            let label = claim.places.first().map_or(String::new(), |place| case.answer.label(place));
            if is_denied(&claim.text, &found.range) {
                continue;
            }
            let Some(severity) = severity(claim, &label, &found.range) else { continue };
            if in_context(&banned[found.term], claim, &found.range) {
                uses.entry(found.term).or_default().push((severity, claim, found.range));
            }
        }
    }
    uses.into_iter().filter_map(|(term, uses)| one(case, &banned[term], uses)).collect()
}

/// One incident for one term: its gravest use, the others beside it.
fn one(case: &Case<'_>, ban: &Banned, mut uses: Vec<Use<'_>>) -> Option<Incident> {
    // Stable: of equal gravity the first in the run's order comes first.
    uses.sort_by_key(|(severity, ..)| std::cmp::Reverse(*severity));
    let (severity, claim, range) = uses.first()?;
    let quote = case.answer.quote(claim, range)?;
    let item = case.ask.obligations.get(ban.item)?;
    let others = uses.iter().skip(1).filter_map(|(_, claim, range)| case.answer.quote(claim, range));
    // A list of banned words is meant to the letter; a thing that is not to be used is a constraint among others, or no goal.
    let (severity, disqualifies) = match item.obligation.kind {
        Kind::Banned => (*severity, Some(Disqualifies::BannedUsed)),
        Kind::NonGoal => (*severity, Some(Disqualifies::NonGoalPursued)),
        _ => ((*severity).min(Severity::Major), None),
    };
    let draft = incident(&CHECK, severity, 0.95, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .voice(claim.voice_at(range))
        .also(others)
        .source(item.obligation.source())
        .obligation(ban.item)
        .because(format!("The prompt bans \"{}\"; the report uses it.", ban.term))
        .repair(format!("Remove \"{}\" and what rests on it, or ask the user to lift the ban.", ban.term));
    Some(match disqualifies {
        Some(why) => draft.disqualifies(why).done(),
        None => draft.done(),
    })
}

/// How grave the use at `range` is; `None` where it is none.
fn severity(claim: &Claim, label: &str, range: &Range<usize>) -> Option<Severity> {
    let text = &claim.text;
    let is_remark =
        ["rationale", "justification", "explanation", "note"].contains(&label.trim().to_lowercase().as_str());
    if is_mention(text, range.clone()) || speaks_of_ban(text) {
        return None;
    }
    match claim.voice_at(range) {
        // A remark on the plan is no part of it.
        Voice::Asserted | Voice::Chosen if is_remark => Some(Severity::Major),
        Voice::Asserted | Voice::Chosen => Some(Severity::Critical),
        Voice::Proposed => Some(Severity::Major),
        _ => None,
    }
}

/// What medical claims speak of, as stems: a ban on such claims holds where they are made.
const MEDICAL: &[&str] = &[
    "clinic",
    "pain",
    "heal",
    "health",
    "treat",
    "treatment",
    "cure",
    "symptom",
    "therapi",
    "therapeut",
    "diseas",
    "patient",
    "diagnos",
    "relief",
    "reliev",
];

/// How many content words behind a term say what it is said of.
const SAID_OF_STEMS_MAX: usize = 5;

/// Whether the term at `range` is used in the context that its ban is limited to.
fn in_context(ban: &Banned, claim: &Claim, range: &Range<usize>) -> bool {
    let speaks_of = |stems: &[&str]| ban.context.iter().any(|stem| stems.contains(&stem.as_str()));
    if ban.context.is_empty() || ban.context.iter().any(|stem| claim.has_stem(stem)) {
        return true;
    }
    if speaks_of(&["medic", "health", "clinic", "therapeut"]) && MEDICAL.iter().any(|stem| claim.has_stem(stem)) {
        return true;
    }
    let clause_end = claim.text[range.end..].find([',', ';', '.']).map_or(claim.text.len(), |at| range.end + at);
    speaks_of(PRODUCTS)
        && claim
            .stems
            .iter()
            .filter(|(own, _)| own.start >= range.end && own.end <= clause_end)
            .take(SAID_OF_STEMS_MAX)
            .any(|(_, stem)| PRODUCTS.contains(&stem.as_str()))
}
