//! Traces of selections: a span for each state that was passed, the evidence of each prompt.

use steadfast_wire::pick::{FinalOutput, PickMode};
use steadfast_wire::trace::{Attributes, Trace, Value};

use super::About;
use super::build::{Builder, named, preview};

/// The part of the run in which is picked.
const PART: &str = "pick";

/// The trace of a selection.
#[must_use]
pub fn pick(found: &FinalOutput, about: &About<'_>) -> Trace {
    let mut own = Builder::new("pick", about);
    match own.text(&found.task_spec.raw_query) {
        Some(task) => drop(own.trace.input.insert("task".to_owned(), task)),
        // A task is named by how it begins.
        None => own.hide_names("task"),
    }
    own.output("mode", found.mode.name());
    own.output("trace_id", found.trace_id.as_str());
    own.output("origin", found.origin.as_str());
    own.output("vectors", found.vectors);
    let selected = found.selected_prompts.iter().map(|prompt| {
        let evidence = &prompt.evidence;
        let mut told = named([
            ("prompt_id", preview(&prompt.prompt_id).into()),
            ("stage", prompt.stage.name().into()),
            ("rank", prompt.rank.into()),
            ("score", prompt.score.into()),
            (
                "evidence",
                named([
                    ("dense_sim", evidence.dense_sim.into()),
                    ("bm25_sim", evidence.bm25_sim.into()),
                    ("metadata_match", evidence.metadata_match.into()),
                    ("stage_fit", evidence.stage_fit.into()),
                    ("quality_prior", evidence.quality_prior.into()),
                    ("freshness", evidence.freshness.into()),
                    ("penalties", evidence.penalties.into()),
                ])
                .into(),
            ),
        ]);
        told.extend(own.text(&prompt.why).map(|text| ("why".to_owned(), text)));
        let reason = prompt.reason.as_deref().and_then(|reason| own.text(reason));
        told.extend(reason.map(|text| ("reason".to_owned(), text)));
        Value::Object(told)
    });
    let selected: Vec<Value> = selected.collect();
    own.output("selected_prompts", selected);
    let fallback = found.fallback.prompt_ids.iter().map(|id| Value::from(preview(id)));
    own.output("fallback", fallback.collect::<Vec<_>>());
    own.lines("clarification_questions", &found.clarification_questions);
    let thresholds = &found.scores.thresholds;
    own.trace.metadata.insert(
        "thresholds".to_owned(),
        named([
            ("operating_point", thresholds.operating_point.as_str().into()),
            ("t_ambiguity", thresholds.t_ambiguity.into()),
            ("t_single", thresholds.t_single.into()),
            ("t_chain", thresholds.t_chain.into()),
            ("delta", thresholds.delta.into()),
        ])
        .into(),
    );
    if let Some(confidence) = found.confidence {
        own.labelled("confidence", confidence, found.mode.name(), None);
    }
    own.score("clarify", if found.mode == PickMode::Clarify { 1.0 } else { 0.0 });
    own.score("ambiguity", found.task_spec.ambiguity_score);
    if let Some(single) = found.scores.single {
        own.score("single", single);
    }
    if let Some(chain) = &found.scores.chain {
        own.score("chain", chain.score);
        own.score("workflow_coverage", chain.workflow_coverage);
        own.score("transition_coherence", chain.transition_coherence);
        own.score("non_redundancy", chain.non_redundancy);
    }
    let start_us = own.part_start_us(PART);
    for (at, step) in found.log.iter().enumerate() {
        let values: Attributes = step.values.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
        let why = step.why.iter().filter_map(|line| own.text(line)).collect::<Vec<_>>();
        let start_us = start_us.saturating_add(at as u64);
        if own.span(None, &step.state, start_us, None, named([("values", values.into())])).is_none() {
            continue;
        }
        if let Some(span) = own.last() {
            span.output.insert("event".to_owned(), step.event.as_str().into());
            if !why.is_empty() {
                span.output.insert("why".to_owned(), why.into());
            }
        }
    }
    own.end()
}
