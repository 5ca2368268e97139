//! Between the types of `pick` and those that are published.

use steadfast_pick::candidate::{Candidate, StageFit};
use steadfast_pick::infer::Inferred;
use steadfast_pick::record::{PromptRecord, Records as _};
use steadfast_pick::stage::Stage;
use steadfast_pick::task::TaskSpec;
use steadfast_wire::pick as wire;

use super::open::Prompts;

pub(super) fn record_of(own: wire::PromptRecord) -> PromptRecord {
    PromptRecord {
        prompt_id: own.prompt_id,
        prompt_text: own.prompt_text,
        title: own.title,
        description: own.description,
        tags: own.tags,
        stage: own.stage,
        intent: own.intent,
        task_type: own.task_type,
        domain: own.domain,
        expected_input: own.expected_input,
        expected_output: own.expected_output,
        status: own.status,
        models_tested: own.models_tested,
        parent_prompt: own.parent_prompt,
        original_link: own.original_link,
        last_updated: own.last_updated,
        last_evaluated: own.last_evaluated,
        notes: own.notes,
    }
}

/// Fields whose inference is known, by name.
const FIELDS: [&str; 4] = ["stage", "intent", "task_type", "domain"];

pub(super) fn inferred_of(own: &[wire::Inferred]) -> Vec<Inferred> {
    own.iter()
        .filter_map(|it| {
            let field = FIELDS.into_iter().find(|field| *field == it.field)?;
            Some(Inferred { field, value: it.value.clone(), confidence: it.confidence })
        })
        .collect()
}

pub(super) fn inferred(own: &[Inferred]) -> Vec<wire::Inferred> {
    own.iter()
        .map(|it| wire::Inferred { field: it.field.to_owned(), value: it.value.clone(), confidence: it.confidence })
        .collect()
}

fn stage_fit(own: &StageFit) -> wire::StageFit {
    wire::StageFit {
        clarify: own.at(Stage::Clarify),
        plan: own.at(Stage::Plan),
        execute: own.at(Stage::Execute),
        verify: own.at(Stage::Verify),
        reflect: own.at(Stage::Reflect),
    }
}

pub(super) fn candidate(own: &Candidate, prompts: &Prompts, score: f64) -> wire::Candidate {
    let id = |at: usize| prompts.get(at).map(|record| record.prompt_id.clone());
    wire::Candidate {
        prompt_id: id(own.record).unwrap_or_default(),
        title: prompts.get(own.record).and_then(|record| record.title.clone()),
        dense_sim: own.evidence.dense_sim,
        bm25_sim: own.evidence.bm25_sim,
        metadata_match: own.evidence.metadata_match,
        quality_prior: own.evidence.quality_prior,
        freshness: own.evidence.freshness,
        stage_fit: stage_fit(&own.stage_fit),
        retrieval_sources: own.sources.clone(),
        duplicate_of: own.duplicate_of.and_then(id),
        score,
    }
}

pub(super) fn task_spec(own: &TaskSpec, task_id: &str) -> wire::TaskSpec {
    wire::TaskSpec {
        task_id: task_id.to_owned(),
        raw_query: own.raw_query.clone(),
        intent: own.intent.clone(),
        task_type: own.task_type.clone(),
        domain_hint: own.domain_hint.clone(),
        constraints: own.constraints.clone(),
        deliverable: own.deliverable.clone(),
        risk_level: own.risk_level,
        risk_words: own.risk_words.clone(),
        stages: own.stages.clone(),
        requires_multistep: own.requires_multistep,
        multistep_score: own.multistep_score,
        ambiguity_score: own.ambiguity_score,
        missing: own
            .missing
            .iter()
            .map(|it| wire::Missing { what: it.what.clone(), question: it.question.clone(), required: it.required })
            .collect(),
    }
}
