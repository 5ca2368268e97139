//! The use cases of stored runs: keep one, list, show, export, delete.
//!
//! They wait for the disk on the thread that calls: a surface that serves many calls gives them threads of their own.

mod find;
mod outcome;
mod recorder;
mod stopwatch;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use steadfast_wire::runs::{Input, RunRecord, StoredRun};
use steadfast_wire::{Run, from_json, to_json_line};

pub use find::{RunFilter, agent_audits, find_runs, overview, run_texts};
pub use outcome::{Asked, InputHash, Outcome, Reviewed, input};
pub use recorder::Recorder;
pub use stopwatch::{Part, Stopwatch, Timing};

use crate::EngineError;
use crate::error::of_json;
use crate::hash::hex;
use crate::limits::{RESULT_BYTES_MAX, RUN_TEXTS_BYTES_MAX};
use crate::page::pages;
use crate::store::{self, Message, RunHead, RunPage, RunStore, RunText, Stamp};

/// Runs that an export reads at a time.
const EXPORT_ROWS: usize = 64;

/// Who made what is evaluated.
const ROLE: &str = "assistant";

/// The SHA-256 of the lines that `sha256sum` writes of these inputs.
fn input_sha256(inputs: &[Input]) -> String {
    let mut hash = Sha256::new();
    for input in inputs {
        hash.update(format!("{}  {}\n", input.sha256, input.name));
    }
    hex(&hash.finalize())
}

/// Keeps a run, as [`Recorder::end`] says.
fn record_run(
    store: &dyn RunStore,
    stamp: Stamp,
    ms: BTreeMap<String, u64>,
    asked: &Asked,
    outcome: Outcome,
    exit_status: u8,
) -> Result<Run, EngineError> {
    let result = outcome.result.trim_end();
    let bytes = result.len() as u64;
    if bytes > RESULT_BYTES_MAX {
        return Err(EngineError::ResultTooLarge { bytes, limit_bytes: RESULT_BYTES_MAX });
    }
    let Stamp { id, at } = stamp;
    let message = outcome.output.map(|output| -> Result<Message, EngineError> {
        let stamp = store.stamp()?;
        Ok(message(stamp, output, &id))
    });
    let message = message.transpose()?;
    let run = store::Run {
        head: RunHead {
            id: id.clone(),
            verb: outcome.verb.to_owned(),
            created_at: at.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: outcome.schema_version,
            rules_version: outcome.rules_version,
            input_sha256: input_sha256(&asked.inputs),
            inputs: to_json_line(&asked.inputs).map_err(of_json)?,
            settings: to_json_line(&asked.settings).map_err(of_json)?,
            verdict: outcome.verdict,
            exit_status,
            spans: to_json_line(&ms).map_err(of_json)?,
            task_id: message.as_ref().map(|message| message.task_id.clone()).or(outcome.task_id),
            agent: asked.agent.as_ref().map(|agent| agent.as_str().to_owned()),
            broken: outcome.broken,
            result_bytes: bytes,
        },
        result: result.to_owned(),
    };
    store.keep(run, message, fitting(outcome.texts))()?;
    Ok(Run { id, started: at, ms })
}

/// Texts as they are kept: the shortest first, until no more fit. The others are kept by their names and lengths.
fn fitting(texts: BTreeMap<String, String>) -> Vec<RunText> {
    let mut kept: Vec<RunText> =
        texts.into_iter().map(|(name, text)| RunText { name, bytes: text.len() as u64, text: Some(text) }).collect();
    kept.sort_by(|a, b| (a.bytes, &a.name).cmp(&(b.bytes, &b.name)));
    let mut room = RUN_TEXTS_BYTES_MAX;
    for own in &mut kept {
        match room.checked_sub(own.bytes) {
            Some(rest) => room = rest,
            None => own.text = None,
        }
    }
    kept
}

/// An output as a message of its task, stored with the run that reviewed it.
fn message(stamp: Stamp, output: Reviewed, run_id: &str) -> Message {
    Message {
        id: stamp.id,
        task_id: output.task_id,
        role: ROLE.to_owned(),
        content: output.content,
        created_at: stamp.at,
        eval_score: output.score,
        eval_summary: output.summary,
        recommendation: Some(output.recommendation),
        quality_flag: None,
        tags: Vec::new(),
        training_candidate: false,
        run_id: Some(run_id.to_owned()),
    }
}

fn published(head: RunHead) -> Result<StoredRun, EngineError> {
    Ok(StoredRun {
        inputs: from_json(&head.inputs).map_err(of_json)?,
        settings: from_json(&head.settings).map_err(of_json)?,
        ms: from_json(&head.spans).map_err(of_json)?,
        id: head.id,
        verb: head.verb,
        started: head.created_at,
        verdict: head.verdict,
        exit_status: head.exit_status,
        input_sha256: head.input_sha256,
        task_id: head.task_id,
        agent: head.agent,
        program_version: head.program_version,
        result_schema_version: head.schema_version,
        rules_version: head.rules_version,
        result_bytes: head.result_bytes,
    })
}

/// One stored run with its result.
///
/// # Errors
/// [`EngineError::NoRun`], or [`EngineError::Store`] where it cannot be read.
pub fn show_run(store: &dyn RunStore, id: &str) -> Result<RunRecord, EngineError> {
    let run = store.run(id)?.ok_or_else(|| EngineError::NoRun(id.to_owned()))?;
    RunRecord::new(published(run.head)?, run.result).map_err(of_json)
}

/// All stored runs of a verb, the oldest first, one by one.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read, or what `each` gives.
pub fn export_runs<E: From<EngineError>>(
    store: &dyn RunStore,
    verb: Option<&str>,
    mut each: impl FnMut(RunRecord) -> Result<(), E>,
) -> Result<(), E> {
    let verb = verb.map(str::to_owned);
    let page = |after: Option<String>| {
        let heads = store.runs(&RunPage { verb: verb.clone(), after, limit: EXPORT_ROWS, ..RunPage::default() })?;
        let next = heads.last().map(|head| head.id.clone());
        Ok((heads, next))
    };
    pages(page, |head| {
        // One that is deleted meanwhile is not there.
        let Some(run) = store.run(&head.id).map_err(EngineError::from)? else { return Ok(()) };
        each(RunRecord::new(published(run.head)?, run.result).map_err(of_json)?)
    })
}

/// Deletes runs, all of them or none.
///
/// # Errors
/// [`EngineError::NoRun`] where one is not there, or [`EngineError::Store`] where they cannot be deleted.
pub fn delete_runs(store: &dyn RunStore, ids: &[String]) -> Result<(), EngineError> {
    match store.delete_runs(ids)? {
        Some(id) => Err(EngineError::NoRun(id)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lengths: &[(&str, u64)]) -> BTreeMap<String, String> {
        lengths.iter().map(|(name, length)| ((*name).to_owned(), "x".repeat(*length as usize))).collect()
    }

    fn kept(lengths: &[(&str, u64)]) -> Vec<(String, bool)> {
        fitting(texts(lengths)).into_iter().map(|own| (own.name, own.text.is_some())).collect()
    }

    #[test]
    fn texts_are_kept_up_to_the_limit_and_the_others_named() {
        let whole = RUN_TEXTS_BYTES_MAX;
        assert_eq!(kept(&[("a", whole)]), [("a".to_owned(), true)]);
        assert_eq!(kept(&[("a", whole + 1)]), [("a".to_owned(), false)]);
        let all = kept(&[("long", whole - 1), ("b", 1), ("a", 1)]);
        assert_eq!(all, [("a".to_owned(), true), ("b".to_owned(), true), ("long".to_owned(), false)]);
    }
}
