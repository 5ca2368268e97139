//! Vectors of texts.

use rusqlite::{Connection, OptionalExtension};
use steadfast_embed::Embedding;
use steadfast_engine::store::TextKey;

/// Bytes of a component.
const COMPONENT_BYTES: usize = size_of::<f32>();

fn version_id(connection: &Connection, version: &str) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT id FROM embedding_versions WHERE version = ?1", [version], |row| row.get(0)).optional()
}

/// The vectors of these texts, all as of one moment.
pub(crate) fn get(
    connection: &mut Connection,
    version: &str,
    keys: &[TextKey],
) -> rusqlite::Result<Vec<Option<Embedding>>> {
    let transaction = connection.transaction()?;
    let Some(id) = version_id(&transaction, version)? else { return Ok(vec![None; keys.len()]) };
    let mut select =
        transaction.prepare("SELECT vector, truncated FROM embeddings WHERE version_id = ?1 AND text_sha256 = ?2")?;
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        let one = select.query_row((id, key.as_slice()), |row| {
            let bytes = row.get_ref(0)?.as_blob()?;
            let components = bytes.as_chunks::<COMPONENT_BYTES>().0.iter();
            Ok(Embedding { vector: components.map(|it| f32::from_le_bytes(*it)).collect(), truncated: row.get(1)? })
        });
        found.push(one.optional()?);
    }
    Ok(found)
}

/// Keeps vectors; of those that are there already the first stays.
pub(crate) fn put(connection: &Connection, version: &str, vectors: &[(TextKey, Embedding)]) -> rusqlite::Result<()> {
    let id = match version_id(connection, version)? {
        Some(id) => id,
        None => {
            connection.execute("INSERT INTO embedding_versions (version) VALUES (?1)", [version])?;
            connection.last_insert_rowid()
        }
    };
    let mut insert = connection.prepare(
        "INSERT INTO embeddings (version_id, text_sha256, truncated, vector) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (version_id, text_sha256) DO NOTHING",
    )?;
    let mut bytes = Vec::new();
    for (key, embedding) in vectors {
        bytes.clear();
        bytes.extend(embedding.vector.iter().flat_map(|component| component.to_le_bytes()));
        insert.execute((id, key.as_slice(), embedding.truncated, bytes.as_slice()))?;
    }
    Ok(())
}
