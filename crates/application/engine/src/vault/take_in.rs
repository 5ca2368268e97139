//! Taking prompts into the vault of a store: only what changed is written.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sha2::{Digest, Sha256};
use steadfast_pick::infer::{CONFIDENCE_MIN, infer};
use steadfast_pick::stage::Stage;
use steadfast_wire::pick::{self as wire, GivenPrompt, Import, ImportRefusal, QueueEntry, VaultQueue, VaultStatus};
use steadfast_wire::{from_json, to_json_line};

use super::import::Given;
use super::publish;
use crate::EngineError;
use crate::hash::{hex, sha256};
use crate::limits::PAGE_ROWS_MAX;
use crate::runs::of_json;
use crate::store::{Keep, PromptKey, StoredPrompt};

/// Takes prompts in that came from `source`, which stands for a folder or file: what of it is no longer given is removed, what is as it was stays.
/// Of prompts with the same text the one whose id comes first is kept.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be written. What could not be read is in the result, not an error.
pub fn import_vault(store: &dyn Keep, source: &str, given: Given) -> Result<Import, EngineError> {
    let mut out = Import { schema_version: wire::SCHEMA_VERSION.to_owned(), ..Import::default() };
    out.refused = given.refused.into_iter().map(|(place, why)| ImportRefusal { place, why }).collect();
    let mut prompts: BTreeMap<String, GivenPrompt> = BTreeMap::new();
    for (file, prompt) in given.prompts {
        if prompts.contains_key(&prompt.prompt_id) {
            let why = format!("another prompt of this import is called `{}` too", prompt.prompt_id);
            out.refused.push(ImportRefusal { place: file, why });
        } else {
            prompts.insert(prompt.prompt_id.clone(), prompt);
        }
    }
    let known: HashMap<String, PromptKey> = store.prompt_keys()?.into_iter().map(|key| (key.id.clone(), key)).collect();
    let mut texts: BTreeSet<String> = BTreeSet::new();
    let mut put = Vec::new();
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for (id, prompt) in prompts {
        if !texts.insert(sha256(prompt.prompt_text.trim().as_bytes())) {
            out.duplicates += 1;
            continue;
        }
        let stored = stored(source, prompt)?;
        out.queued += usize::from(stored.confidence < CONFIDENCE_MIN);
        match known.get(&id) {
            Some(own) if own.content_hash == stored.content_hash && own.source == source => out.unchanged += 1,
            found => {
                *(if found.is_some() { &mut out.changed } else { &mut out.added }) += 1;
                put.push(stored);
            }
        }
        kept.insert(id);
    }
    let gone = known.values().filter(|own| own.source == source && !kept.contains(&own.id));
    let mut remove: Vec<String> = gone.map(|own| own.id.clone()).collect();
    remove.sort();
    out.removed = remove.len();
    if !put.is_empty() || !remove.is_empty() {
        store.change_prompts(put, remove)?;
    }
    Ok(out)
}

/// A prompt as it is stored, with what is inferred of it.
pub(super) fn stored(source: &str, given: GivenPrompt) -> Result<StoredPrompt, EngineError> {
    let mut published = wire::PromptRecord {
        prompt_id: given.prompt_id,
        prompt_text: given.prompt_text,
        title: given.title,
        description: given.description,
        tags: given.tags,
        stage: given.stage.as_deref().and_then(Stage::of).map(publish::stage),
        intent: given.intent,
        task_type: given.task_type,
        domain: given.domain,
        expected_input: given.expected_input,
        expected_output: given.expected_output,
        status: given.status,
        models_tested: given.models_tested,
        parent_prompt: given.parent_prompt,
        original_link: given.original_link,
        last_updated: given.last_updated,
        last_evaluated: given.last_evaluated,
        notes: given.notes,
        content_hash: String::new(),
        embedding_version: String::new(),
    };
    published.content_hash = sha256(to_json_line(&published).map_err(of_json)?.as_bytes());
    let inferred = infer(&publish::record_of(published.clone()));
    let confidence = inferred.iter().map(|own| own.confidence).fold(1.0, f64::min);
    Ok(StoredPrompt {
        id: published.prompt_id.clone(),
        source: source.to_owned(),
        content_hash: published.content_hash.clone(),
        confidence,
        inferred: to_json_line(&publish::inferred(&inferred)).map_err(of_json)?.trim_end().to_owned(),
        record: to_json_line(&published).map_err(of_json)?.trim_end().to_owned(),
    })
}

/// What stands for a folder or file in a store: a hash, so that no path of a machine is kept.
#[must_use]
pub fn source_of(path: &str) -> String {
    hex(&Sha256::digest(path.as_bytes()))
}

/// Prompts that wait for somebody to look at what was inferred of them, the least sure first.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read.
pub fn vault_queue(store: &dyn Keep, limit: usize) -> Result<VaultQueue, EngineError> {
    let (found, total) = store.unsure_prompts(CONFIDENCE_MIN, limit.min(PAGE_ROWS_MAX))?;
    let queue = found
        .into_iter()
        .map(|own| {
            let mut inferred: Vec<wire::Inferred> = from_json(&own.inferred).map_err(of_json)?;
            inferred.sort_by(|a, b| a.confidence.total_cmp(&b.confidence).then_with(|| a.field.cmp(&b.field)));
            Ok(QueueEntry { prompt_id: own.id, inferred })
        })
        .collect::<Result<_, EngineError>>()?;
    Ok(VaultQueue { schema_version: wire::SCHEMA_VERSION.to_owned(), queue, total })
}

/// What a vault holds. `embedding_version` is that of the embedder in force, `embedded` how many prompts have all their vectors.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn vault_status(
    store: &dyn Keep,
    embedding_version: Option<String>,
    embedded: usize,
) -> Result<VaultStatus, EngineError> {
    let prompts = store.prompts()?;
    let mut stages: BTreeMap<String, usize> = BTreeMap::new();
    for own in &prompts {
        let record: wire::PromptRecord = from_json(&own.record).map_err(of_json)?;
        let stage = record.stage.map_or("unknown", wire::Stage::name);
        *stages.entry(stage.to_owned()).or_default() += 1;
    }
    let (_, queued) = store.unsure_prompts(CONFIDENCE_MIN, 0)?;
    let feedback = store.feedback()?.iter().map(|(_, good, bad)| (good + bad) as usize).sum();
    Ok(VaultStatus {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        prompts: prompts.len(),
        embedded,
        embedding_version,
        queued,
        stages,
        feedback,
    })
}
