//! A model's view of a report, in plain lines that every form of it shows: apart from the verdict, which it does not move.

use steadfast_wire::audit::{DriftEvaluation, ModelView};
use steadfast_wire::model::CallEnded;

use crate::digest::count_of;
use crate::plain::{line, shorten};

/// The heading of the section.
pub(crate) const TITLE: &str = "Another Judge's View";

/// What a reader must know of it.
pub(crate) const NOTE: &str =
    "A model proposed this and code located it. It moves no score, count, risk or verdict of this report.";

const NAME_CHARS_MAX: usize = 80;
const REASON_CHARS_MAX: usize = 200;
const REASONS_MAX: usize = 6;

/// Its facts, a line each, as text that is not yet escaped.
pub(crate) fn facts(evaluation: &DriftEvaluation, view: &ModelView) -> Vec<String> {
    let mut facts = vec![format!(
        "{}: {} located, {} set aside; {} of the contract located",
        line(&view.model, NAME_CHARS_MAX),
        count_of(view.drift_incidents.len(), "incident"),
        count_of(evaluation.set_aside.len(), "proposal"),
        count_of(view.contract.len(), "item"),
    )];
    if let Some(agreement) = &view.agreement {
        facts.push(format!(
            "Found by both: {} of the rules; by the rules alone: {}; by the model alone: {}",
            count_of(agreement.rules_found_by_model, "incident"),
            agreement.rules_only.len(),
            agreement.model_only.len(),
        ));
    }
    if let Some(would) = &view.scores_would_be {
        facts.push(format!(
            "If its incidents counted, the score would be {:.1} / 5.0, the risk {}, usable as it is: {}",
            would.overall_fidelity_score,
            would.overall_drift_risk,
            if would.usable_as_is { "yes" } else { "no" },
        ));
    }
    if let Some(own) = &view.claimed {
        facts.push(format!(
            "Its own totals, never used: score {:.1}, risk {}, usable as it is: {}",
            own.overall_fidelity_score.clamp(0.0, 5.0),
            line(&own.overall_drift_risk, 20),
            if own.usable_as_is { "yes" } else { "no" },
        ));
    }
    let failed = view.calls.iter().filter(|call| call.ended != CallEnded::Read).count();
    let neutralised: usize = view.calls.iter().map(|call| call.neutralised.invisible + call.neutralised.reserved).sum();
    let mut calls = count_of(view.calls.len(), "call");
    if failed > 0 {
        calls.push_str(&format!(", {failed} without a reply that could be used"));
    }
    if neutralised > 0 {
        calls.push_str(&format!(
            "; {} neutralised in what it was shown: hidden characters or words that chat templates reserve",
            count_of(neutralised, "place")
        ));
    }
    facts.push(calls);
    facts.extend(not_judged(view));
    facts
}

/// What it did not judge.
fn not_judged(view: &ModelView) -> Vec<String> {
    let mut lines: Vec<String> = view
        .not_judged
        .iter()
        .take(REASONS_MAX)
        .map(|own| {
            let place = match (&own.file, own.start, own.end) {
                (Some(file), Some(start), Some(end)) => {
                    format!(" in {}, bytes {start} to {end}", line(file, NAME_CHARS_MAX))
                }
                (Some(file), _, _) => format!(" in {}", line(file, NAME_CHARS_MAX)),
                _ => String::new(),
            };
            format!("Not judged by the model: {}{place}: {}", own.what.label(), line(&own.reason, REASON_CHARS_MAX))
        })
        .collect();
    if view.not_judged.len() > REASONS_MAX {
        lines.push(format!("and {} more parts not judged by the model", view.not_judged.len() - REASONS_MAX));
    }
    lines
}

/// Its incidents, at most so many, a line each: severity, type, words of the report, why.
pub(crate) fn incidents(view: &ModelView, shown_max: usize, chars_max: usize) -> Vec<String> {
    let mut lines: Vec<String> = view
        .drift_incidents
        .iter()
        .take(shown_max)
        .map(|own| {
            let drift_type = own.drift_type;
            let file = own.output_span.as_ref().map_or("", |span| span.file.as_str());
            let claim = crate::plain::shown(file, &own.output_claim);
            format!(
                "Severity {}, {drift_type} {}: “{}” {}",
                own.severity,
                drift_type.label(),
                shorten(&claim, chars_max),
                line(&own.explanation, chars_max)
            )
        })
        .collect();
    if view.drift_incidents.len() > shown_max {
        lines.push(format!("and {} more in the JSON", view.drift_incidents.len() - shown_max));
    }
    lines
}
