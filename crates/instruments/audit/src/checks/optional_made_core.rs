//! What the ask leaves to choice becomes a requirement, a primary goal or a given.
//!
//! Stretch goals, extras, options and afterthoughts of the ask are looked for by their words in the plan's own claims, near words
//! of weight ("primary goal", "must", "mandatory", "indispensable", "centrepiece", "will be secured"). What stays conditional, or
//! planned without weight, is none; nor is a demand on an optional thing should it come.
//!
//! In a single report it is one as well where such a thing stands in the first paragraph as settled, without a condition or a wish.
//!
//! Example: "a stretch goal is to supply the canteen" against "the primary goal is to supply the canteen".

use std::sync::LazyLock;

use steadfast_annotate::{Strength, is_mention, is_negated, modality};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::incident::{DriftType, Incident};
use crate::kin::states;
use crate::{aside, matching};

/// The check's id.
pub(super) const ID: &str = "optional-made-core";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::H,
    summary: "something optional becomes a requirement, a primary goal or a given",
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;
/// Share of the weighted words of the optional thing that the claim has, at least.
const SHARE_MIN: f64 = 0.5;
/// Bytes between the optional thing and the word of weight, at most.
const DISTANCE_BYTES_MAX: usize = 60;

static WEIGHT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:(?:primary|main|core|key|central|overriding) (?:goal|objective|aim|requirement|deliverable|purpose)s?|must|mandatory|required|requirement|prerequisite|essential|indispensable|critical|centrepiece|centerpiece|cornerstone|backbone|depends? on|dependent on|will be (?:secured|obtained|established|in place|finali[sz]ed)|given the availability|relies on)\b").ok()
});

/// What the ask says of the thing's rank is no part of the thing.
static RANK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:stretch|goals?|optional(?:ly)?|upside|nice|nice-to-have|perhaps|maybe|also|secondary|exploratory|rather than .*|feasibility requirement|if (?:funds?|time|money|budgets?) (?:allows?|permits?|is left)|that (?:the|our) project's|could|we)\b").ok()
});

static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|should (?:money|funds|time|it)|unless|in case|provided that|optional|stretch|where possible|nice to have|upside|potential(?:ly)?)\b").ok()
});

/// Words that keep a wish a wish, or put it off.
static WISH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:nice|welcome|lovely|good|later|afterwards|eventually|perhaps|maybe|wish\w*|idea|extra|besides|not|no)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(weight), Some(rank), Some(condition)) = (&*WEIGHT, &*RANK, &*CONDITION) else { return Vec::new() };
    let index = &case.index;
    let mut incidents = Vec::new();
    for item in 0..case.ask.obligations.len() {
        let Some(Rule::Option { what, deferred_until: None, .. }) = rule(case, item) else { continue };
        let thing = rank.replace_all(what, " ");
        let stems: Vec<String> = matching::stems_once(&thing)
            .into_iter()
            .filter(|stem| !matches!(stem.as_str(), "cooper" | "add" | "extra" | "option" | "treat"))
            .collect();
        let telling = stems.iter().filter(|stem| !matching::is_generic(stem)).count();
        if telling < 2 {
            continue;
        }
        for alignment in index.aligned(&stems, SHARE_MIN) {
            let claim = &case.answer.claims[alignment.claim];
            let text = &claim.text;
            let hits = stems.iter().filter(|stem| !matching::is_generic(stem) && claim.has_stem(stem)).count();
            if !claim.is_of_the_plan() || claim.stance.assumed || hits < 2 || condition.is_match(text) {
                continue;
            }
            let object = alignment.range.clone();
            let reading = modality(text);
            let Some(found) = weight.find_iter(text).find(|found| {
                let apart = if found.start() >= object.end {
                    found.start() - object.end
                } else {
                    object.start.saturating_sub(found.end())
                };
                apart <= DISTANCE_BYTES_MAX
                    && !is_negated(text, found.range())
                    && !is_mention(text, found.range())
                    && !reading.question
            }) else {
                continue;
            };
            let range = found.start().min(object.start)..found.end().max(object.end);
            let Some(quote) = case.answer.quote(claim, &range) else { continue };
            let source = case.ask.obligations[item].obligation.source();
            incidents.push(
                incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                    .at(case.answer, claim, &range)
                    .source(source)
                    .obligation(item)
                    .because(format!(
                        "The prompt leaves this open (\"{}\"); the report makes it binding with \"{}\".",
                        source.text(),
                        found.as_str()
                    ))
                    .repair("Keep it optional, as the prompt does.")
                    .done(),
            );
            break;
        }
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    let leads = leads(case);
    let known =
        |own: &Incident| incidents.iter().any(|known: &Incident| known.finding.obligation == own.finding.obligation);
    if let Some(own) = leads.filter(|own| incidents.len() < INCIDENTS_MAX && !known(own)) {
        incidents.push(own);
    }
    incidents
}

/// What is left to choice stands at the head of a single report, as settled.
fn leads(case: &Case<'_>) -> Option<Incident> {
    let first = aside::first_paragraph(case)?;
    let claims = first.iter().filter_map(|at| case.answer.claims.get(*at));
    let things: Vec<aside::Aside> = aside::of_ask(case).into_iter().filter(|thing| thing.is_choice).collect();
    claims.filter(|claim| states(case.answer, claim)).find_map(|claim| {
        let condition = CONDITION.as_ref()?;
        let thing = things.iter().find(|thing| thing.is_spoken_of(claim))?;
        let settled = modality(&claim.text).strength_at(thing.place(claim)?) >= Strength::Tentative;
        let range = 0..claim.text.len();
        if !settled || condition.is_match(&claim.text) || WISH.as_ref()?.is_match(&claim.text) {
            return None;
        }
        let quote = case.answer.quote(claim, &range)?;
        let source = case.ask.obligations[thing.item].obligation.source();
        Some(
            incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(thing.item)
                .because(format!(
                    "The prompt leaves this open (\"{}\"); the report opens with it as settled.",
                    source.text()
                ))
                .repair("Keep it optional, as the prompt does.")
                .done(),
        )
    })
}
