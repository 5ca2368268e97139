//! Tasks, the history of their messages, and what was said of them.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{Flag, Message, Quality, Task, TaskPage};

use crate::signed;

const MESSAGE: &str = "id, task_id, role, created_at, eval_score, quality_flag, training_candidate, tags, recommendation, run_id, \
                       eval_summary, content";

/// Keeps a message, and makes its task where it does not exist.
pub(crate) fn put(connection: &Connection, message: &Message) -> rusqlite::Result<()> {
    connection
        .prepare(
            "INSERT INTO tasks (id, created_at, updated_at) VALUES (?1, ?2, ?2)
             ON CONFLICT (id) DO UPDATE SET updated_at = max(updated_at, excluded.updated_at)",
        )?
        .execute((&message.task_id, &message.created_at))?;
    connection
        .prepare(&format!(
            "INSERT INTO message_history ({MESSAGE}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        ))?
        .execute(params![
            message.id,
            message.task_id,
            message.role,
            message.created_at,
            message.eval_score,
            message.quality_flag.map(Quality::name),
            message.training_candidate,
            tags(connection, &message.tags)?,
            message.recommendation,
            message.run_id,
            message.eval_summary,
            message.content,
        ])
        .map(drop)
}

/// Tags as a JSON array. SQLite writes it, so that it is what SQLite reads.
fn tags(connection: &Connection, tags: &[String]) -> rusqlite::Result<String> {
    let mut insert = connection.prepare("SELECT json_insert(?1, '$[#]', ?2)")?;
    tags.iter().try_fold("[]".to_owned(), |all, tag| insert.query_row((all, tag), |row| row.get(0)))
}

fn read_tags(connection: &Connection, tags: &str) -> rusqlite::Result<Vec<String>> {
    if tags == "[]" {
        return Ok(Vec::new());
    }
    let mut each = connection.prepare("SELECT value FROM json_each(?1) ORDER BY key")?;
    each.query_map([tags], |row| row.get(0))?.collect()
}

fn message(row: &Row<'_>) -> rusqlite::Result<(Message, String)> {
    let quality: Option<String> = row.get(5)?;
    let message = Message {
        id: row.get(0)?,
        task_id: row.get(1)?,
        role: row.get(2)?,
        created_at: row.get(3)?,
        eval_score: row.get(4)?,
        quality_flag: quality.as_deref().and_then(Quality::of),
        training_candidate: row.get(6)?,
        tags: Vec::new(),
        recommendation: row.get(8)?,
        run_id: row.get(9)?,
        eval_summary: row.get(10)?,
        content: row.get(11)?,
    };
    Ok((message, row.get(7)?))
}

/// Messages of a task, oldest first.
pub(crate) fn messages(
    connection: &Connection,
    task_id: &str,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<Message>> {
    let mut select = connection.prepare(&format!(
        "SELECT {MESSAGE} FROM message_history WHERE task_id = ?1 AND (?2 IS NULL OR id > ?2) ORDER BY id LIMIT ?3"
    ))?;
    let limit = signed(limit);
    let found = select.query_map(params![task_id, after, limit], message)?;
    found.map(|found| with_tags(connection, found?)).collect()
}

/// The last message of a task.
pub(crate) fn latest(connection: &Connection, task_id: &str) -> rusqlite::Result<Option<Message>> {
    let found = connection
        .prepare(&format!("SELECT {MESSAGE} FROM message_history WHERE task_id = ?1 ORDER BY id DESC LIMIT 1"))?
        .query_row([task_id], message)
        .optional()?;
    found.map(|found| with_tags(connection, found)).transpose()
}

fn with_tags(connection: &Connection, (message, tags): (Message, String)) -> rusqlite::Result<Message> {
    Ok(Message { tags: read_tags(connection, &tags)?, ..message })
}

const TASK: &str = "SELECT id, created_at, updated_at,
    (SELECT count(*) FROM message_history WHERE task_id = tasks.id),
    (SELECT count(*) FROM message_history WHERE task_id = tasks.id AND training_candidate = 1)
    FROM tasks";

fn task(row: &Row<'_>) -> rusqlite::Result<Task> {
    Ok(Task {
        id: row.get(0)?,
        created_at: row.get(1)?,
        updated_at: row.get(2)?,
        messages: row.get::<_, i64>(3)?.unsigned_abs(),
        candidates: row.get::<_, i64>(4)?.unsigned_abs(),
        flags: Vec::new(),
    })
}

/// One task.
pub(crate) fn get(connection: &Connection, id: &str) -> rusqlite::Result<Option<Task>> {
    let found = connection.prepare(&format!("{TASK} WHERE id = ?1"))?.query_row([id], task).optional()?;
    found.map(|task| with_flags(connection, task)).transpose()
}

/// The tasks of a page.
pub(crate) fn page(connection: &Connection, page: &TaskPage) -> rusqlite::Result<Vec<Task>> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut given: Vec<(&str, &dyn ToSql)> = Vec::new();
    let limit = signed(page.limit);
    given.push((":limit", &limit));
    let moment = page.after_at.as_ref().filter(|_| page.newest_first);
    if let Some(after) = &page.after {
        wanted.push(match (page.newest_first, moment) {
            (false, _) => "id > :after",
            (true, Some(_)) => "(updated_at, id) < (:moment, :after)",
            (true, None) => "(updated_at, id) < ((SELECT updated_at FROM tasks WHERE id = :after), :after)",
        });
        given.push((":after", after));
        if let Some(moment) = moment {
            given.push((":moment", moment));
        }
    }
    if page.candidates_only {
        wanted.push("EXISTS (SELECT 1 FROM message_history WHERE task_id = tasks.id AND training_candidate = 1)");
    }
    if let Some(search) = &page.search {
        wanted.push("instr(lower(id), lower(:search)) > 0");
        given.push((":search", search));
    }
    let quality = page.quality.map(Quality::name);
    if let Some(quality) = &quality {
        wanted.push("(SELECT quality FROM flags WHERE task_id = tasks.id ORDER BY id DESC LIMIT 1) = :quality");
        given.push((":quality", quality));
    }
    let wanted = if wanted.is_empty() { String::new() } else { format!("WHERE {}", wanted.join(" AND ")) };
    let order = if page.newest_first { "updated_at DESC, id DESC" } else { "id" };
    let mut select = connection.prepare_cached(&format!("{TASK} {wanted} ORDER BY {order} LIMIT :limit"))?;
    let found = select.query_map(&*given, task)?;
    found.map(|task| with_flags(connection, task?)).collect()
}

fn with_flags(connection: &Connection, task: Task) -> rusqlite::Result<Task> {
    let mut select =
        connection.prepare("SELECT id, created_at, quality, tags FROM flags WHERE task_id = ?1 ORDER BY id")?;
    let found = select.query_map([&task.id], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?))
    })?;
    let mut flags = Vec::new();
    for flag in found {
        let (id, at, quality, tags) = flag?;
        // The table holds none but known ones.
        let quality = Quality::of(&quality).unwrap_or(Quality::Unsure);
        flags.push(Flag { id, at, quality, tags: read_tags(connection, &tags)? });
    }
    Ok(Task { flags, ..task })
}

/// Flags a task and all its messages; `false` where there is no such task.
pub(crate) fn flag(connection: &Connection, task_id: &str, flag: &Flag) -> rusqlite::Result<bool> {
    let tags = tags(connection, &flag.tags)?;
    let exists: bool = connection
        .prepare("SELECT EXISTS (SELECT 1 FROM tasks WHERE id = ?1)")?
        .query_row([task_id], |row| row.get(0))?;
    if !exists {
        return Ok(false);
    }
    connection
        .prepare("INSERT INTO flags (id, task_id, created_at, quality, tags) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute((&flag.id, task_id, &flag.at, flag.quality.name(), &tags))?;
    connection
        .prepare("UPDATE message_history SET quality_flag = ?2, tags = ?3, training_candidate = ?4 WHERE task_id = ?1")?
        .execute((task_id, flag.quality.name(), &tags, flag.quality.is_candidate()))?;
    Ok(true)
}

/// Deletes a task with all that belongs to it; `false` where there is no such task.
pub(crate) fn delete(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    Ok(connection.prepare("DELETE FROM tasks WHERE id = ?1")?.execute([id])? > 0)
}
