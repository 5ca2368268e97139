//! The ask fixes a place, and the report puts the work elsewhere.
//!
//! Looked at are labels ("Location: …", "Venue: …") and sentences with a verb of location ("opens in …", "is shot in …") that
//! share a word with the ask's own sentence. A listed city stands against the ask's city, a country against the ask's
//! country; against a city a country stands only where the ask allows no other place. A place that the ask names, or that
//! the report names together with the ask's place, is none; nor are candidates, references, contingencies, suppliers, fairs,
//! offices or where people come from.
//!
//! Example: the ask is a clinic in Nairobi; "Location: Kampala" is an incident, "Gikomba, Nairobi" is none.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Name, NameContext, NameKind, content_stems, country_of, is_mention, is_negated, names};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::answer::{Answer, Claim};
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;

/// The check's id.
pub(super) const ID: &str = "place-replaced";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "the place of the ask is replaced by another", run };

/// Labels whose text is where the work is.
static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)^\W*(?:the\s+)?(?:main\s+|project\s+|chosen\s+|primary\s+)?(?:location|site|venue|address|place)\W*$",
    )
    .ok()
});

/// A verb of location just before a place.
static VERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:shot|filmed|held|hosted|located|situated|housed|built|opens?|opened|takes? place|set up)\s+(?:\w+\s+){0,2}?(?:in|at|near)\s+(?:the\s+)?(?:\w+\s+of\s+)?$",
    )
    .ok()
});

/// What has a place of its own, other than the work's.
static OTHER_ROLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:suppl\w+|vendors?|dealers?|compan\w+|consult\w+|contractors?|fairs?|festivals?|conferences?|congress\w*|experts?|partners?|investors?|born|lives?|lived|offices?|headquarter\w*|premieres?|screenings?|exhibitions?|training|meetings?|workshops?|interviews?|servers?|data ?cent\w+|similar|previous\w*|earlier|also|second|another|later|expan\w+|e\.g\.|such as|options?|candidates?|alternativ\w+|backup|fallback|if|could|might|may|would)\b",
    )
    .ok()
});

/// Sections that weigh places instead of choosing one.
static WEIGHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:locations?\s+\d+|candidates?|options?|alternatives?|suggestions?|references?|similar|related|suppliers?|team|locations)\b").ok()
});

/// Larger than any place that a plan could be moved to.
const CONTINENTS: &[&str] =
    &["Europe", "Asia", "Africa", "America", "North America", "South America", "Oceania", "Antarctica", "EU"];

/// The other places at which the fault is shown, at most.
const OTHERS_MAX: usize = 8;

/// What the ask fixes.
struct Fixed<'a> {
    item: usize,
    places: &'a [String],
    only: bool,
    stems: Vec<String>,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let asks: Vec<Fixed<'_>> = (0..case.ask.obligations.len()).filter_map(|item| fixed(case, item)).collect();
    let mut places = asks.iter().flat_map(|ask| ask.places);
    let Some(first) = asks.first() else { return Vec::new() };
    let ask_is_country = places.clone().all(|place| country_of(place).is_some());
    let mut uses: Vec<(&Claim, Range<usize>, String)> = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()) {
        if places.clone().any(|place| claim.text.contains(place.as_str())) {
            continue;
        }
        let Some(place) = located(case.answer, claim, &first.stems) else { continue };
        let other_country = country_of(&place.text);
        let is_of_a_kind = other_country.is_some() == ask_is_country || (other_country.is_some() && first.only);
        let in_ask = case.ask.text.contains(&place.text)
            || other_country.is_some_and(|other| {
                case.ask.text.contains(other) || places.clone().any(|own| country_of(own) == Some(other))
            });
        if !is_of_a_kind
            || in_ask
            || CONTINENTS.contains(&place.text.as_str())
            || is_negated(&claim.text, place.range.clone())
            || is_mention(&claim.text, place.range.clone())
            || case.answer.claims.iter().any(|claim| {
                claim.text.contains(&place.text)
                    && places.clone().any(|own| claim.text.contains(own.as_str()))
                    && names_as_part(&claim.text, &place.text)
            })
        {
            continue;
        }
        uses.push((claim, place.range, place.text));
    }
    let Some((claim, range, name)) = uses.first() else { return Vec::new() };
    let Some(quote) = case.answer.quote(claim, range) else { return Vec::new() };
    let others = uses.iter().skip(1).take(OTHERS_MAX).filter_map(|(claim, range, _)| case.answer.quote(claim, range));
    let asked = places.next().map_or("", String::as_str);
    vec![
        incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .also(others)
            .source(case.ask.obligations[first.item].obligation.source())
            .obligation(first.item)
            .because(format!("The prompt places it in {asked}; the report puts it in {name}."))
            .repair(format!("Keep it in {asked}, or ask the user for another place."))
            .of_name()
            .done(),
    ]
}

fn fixed<'a>(case: &Case<'a>, item: usize) -> Option<Fixed<'a>> {
    let Rule::Locate { places, only } = rule(case, item)? else { return None };
    let demand = case.ask.obligations.get(item)?.demand?;
    let statement = case.ask.request.statements.get(case.ask.request.demands.get(demand)?.kind.statement)?;
    let stems = content_stems(&statement.text).into_iter().map(|(_, stem)| stem).filter(|stem| !is_generic(stem));
    (!places.is_empty()).then(|| Fixed { item, places, only: *only, stems: stems.collect() })
}

/// The place where a claim puts the work.
fn located(answer: &Answer, claim: &Claim, stems: &[String]) -> Option<Name> {
    let place = claim.places.first()?;
    let weighed = WEIGHED.as_ref()?;
    if OTHER_ROLE.as_ref()?.is_match(&claim.text)
        || answer.section_path(place).iter().any(|title| weighed.is_match(title))
    {
        return None;
    }
    let is_label = LABEL.as_ref()?.is_match(&answer.label(place));
    let is_shared = claim.stems.iter().any(|(_, stem)| stems.contains(stem));
    if !is_label && !is_shared {
        return None;
    }
    let verb = VERB.as_ref()?;
    names(&claim.text, &NameContext::default())
        .into_iter()
        .filter(|name| name.kind == NameKind::Place)
        .find(|name| is_label || verb.is_match(&claim.text[..name.range.start]))
}

/// Whether a text names `place` as what another place lies in or next to ("Naples, Italy", "the Vomero in Naples").
fn names_as_part(text: &str, place: &str) -> bool {
    text.match_indices(place).any(|(at, _)| {
        let before = text[..at].trim_end();
        let after = text[at + place.len()..].trim_start();
        before.ends_with([',', '(']) || after.starts_with([',', '(']) || after.starts_with("in ")
    })
}
