//! What makes vectors of texts, loaded from files that a surface has read.

use std::sync::Arc;

pub use steadfast_embed::Embedder;
pub use steadfast_embed::buffer;
use steadfast_embed::{Lexical, MiniLm, ModelFiles, Precision};

use crate::EngineError;
use crate::cache::Cached;
use crate::hash::sha256;
use crate::pool::on_pool;
use crate::store::EmbeddingStore;

/// The name of the model's weights in its folder.
pub const WEIGHTS_NAME: &str = "model.safetensors";
/// The name of its vocabulary.
pub const VOCABULARY_NAME: &str = "vocab.txt";

/// The embedder of words and parts of words, which needs no model.
#[must_use]
pub fn lexical() -> Arc<dyn Embedder> {
    Arc::new(Lexical)
}

/// The sentence model all-MiniLM-L6-v2. The hash of its weights is made here, so that the version that stands in outputs is that
/// of the bytes that were loaded.
///
/// # Errors
/// [`EngineError::Model`] where a file is damaged or is not this model's.
pub async fn minilm(weights: Vec<u8>, vocabulary: Vec<u8>) -> Result<Arc<dyn Embedder>, EngineError> {
    on_pool(move || {
        let digits = sha256(&weights);
        let files = ModelFiles { weights, weights_sha256: &digits, vocabulary: &vocabulary };
        let model =
            MiniLm::load(files, Precision::F32).map_err(|error| EngineError::Model { what: error.to_string() })?;
        Ok(Arc::new(model) as Arc<dyn Embedder>)
    })
    .await
}

/// The same embedder, on as many threads as there are cores and with a memory of at most
/// [`CACHE_TEXTS_MAX`](crate::watch::CACHE_TEXTS_MAX) texts: for whoever embeds many texts in one call and some of them again later.
/// Vectors are those of `inner`, to the bit.
#[must_use]
pub fn on_all_cores(inner: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
    Arc::new(Cached::new(inner, None).ahead())
}

/// The same, with the vectors of a store: what it holds is not embedded again, and what is embedded is kept in it. Where the store fails, vectors are made
/// without it.
#[must_use]
pub fn on_all_cores_keeping(inner: Arc<dyn Embedder>, store: Arc<dyn EmbeddingStore>) -> Arc<dyn Embedder> {
    Arc::new(Cached::new(inner, Some(store)).ahead())
}
