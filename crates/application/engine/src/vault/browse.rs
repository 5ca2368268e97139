//! Looking through a vault: its prompts in pages, and all that is known of one.

use steadfast_pick::retrieve::filters::Filters;
use steadfast_wire::from_json;
use steadfast_wire::pick::{self as wire, Inferred, PromptList, PromptRecord, PromptRow, VaultPrompt};

use crate::EngineError;
use crate::error::of_json;
use crate::limits::PAGE_ROWS_MAX;
use crate::store::{Keep, StoredPrompt};
use crate::vault::OpenVault;

/// Prompts of a vault that filters leave, in the order of their ids, from a cursor on: at most `limit` of them and [`PAGE_ROWS_MAX`]. What was
/// inferred of a prompt counts for a filter as what was said. One that was removed since the vault was opened is not there.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read.
pub fn vault_list(
    store: &dyn Keep,
    open: &OpenVault,
    filters: &Filters,
    cursor: Option<&str>,
    limit: usize,
) -> Result<PromptList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let catalog = open.retriever.catalog();
    let mut found = catalog.behind(cursor).filter(|own| filters.is_empty() || filters.accept(&catalog.facts(*own)));
    let ids: Vec<&str> = found.by_ref().take(limit).map(|own| catalog.id(own)).collect();
    let next_cursor = ids.last().filter(|_| found.next().is_some()).map(|id| (*id).to_owned());
    let prompts = store.prompts_of(&ids)?.iter().flatten().map(prompt_row).collect::<Result<_, _>>()?;
    Ok(PromptList { schema_version: wire::SCHEMA_VERSION.to_owned(), prompts, next_cursor })
}

/// A prompt as lists show it.
///
/// # Errors
/// [`EngineError`] where it cannot be read.
pub fn prompt_row(own: &StoredPrompt) -> Result<PromptRow, EngineError> {
    let record: PromptRecord = from_json(&own.record).map_err(of_json)?;
    Ok(PromptRow {
        prompt_id: record.prompt_id,
        title: record.title,
        stage: record.stage,
        intent: record.intent,
        task_type: record.task_type,
        domain: record.domain,
        status: record.status,
        tags: record.tags,
        confidence: own.confidence,
    })
}

/// One prompt with what was inferred of it and what was said of it; `near_duplicates` are the ids of prompts with nearly the same text. `None`
/// where the vault does not hold it.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn vault_show(
    store: &dyn Keep,
    prompt_id: &str,
    near_duplicates: Vec<String>,
) -> Result<Option<VaultPrompt>, EngineError> {
    let Some(own) = store.prompts_of(&[prompt_id])?.pop().flatten() else { return Ok(None) };
    let said = store.feedback()?.into_iter().find(|(id, _, _)| id == prompt_id);
    let (good, bad) = said.map_or((0, 0), |(_, good, bad)| (good, bad));
    let inferred: Vec<Inferred> = from_json(&own.inferred).map_err(of_json)?;
    let record = from_json(&own.record).map_err(of_json)?;
    let schema_version = wire::SCHEMA_VERSION.to_owned();
    Ok(Some(VaultPrompt { schema_version, record, inferred, good, bad, near_duplicates }))
}
