//! The use cases of stored runs: keep one, list, show, export, delete.
//!
//! They wait for the disk on the thread that calls: a surface that serves many calls gives them threads of their own.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use steadfast_wire::runs::{Input, RunList, RunRecord, SCHEMA_VERSION, Settings, StoredRun};
use steadfast_wire::{Run, from_json, to_json_line};

use crate::EngineError;
use crate::intake::File;
use crate::limits::{PAGE_ROWS_MAX, RESULT_BYTES_MAX};
use crate::store::{self, Message, RunHead, RunPage, RunStore, Stamp};

/// Runs that an export reads at a time.
const EXPORT_ROWS: usize = 64;

/// A run that ended with a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its identity, as the store gave it when it began.
    pub stamp: Stamp,
    /// What was asked for: `audit`, `plan check`.
    pub verb: &'static str,
    /// The version of the program.
    pub program_version: &'static str,
    /// The version of the result's JSON.
    pub schema_version: String,
    /// The version of the rules that judged, where they have one.
    pub rules_version: Option<String>,
    /// What it read.
    pub inputs: Vec<Input>,
    /// What it was asked for besides.
    pub settings: Settings,
    /// What came of it, in a word.
    pub verdict: Option<String>,
    /// The exit status.
    pub exit_status: u8,
    /// How long each part took, in milliseconds.
    pub ms: BTreeMap<String, u64>,
    /// The task that it belongs to.
    pub task_id: Option<String>,
    /// The JSON of its result on one line, whole and without the member `run`.
    pub result: String,
}

/// A file as an input of a run.
#[must_use]
pub fn input(file: &File) -> Input {
    let mut hash = InputHash::default();
    hash.push(&file.bytes);
    hash.end(&file.name)
}

/// The hash of an input that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct InputHash {
    sha256: Sha256,
    bytes: u64,
}

impl InputHash {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.sha256.update(piece);
        self.bytes += piece.len() as u64;
    }

    /// The input, under its name.
    #[must_use]
    pub fn end(self, name: &str) -> Input {
        Input { name: name.to_owned(), bytes: self.bytes, sha256: hex(&self.sha256.finalize()) }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of the lines that `sha256sum` writes of these inputs.
fn input_sha256(inputs: &[Input]) -> String {
    let mut hash = Sha256::new();
    for input in inputs {
        hash.update(format!("{}  {}\n", input.sha256, input.name));
    }
    hex(&hash.finalize())
}

/// Keeps a run, and the message that it was about, where there is one; both are on the disk when this returns. What it gives stands
/// in the answer as `run`.
///
/// # Errors
/// [`EngineError::ResultTooLarge`], or [`EngineError::Store`] where it is not on the disk.
pub fn record_run(store: &dyn RunStore, ended: Ended, message: Option<Message>) -> Result<Run, EngineError> {
    let result = ended.result.trim_end();
    let bytes = result.len() as u64;
    if bytes > RESULT_BYTES_MAX {
        return Err(EngineError::ResultTooLarge { bytes, limit_bytes: RESULT_BYTES_MAX });
    }
    let run = store::Run {
        head: RunHead {
            id: ended.stamp.id.clone(),
            verb: ended.verb.to_owned(),
            created_at: ended.stamp.at.clone(),
            program_version: ended.program_version.to_owned(),
            schema_version: ended.schema_version,
            rules_version: ended.rules_version,
            input_sha256: input_sha256(&ended.inputs),
            inputs: to_json_line(&ended.inputs).map_err(of_json)?,
            settings: to_json_line(&ended.settings).map_err(of_json)?,
            verdict: ended.verdict,
            exit_status: ended.exit_status,
            spans: to_json_line(&ended.ms).map_err(of_json)?,
            task_id: ended.task_id,
            result_bytes: bytes,
        },
        result: result.to_owned(),
    };
    store.keep(run, message)()?;
    Ok(Run { id: ended.stamp.id, started: ended.stamp.at, ms: ended.ms })
}

/// What is stored was written as JSON: what is not was damaged.
pub(crate) fn of_json(error: steadfast_wire::Error) -> EngineError {
    EngineError::Internal { what: format!("what is stored cannot be read: {error}") }
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
        program_version: head.program_version,
        result_schema_version: head.schema_version,
        rules_version: head.rules_version,
        result_bytes: head.result_bytes,
    })
}

/// Stored runs, the newest first: those of a verb, at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read.
pub fn list_runs(
    store: &dyn RunStore,
    verb: Option<&str>,
    cursor: Option<&str>,
    limit: usize,
) -> Result<RunList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let page = RunPage {
        verb: verb.map(str::to_owned),
        after: cursor.map(str::to_owned),
        newest_first: true,
        limit: limit + 1,
    };
    let mut heads = store.runs(&page)?;
    let more = heads.len() > limit;
    heads.truncate(limit);
    let next_cursor = heads.last().filter(|_| more).map(|head| head.id.clone());
    let runs = heads.into_iter().map(published).collect::<Result<_, _>>()?;
    Ok(RunList { schema_version: SCHEMA_VERSION.to_owned(), runs, next_cursor })
}

/// One stored run with its result.
///
/// # Errors
/// [`EngineError::NoRun`], or [`EngineError::Store`] where it cannot be read.
pub fn show_run(store: &dyn RunStore, id: &str) -> Result<RunRecord, EngineError> {
    let run = store.run(id)?.ok_or_else(|| EngineError::NoRun { id: id.to_owned() })?;
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
    let mut page = RunPage { verb: verb.map(str::to_owned), after: None, newest_first: false, limit: EXPORT_ROWS };
    loop {
        let heads = store.runs(&page).map_err(EngineError::from)?;
        let Some(last) = heads.last() else { return Ok(()) };
        page.after = Some(last.id.clone());
        for head in heads {
            // One that is deleted meanwhile is not there.
            if let Some(run) = store.run(&head.id).map_err(EngineError::from)? {
                each(RunRecord::new(published(run.head)?, run.result).map_err(of_json)?)?;
            }
        }
    }
}

/// Deletes runs, all of them or none.
///
/// # Errors
/// [`EngineError::NoRun`] where one is not there, or [`EngineError::Store`] where they cannot be deleted.
pub fn delete_runs(store: &dyn RunStore, ids: &[String]) -> Result<(), EngineError> {
    match store.delete_runs(ids)? {
        Some(id) => Err(EngineError::NoRun { id }),
        None => Ok(()),
    }
}
