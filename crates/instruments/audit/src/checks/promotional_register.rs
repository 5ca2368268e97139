//! Sales language where the ask is sober: hype, superlatives, address to a buyer, "isn't just X; it's Y".
//!
//! A passage counts where its sentence sells: several promotional phrases together, an address ("Imagine a world where …"),
//! or a turn of speech that inflates the purpose. A single strong adjective is none; neither is a word in its trade's
//! sense, a quotation, a criticism of hype, nor anything at all where the ask sells itself or asks for an advertisement.
//! In a single report to an ask without any such word two more count: a word that only advertising has beside the thing that it praises, and a promotional word in a
//! sentence of which neither the ask nor the rest of the report speaks.
//! One incident for one artefact: the densest passage, the others beside it.
//!
//! Example: the ask is a bread oven for forty allotments; "This isn't just an oven; it's the beating heart of a new
//! community" is an incident.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{PromotionKind, is_mention, promotional};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::voice::Voice;

/// The check's id.
pub(super) const ID: &str = "promotional-register";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::J, summary: "the report sells where the ask is sober", run };

/// Weights of promotional phrases in one sentence that make it sell, at least; one phrase has at most three.
const WEIGHT_MIN: u32 = 4;
/// What a turn of speech counts for.
const TURN_WEIGHT: u32 = 5;
/// What a call to imagine counts for, beside the words of address in it.
const VISION_WEIGHT: u32 = 2;
/// Weights of the ask's own promotional phrases from which on its register is no sober one.
const ASK_WEIGHT_MIN: u32 = 5;
/// The same where the ask has no promotional word and the report is a single one: one word that only advertising has.
const WEIGHT_SOBER_MIN: u32 = 3;
/// The same for a sentence of which neither the ask nor the rest of the report speaks.
const WEIGHT_STRANGER_MIN: u32 = 2;
/// Most incidents: a run's pitch and its summary.
const INCIDENTS_MAX: usize = 2;

/// Turns of speech that inflate a purpose: no single word of them does.
static TURNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?ix)
        (?:\b(?:is|are|was)\s+not|\b(?:isn|aren|wasn)['’]t|\bnot)\s+(?:just|merely|simply|only)\s[^.;:!?]{2,90}[;:,—–-]+\s*(?:it|this|we|they)(?:['’]s|['’]re|\s+(?:is|are|was))\b
        |\bmore\s+than\s+(?:just\s+)?(?:an?|the)\s[^.;:!?]{2,80}[;:,—–]\s*(?:it|this|we|they)(?:['’]s|['’]re|\s+(?:is|are))\b
        |\b(?:beating\s+heart\s+of|be\s+part\s+of\s+history|swept\s+away\s+by|once[- ]in[- ]a[- ]lifetime|will\s+forever\s+change|gold\s+standard\s+worldwide|explosive\s+growth|unmissable)\b
        |\bunleash\w*\s[^.]{2,60}\brevolution\b|\b(?:a|the|our)\s(?:\w+\s){0,3}revolution\s+(?:in|for|of)\b
        ",
    )
    .ok()
});

/// Calls to imagine what the plan would bring about; words of address count beside them.
static VISIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^\W*(?:(?:imagine|picture)\s+(?:an?|the)\s+(?:world|future|city|day|place|life|land|community)\b|envision\s+an?\s)").ok()
});

/// An ask for words that sell.
static SELLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:write|draft|create|compose|include|produce|design|prepare|make)\b[^.!?]{0,60}\b(?:advert(?:isement)?s?|slogans?|posters?|sales (?:pitch|letter|page)|promotional|flyers?|brochures?|marketing copy|landing page|blurbs?|taglines?|investor pitch)\b|\bgo over the top\b",
    )
    .ok()
});

/// An ask for a plain register.
static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:soberly|sober (?:tone|style|language)|plain(?: and \w+)? (?:tone|style|language|words)|no (?:superlatives|hype|sales language|marketing language|buzzwords)|without hype|matter-of-fact)\b").ok()
});

/// Rules on wording mention words without using them.
static WORDING: LazyLock<Option<Regex>> =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^\W*(?:do not|don['’]t|never|avoid|instead of)\b").ok());

/// One passage that sells.
struct Passage<'a> {
    claim: &'a Claim,
    range: Range<usize>,
    weight: u32,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let texts: Vec<&str> = case.ask.request.statements.iter().map(|statement| statement.text.as_str()).collect();
    let own: u32 = texts.iter().map(|text| weight(text)).sum();
    let matches = |pattern: &LazyLock<Option<Regex>>| {
        texts.iter().any(|text| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text)))
    };
    let plain = matches(&PLAIN);
    // A long sober ask may hold some strong words; one that sells does so in most of its sentences.
    let sells = own >= ASK_WEIGHT_MIN && own as usize >= texts.len();
    if !plain && (sells || matches(&SELLS)) {
        return Vec::new();
    }
    let mut by_artefact: BTreeMap<usize, Vec<Passage<'_>>> = BTreeMap::new();
    for claim in &case.answer.claims {
        if let Some(passage) = passage(case, claim, own == 0 && case.kin.judges()) {
            by_artefact.entry(claim.places[0].artefact).or_default().push(passage);
        }
    }
    let mut documents: Vec<Vec<Passage<'_>>> = by_artefact.into_values().collect();
    for passages in &mut documents {
        // Stable: of equal weight the first stays first.
        passages.sort_by_key(|passage| std::cmp::Reverse(passage.weight));
    }
    documents.sort_by_key(|passages| std::cmp::Reverse(passages.iter().map(|passage| passage.weight).sum::<u32>()));
    documents.truncate(INCIDENTS_MAX);
    documents.into_iter().filter_map(|passages| one(case, &passages, plain)).collect()
}

fn one(case: &Case<'_>, passages: &[Passage<'_>], plain: bool) -> Option<Incident> {
    let Passage { claim, range, .. } = passages.first()?;
    let quote = case.answer.quote(claim, range)?;
    let words = claim.text.get(range.clone())?;
    let others = passages.iter().skip(1).filter_map(|passage| case.answer.quote(passage.claim, &passage.range));
    let severity = if plain { Severity::Major } else { Severity::Moderate };
    let why = if plain {
        format!("The prompt asks for a plain tone; the report sells: \"{words}\".")
    } else {
        format!("The prompt is sober; the report sells: \"{words}\".")
    };
    // A question put to a buyer is put by the plan itself.
    let voice = if claim.stance.voice == Voice::Question { Voice::Asserted } else { claim.stance.voice };
    Some(
        incident(&CHECK, severity, 0.85, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .voice(voice)
            .also(others)
            .because(why)
            .repair("Say what is done, for whom and at what cost, in the prompt's own register.")
            .done(),
    )
}

/// The passage of a claim that sells, if any.
fn passage<'a>(case: &Case<'_>, claim: &'a Claim, sober: bool) -> Option<Passage<'a>> {
    if !sober && restates(case, claim) {
        return None;
    }
    let asks = claim.stance.voice == Voice::Question;
    if claim.stance.excluded || !(claim.is_of_the_plan() || asks) {
        return None;
    }
    if WORDING.as_ref().is_some_and(|pattern| pattern.is_match(&claim.text)) {
        return None;
    }
    let mut total = 0;
    let mut addressed = false;
    let mut whole: Option<Range<usize>> = None;
    for found in promotional(&claim.text) {
        // Names of scenarios and quoted slogans are mentioned; what is denied is not claimed.
        let quoted = claim.text[..found.range.start].ends_with(['\'', '"', '‘', '“']);
        if quoted || is_mention(&claim.text, found.range.clone()) {
            continue;
        }
        if found.kind == PromotionKind::Address {
            addressed |= found.weight == 3 && found.range.start == 0;
        }
        total += u32::from(found.weight);
        whole = Some(joined(whole, &found.range));
    }
    for (pattern, counts) in [(&TURNS, TURN_WEIGHT), (&VISIONS, VISION_WEIGHT)] {
        if let Some(turn) = pattern.as_ref().and_then(|pattern| pattern.find(&claim.text))
            && !is_mention(&claim.text, turn.range())
        {
            total += counts;
            whole = Some(joined(whole, &turn.range()));
        }
    }
    let whole = whole?;
    if asks {
        // A question to a buyer, not one of a list of questions.
        let place = claim.places.first()?;
        let lists = case.answer.section_path(place).iter().any(|title| title.to_lowercase().contains("question"))
            || case.answer.label(place).to_lowercase().contains("question");
        return (addressed && !lists && total >= WEIGHT_MIN).then_some(Passage { claim, range: whole, weight: total });
    }
    let stranger = || case.kin.ties(claim, &(0..claim.text.len())).is_stranger();
    let least = match sober {
        true if total >= WEIGHT_STRANGER_MIN && stranger() => WEIGHT_STRANGER_MIN,
        true => WEIGHT_SOBER_MIN,
        false => WEIGHT_MIN,
    };
    (total >= least).then_some(Passage { claim, range: whole, weight: total })
}

fn joined(before: Option<Range<usize>>, range: &Range<usize>) -> Range<usize> {
    before.map_or_else(|| range.clone(), |before| before.start.min(range.start)..before.end.max(range.end))
}

/// Whether the claim says the ask again: its register is the ask's.
fn restates(case: &Case<'_>, claim: &Claim) -> bool {
    let shared = claim.stems.iter().filter(|(_, stem)| case.ask.stems.binary_search(stem).is_ok()).count();
    claim.stems.len() > 4 && shared * 4 >= claim.stems.len() * 3
}

/// The weight of a text's promotional phrases.
fn weight(text: &str) -> u32 {
    promotional(text).iter().map(|found| u32::from(found.weight)).sum()
}
