//! The port to what is kept over runs.

use steadfast_embed::Embedding;

use crate::EngineError;

/// What a text is kept under: its SHA-256.
pub type TextKey = [u8; 32];

/// Waits until a write is on the disk, and says whether it is.
pub type Receipt = Box<dyn FnOnce() -> Result<(), StoreFailure> + Send>;

/// Vectors of texts that were embedded in earlier runs. It holds no text.
pub trait EmbeddingStore: Send + Sync {
    /// The vectors of these texts, in their order; `None` where there is none of this version. What a version is, is for the caller to
    /// say: [`bits`](steadfast_embed::Embedder::bits) of the embedder.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure>;

    /// Keeps vectors. It does not wait for the disk: the receipt does.
    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt;
}

/// Why a store did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct StoreFailure {
    /// The file, and what is wrong with it.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl From<StoreFailure> for EngineError {
    fn from(failure: StoreFailure) -> Self {
        Self::Store { what: failure.what, hint: failure.hint }
    }
}
