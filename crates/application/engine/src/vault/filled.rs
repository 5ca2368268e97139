//! What was picked, ready to be used: the texts of the chain with values in the place of their placeholders.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_pick::fill::{fill, placeholders};
use steadfast_wire::from_json;
use steadfast_wire::pick::{FilledChain, FilledPrompt, FinalOutput, Placeholder, PromptRecord};

use crate::EngineError;
use crate::error::of_json;
use crate::store::Keep;

/// The prompts of a selection with `values` in the place of their placeholders.
///
/// # Errors
/// [`EngineError::Placeholder`] for a value whose name no prompt of it has, [`EngineError::NoPromptKept`] where the vault has lost one of them,
/// [`EngineError::Store`] where it cannot be read.
pub fn filled_chain(
    store: &dyn Keep,
    found: &FinalOutput,
    values: &BTreeMap<String, String>,
) -> Result<FilledChain, EngineError> {
    let ids: Vec<&str> = found.selected_prompts.iter().map(|own| own.prompt_id.as_str()).collect();
    let mut out = FilledChain {
        task: found.task_spec.raw_query.clone(),
        prompts: Vec::with_capacity(ids.len()),
        placeholders: Vec::new(),
        questions: if ids.is_empty() { found.clarification_questions.clone() } else { Vec::new() },
    };
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (own, stored) in found.selected_prompts.iter().zip(store.prompts_of(&ids)?) {
        let stored = stored.ok_or_else(|| EngineError::NoPromptKept { id: own.prompt_id.clone() })?;
        let record: PromptRecord = from_json(&stored.record).map_err(of_json)?;
        for name in placeholders(&record.prompt_text) {
            if known.insert(name.to_owned()) {
                out.placeholders.push(Placeholder { name: name.to_owned(), value: values.get(name).cloned() });
            }
        }
        out.prompts.push(FilledPrompt {
            rank: own.rank,
            stage: own.stage,
            prompt_id: own.prompt_id.clone(),
            title: record.title,
            text: fill(&record.prompt_text, values),
        });
    }
    if let Some(given) = values.keys().find(|given| !known.contains(*given)) {
        let known = out.placeholders.into_iter().map(|own| own.name).collect();
        return Err(EngineError::Placeholder { given: given.clone(), known });
    }
    Ok(out)
}
