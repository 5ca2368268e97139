//! The use cases of the keys of the server's API: make one, list, revoke, check.
//!
//! A key is 32 random bytes, so its SHA-256 is enough to keep: a slow hash guards what people choose, and nobody can try 2^256 keys.
//! No two keys share a hash, and from a hash no key can be had.

#[cfg(test)]
mod tests;

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use steadfast_wire::keys::{ApiKey, KeyList, NewKey, SCHEMA_VERSION, Scope};

use crate::EngineError;
use crate::limits::{KEY_NAME_BYTES_MAX, KEYS_MAX};
use crate::store::{KeyStore, Stamp, StoredKey};

/// What every key begins with, so that it is known for one where it leaks.
pub const KEY_PREFIX: &str = "sfk_";

/// Random bytes of a key.
pub const KEY_BYTES: usize = 32;

/// Characters of a key behind its prefix: base64url (RFC 4648, section 5) without padding.
const KEY_CHARS: usize = (KEY_BYTES * 8).div_ceil(6);

/// Makes a key out of random bytes and keeps its hash: it is on the disk when this returns. The key is told this once.
///
/// # Errors
/// [`EngineError::KeyName`], [`EngineError::TooManyKeys`], or [`EngineError::Store`] where it cannot be kept.
pub fn create(store: &dyn KeyStore, random: &[u8; KEY_BYTES], name: &str, scope: Scope) -> Result<NewKey, EngineError> {
    let name = name.trim();
    if name.is_empty() || name.len() > KEY_NAME_BYTES_MAX || name.contains(char::is_control) {
        return Err(EngineError::KeyName { bytes: name.len() });
    }
    let key = format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
    let Stamp { id, at } = store.stamp()?;
    let kept = StoredKey {
        id,
        name: name.to_owned(),
        scope: scope.name().to_owned(),
        sha256: Sha256::digest(&key).into(),
        created_at: at,
        revoked_at: None,
    };
    if !store.add_key(kept.clone(), KEYS_MAX)? {
        return Err(EngineError::TooManyKeys { limit: KEYS_MAX });
    }
    Ok(NewKey { schema_version: SCHEMA_VERSION.to_owned(), key, kept: published(kept)? })
}

/// Random bytes as a token that a header or a cookie can hold: base64url without padding.
#[must_use]
pub fn token(random: &[u8; KEY_BYTES]) -> String {
    URL_SAFE_NO_PAD.encode(random)
}

fn published(kept: StoredKey) -> Result<ApiKey, EngineError> {
    let scope = Scope::of(&kept.scope).ok_or_else(|| EngineError::Internal {
        what: format!("what is stored cannot be read: `{}` is no scope", kept.scope),
    })?;
    Ok(ApiKey { id: kept.id, name: kept.name, scope, created_at: kept.created_at, revoked_at: kept.revoked_at })
}

/// All keys, those that were revoked too, in the order in which they were made.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read.
pub fn list(store: &dyn KeyStore) -> Result<KeyList, EngineError> {
    let keys = store.keys(true)?.into_iter().map(published).collect::<Result<_, _>>()?;
    Ok(KeyList { schema_version: SCHEMA_VERSION.to_owned(), keys })
}

/// Revokes a key, and says since when it is revoked: one that was revoked before stays as it is.
///
/// # Errors
/// [`EngineError::NoKey`], or [`EngineError::Store`] where it cannot be revoked.
pub fn revoke(store: &dyn KeyStore, id: &str) -> Result<String, EngineError> {
    let now = store.stamp()?.at;
    store.revoke_key(id, &now)?.ok_or_else(|| EngineError::NoKey { id: id.to_owned() })
}

/// The key of this id, if it is one that holds.
///
/// # Errors
/// [`EngineError::Store`] where keys cannot be read.
pub fn holds(store: &dyn KeyStore, id: &str) -> Result<Option<ApiKey>, EngineError> {
    store.keys(false)?.into_iter().find(|kept| kept.id == id).map(published).transpose()
}

/// Which key this is, if it is one that holds. How long that takes does not depend on where hashes differ, nor on which key it is: it is
/// compared with all of them, to their ends.
///
/// # Errors
/// [`EngineError::Store`] where keys cannot be read.
pub fn check(store: &dyn KeyStore, key: &str) -> Result<Option<ApiKey>, EngineError> {
    // What cannot be a key need not be hashed: it may be long.
    if key.len() != KEY_PREFIX.len() + KEY_CHARS || !key.starts_with(KEY_PREFIX) {
        return Ok(None);
    }
    let hash: [u8; 32] = Sha256::digest(key).into();
    let mut found = None;
    for kept in store.keys(false)? {
        if equal(&hash, &kept.sha256) {
            found = Some(kept);
        }
    }
    found.map(published).transpose()
}

/// Whether two hashes are equal, without a branch on any of their bytes.
fn equal(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let mut different = 0_u8;
    for (a, b) in a.iter().zip(b) {
        // The compiler is not to see that it could stop at the first that differs.
        different = black_box(different | (a ^ b));
    }
    different == 0
}
