//! Runs of all instruments.

use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{Run, RunHead, RunPage};

/// The columns of a run without its result, in the order in which `head` reads them.
const HEAD: &str = "id, verb, created_at, program_version, schema_version, rules_version, input_sha256, inputs, settings, verdict, \
                    exit_status, spans, task_id, result_bytes";

/// Keeps a run.
pub(crate) fn put(connection: &Connection, run: &Run) -> rusqlite::Result<()> {
    let head = &run.head;
    connection
        .prepare(&format!(
            "INSERT INTO runs ({HEAD}, result) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
        ))?
        .execute(params![
            head.id,
            head.verb,
            head.created_at,
            head.program_version,
            head.schema_version,
            head.rules_version,
            head.input_sha256,
            head.inputs,
            head.settings,
            head.verdict,
            head.exit_status,
            head.spans,
            head.task_id,
            i64::try_from(run.result.len()).unwrap_or(i64::MAX),
            run.result,
        ])
        .map(drop)
}

fn head(row: &Row<'_>) -> rusqlite::Result<RunHead> {
    Ok(RunHead {
        id: row.get(0)?,
        verb: row.get(1)?,
        created_at: row.get(2)?,
        program_version: row.get(3)?,
        schema_version: row.get(4)?,
        rules_version: row.get(5)?,
        input_sha256: row.get(6)?,
        inputs: row.get(7)?,
        settings: row.get(8)?,
        verdict: row.get(9)?,
        exit_status: row.get(10)?,
        spans: row.get(11)?,
        task_id: row.get(12)?,
        result_bytes: row.get::<_, i64>(13)?.unsigned_abs(),
    })
}

/// The runs of a page. Ids sort by time.
pub(crate) fn page(connection: &Connection, page: &RunPage) -> rusqlite::Result<Vec<RunHead>> {
    let (beyond, order) = if page.newest_first { ("<", "DESC") } else { (">", "ASC") };
    let mut select = connection.prepare(&format!(
        "SELECT {HEAD} FROM runs WHERE (?1 IS NULL OR verb = ?1) AND (?2 IS NULL OR id {beyond} ?2) ORDER BY id {order} LIMIT ?3"
    ))?;
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    select.query_map(params![page.verb, page.after, limit], head)?.collect()
}

/// One run.
pub(crate) fn get(connection: &Connection, id: &str) -> rusqlite::Result<Option<Run>> {
    connection
        .prepare(&format!("SELECT {HEAD}, result FROM runs WHERE id = ?1"))?
        .query_row([id], |row| Ok(Run { head: head(row)?, result: row.get(14)? }))
        .optional()
}

/// Deletes runs; where one is not there none is, and it is named.
pub(crate) fn delete(connection: &Connection, ids: &[String]) -> rusqlite::Result<Option<String>> {
    let mut exists = connection.prepare("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)")?;
    for id in ids {
        if !exists.query_row([id], |row| row.get::<_, bool>(0))? {
            return Ok(Some(id.clone()));
        }
    }
    let mut delete = connection.prepare("DELETE FROM runs WHERE id = ?1")?;
    for id in ids {
        delete.execute([id])?;
    }
    Ok(None)
}
