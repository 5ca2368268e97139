//! Texts as vectors of unit length: the port [`Embedder`].

mod port;

pub use port::{Embedder, Embedding, cosine};
