//! Traces of day plans. What section 9 of the contract for day plans wants logged of each plan is here: a preview of the context, the
//! extracted constraints, the variant, the spans extract → plan → validate → (repair) → validate, the metrics and status of the validation;
//! an advisory judge's scores come by [`add_judge_scores`] where one was asked.

use steadfast_wire::plan::{Constraint, Constraints, PlanItem, PlanResponse, Status, Validation, Validity};
use steadfast_wire::trace::{Attributes, Trace, Value};

use super::build::{Builder, named, preview};
use super::{About, add_judge_scores};
use crate::limits::TRACE_LIST_MAX;

/// The part of the run in which plans are made.
const PART: &str = "plan";

/// The trace of a plan.
#[must_use]
pub fn plan(response: &PlanResponse, about: &About<'_>) -> Trace {
    let mut own = Builder::new("plan", about);
    let variant = response.debug.variant.name();
    own.trace.tags.push(variant.to_owned());
    if let Some(preview) = own.text(&response.debug.context_preview) {
        own.trace.input.insert("context_preview".to_owned(), preview);
    }
    own.trace.input.extend(named([
        ("variant", variant.into()),
        ("current_time", response.current_time.as_str().into()),
        ("timezone", response.timezone.as_str().into()),
    ]));
    own.output("status", response.status.name());
    own.output("confidence", response.confidence.name());
    if let Some(feasible) = response.feasible {
        own.output("feasible", feasible);
    }
    if let Some(overload) = &response.overload {
        own.output("needed_minutes", overload.needed_minutes);
        own.output("free_minutes", overload.free_minutes);
        own.said("overload", &overload.proof);
    }
    own.lines("assumptions", &response.assumptions);
    own.lines("questions", &response.questions);
    let items = items(&own, &response.plan);
    own.output("plan", items);
    validation(&mut own, &response.validation);
    let recommended = if response.status == Status::Recommended { 1.0 } else { 0.0 };
    own.labelled("recommended", recommended, response.status.name(), None);

    let start_us = own.part_start_us(PART);
    let metrics = metrics(&response.validation);
    let last_validation = response.trace.iter().rposition(|step| step.span == "validate");
    for (at, step) in response.trace.iter().enumerate() {
        own.span(None, &step.span, start_us.saturating_add(at as u64), None, named([("variant", variant.into())]));
        let constraints = (step.span == "extract").then(|| constraints(&own, &response.validation.constraints));
        let Some(span) = own.last() else { break };
        span.input.insert("in".to_owned(), step.input.as_str().into());
        span.output.insert("out".to_owned(), step.output.as_str().into());
        if let Some(constraints) = constraints {
            span.output.insert("constraints".to_owned(), constraints);
        }
        // The metrics are those of the validation that counts, which is the last one where the repair was kept or there was none.
        if Some(at) == last_validation {
            span.output.insert("metrics".to_owned(), metrics.clone().into());
            span.output.insert("status".to_owned(), response.validation.status.name().into());
        }
    }
    let mut trace = own.end();
    if let Some(opinion) = response.model_view.as_ref().and_then(|view| view.opinion.as_ref()) {
        let scores = opinion.scores.iter().map(|own| {
            let reason = about.capture.shows_words().then(|| preview(&own.comment));
            (own.dimension.clone(), own.score as f64, reason)
        });
        add_judge_scores(&mut trace, &opinion.model, scores);
    }
    trace
}

/// The trace of the check of somebody's plan.
#[must_use]
pub fn plan_check(checked: &Validation, about: &About<'_>) -> Trace {
    let mut own = Builder::new("plan check", about);
    validation(&mut own, checked);
    own.lines("unchecked", &checked.unchecked);
    own.parts(PART);
    own.end()
}

/// The trace of a reading of notes.
#[must_use]
pub fn plan_constraints(read: &Constraints, about: &About<'_>) -> Trace {
    let mut own = Builder::new("plan constraints", about);
    let constraints = constraints(&own, &read.constraints);
    own.output("constraints", constraints);
    own.lines("assumptions", &read.assumptions);
    own.lines("questions", &read.questions);
    own.count("constraints_declared", read.constraints.len());
    own.count("tasks", read.tasks.len());
    own.parts(PART);
    own.end()
}

/// Status, metrics, constraints and findings of a validation.
fn validation(own: &mut Builder<'_>, checked: &Validation) {
    let constraints = constraints(own, &checked.constraints);
    own.output("constraints", constraints);
    own.output("validation_status", checked.status.name());
    own.output("metrics", metrics(checked));
    own.lines("errors", &checked.errors);
    let findings = checked.findings.iter().take(TRACE_LIST_MAX).map(|finding| {
        let mut told = named([("check", finding.check.as_str().into()), ("hard", finding.hard.into())]);
        told.extend(finding.constraint_id.as_ref().map(|id| ("constraint_id".to_owned(), id.as_str().into())));
        told.extend(own.text(&finding.message).map(|text| ("message".to_owned(), text)));
        Value::Object(told)
    });
    let findings: Vec<Value> = findings.collect();
    own.output("findings", findings);
    let passed = if checked.status == Validity::Pass { 1.0 } else { 0.0 };
    let errors = checked.errors.join(" ");
    own.labelled(
        "validation",
        passed,
        checked.status.name(),
        Some(&errors).filter(|it| !it.is_empty()).map(|it| it.as_str()),
    );
    let metrics = &checked.metrics;
    own.count("constraints_declared", metrics.constraints_declared);
    own.count("constraints_violated", metrics.constraints_violated);
    own.score("time_available_minutes", metrics.time_available_minutes as f64);
    own.score("time_planned_minutes", metrics.time_planned_minutes as f64);
    own.score("time_overflow_minutes", metrics.time_overflow_minutes as f64);
    own.count("hallucination_flags", metrics.hallucination_flags);
    own.count("human_feasibility_flags", metrics.human_feasibility_flags);
    // Where there is nothing to cover it is 1 by name alone: no score.
    if metrics.context_coverage_assessed {
        own.score("context_coverage_ratio", metrics.context_coverage_ratio);
    }
}

fn metrics(checked: &Validation) -> Attributes {
    let own = &checked.metrics;
    named([
        ("constraints_declared", own.constraints_declared.into()),
        ("constraints_violated", own.constraints_violated.into()),
        ("time_available_minutes", own.time_available_minutes.into()),
        ("time_planned_minutes", own.time_planned_minutes.into()),
        ("time_overflow_minutes", own.time_overflow_minutes.into()),
        ("hallucination_flags", own.hallucination_flags.into()),
        ("human_feasibility_flags", own.human_feasibility_flags.into()),
        ("context_coverage_ratio", own.context_coverage_ratio.into()),
        ("context_coverage_assessed", own.context_coverage_assessed.into()),
    ])
}

fn constraints(own: &Builder<'_>, constraints: &[Constraint]) -> Value {
    let one = |constraint: &Constraint| {
        let mut told = named([
            ("id", constraint.id.as_str().into()),
            ("kind", constraint.kind.name().into()),
            ("hard", constraint.hard.into()),
        ]);
        let times = [("start", &constraint.start), ("end", &constraint.end)];
        let texts = [("text", Some(&constraint.text)), ("meaning", Some(&constraint.meaning))];
        let texts = times.map(|(name, time)| (name, time.as_ref())).into_iter().chain(texts);
        for (name, text) in texts {
            told.extend(text.and_then(|text| own.text(text)).map(|text| (name.to_owned(), text)));
        }
        Value::Object(told)
    };
    constraints.iter().take(TRACE_LIST_MAX).map(one).collect::<Vec<_>>().into()
}

fn items(own: &Builder<'_>, items: &[PlanItem]) -> Value {
    let one = |item: &PlanItem| {
        let ids = item.constraint_ids.iter().map(|id| id.as_str().into()).collect::<Vec<Value>>();
        let mut told = named([("timebox_minutes", item.timebox_minutes.into()), ("constraint_ids", ids.into())]);
        let texts = [("task", Some(&item.task)), ("start", item.start.as_ref()), ("end", item.end.as_ref())];
        for (name, text) in texts {
            told.extend(text.and_then(|text| own.text(text)).map(|text| (name.to_owned(), text)));
        }
        Value::Object(told)
    };
    items.iter().take(TRACE_LIST_MAX).map(one).collect::<Vec<_>>().into()
}
