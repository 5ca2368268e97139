//! The vault of prompts, what was picked of it, and what was said of that.

use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{PointCounts, PromptKey, StoredFeedback, StoredPrompt, StoredSelection};

use crate::signed;

const PROMPT: &str = "id, source, content_hash, confidence, inferred, record";

fn prompt(row: &Row<'_>) -> rusqlite::Result<StoredPrompt> {
    Ok(StoredPrompt {
        id: row.get(0)?,
        source: row.get(1)?,
        content_hash: row.get(2)?,
        confidence: row.get(3)?,
        inferred: row.get(4)?,
        record: row.get(5)?,
    })
}

/// All prompts, by their ids, without what they say.
pub(crate) fn keys(connection: &Connection) -> rusqlite::Result<Vec<PromptKey>> {
    let key = |row: &Row<'_>| {
        Ok(PromptKey { id: row.get(0)?, source: row.get(1)?, content_hash: row.get(2)?, confidence: row.get(3)? })
    };
    connection
        .prepare("SELECT id, source, content_hash, confidence FROM prompts ORDER BY id")?
        .query_map([], key)?
        .collect()
}

/// What changes whenever a prompt does; empty before the first.
pub(crate) fn stamp(connection: &Connection) -> rusqlite::Result<String> {
    Ok(connection.query_row("SELECT stamp FROM vault_state", [], |row| row.get(0)).optional()?.unwrap_or_default())
}

/// Tells all prompts by their ids, until `tell` gives `false`; gives the stamp.
pub(crate) fn each(connection: &Connection, tell: &mut dyn FnMut(StoredPrompt) -> bool) -> rusqlite::Result<String> {
    let stamp = stamp(connection)?;
    let mut select = connection.prepare(&format!("SELECT {PROMPT} FROM prompts ORDER BY id"))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if !tell(prompt(row)?) {
            break;
        }
    }
    Ok(stamp)
}

/// The prompts of some ids.
pub(crate) fn of(connection: &Connection, ids: &[&str]) -> rusqlite::Result<Vec<Option<StoredPrompt>>> {
    let mut select = connection.prepare(&format!("SELECT {PROMPT} FROM prompts WHERE id = ?1"))?;
    ids.iter().map(|id| select.query_row([id], prompt).optional()).collect()
}

/// Prompts in the order of their ids, after one of them.
pub(crate) fn after(connection: &Connection, after: Option<&str>, limit: usize) -> rusqlite::Result<Vec<StoredPrompt>> {
    connection
        .prepare(&format!("SELECT {PROMPT} FROM prompts WHERE id > ?1 ORDER BY id LIMIT ?2"))?
        .query_map(params![after.unwrap_or_default(), signed(limit)], prompt)?
        .collect()
}

/// Prompts of which something was inferred with less than this confidence, from one of them on, and how many there are in all.
pub(crate) fn unsure(
    connection: &Connection,
    below: f64,
    (from, limit): (usize, usize),
) -> rusqlite::Result<(Vec<StoredPrompt>, usize)> {
    let [from, limit] = [from, limit].map(signed);
    let found = connection
        .prepare(&format!(
            "SELECT {PROMPT} FROM prompts WHERE confidence < ?1 ORDER BY confidence, id LIMIT ?2 OFFSET ?3"
        ))?
        .query_map(params![below, limit, from], prompt)?
        .collect::<rusqlite::Result<_>>()?;
    let count: i64 =
        connection.query_row("SELECT count(*) FROM prompts WHERE confidence < ?1", [below], |row| row.get(0))?;
    Ok((found, usize::try_from(count).unwrap_or_default()))
}

/// Puts prompts, in the place of those of their ids, and removes others.
pub(crate) fn change(connection: &Connection, put: &[StoredPrompt], remove: &[String]) -> rusqlite::Result<()> {
    let mut delete = connection.prepare("DELETE FROM prompts WHERE id = ?1")?;
    for id in remove {
        delete.execute([id])?;
    }
    let mut insert = connection.prepare(&format!("REPLACE INTO prompts ({PROMPT}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"))?;
    for own in put {
        insert.execute(params![own.id, own.source, own.content_hash, own.confidence, own.inferred, own.record])?;
    }
    connection.execute("REPLACE INTO vault_state VALUES (1, lower(hex(randomblob(16))))", []).map(drop)
}

/// Keeps a selection; one that is there already stays.
pub(crate) fn select(connection: &Connection, own: &StoredSelection) -> rusqlite::Result<()> {
    connection
        .prepare(
            "INSERT OR IGNORE INTO selections (trace_id, created_at, operating_point, point_sha256, prompts)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![own.trace_id, own.created_at, own.operating_point, own.point_sha256, own.prompts])
        .map(drop)
}

const SELECTION: &str = "SELECT trace_id, created_at, operating_point, point_sha256, prompts FROM selections";

fn selected(row: &Row<'_>) -> rusqlite::Result<StoredSelection> {
    Ok(StoredSelection {
        trace_id: row.get(0)?,
        created_at: row.get(1)?,
        operating_point: row.get(2)?,
        point_sha256: row.get(3)?,
        prompts: row.get(4)?,
    })
}

/// One selection.
pub(crate) fn selection(connection: &Connection, trace_id: &str) -> rusqlite::Result<Option<StoredSelection>> {
    connection.prepare(&format!("{SELECTION} WHERE trace_id = ?1"))?.query_row([trace_id], selected).optional()
}

/// Selections in the order of their ids, after one of them.
pub(crate) fn selections_after(
    connection: &Connection,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<StoredSelection>> {
    connection
        .prepare(&format!("{SELECTION} WHERE trace_id > ?1 ORDER BY trace_id LIMIT ?2"))?
        .query_map(params![after.unwrap_or_default(), signed(limit)], selected)?
        .collect()
}

/// What was said, the oldest first, after one of them.
pub(crate) fn feedback_after(
    connection: &Connection,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<StoredFeedback>> {
    let said = |row: &Row<'_>| {
        Ok(StoredFeedback {
            id: row.get(0)?,
            trace_id: row.get(1)?,
            prompt_id: row.get(2)?,
            good: row.get(3)?,
            at: row.get(4)?,
        })
    };
    connection
        .prepare("SELECT id, trace_id, prompt_id, good, created_at FROM feedback WHERE id > ?1 ORDER BY id LIMIT ?2")?
        .query_map(params![after.unwrap_or_default(), signed(limit)], said)?
        .collect()
}

/// Keeps what was said.
pub(crate) fn say(connection: &Connection, said: &[StoredFeedback]) -> rusqlite::Result<()> {
    let mut insert = connection
        .prepare("INSERT INTO feedback (id, trace_id, prompt_id, good, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for own in said {
        insert.execute(params![own.id, own.trace_id, own.prompt_id, own.good, own.at])?;
    }
    Ok(())
}

/// How often each prompt was said to be good and bad.
pub(crate) fn feedback(connection: &Connection) -> rusqlite::Result<Vec<(String, u32, u32)>> {
    connection
        .prepare("SELECT prompt_id, sum(good), sum(1 - good) FROM feedback GROUP BY prompt_id ORDER BY prompt_id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

/// What is known of the selections of each operating point. Of what was said of a prompt in a selection the last word counts; ids of feedback sort
/// by the moment at which it was given.
pub(crate) fn results(connection: &Connection) -> rusqlite::Result<Vec<PointCounts>> {
    let count = |row: &Row<'_>, at: usize| row.get(at).map(|count: i64| usize::try_from(count).unwrap_or_default());
    let counts = |row: &Row<'_>| {
        Ok(PointCounts {
            operating_point: row.get(0)?,
            point_sha256: row.get(1)?,
            clarify: count(row, 2)?,
            single: count(row, 3)?,
            chain: count(row, 4)?,
            good: count(row, 5)?,
            bad: count(row, 6)?,
        })
    };
    connection
        .prepare(
            "WITH words AS (
                SELECT trace_id, good, row_number() OVER (PARTITION BY trace_id, prompt_id ORDER BY id DESC) AS place
                FROM feedback
             ), said AS (
                SELECT trace_id, min(good) AS good FROM words WHERE place = 1 GROUP BY trace_id
             )
             SELECT operating_point, point_sha256,
                sum(json_array_length(prompts) = 0), sum(json_array_length(prompts) = 1), sum(json_array_length(prompts) > 1),
                sum(coalesce(said.good = 1, 0)), sum(coalesce(said.good = 0, 0))
             FROM selections LEFT JOIN said ON said.trace_id = selections.trace_id
             GROUP BY operating_point, point_sha256 ORDER BY operating_point, point_sha256",
        )?
        .query_map([], counts)?
        .collect()
}
