//! What was kept long enough, and the key of hashes.

use rusqlite::{Connection, OptionalExtension, params};
use steadfast_engine::store::Pruned;

use crate::signed;

/// What is old of each kind: a table, its key, and what makes a row old at `?1`. What belongs to a row goes with it.
const KINDS: [(&str, &str, &str); 7] = [
    ("runs", "id", "created_at < ?1"),
    ("tasks", "id", "updated_at < ?1"),
    ("message_history", "id", "created_at < ?1 AND task_id IN (SELECT id FROM tasks WHERE updated_at >= ?1)"),
    ("trajectories", "number", "updated_at < ?1"),
    ("jobs", "id", "updated_at < ?1 AND state NOT IN ('queued', 'running')"),
    ("alert_notices", "id", "created_at < ?1"),
    // A rule that fires stands as it stands until it is over.
    ("alert_streams", "number", "firing = 0 AND at_us < CAST(unixepoch(?1, 'subsec') * 1000000 AS INTEGER)"),
];

fn pruned(counts: [u64; KINDS.len()]) -> Pruned {
    let [runs, tasks, messages, trajectories, jobs, notices, streams] = counts;
    Pruned { runs, tasks, messages, trajectories, jobs, alerts: notices + streams }
}

/// Deletes what was last touched before a moment, at most `limit` rows of each kind.
pub(crate) fn prune(connection: &Connection, before: &str, limit: usize) -> rusqlite::Result<Pruned> {
    let limit = signed(limit);
    let mut counts = [0; KINDS.len()];
    for (count, (table, key, old)) in counts.iter_mut().zip(KINDS) {
        let delete = format!(
            "DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {old} ORDER BY {key} LIMIT ?2)"
        );
        *count = connection.prepare_cached(&delete)?.execute(params![before, limit])? as u64;
    }
    Ok(pruned(counts))
}

/// How much was last touched before a moment.
pub(crate) fn old(connection: &Connection, before: &str) -> rusqlite::Result<Pruned> {
    let mut counts = [0; KINDS.len()];
    for (count, (table, _, old)) in counts.iter_mut().zip(KINDS) {
        let select = format!("SELECT count(*) FROM {table} WHERE {old}");
        *count = connection.query_row(&select, [before], |row| row.get::<_, i64>(0))?.unsigned_abs();
    }
    Ok(pruned(counts))
}

/// The moment that was noted last, else that of what was kept last.
pub(crate) fn seen_at(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row(
        "SELECT coalesce(
            (SELECT seen_at FROM retention_state WHERE id = 1),
            (SELECT max(at) FROM (
                SELECT max(created_at) AS at FROM runs
                UNION ALL SELECT max(updated_at) FROM tasks
                UNION ALL SELECT max(updated_at) FROM trajectories)))",
        [],
        |row| row.get(0),
    )
}

/// Notes a moment that is known to have been.
pub(crate) fn see(connection: &Connection, at: &str) -> rusqlite::Result<()> {
    connection
        .execute(
            "INSERT INTO retention_state (id, seen_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET seen_at = ?1",
            [at],
        )
        .map(drop)
}

const KEY: &str = "SELECT key FROM hash_key WHERE id = 1";

/// The key of hashes, where it was made.
pub(crate) fn hash_key(connection: &Connection) -> rusqlite::Result<Option<[u8; 32]>> {
    connection.query_row(KEY, [], |row| row.get(0)).optional()
}

/// The key of hashes, which is made where there is none. SQLite's generator is seeded by the system.
pub(crate) fn make_hash_key(connection: &Connection) -> rusqlite::Result<[u8; 32]> {
    connection.execute("INSERT INTO hash_key (id, key) VALUES (1, randomblob(32)) ON CONFLICT DO NOTHING", [])?;
    connection.query_row(KEY, [], |row| row.get(0))
}
