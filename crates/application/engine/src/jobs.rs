//! The books of what takes long: a job is asked for, its parts are done one by one, and it ends in one of four ways. What is done, and by
//! whom, is the server's affair.
//!
//! A job that has ended stays as it is: whoever comes too late with a part or an end is told how it stands.

use steadfast_wire::jobs::{Job, JobItem, JobList, JobRecord, JobState, SCHEMA_VERSION};

use crate::EngineError;
use crate::limits::{JOB_ITEMS_MAX, JOB_MESSAGE_BYTES_MAX, JOBS_KEPT_MAX, PAGE_ROWS_MAX};
use crate::page::by_id;
use crate::store::{JobChange, JobStore, Stamp, StoredJob, Whose};

const QUEUED: &str = JobState::Queued.name();
const RUNNING: &str = JobState::Running.name();
const ENDED: &[&str] =
    &[JobState::Done.name(), JobState::Failed.name(), JobState::Cancelled.name(), JobState::Interrupted.name()];

/// Keeps a new job of so many parts. Of those that have ended the oldest go where there are too many.
///
/// # Errors
/// [`EngineError::JobTooLarge`], or [`EngineError::Store`] where it cannot be kept.
pub fn create(store: &dyn JobStore, kind: &str, total: u64) -> Result<Job, EngineError> {
    if total > JOB_ITEMS_MAX {
        return Err(EngineError::JobTooLarge { items: total, limit: JOB_ITEMS_MAX });
    }
    let Stamp { id, at } = store.stamp()?;
    let job = StoredJob {
        id,
        kind: kind.to_owned(),
        state: QUEUED.to_owned(),
        created_at: at.clone(),
        updated_at: at,
        total,
        done: 0,
        message: None,
    };
    store.add_job(job.clone(), ENDED, JOBS_KEPT_MAX)?;
    published(job)
}

/// Begins a job that waits. Whether it was begun is told by its state: one that was cancelled meanwhile stays so.
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be written.
pub fn start(store: &dyn JobStore, id: &str) -> Result<Job, EngineError> {
    change(store, id, &[QUEUED], RUNNING, None, None)
}

/// Keeps what came of one part of a job that is under way: the run that it was stored as, or why there is none.
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be written.
pub fn item_done(
    store: &dyn JobStore,
    id: &str,
    number: u64,
    name: &str,
    outcome: Result<String, String>,
) -> Result<Job, EngineError> {
    let (run_id, error) = match outcome {
        Ok(run_id) => (Some(run_id), None),
        Err(error) => (None, Some(clipped(&error))),
    };
    let item = JobItem { number, name: clipped(name), run_id, error };
    change(store, id, &[RUNNING], RUNNING, None, Some(item))
}

/// Ends a job that is under way: all of its parts are done.
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be written.
pub fn finish(store: &dyn JobStore, id: &str) -> Result<Job, EngineError> {
    change(store, id, &[RUNNING], JobState::Done.name(), None, None)
}

/// Ends a job that failed as a whole.
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be written.
pub fn fail(store: &dyn JobStore, id: &str, why: &str) -> Result<Job, EngineError> {
    change(store, id, &[QUEUED, RUNNING], JobState::Failed.name(), Some(clipped(why)), None)
}

/// Ends a job that nobody wants any more. What it did stays. Whoever does it sees it at its next part.
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be written.
pub fn cancel(store: &dyn JobStore, id: &str) -> Result<Job, EngineError> {
    change(store, id, &[QUEUED, RUNNING], JobState::Cancelled.name(), None, None)
}

/// Ends all jobs of these processes that are under way or wait, since nobody does them any more; how many there were.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be written.
pub fn interrupt(store: &dyn JobStore, whose: Whose) -> Result<usize, EngineError> {
    let at = store.stamp()?.at;
    let message = Some("the server ended while it was under way".to_owned());
    let change = JobChange { from: &[QUEUED, RUNNING], state: JobState::Interrupted.name(), message, item: None, at };
    Ok(store.change_jobs(whose, change)?)
}

fn change(
    store: &dyn JobStore,
    id: &str,
    from: &'static [&'static str],
    state: &'static str,
    message: Option<String>,
    item: Option<JobItem>,
) -> Result<Job, EngineError> {
    let at = store.stamp()?.at;
    let job = store.change_job(id, JobChange { from, state, message, item, at })?;
    published(job.ok_or_else(|| EngineError::NoJob { id: id.to_owned() })?)
}

/// A job, with what came of its parts: those from `cursor` on, at most `limit` of them and [`PAGE_ROWS_MAX`].
///
/// # Errors
/// [`EngineError::NoJob`], or [`EngineError::Store`] where it cannot be read.
pub fn show(store: &dyn JobStore, id: &str, cursor: Option<u64>, limit: usize) -> Result<JobRecord, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let job = store.job(id)?.ok_or_else(|| EngineError::NoJob { id: id.to_owned() })?;
    let mut items = store.job_items(id, cursor.unwrap_or(0), limit + 1)?;
    let next_cursor = items.get(limit).map(|item| item.number);
    items.truncate(limit);
    Ok(JobRecord { schema_version: SCHEMA_VERSION.to_owned(), job: published(job)?, results: items, next_cursor })
}

/// Jobs, the newest first: at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
pub fn list(store: &dyn JobStore, cursor: Option<&str>, limit: usize) -> Result<JobList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let mut found = store.jobs(by_id(cursor)?.as_deref(), limit + 1)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|job| job.id.clone());
    let jobs = found.into_iter().map(published).collect::<Result<_, _>>()?;
    Ok(JobList { schema_version: SCHEMA_VERSION.to_owned(), jobs, next_cursor })
}

fn published(job: StoredJob) -> Result<Job, EngineError> {
    let StoredJob { id, kind, state, created_at, updated_at, total, done, message } = job;
    let state = JobState::of(&state).ok_or_else(|| EngineError::Internal {
        what: format!("what is stored cannot be read: `{state}` is no state of a job"),
    })?;
    Ok(Job { id, kind, state, created_at, updated_at, total, done, message })
}

/// As much of a text as is kept.
fn clipped(text: &str) -> String {
    text[..text.floor_char_boundary(JOB_MESSAGE_BYTES_MAX)].to_owned()
}
