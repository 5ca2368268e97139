//! All that a store holds, line by line: to leave with, or to keep in a form that people and programs can read.
//!
//! What is made of the rest is left out (vectors, indexes, counts), and so is what lets a store go on: which steps a request made, what waits for rules of
//! alerts, hashes of keys and the key of hashes.

use steadfast_wire::from_json;
use steadfast_wire::store_export::{SCHEMA_VERSION, StoreLine};

use crate::EngineError;
use crate::alerts::{AlertFilter, alert_history, alert_standing};
use crate::decisions::{self, DecisionFilter};
use crate::error::of_json;
use crate::limits::PAGE_ROWS_MAX;
use crate::page::pages;
use crate::store::{Keep, StoredFeedback, StoredPrompt, StoredSelection};
use crate::{jobs, keys, live, runs, tasks};

/// Rows that may be long, read at a time.
const ROWS: usize = 64;

/// Tells all that a store of a version of its tables holds, with a line before it and one behind. The same store gives the same lines, but for the
/// moment in the first one and what has expired by then. What is written meanwhile is told or not, unless the store is a snapshot.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read, or what `each` gives.
pub fn export_store<E: From<EngineError>>(
    store: &dyn Keep,
    store_version: i64,
    mut each: impl FnMut(&StoreLine) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = 0;
    let mut tell = |line: StoreLine| {
        lines += 1;
        each(&line)
    };
    tell(StoreLine::Store {
        schema_version: SCHEMA_VERSION.to_owned(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        store_version,
        exported_at: store.stamp().map_err(EngineError::from)?.at,
    })?;
    runs::export_runs(store, None, |record| {
        let run_id = record.run.id.clone();
        tell(StoreLine::Run(record))?;
        for text in store.run_texts(&run_id).map_err(EngineError::from)? {
            tell(StoreLine::RunText { run_id: run_id.clone(), name: text.name, bytes: text.bytes, text: text.text })?;
        }
        Ok::<(), E>(())
    })?;
    tasks::export_tasks(store, &mut tell)?;
    live::export_trajectories(store, &mut tell)?;
    pages(
        |cursor: Option<String>| {
            let list = decisions::list(store, DecisionFilter::default(), cursor.as_deref(), PAGE_ROWS_MAX)?;
            Ok((list.decisions, list.next_cursor))
        },
        |decision| tell(StoreLine::Decision { decision }),
    )?;
    export_vault(store, &mut tell)?;
    export_jobs(store, &mut tell)?;
    pages(
        |cursor: Option<String>| {
            let filter = AlertFilter::default();
            let list = alert_standing(store, Vec::new(), filter, cursor.as_deref(), PAGE_ROWS_MAX)?;
            Ok((list.standing, list.next_cursor))
        },
        |standing| tell(StoreLine::AlertStanding { standing }),
    )?;
    pages(
        |cursor: Option<String>| {
            let list = alert_history(store, AlertFilter::default(), cursor.as_deref(), PAGE_ROWS_MAX)?;
            Ok((list.notices, list.next_cursor))
        },
        |notice| tell(StoreLine::AlertNotice { notice }),
    )?;
    let all = keys::list(store)?.keys;
    all.into_iter().try_for_each(|key| tell(StoreLine::Key { key }))?;
    each(&StoreLine::End { lines })
}

fn export_vault<E: From<EngineError>>(
    store: &dyn Keep,
    tell: &mut impl FnMut(StoreLine) -> Result<(), E>,
) -> Result<(), E> {
    pages(
        |after: Option<String>| {
            let found = store.prompts_after(after.as_deref(), ROWS)?;
            let next = found.last().map(|own| own.id.clone());
            Ok((found, next))
        },
        |StoredPrompt { source, confidence, inferred, record, .. }| {
            let inferred = from_json(&inferred).map_err(of_json)?;
            let record = from_json(&record).map_err(of_json)?;
            tell(StoreLine::Prompt { source, confidence, inferred, record })
        },
    )?;
    pages(
        |after: Option<String>| {
            let found = store.selections_after(after.as_deref(), PAGE_ROWS_MAX)?;
            let next = found.last().map(|own| own.trace_id.clone());
            Ok((found, next))
        },
        |StoredSelection { trace_id, created_at, operating_point, point_sha256, prompts }| {
            let prompt_ids = from_json(&prompts).map_err(of_json)?;
            tell(StoreLine::Selection { trace_id, created_at, operating_point, point_sha256, prompt_ids })
        },
    )?;
    pages(
        |after: Option<String>| {
            let found = store.feedback_after(after.as_deref(), PAGE_ROWS_MAX)?;
            let next = found.last().map(|own| own.id.clone());
            Ok((found, next))
        },
        |StoredFeedback { id, trace_id, prompt_id, good, at }| {
            tell(StoreLine::Feedback { id, trace_id, prompt_id, good, created_at: at })
        },
    )
}

fn export_jobs<E: From<EngineError>>(
    store: &dyn Keep,
    tell: &mut impl FnMut(StoreLine) -> Result<(), E>,
) -> Result<(), E> {
    pages(
        |cursor: Option<String>| {
            let list = jobs::list(store, cursor.as_deref(), PAGE_ROWS_MAX)?;
            Ok((list.jobs, list.next_cursor))
        },
        |job| {
            let job_id = job.id.clone();
            tell(StoreLine::Job { job })?;
            pages(
                |from| {
                    let page = jobs::show(store, &job_id, from, PAGE_ROWS_MAX)?;
                    Ok((page.results, page.next_cursor))
                },
                |item| tell(StoreLine::JobItem { job_id: job_id.clone(), item }),
            )
        },
    )
}
