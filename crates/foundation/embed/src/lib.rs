//! Texts as vectors of unit length: the port [`Embedder`], and the sentence model [`MiniLm`] behind it.

mod error;
mod minilm;
mod port;

pub use error::EmbedError;
pub use minilm::{MiniLm, ModelFiles};
pub use port::{Embedder, Embedding, cosine};
pub use steadfast_kernel::{Path, Precision};
