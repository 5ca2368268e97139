//! The answer contradicts itself on a figure: a sum or a total that its terms do not make, one quantity stated twice with
//! different values, a schedule that is longer than the duration that the answer states.
//!
//! Arithmetic is that of `steadfast_evidence::stated_arithmetic`, with its tolerance (half of the last stated digit of each
//! term). A schedule disagrees where it is more than a quarter longer than every duration that the plan gives for the whole.
//! Imagined failures, options and other projects may contradict the plan.
//!
//! Example: "Oak €4,000, glass €3,000, total €8,000".

use std::collections::BTreeMap;

use std::collections::HashMap;
use std::sync::LazyLock;

use steadfast_ask::Role;
use steadfast_evidence::{Evidence, Quote, Severity, contradictions_across};

use steadfast_annotate::{Bound, Quantity, Relation, Unit, comparable, content_stems};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::figures::{self, Stated};
use crate::incident::{DriftType, Incident};
use crate::pattern::{Pattern, hit};
use crate::schedule::Schedule;

/// The check's id.
pub(super) const ID: &str = "figures-disagree";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "the report contradicts itself on a figure",
    on_by_default: false,
    run,
};

/// A schedule may be this many times as long as the duration that is stated in prose.
const SCHEDULE_RATIO_MAX: f64 = 1.25;

/// Shorter lengths are no project's, in days.
const WHOLE_DAYS_MIN: f64 = 28.0;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = arithmetic(case);
    incidents.extend(restated(case));
    incidents.extend(case.schedules.iter().filter_map(|schedule| against_prose(case, schedule)));
    incidents
}

fn arithmetic(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    let documents: Vec<_> = case.answer.artefacts.iter().map(|artefact| (artefact.file, &artefact.document)).collect();
    for found in contradictions_across(&documents) {
        let Some((claim, range)) = figures::claim_at(case.answer, found.claim.file(), found.claim.span()) else {
            continue;
        };
        if !claim.voice().can_drift() {
            continue;
        }
        let others: Vec<Quote> = found.places.iter().filter(|place| **place != found.claim).cloned().collect();
        incidents.push(
            incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(found.claim.clone()))
                .at(case.answer, claim, &range)
                .also(others)
                .because(found.message.clone())
                .repair("Work the figures out again and state one value everywhere.")
                .unsupported_number()
                .done(),
        );
    }
    // A table that stands in two artefacts is one fault.
    incidents.dedup_by(|later, earlier| later.finding.explanation == earlier.finding.explanation);
    incidents
}

/// Whether a claim speaks of the plan as a whole: a goal, a time frame, or its end.
fn is_of_whole(case: &Case<'_>, claim: &Claim) -> bool {
    let label = claim.places.first().map_or(String::new(), |place| case.answer.label(place)).to_lowercase();
    ["goal", "time-bound", "timeline", "time frame", "duration"].iter().any(|word| label.contains(word))
        || ["goal", "project", "plan", "pilot", "programm", "program", "releas"].iter().any(|stem| claim.has_stem(stem))
            && ["complet", "achiev", "oper", "establish", "finish", "releas", "deliv", "launch"]
                .iter()
                .any(|stem| claim.has_stem(stem))
}

/// One sentence said twice with two values: the words around the figure are the same.
fn restated(case: &Case<'_>) -> Vec<Incident> {
    let mut known: HashMap<String, (&Claim, &Quantity)> = HashMap::new();
    let mut incidents = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        let [quantity] = claim.quantities.as_slice() else { continue };
        if matches!(quantity.unit, Unit::Label | Unit::Ordinal | Unit::Date(_) | Unit::Plain)
            || hit(&THRESHOLD, &claim.text)
        {
            continue;
        }
        let Some(words) = words_around(&claim.text, quantity) else { continue };
        let Some((first, earlier)) = known.get(&words) else {
            known.insert(words, (claim, quantity));
            continue;
        };
        let same = (earlier.low, earlier.high) == (quantity.low, quantity.high)
            || !matches!(
                comparable(
                    &Quantity { bound: Bound::Exact, ..quantity.clone() },
                    &Quantity { bound: Bound::Exact, ..(*earlier).clone() }
                ),
                Some(Relation::Below | Relation::Above)
            );
        if same {
            continue;
        }
        let (Some(quote), Some(other)) =
            (case.answer.quote(claim, &quantity.range), case.answer.quote(first, &earlier.range))
        else {
            continue;
        };
        incidents.push(
            incident(&CHECK, Severity::Moderate, 0.8, Evidence::Quote(quote))
                .at(case.answer, claim, &quantity.range)
                .also([other])
                .because(format!(
                    "The report says the same of {} and of {}.",
                    first.text.get(earlier.range.clone()).unwrap_or_default().trim(),
                    claim.text.get(quantity.range.clone()).unwrap_or_default().trim(),
                ))
                .repair("State one value everywhere.")
                .unsupported_number()
                .done(),
        );
    }
    incidents
}

/// What a decision needs or who may take it: such bounds differ from body to body.
static THRESHOLD: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:above|below|exceed\w*|approv\w+|threshold|escalat\w+|authority|phase|week|option|scenario)\b",
    )
    .ok()
});

/// Words before and after a figure that are compared.
const WORDS_AROUND: usize = 6;
/// Content words that must be among them.
const CONTENT_WORDS_MIN: usize = 4;

/// The words around a figure, in lower case, its unit among them; `None` where they say too little.
fn words_around(text: &str, quantity: &Quantity) -> Option<String> {
    let before = text.get(..quantity.number_range.start)?.to_lowercase();
    let after = text.get(quantity.number_range.end..)?.to_lowercase();
    let mut words: Vec<&str> = before.split_whitespace().rev().take(WORDS_AROUND).collect();
    words.reverse();
    words.push("#");
    words.extend(after.split_whitespace().take(WORDS_AROUND));
    let joined = words.join(" ");
    let joined = joined.trim_end_matches(['.', ';', ',']).to_owned();
    (content_stems(&joined).len() >= CONTENT_WORDS_MIN).then_some(joined)
}

/// The schedule against what the plan says of its own length, where the ask says nothing of it.
fn against_prose(case: &Case<'_>, schedule: &Schedule) -> Option<Incident> {
    // Held against the ask it is a broken constraint, not a contradiction.
    if super::schedule_overruns::overruns(case, schedule) {
        return None;
    }
    let days = schedule.days();
    let start = schedule.first()?.start;
    // Every length that the plan states for the whole, with how often it does.
    let mut lengths: BTreeMap<i64, Vec<(&Claim, Stated)>> = BTreeMap::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()) {
        for figure in figures::stated(claim, case.answer) {
            let of_whole =
                figure.role == Role::DurationTotal || (figure.role == Role::Deadline && is_of_whole(case, claim));
            if !of_whole || figure.denied {
                continue;
            }
            if let Some(days) = figures::days_of(&figure.quantity, Some(start)).filter(|days| *days >= WHOLE_DAYS_MIN) {
                // Days fit.
                lengths.entry(days.round() as i64).or_default().push((claim, figure));
            }
        }
    }
    let said = |places: &Vec<(&Claim, Stated)>| places.iter().map(|(claim, _)| claim.places.len()).sum::<usize>();
    let (stated_days, places) = lengths.iter().max_by_key(|(days, places)| (said(places), **days))?;
    // In a run, one that is said once may be a part's.
    if (said(places) < 2 && case.answer.artefacts.len() > 3) || days as f64 <= *stated_days as f64 * SCHEDULE_RATIO_MAX
    {
        return None;
    }
    let (claim, figure) = places.first()?;
    let quote = case.answer.quote(claim, &figure.quantity.range)?;
    let others = places.iter().skip(1).filter_map(|(claim, figure)| case.answer.quote(claim, &figure.quantity.range));
    let artefact = case.answer.artefacts.get(schedule.artefact)?;
    let (first, last) = (schedule.first()?, schedule.last()?);
    let scheduled = Quote::cut(artefact.file, &artefact.document, last.span)?;
    Some(
        incident(&CHECK, Severity::Major, 0.9, Evidence::Quote(scheduled))
            .also(std::iter::once(quote).chain(others))
            .because(format!(
                "The schedule runs from {} to {} ({}), though the plan says \"{}\" of the whole.",
                first.start,
                last.end,
                figures::months(days),
                figure.quantity_text(&claim.text),
            ))
            .repair("Bring the schedule and the stated duration together.")
            .unsupported_number()
            .done(),
    )
}
