//! Traces of audits: a score for each dimension that was assessed, incidents as events.

use steadfast_wire::audit::{Dimension, DriftEvaluation};
use steadfast_wire::trace::{Trace, Value};

use super::About;
use super::build::{Builder, counts, named};

/// The part of the run in which is judged.
const PART: &str = "audit";

/// The trace of an audit. `evaluation` holds all incidents, not a page of them.
#[must_use]
pub fn audit(evaluation: &DriftEvaluation, about: &About<'_>) -> Trace {
    let mut own = Builder::new("audit", about);
    own.said("core_intent", &evaluation.prompt_contract.core_intent);
    own.output("overall_drift_risk", evaluation.overall_drift_risk.name());
    own.output("usable_as_is", evaluation.usable_as_is);
    own.output("usable_because", evaluation.usable_because.name());
    own.output("obligations", evaluation.obligations.len());
    let assessed = &evaluation.assessed;
    for (name, count) in [
        ("obligations_assessed", assessed.n),
        ("obligations_must", assessed.must_of),
        ("obligations_must_assessed", assessed.must_n),
    ] {
        own.output(name, count);
    }
    own.output("incidents", evaluation.totals.incidents);
    own.output("incidents_by_type", counts(&evaluation.totals.by_type));
    own.output("incidents_by_severity", counts(&evaluation.totals.by_severity));
    let disqualifiers = evaluation.disqualifiers.iter().map(|it| Value::from(it.condition.name()));
    own.output("disqualifiers", disqualifiers.collect::<Vec<_>>());
    let unassessed = evaluation.unassessed_dimensions.iter().map(|it| Value::from(it.name()));
    own.output("unassessed_dimensions", unassessed.collect::<Vec<_>>());
    own.lines("major_failures", &evaluation.verdict_major_failures);
    own.trace.metadata.extend(named([
        ("rules_version", evaluation.rules_version.as_str().into()),
        ("judge", evaluation.judge.name().into()),
    ]));

    if assessed.of > 0 {
        own.score("assessed_share", assessed.n as f64 / assessed.of as f64);
    }
    own.score("overall_fidelity_score", evaluation.overall_fidelity_score);
    let risk = evaluation.overall_drift_risk;
    own.labelled("overall_drift_risk", f64::from(risk as u8), risk.name(), None);
    let usable = if evaluation.usable_as_is { (1.0, "yes") } else { (0.0, "no") };
    own.labelled("usable_as_is", usable.0, usable.1, Some(evaluation.usable_because.label()));
    // What was not assessed takes the mean of the others for its integer: that is no figure of its own.
    for dimension in Dimension::ALL.iter().filter(|it| !evaluation.unassessed_dimensions.contains(it)) {
        own.score(dimension.name(), f64::from(evaluation.dimension_scores.get(*dimension)));
    }
    own.count("critical_drift_count", evaluation.critical_drift_count);
    own.count("unsupported_claim_count", evaluation.unsupported_claim_count);
    own.count("constraint_violation_count", evaluation.constraint_violation_count);
    own.count("confidence_inflation_count", evaluation.confidence_inflation_count);
    own.count("incidents", evaluation.totals.incidents);

    let part = own.parts(PART);
    for incident in &evaluation.drift_incidents {
        let mut told = named([
            ("id", incident.id.as_str().into()),
            ("check", incident.check.as_str().into()),
            ("drift_type", incident.drift_type.name().into()),
            ("severity", i64::from(incident.severity).into()),
            ("confidence", incident.confidence.into()),
            ("absent", incident.absent.into()),
            ("voice", incident.voice.name().into()),
        ]);
        if let Some(span) = &incident.output_span {
            told.extend(named([
                ("file", span.file.as_str().into()),
                ("start", span.start.into()),
                ("end", span.end.into()),
            ]));
        }
        for (name, text) in [
            ("explanation", &incident.explanation),
            ("source_reference", &incident.source_reference),
            ("output_claim", &incident.output_claim),
        ] {
            told.extend(own.text(text).map(|text| (name.to_owned(), text)));
        }
        own.event(part.as_deref(), "incident", told);
    }
    own.end()
}
