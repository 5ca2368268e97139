//! What the ask puts off is done from the start.
//!
//! What the ask defers ("is deferred until", "starts only after", "not before the second year") is looked for by its words in the
//! plan's own claims; it is an incident where it is said to be done at the beginning, or is an action among the first aims, and
//! nothing in the sentence puts it off again.
//!
//! Example: "expansion is deferred until the kitchen has run a year" against "month 1: … in parallel, the expansion".

use std::sync::LazyLock;

use steadfast_annotate::{Strength, is_mention, is_negated, modality};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::kin::states;
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "deferred-pursued";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::A, summary: "what the ask puts off is done from the start", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 2;
/// Share of the weighted words of the deferred thing that the claim has, at least.
const SHARE_MIN: f64 = 0.65;

/// Content words beside those of the deferred thing in a sentence that speaks of nothing else, at most.
const BESIDE_MAX: usize = 5;

/// Where the thing ends and its deferral begins.
static DEFERRAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:\b(?:is|are|be|will be|gets?)\b )?(?:\b(?:deferred|postponed|put off|delayed|left for|left to|reserved for|starts? only|begins? only|only after|comes? later|before|until)\b).*$").ok()
});

static EARLY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:from the (?:start|outset|beginning|first)|at once|immediately|right away|in parallel|concurrently|simultaneously|(?:in|during) the first (?:day|week|month|quarter)|first (?:week|month|quarter)|(?:month|week|quarter|day|year) (?:1|one)|already|straight away)\b").ok()
});

/// It is there, or comes with a date: what is put off is done.
static LIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:goes? live|opens?|starts?|begins?|follows?|tours?|launch\w*|is (?:introduced|included|built|delivered|added|part of)|(?:in|from|on|by) (?:\w+day )?(?:\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|this (?:year|month|week|spring|summer|autumn|winter))\b").ok()
});

static LATER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:after|once|later|if|until|when|future|eventually|subsequent\w*|following|phase (?:two|2|three|3)|second (?:year|phase)|year (?:two|2|three|3)|prepar\w+|plan for|explor\w+|potential\w*|possib\w+|condition\w*|defer\w*|postpon\w*|depend\w*|long-term|readiness|feasib\w+)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(deferral), Some(early), Some(later)) = (&*DEFERRAL, &*EARLY, &*LATER) else { return Vec::new() };
    let index = &case.index;
    let mut incidents = Vec::new();
    for (item, obligation) in case.ask.obligations.iter().enumerate() {
        let what = match rule(case, item) {
            Some(Rule::Option { what, deferred_until: Some(_), .. }) => what,
            Some(Rule::Option { what, .. } | Rule::Avoid { what, .. }) if deferral.is_match(what) => what,
            _ => continue,
        };
        let thing = deferral.replace(what, "");
        let stems: Vec<String> = matching::stems_once(&thing);
        if stems.is_empty() {
            continue;
        }
        let source = obligation.obligation.source();
        for alignment in index.aligned(&stems, SHARE_MIN) {
            let claim = &case.answer.claims[alignment.claim];
            let text = &claim.text;
            if !claim.is_of_the_plan() || claim.stance.assumed || later.is_match(text) {
                continue;
            }
            let reading = modality(text);
            let place = &claim.places[0];
            let headed_early = case.answer.section_path(place).last().is_some_and(|title| early.is_match(title))
                || early.is_match(&case.answer.label(place));
            // One word alone ("expansion") tells too little without a word of time beside it.
            let early = early.is_match(text)
                || headed_early
                || done_now(case, claim, &stems)
                || (alignment.hits >= 2 && LIVE.as_ref().is_some_and(|live| live.is_match(text)));
            if !early
                || is_negated(text, alignment.range.clone())
                || is_mention(text, alignment.range.clone())
                || reading.strength_at(alignment.range.clone()) < Strength::Intended
            {
                continue;
            }
            let Some(quote) = case.answer.quote(claim, &alignment.range) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
                    .at(case.answer, claim, &alignment.range)
                    .source(source)
                    .obligation(item)
                    .because(format!(
                        "The prompt puts this off (\"{}\"); the report starts it at once: \"{}\".",
                        source.text(),
                        text
                    ))
                    .repair("Move it behind the point that the prompt names.")
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

/// Whether a short sentence says of the whole thing that it is done, begun or there, and of little else.
fn done_now(case: &Case<'_>, claim: &Claim, stems: &[String]) -> bool {
    let has = |stem: &String| claim.has_stem(stem);
    let telling = stems.iter().any(|stem| !matching::is_generic(stem));
    telling
        && stems.iter().all(has)
        && claim.stems.len() <= stems.len() + BESIDE_MAX
        && states(case.answer, claim)
        && modality(&claim.text).strength >= Strength::Asserted
}
