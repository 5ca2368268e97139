//! Texts as vectors of unit length: the port [`Embedder`], the sentence model [`MiniLm`] behind it, and [`Lexical`], which needs no
//! model.

mod error;
mod lexical;
mod minilm;
mod port;

pub use error::EmbedError;
pub use lexical::Lexical;
pub use minilm::{MiniLm, ModelFiles};
pub use port::{Embedder, Embedding, cosine};
pub use steadfast_kernel::{Path, Precision, bit_distances, buffer, byte_products, dots};
