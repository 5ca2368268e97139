//! The port to the keys of the server's API.

use super::{Stamps, StoreFailure};

/// A key, as it is kept: its hash, never the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// Its UUIDv7.
    pub id: String,
    /// What whoever made it calls it.
    pub name: String,
    /// What it may do, by its name.
    pub scope: String,
    /// The SHA-256 of the key.
    pub sha256: [u8; 32],
    /// When it was made: RFC 3339 in UTC.
    pub created_at: String,
    /// When it was revoked; `None` while it holds.
    pub revoked_at: Option<String>,
}

/// Keys of the API.
pub trait KeyStore: Stamps + Send + Sync {
    /// Keeps a key, unless `limit` keys that hold are there already, and waits for the disk. `false` where they are.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn add_key(&self, key: StoredKey, limit: usize) -> Result<bool, StoreFailure>;

    /// All keys, in the order in which they were made; those that hold alone, or the revoked ones too.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn keys(&self, revoked_too: bool) -> Result<Vec<StoredKey>, StoreFailure>;

    /// Revokes a key, and waits for the disk. `None` where there is none of this id, else since when it is revoked: one that was revoked
    /// before stays as it is.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn revoke_key(&self, id: &str, at: &str) -> Result<Option<String>, StoreFailure>;
}
