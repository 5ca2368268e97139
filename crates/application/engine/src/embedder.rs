//! What makes vectors of texts, loaded from files that a surface has read.

use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};
pub use steadfast_embed::Embedder;
use steadfast_embed::{Lexical, MiniLm, ModelFiles, Precision};

use crate::EngineError;
use crate::pool::on_pool;

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
        let mut digits = String::with_capacity(64);
        for byte in Sha256::digest(&weights) {
            // Writing to a string does not fail.
            let _ = write!(digits, "{byte:02x}");
        }
        let files = ModelFiles { weights, weights_sha256: &digits, vocabulary: &vocabulary };
        let model =
            MiniLm::load(files, Precision::F32).map_err(|error| EngineError::Model { what: error.to_string() })?;
        Ok(Arc::new(model) as Arc<dyn Embedder>)
    })
    .await
}
