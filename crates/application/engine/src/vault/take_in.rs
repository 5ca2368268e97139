//! Taking prompts into the vault of a store: only what changed is written.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sha2::{Digest, Sha256};
use steadfast_pick::infer::{CONFIDENCE_MIN, infer};
use steadfast_pick::stage::Stage;
use steadfast_wire::pick::{
    self as wire, GivenPrompt, Import, ImportPreview, ImportRefusal, NotTaken, NotTakenReason, PreviewFile, QueueEntry,
    VaultQueue, VaultStatus,
};
use steadfast_wire::{from_json, to_json_line};

use super::import::{ReadPrompts, Seen};
use super::publish;
use crate::EngineError;
use crate::error::of_json;
use crate::hash::{hex, sha256};
use crate::limits::PAGE_ROWS_MAX;
use crate::pool::on_pool_meanwhile;
use crate::store::{Keep, PromptKey, StoredPrompt, TextKey};

/// Takes prompts in that came from `source`, which stands for a folder or file: what of it is no longer given is removed, what is as it was stays.
/// Of prompts with the same text the one whose id comes first is kept.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be written. What could not be read is in the result, not an error.
pub fn import_vault(store: &dyn Keep, source: &str, given: ReadPrompts) -> Result<Import, EngineError> {
    let mut out = Import { schema_version: wire::SCHEMA_VERSION.to_owned(), ..Import::default() };
    for (_, reason) in given.passed_over() {
        *out.passed_over.entry(reason.name().to_owned()).or_default() += 1;
    }
    out.refused = given.refused.into_iter().map(|(place, why)| ImportRefusal { place, why }).collect();
    let known: HashMap<String, PromptKey> = store.prompt_keys()?.into_iter().map(|key| (key.id.clone(), key)).collect();
    let Distinct { prompts, repeated } = distinct(given.prompts)?;
    for own in repeated {
        match own.reason {
            NotTakenReason::SameText => out.duplicates += 1,
            _ => out.refused.push(ImportRefusal { place: own.file, why: own.why }),
        }
    }
    let mut put = Vec::new();
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for (id, (_, prompt)) in prompts {
        match known.get(&id) {
            Some(own) if own.content_hash == prompt.record.content_hash && own.source == source => {
                out.unchanged += 1;
                out.queued += usize::from(own.confidence < CONFIDENCE_MIN);
            }
            found => {
                *(if found.is_some() { &mut out.changed } else { &mut out.added }) += 1;
                put.push(prompt.record);
            }
        }
        kept.insert(id);
    }
    let put: Vec<StoredPrompt> = on_pool_meanwhile(|| {
        put.into_par_iter().map(|record| stored(source, record)).collect::<Result<_, EngineError>>()
    })?;
    out.queued += put.iter().filter(|own| own.confidence < CONFIDENCE_MIN).count();
    let gone = known.values().filter(|own| own.source == source && !kept.contains(&own.id));
    let mut remove: Vec<String> = gone.map(|own| own.id.clone()).collect();
    remove.sort();
    out.removed = remove.len();
    if !put.is_empty() || !remove.is_empty() {
        store.change_prompts(put, remove)?;
    }
    Ok(out)
}

/// What an import of these would take, of each folder or file by itself as [`import_vault`] has it. Nothing is opened or written.
///
/// # Errors
/// [`EngineError::Internal`] where a prompt cannot be written as JSON.
pub fn import_preview(given: Vec<ReadPrompts>) -> Result<ImportPreview, EngineError> {
    let mut out = ImportPreview { schema_version: wire::SCHEMA_VERSION.to_owned(), prompts: 0, files: Vec::new() };
    for own in given {
        let not_taken = |(line, reason, why)| NotTaken { line, reason, why };
        let mut files: BTreeMap<String, PreviewFile> = BTreeMap::new();
        for Seen { file, held_as, not_taken: why } in own.seen {
            let not_taken = why.into_iter().map(not_taken).collect();
            files.insert(file.clone(), PreviewFile { file, held_as, prompts: Vec::new(), not_taken });
        }
        let Distinct { prompts, repeated } = distinct(own.prompts)?;
        out.prompts += prompts.len();
        for (id, (file, _)) in prompts {
            if let Some(own) = files.get_mut(&file) {
                own.prompts.push(id);
            }
        }
        for Repeated { file, reason, why } in repeated {
            if let Some(own) = files.get_mut(&file) {
                own.not_taken.push(NotTaken { line: None, reason, why });
            }
        }
        out.files.extend(files.into_values());
    }
    Ok(out)
}

/// Prompts of one import, by their ids, each with its file.
struct Distinct {
    prompts: BTreeMap<String, (String, Hashed)>,
    repeated: Vec<Repeated>,
}

/// A prompt whose name or text another one of the import has.
struct Repeated {
    file: String,
    reason: NotTakenReason,
    why: String,
}

/// Of prompts with one id the first, of prompts with one text the one whose id comes first.
fn distinct(given: Vec<(String, GivenPrompt)>) -> Result<Distinct, EngineError> {
    let hashed = given.into_par_iter().map(|(file, prompt)| Ok((file, Hashed::of(prompt)?)));
    let mut named: BTreeMap<String, (String, Hashed)> = BTreeMap::new();
    let mut repeated = Vec::new();
    for (file, prompt) in on_pool_meanwhile(|| hashed.collect::<Result<Vec<_>, EngineError>>())? {
        let id = &prompt.record.prompt_id;
        if named.contains_key(id) {
            let why = format!("another prompt of this import is called `{id}` too");
            repeated.push(Repeated { file, reason: NotTakenReason::SameId, why });
        } else {
            named.insert(id.clone(), (file, prompt));
        }
    }
    let mut texts: HashMap<TextKey, String> = HashMap::with_capacity(named.len());
    let mut prompts = BTreeMap::new();
    for (id, (file, prompt)) in named {
        match texts.entry(prompt.text) {
            Entry::Occupied(other) => {
                let why = format!("`{id}` has the text of `{}`", other.get());
                repeated.push(Repeated { file, reason: NotTakenReason::SameText, why });
            }
            Entry::Vacant(free) => {
                free.insert(id.clone());
                prompts.insert(id, (file, prompt));
            }
        }
    }
    Ok(Distinct { prompts, repeated })
}

/// A prompt as it is published, with its hash and that of its text.
pub(super) struct Hashed {
    pub(super) record: wire::PromptRecord,
    pub(super) text: TextKey,
}

impl Hashed {
    pub(super) fn of(given: GivenPrompt) -> Result<Self, EngineError> {
        let mut record = wire::PromptRecord {
            prompt_id: given.prompt_id,
            prompt_text: given.prompt_text,
            title: given.title,
            description: given.description,
            tags: given.tags,
            stage: given.stage.as_deref().and_then(Stage::of),
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
        record.content_hash = sha256(to_json_line(&record).map_err(of_json)?.as_bytes());
        Ok(Self { text: Sha256::digest(record.prompt_text.trim().as_bytes()).into(), record })
    }
}

/// A prompt as it is stored, with what is inferred of it.
pub(super) fn stored(source: &str, record: wire::PromptRecord) -> Result<StoredPrompt, EngineError> {
    let inferred = infer(&publish::record_of(record.clone()));
    let confidence = inferred.iter().map(|own| own.confidence).fold(1.0, f64::min);
    Ok(StoredPrompt {
        id: record.prompt_id.clone(),
        source: source.to_owned(),
        content_hash: record.content_hash.clone(),
        confidence,
        inferred: to_json_line(&publish::inferred(&inferred)).map_err(of_json)?.trim_end().to_owned(),
        record: to_json_line(&record).map_err(of_json)?.trim_end().to_owned(),
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
pub fn vault_queue(store: &dyn Keep, from: usize, limit: usize) -> Result<VaultQueue, EngineError> {
    let (found, total) = store.unsure_prompts(CONFIDENCE_MIN, (from, limit.min(PAGE_ROWS_MAX)))?;
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

/// One prompt of the vault, as it is kept.
///
/// # Errors
/// [`EngineError::NoPromptKept`], or [`EngineError::Store`] where it cannot be read.
pub fn vault_prompt(store: &dyn Keep, id: &str) -> Result<wire::PromptRecord, EngineError> {
    let found = store.prompts_of(&[id])?.into_iter().flatten().next();
    let found = found.ok_or_else(|| EngineError::NoPromptKept { id: id.to_owned() })?;
    from_json(&found.record).map_err(of_json)
}

/// What a vault holds. `embedding_version` is that of the embedder in force, `embedded` how many prompts have all their vectors,
/// `near_duplicates` how many pairs of prompts are nearly the same text.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn vault_status(
    store: &dyn Keep,
    embedding_version: Option<String>,
    embedded: usize,
    near_duplicates: usize,
) -> Result<VaultStatus, EngineError> {
    let mut stages: BTreeMap<String, usize> = BTreeMap::new();
    let (mut prompts, mut refusal) = (0, None);
    store.each_prompt(&mut |own| match from_json::<wire::PromptRecord>(&own.record) {
        Ok(record) => {
            let stage = record.stage.map_or("unknown", wire::Stage::name);
            *stages.entry(stage.to_owned()).or_default() += 1;
            prompts += 1;
            true
        }
        Err(error) => {
            refusal = Some(of_json(error));
            false
        }
    })?;
    if let Some(error) = refusal {
        return Err(error);
    }
    let (_, queued) = store.unsure_prompts(CONFIDENCE_MIN, (0, 0))?;
    let feedback = store.feedback()?.iter().map(|(_, good, bad)| (good + bad) as usize).sum();
    Ok(VaultStatus {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        prompts,
        embedded,
        embedding_version,
        queued,
        stages,
        near_duplicates,
        feedback,
    })
}
