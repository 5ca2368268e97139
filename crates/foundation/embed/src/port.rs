//! The port: what makes vectors of texts.

use std::ops::Range;
use std::sync::Arc;

/// The vector of one text.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// As many components as [`Embedder::dimensions`], of Euclidean length 1. Where the text holds nothing that the embedder
    /// reads, what it gives for an empty text: a vector like any other for a model that marks beginning and end, else all 0.
    pub vector: Arc<[f32]>,
    /// Whether the text is longer than what the embedder reads, so that its end had no part in the vector.
    pub truncated: bool,
}

/// Makes vectors of texts. The same text gives the same bits, alone and in any batch. Vectors of embedders whose
/// [`version`](Embedder::version) differs are never compared.
pub trait Embedder: Send + Sync {
    /// What outputs call it: `minilm` or `lexical`.
    fn name(&self) -> &'static str;

    /// What made a vector, down to the weights and their precision: the `embedding_version` of outputs.
    fn version(&self) -> &str;

    /// What fixes a vector to the bit: the version, and with it whatever rounds in its own way, such as the instructions of a
    /// processor. Vectors that are kept over runs are kept under this, so that they are those that would be made now.
    fn bits(&self) -> &str {
        self.version()
    }

    /// How many components a vector has.
    fn dimensions(&self) -> usize;

    /// One vector for each text, in their order.
    fn embed(&self, texts: &[&str]) -> Vec<Embedding>;

    /// Cuts a text into ranges of bytes, in order, each of which is read whole. A text that is not too long is one range; a
    /// text that holds nothing is none.
    fn windows(&self, text: &str) -> Vec<Range<usize>>;
}

/// The cosine of the angle between two vectors, summed in double precision and clamped to [−1, 1]; 0 where one of them is 0.
///
/// `sim = dot(a, b) / (norm(a) · norm(b))`.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let (mut dot, mut of_a, mut of_b) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        dot += a * b;
        of_a += a * a;
        of_b += b * b;
    }
    if of_a == 0.0 || of_b == 0.0 { 0.0 } else { (dot / (of_a.sqrt() * of_b.sqrt())).clamp(-1.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn the_cosine_is_of_the_angle_alone() {
        assert_eq!(cosine(&[3.0, 0.0], &[0.5, 0.0]), 1.0);
        assert_eq!(cosine(&[3.0, 0.0], &[-0.5, 0.0]), -1.0);
        assert_eq!(cosine(&[3.0, 0.0], &[0.0, 2.0]), 0.0);
        assert_eq!(cosine(&[0.0, 0.0], &[0.0, 2.0]), 0.0, "nothing is like nothing");
    }
}
