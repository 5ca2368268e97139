//! The answer claims an outcome more strongly than the ask.
//!
//! Four ways are looked for, in the plan's own voice: a sentence that says nearly the words of a hedged clause without any hedge; what the ask only thinks possible or likely *will* happen; what the ask
//! submits, seeks or explores is secured, won or proven; what the ask sets up as a pilot is fully operational. An unconditional
//! guarantee of an outcome that the ask merely wishes counts as the second. "To ensure …" is a purpose and no claim, "will" of a
//! task of the plan's own is none either, and what the ask itself promises may be promised.
//!
//! Example: "ends with a submitted grant application" against "a grant is secured within a year".

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{MarkKind, Strength, is_mention, is_negated, modality};
use steadfast_ask::{clauses, masked};
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::hedges::unhedged;
use crate::incident::{DriftType, Incident};
use crate::kin::{share, states, words_of};
use crate::matching::{self, Index};

/// The check's id.
pub(super) const ID: &str = "certainty-raised";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::D,
    summary: "an outcome is claimed more strongly than in the ask",
    on_by_default: false,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;
/// Share of the weighted words of the object that both sides name, at least.
const SHARE_MIN: f64 = 0.6;
/// Share of the words of the shorter of a hedged clause and a sentence that both have, at least.
const SHARE_SENTENCE_MIN: f64 = 0.7;
/// Share of the words of a hedged clause that the sentence has, at least.
const SHARE_CLAUSE_MIN: f64 = 0.6;
/// Content words between a strong verb and its object, at most.
const DISTANCE_MAX: usize = 12;

static WEAK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:submit(?:s|ted|ting)?|apply(?:ing)? for|applications? for|seek(?:s|ing)?|explor(?:e|es|ing)|aim(?:s|ing)? (?:to|at)|hope(?:s|d)? (?:to|for)|try(?:ing)? to|attempt(?:s|ing)? to|work(?:s|ing)? (?:to|towards?)|should (?:help|allow|enable)|(?:is|are) possible)\b").ok()
});

static STRONG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:secur(?:e|es|ed|ing)|obtain(?:s|ed|ing)?|award(?:ed)?|win(?:s|ning)?|won|guarantee(?:s|d|ing)?|assured|eliminat(?:e|es|ed|ing)|prove[sn]?(?: beyond (?:any )?doubt)?|mandat(?:e|es|ing)|certain to)\b").ok()
});

static PILOT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:pilot|prototype|trial|demonstrator|proof of concept)s?\b").ok()
});

static FULL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:fully[- ](?:operational|functional|functioning|fledged)|full-scale|production-ready|commercial-scale)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let index = &case.index;
    let mut incidents = verbs(case, index);
    incidents.extend(pilots(case));
    let found = unhedged(case, index);
    for (at, one) in found.iter().enumerate() {
        if one.strength < Strength::Committed || found[..at].iter().any(|earlier| earlier.item == one.item) {
            continue;
        }
        let claim = &case.answer.claims[one.claim];
        let source = case.ask.obligations[one.item].obligation.source();
        incidents.extend(raised(case, claim, &one.range, source, &one.hedge, Some(one.item), 0.75));
    }
    let known: Vec<Quote> = incidents.iter().filter_map(|own| own.finding.source.clone()).collect();
    incidents.extend(sentences(case).into_iter().filter(|own| {
        own.finding.source.as_ref().is_none_or(|source| !known.iter().any(|it| it.span().overlaps(source.span())))
    }));
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

/// Clauses of the ask that are hedged, and sentences of the plan that say nearly the same without any hedge.
fn sentences(case: &Case<'_>) -> Vec<Incident> {
    if !case.kin.judges() {
        return Vec::new();
    }
    let said: Vec<(&Claim, Vec<String>)> = case
        .answer
        .claims
        .iter()
        .filter(|claim| states(case.answer, claim))
        .map(|claim| (claim, words_of(&claim.text, 0..claim.text.len())))
        .collect();
    let mut incidents = Vec::new();
    for statement in &case.ask.request.statements {
        let text = statement.text.as_str();
        let reading = modality(text);
        for clause in clauses(&masked(text)) {
            let mark = reading.marks.iter().find(|mark| {
                mark.strength <= Strength::Likely
                    && mark.range.start >= clause.start
                    && mark.range.end <= clause.end
                    && matches!(mark.kind, MarkKind::Hedge | MarkKind::Modal | MarkKind::Attribution)
            });
            let Some(mark) =
                mark.filter(|mark| !reading.question && doubts(case, &statement.quote, &text[mark.range.clone()]))
            else {
                continue;
            };
            let mut words = words_of(text, clause.start..mark.range.start);
            words.extend(words_of(text, mark.range.end..clause.end));
            // The most alike; of equals one that does not hang on the order of the report.
            let alike = said.iter().filter(|(claim, own)| {
                let met = words.iter().filter(|stem| own.contains(stem)).count();
                if share(&words, own) < SHARE_SENTENCE_MIN || (met as f64) < SHARE_CLAUSE_MIN * words.len() as f64 {
                    return false;
                }
                let reading = modality(&claim.text);
                reading.strength >= Strength::Asserted
                    && reading.marks.iter().all(|mark| mark.strength > Strength::Likely)
                    && !is_mention(&claim.text, 0..claim.text.len())
            });
            let found = alike.max_by(|a, b| {
                share(&words, &a.1).total_cmp(&share(&words, &b.1)).then_with(|| b.0.text.cmp(&a.0.text))
            });
            let Some((claim, _)) = found else { continue };
            let range = 0..claim.text.len();
            incidents.extend(raised(case, claim, &range, &statement.quote, &text[mark.range.clone()], None, 0.7));
        }
    }
    incidents
}

/// Whether a word doubts: "may" and "can" may permit as well, and do where the ask is not known to be unsure.
fn doubts(case: &Case<'_>, statement: &Quote, mark: &str) -> bool {
    let unsure = || {
        case.ask.obligations.iter().any(|item| {
            item.obligation.kind == Kind::Uncertainty && item.obligation.source().span().overlaps(statement.span())
        })
    };
    !["may", "can", "should", "would"].contains(&mark.to_lowercase().as_str()) || unsure()
}

fn raised(
    case: &Case<'_>,
    claim: &Claim,
    range: &Range<usize>,
    source: &Quote,
    weak: &str,
    item: Option<usize>,
    confidence: f64,
) -> Option<Incident> {
    let quote = case.answer.quote(claim, range)?;
    let draft = incident(&CHECK, Severity::Major, confidence, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .source(source)
        .because(format!("The prompt says \"{weak}\"; the report claims \"{}\".", claim.text.get(range.clone())?))
        .repair(format!("Claim no more than the prompt: \"{weak}\"."));
    Some(match item {
        Some(item) => draft.obligation(item).done(),
        None => draft.done(),
    })
}

/// What is submitted, sought or explored comes back as secured, won or proven.
fn verbs(case: &Case<'_>, index: &Index<'_>) -> Vec<Incident> {
    let (Some(weak), Some(strong)) = (&*WEAK, &*STRONG) else { return Vec::new() };
    let mut incidents = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for statement in &case.ask.request.statements {
        for mark in weak.find_iter(&statement.text) {
            let text = &statement.text;
            let end = text[mark.end()..].find([';', '.', ':', ',']).map_or(text.len(), |at| mark.end() + at);
            let clause =
                if mark.as_str().to_lowercase().ends_with("possible") { 0..mark.start() } else { mark.end()..end };
            let mut object = matching::stems_once(&text[clause]);
            // What is submitted is the paper, what is secured its object.
            object.retain(|stem| !matches!(stem.as_str(), "applic" | "propos" | "request"));
            if object.len() < 2 || strong.find_iter(text).any(|found| text[mark.end()..end].contains(found.as_str())) {
                continue;
            }
            for alignment in index.aligned(&object, SHARE_MIN) {
                let claim = &case.answer.claims[alignment.claim];
                if !claim.is_of_the_plan()
                    || claim.stance.assumed
                    || used.contains(&alignment.claim)
                    || alignment.hits < 2
                {
                    continue;
                }
                let Some(range) = achieved(claim, strong, &alignment.range) else { continue };
                used.push(alignment.claim);
                incidents.extend(raised(case, claim, &range, &statement.quote, mark.as_str(), None, 0.7));
                break;
            }
        }
    }
    incidents
}

/// From the strong verb to its object, where the verb governs it and is claimed.
fn achieved(claim: &Claim, strong: &Regex, object: &Range<usize>) -> Option<Range<usize>> {
    let reading = modality(&claim.text);
    strong.find_iter(&claim.text).find_map(|found| {
        let range = found.start().min(object.start)..found.end().max(object.end);
        let words = claim.stems.iter().filter(|(at, _)| at.start >= range.start && at.end <= range.end).count();
        let opens = reading.directive && claim.text[..found.start()].split_whitespace().count() <= 2;
        let claimed = opens || reading.strength_at(found.range()) >= Strength::Asserted;
        (words <= DISTANCE_MAX
            && claimed
            && !purpose(&claim.text[..found.start()])
            && !is_negated(&claim.text, found.range())
            && !is_mention(&claim.text, found.range()))
        .then_some(range)
    })
}

/// "to secure", "for securing": an aim, where no "is" or "will" stands before it.
fn purpose(before: &str) -> bool {
    let low = before.trim_end().to_lowercase();
    low.ends_with(" to") || low.ends_with(" for") || low.ends_with(" of") || low.ends_with(" in") || low == "to"
}

/// What the ask sets up as a pilot is fully operational.
fn pilots(case: &Case<'_>) -> Option<Incident> {
    let (pilot, full) = (PILOT.as_ref()?, FULL.as_ref()?);
    let statement = case.ask.request.statements.iter().take(2).find(|statement| pilot.is_match(&statement.text))?;
    if case.ask.request.statements.iter().any(|statement| full.is_match(&statement.text)) {
        return None;
    }
    let mark = pilot.find(&statement.text)?;
    let object: Vec<String> = matching::stems_once(&statement.text[mark.end()..]).into_iter().take(4).collect();
    let mut claims = case.answer.claims.iter().filter_map(|claim| {
        let found = full.find(&claim.text)?;
        let near = claim.stems.iter().filter(|(at, _)| at.start >= found.end()).take(4);
        let named = near.filter(|(_, stem)| object.contains(stem)).count();
        let holds = claim.is_of_the_plan()
            && !claim.stance.assumed
            && named >= 1
            && !pilot.is_match(&claim.text)
            && !is_negated(&claim.text, found.range())
            && modality(&claim.text).strength_at(found.range()) >= Strength::Intended;
        holds.then(|| (claim, found.start()..claim.text.len()))
    });
    let (claim, range) = claims.next()?;
    raised(case, claim, &range, &statement.quote, mark.as_str(), None, 0.75)
}
