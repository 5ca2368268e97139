//! The vault of a server: opened once, and again where it changed.

use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::OpenVault;
use crate::EngineError;
use crate::embedder::Embedder;
use crate::error::Refusal;
use crate::store::Keep;

/// What finds the embedding model, where it is there.
type Model = dyn Fn() -> Result<Option<Arc<dyn Embedder>>, Refusal> + Send + Sync;

/// The vault of a server. It is opened when it is first needed, and again once prompts, feedback or the model are others.
pub struct VaultCache {
    store: Arc<dyn Keep>,
    model: Box<Model>,
    /// The vault, and what it was opened of.
    open: Mutex<Option<([u8; 32], OpenVault)>>,
}

impl VaultCache {
    /// The vault of a store. `model` is asked at every use, so whoever loads one keeps it; without one prompts are found by words.
    #[must_use]
    pub fn new(store: Arc<dyn Keep>, model: Box<Model>) -> Self {
        Self { store, model, open: Mutex::default() }
    }

    /// The version of what makes vectors, where it is there.
    ///
    /// # Errors
    /// [`Refusal`] where it is there and cannot be used.
    pub fn embedding_version(&self) -> Result<Option<String>, Refusal> {
        Ok((self.model)()?.map(|embedder| embedder.version().to_owned()))
    }

    /// Works with the vault as it is now. Calls wait for one another.
    ///
    /// # Errors
    /// [`Refusal`] where it cannot be opened, and what `work` refuses.
    pub fn with<T>(&self, work: impl FnOnce(&mut OpenVault) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let embedder = (self.model)()?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = self.stamp(embedder.as_deref())?;
        let mut vault = match open.take() {
            Some((of, vault)) if of == stamp => vault,
            _ => OpenVault::open(Arc::clone(&self.store), embedder)?,
        };
        let done = work(&mut vault);
        // Where the work panics the vault is opened again.
        *open = Some((stamp, vault));
        done
    }

    /// What a vault is opened of.
    fn stamp(&self, embedder: Option<&dyn Embedder>) -> Result<[u8; 32], EngineError> {
        let mut hash = Sha256::new();
        hash.update(self.store.vault_stamp()?);
        hash.update(embedder.map_or("", |embedder| embedder.version()));
        for (id, good, bad) in self.store.feedback()? {
            hash.update(format!("\n{good} {bad} {id}"));
        }
        Ok(hash.finalize().into())
    }
}
