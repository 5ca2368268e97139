//! Something still to be done is due before the day on which the ask was made.
//!
//! Only dates that point ahead count: after "by", "before" or "until", under a label such as "Deadline" or "Due date", or in
//! a sentence of intent. Dates of the past told as past ("opened in 2008", "data of 2019 to 2024") are none, nor are other
//! projects' dates.
//!
//! Example: the ask is of March 2027; "Deadline: 2026-12-31" is an incident.

use std::ops::Range;

use jiff::civil::Date;
use steadfast_annotate::Pattern;
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_text::Span;
use steadfast_time::{DateGrain, DateRole, DateValue, dates};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::same_figure::cell_heads;

/// The check's id.
pub(super) const ID: &str = "date-before-start";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::C, summary: "something to be done is due before the day of the ask", run };

/// Most dates that the explanation names.
const DATES_TOLD_MAX: usize = 5;

static AHEAD: Pattern = Pattern::new(
    r"(?i)(?:\b(?:deadline|due(?: date)?|target(?: completion)? date|timeline|completion date|start date|end date|eta|milestone)\b\W{0,6}(?:is |of |on |by )?\W{0,3}$|\b(?:by|before|until|no later than|on or before|starting|beginning|completed? (?:in|on)|finali[sz]ed? (?:in|on)|launch(?:es)? (?:in|on))\W{0,3}(?:the end of |end of |early |mid-?|late )?$)",
);

static PAST: Pattern = Pattern::new(
    r"(?i)\b(?:was|were|had|been|opened|founded|established in|built|since|as of|historical\w*|published|dated|version|edition|revised|amended|enacted|passed|adopted in|last updated|previous\w*|between|from)\b",
);

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some((today, source)) = case.ask.request.today else { return Vec::new() };
    let mut found: Vec<(&Claim, Range<usize>)> = Vec::new();
    for claim in &case.answer.claims {
        let voice = claim.voice();
        if !voice.can_drift() {
            continue;
        }
        for date in dates(&claim.text) {
            let DateValue::Window(window) = date.value else { continue };
            let readings = [Some(date.value), date.alternative];
            let over = readings.iter().flatten().all(|value| matches!(value, DateValue::Window(w) if w.last < today));
            if !over || window.last.year() < 1900 || date.grain == DateGrain::Decade {
                continue;
            }
            let before = claim.text.get(..date.range.start).unwrap_or_default();
            let label = claim.places.first().map_or(String::new(), |place| case.answer.label(place));
            let points_ahead = matches!(date.role, DateRole::By | DateRole::Before)
                || AHEAD.is_match(before)
                || (before.trim().is_empty() && AHEAD.is_match(&label))
                || (before.trim().is_empty() && column_is_ahead(case, claim));
            if points_ahead && !PAST.is_match(clause_before(before)) {
                found.push((claim, date.range));
            }
        }
    }
    told(case, today, source, &found).into_iter().collect()
}

/// One fault, however many dates show it: the plan's own words first, then the run's order.
fn told(case: &Case<'_>, today: Date, source: Span, found: &[(&Claim, Range<usize>)]) -> Option<Incident> {
    let mut places: Vec<&(&Claim, Range<usize>)> = found.iter().collect();
    // Stable: of equal voices the run's order holds.
    places.sort_by_key(|(claim, _)| !claim.is_of_the_plan());
    let (claim, range) = places.first()?;
    let quote = case.answer.quote(claim, range)?;
    let others: Vec<Quote> =
        places.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range)).collect();
    let mut dates: Vec<&str> = Vec::new();
    for (claim, range) in &places {
        let words = claim.text.get(range.clone()).unwrap_or_default();
        if !dates.contains(&words) && dates.len() < DATES_TOLD_MAX {
            dates.push(words);
        }
    }
    let severity = if claim.is_of_the_plan() { Severity::Major } else { Severity::Moderate };
    let draft = incident(&CHECK, severity, 0.95, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .also(others)
        .because(format!(
            "The prompt is of {today}; the report sets \"{}\" for what is still to be done.",
            dates.join("\", \"")
        ))
        .repair("Set dates that lie after the day of the prompt.")
        .unsupported_number();
    Some(match case.ask.quote(source) {
        Some(quote) => draft.source(&quote).done(),
        None => draft.done(),
    })
}

/// Whether a cell stands in a column of days by which something is due.
fn column_is_ahead(case: &Case<'_>, claim: &Claim) -> bool {
    let place = claim.places.first();
    place.and_then(|place| cell_heads(case.answer, place)[1]).is_some_and(|head| AHEAD.is_match(head))
}

/// The clause that a date stands in, as far as it precedes the date.
fn clause_before(before: &str) -> &str {
    before.rfind([';', '.', ',']).map_or(before, |at| &before[at..])
}
