//! What takes long.

use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{JobChange, JobItem, StoredJob};

use crate::signed;

const JOB: &str = "SELECT id, kind, state, created_at, updated_at, total, done, message FROM jobs";

/// Words as a JSON array: names of states, which hold nothing that JSON escapes.
fn list(words: &[&str]) -> String {
    format!("[{}]", words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(","))
}

/// Keeps a new job; the oldest that have ended go where there are too many.
pub(crate) fn add(
    connection: &Connection,
    job: &StoredJob,
    owner: &str,
    ended: &[&str],
    kept_max: usize,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO jobs (id, kind, state, created_at, updated_at, total, done, message, owner)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            job.id,
            job.kind,
            job.state,
            job.created_at,
            job.updated_at,
            signed(job.total),
            signed(job.done),
            job.message,
            owner
        ],
    )?;
    connection
        .execute(
            "DELETE FROM jobs WHERE id IN (
                SELECT id FROM jobs WHERE state IN (SELECT value FROM json_each(?1)) ORDER BY id
                LIMIT max(0, (SELECT count(*) FROM jobs) - ?2))",
            params![list(ended), signed(kept_max)],
        )
        .map(drop)
}

fn job(row: &Row<'_>) -> rusqlite::Result<StoredJob> {
    Ok(StoredJob {
        id: row.get(0)?,
        kind: row.get(1)?,
        state: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        total: row.get::<_, i64>(5)?.unsigned_abs(),
        done: row.get::<_, i64>(6)?.unsigned_abs(),
        message: row.get(7)?,
    })
}

/// Changes a job where its state allows it; how it stands then.
pub(crate) fn change(connection: &Connection, id: &str, change: &JobChange) -> rusqlite::Result<Option<StoredJob>> {
    let changed = connection.execute(
        "UPDATE jobs SET state = ?2, message = coalesce(?3, message), updated_at = ?4, done = done + ?5
         WHERE id = ?1 AND state IN (SELECT value FROM json_each(?6))",
        params![id, change.state, change.message, change.at, change.item.is_some(), list(change.from)],
    )?;
    if let Some(item) = change.item.as_ref().filter(|_| changed == 1) {
        connection.execute(
            "INSERT INTO job_items (job_id, number, name, run_id, error) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, signed(item.number), item.name, item.run_id, item.error],
        )?;
    }
    get(connection, id)
}

/// Who took in the jobs of some states. Of those that an earlier version took in nobody is known.
pub(crate) fn owners(connection: &Connection, states: &[&str]) -> rusqlite::Result<Vec<Option<String>>> {
    let mut select = connection
        .prepare_cached("SELECT DISTINCT owner FROM jobs WHERE state IN (SELECT value FROM json_each(?1))")?;
    select.query_map([list(states)], |row| row.get(0))?.collect()
}

/// Changes all jobs of some states that somebody took in; how many there were.
pub(crate) fn change_all(connection: &Connection, owner: Option<&str>, change: &JobChange) -> rusqlite::Result<usize> {
    connection.execute(
        "UPDATE jobs SET state = ?1, message = coalesce(?2, message), updated_at = ?3
         WHERE state IN (SELECT value FROM json_each(?4)) AND owner IS ?5",
        params![change.state, change.message, change.at, list(change.from), owner],
    )
}

/// One job.
pub(crate) fn get(connection: &Connection, id: &str) -> rusqlite::Result<Option<StoredJob>> {
    connection.prepare_cached(&format!("{JOB} WHERE id = ?1"))?.query_row([id], job).optional()
}

/// What came of the parts of a job.
pub(crate) fn items(connection: &Connection, id: &str, from: u64, limit: usize) -> rusqlite::Result<Vec<JobItem>> {
    let mut select = connection.prepare_cached(
        "SELECT number, name, run_id, error FROM job_items WHERE job_id = ?1 AND number >= ?2 ORDER BY number LIMIT ?3",
    )?;
    let item = |row: &Row<'_>| {
        Ok(JobItem {
            number: row.get::<_, i64>(0)?.unsigned_abs(),
            name: row.get(1)?,
            run_id: row.get(2)?,
            error: row.get(3)?,
        })
    };
    select.query_map(params![id, signed(from), signed(limit)], item)?.collect()
}

/// Jobs, the newest first.
pub(crate) fn page(connection: &Connection, after: Option<&str>, limit: usize) -> rusqlite::Result<Vec<StoredJob>> {
    let mut select =
        connection.prepare_cached(&format!("{JOB} WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2"))?;
    select.query_map(params![after, signed(limit)], job)?.collect()
}
