//! Keys of the API: their hashes.

use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::StoredKey;

use crate::signed;

/// Keeps a key, unless so many hold already.
pub(crate) fn add(connection: &Connection, key: &StoredKey, limit: usize) -> rusqlite::Result<bool> {
    let hold: i64 =
        connection.query_row("SELECT count(*) FROM api_keys WHERE revoked_at IS NULL", [], |row| row.get(0))?;
    if hold >= signed(limit) {
        return Ok(false);
    }
    connection.execute(
        "INSERT INTO api_keys (id, name, scope, key_sha256, created_at, revoked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![key.id, key.name, key.scope, key.sha256, key.created_at, key.revoked_at],
    )?;
    Ok(true)
}

fn key(row: &Row<'_>) -> rusqlite::Result<StoredKey> {
    Ok(StoredKey {
        id: row.get(0)?,
        name: row.get(1)?,
        scope: row.get(2)?,
        sha256: row.get(3)?,
        created_at: row.get(4)?,
        revoked_at: row.get(5)?,
    })
}

/// All keys, in the order in which they were made.
pub(crate) fn all(connection: &Connection, revoked_too: bool) -> rusqlite::Result<Vec<StoredKey>> {
    let mut select = connection.prepare_cached(
        "SELECT id, name, scope, key_sha256, created_at, revoked_at FROM api_keys
         WHERE ?1 OR revoked_at IS NULL ORDER BY number",
    )?;
    select.query_map([revoked_too], key)?.collect()
}

/// Revokes a key; since when it is revoked.
pub(crate) fn revoke(connection: &Connection, id: &str, at: &str) -> rusqlite::Result<Option<String>> {
    connection
        .query_row(
            "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING revoked_at",
            [id, at],
            |row| row.get(0),
        )
        .optional()
}
