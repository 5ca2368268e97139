//! The tables, version by version, and whether a file is a store at all.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;

/// What marks a file as a store of ours, in its header: `Stdf`.
pub(crate) const APPLICATION_ID: i64 = 0x5374_6466;

/// How the tables of a version are made from those before it. A store of version N has gone through the first N. What stands here is
/// never changed, only added to.
pub(crate) const MIGRATIONS: &[&str] = &[
    // 1: vectors of texts. A text is known by its SHA-256 alone; vectors are 32-bit floats, little-endian.
    "CREATE TABLE embedding_versions (
        id INTEGER PRIMARY KEY,
        version TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE embeddings (
        version_id INTEGER NOT NULL REFERENCES embedding_versions (id),
        text_sha256 BLOB NOT NULL CHECK (length(text_sha256) = 32),
        truncated INTEGER NOT NULL CHECK (truncated IN (0, 1)),
        vector BLOB NOT NULL CHECK (length(vector) % 4 = 0),
        UNIQUE (version_id, text_sha256)
    ) STRICT;",
];

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

fn newer(file: &str, found: i64, known: usize) -> Option<StoreError> {
    let known = i64::try_from(known).unwrap_or(i64::MAX);
    (found > known).then(|| StoreError::Newer { file: file.to_owned(), found, known })
}

/// Why a file is left alone, if it is. An empty one is a store to be.
pub(crate) fn refusal(connection: &mut Connection, file: &str) -> rusqlite::Result<Option<StoreError>> {
    // One transaction, so that all three are of the same moment.
    let transaction = connection.transaction()?;
    let id = number(&transaction, "application_id")?;
    let version = number(&transaction, "user_version")?;
    let things: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (id, version, things) {
        (APPLICATION_ID, ..) => newer(file, version, MIGRATIONS.len()),
        (0, 0, 0) => None,
        _ => Some(StoreError::NotOurs { file: file.to_owned() }),
    })
}

/// Brings the tables to the newest version, each step in a transaction of its own.
pub(crate) fn migrate(
    connection: &mut Connection,
    file: &str,
    migrations: &[&str],
    fault: impl Fn(rusqlite::Error) -> StoreError,
) -> Result<(), StoreError> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    while number(connection, "user_version").map_err(&fault)? < known {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&fault)?;
        step(transaction, migrations).map_err(&fault)?;
    }
    // Another process may have been faster, and newer.
    newer(file, number(connection, "user_version").map_err(&fault)?, migrations.len()).map_or(Ok(()), Err)
}

fn step(transaction: Transaction<'_>, migrations: &[&str]) -> rusqlite::Result<()> {
    let version = number(&transaction, "user_version")?;
    let next = usize::try_from(version).ok().and_then(|version| migrations.get(version));
    if let Some(tables) = next {
        transaction.execute_batch(tables)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
    }
    transaction.commit()
}
