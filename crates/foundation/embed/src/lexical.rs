//! The embedder that needs no model: words and parts of words, hashed.
//!
//! A text's features are the stems of its content words, and the runs of three to five characters of those stems (with their ends
//! marked), so that "microservice" and "micro-services" have something in common. Each kind of feature is counted, its counts
//! damped by a square root, hashed with a sign into [`DIMENSIONS`] components (Weinberger et al., "Feature hashing for large
//! scale multitask learning", 2009) and brought to length 1; the vector is the sum of stems and parts, these with the weight
//! [`PARTS_WEIGHT`], brought to length 1. There is no table of frequencies, so the vector of a text depends on that text alone.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use steadfast_annotate::content_stems;

use crate::{Embedder, Embedding};

/// Components of a vector.
const DIMENSIONS: usize = 2_048;
/// The weight of parts of words beside whole stems.
const PARTS_WEIGHT: f64 = 0.5;
/// Characters of a part.
const PART_CHARS: std::ops::RangeInclusive<usize> = 3..=5;
/// Longest stem that is cut into parts, in characters; of a longer one only the beginning is.
const STEM_CHARS_MAX: usize = 64;
/// What made a vector. It changes with anything above, and with the stems.
const VERSION: &str = "lexical/1";

/// Vectors of words and parts of words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexical;

impl Embedder for Lexical {
    fn name(&self) -> &'static str {
        "lexical"
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        texts.iter().map(|text| Embedding { vector: vector(text), truncated: false }).collect()
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        std::iter::once(0..text.len()).filter(|whole| !text[whole.clone()].trim().is_empty()).collect()
    }
}

fn vector(text: &str) -> Arc<[f32]> {
    let mut stems: HashMap<String, u32> = HashMap::new();
    for (_, stem) in content_stems(text) {
        *stems.entry(stem).or_default() += 1;
    }
    let mut words: HashMap<u64, u32> = HashMap::new();
    let mut parts: HashMap<u64, u32> = HashMap::new();
    for (stem, count) in &stems {
        *words.entry(hash(b'w', stem.as_bytes())).or_default() += count;
        let marked: Vec<char> =
            std::iter::once('^').chain(stem.chars().take(STEM_CHARS_MAX)).chain(std::iter::once('$')).collect();
        for length in PART_CHARS {
            for part in marked.windows(length) {
                *parts.entry(hash(b'c', part.iter().collect::<String>().as_bytes())).or_default() += count;
            }
        }
    }
    let mut vector = vec![0.0; DIMENSIONS];
    for (features, weight) in [(words, 1.0), (parts, PARTS_WEIGHT)] {
        let block = block(&features);
        let length = block.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            vector.iter_mut().zip(&block).for_each(|(sum, x)| *sum += weight * x / length);
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector.into_iter().map(|x| x as f32).collect()
}

/// The features of one kind, hashed into components. They are added in the order of their hashes, so that the sum has the same bits
/// every time.
fn block(features: &HashMap<u64, u32>) -> Vec<f64> {
    let mut sorted: Vec<(u64, u32)> = features.iter().map(|(hash, count)| (*hash, *count)).collect();
    sorted.sort_unstable();
    let mut block = vec![0.0; DIMENSIONS];
    for (hash, count) in sorted {
        let sign = if hash & 1 == 1 { 1.0 } else { -1.0 };
        block[(hash >> 1) as usize % DIMENSIONS] += sign * f64::from(count).sqrt();
    }
    block
}

/// FNV-1a (Fowler, Noll and Vo), then the finaliser of MurmurHash3 (Appleby), since the low bits of FNV alone are weak.
fn hash(kind: u8, bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in std::iter::once(&kind).chain(bytes) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cosine;

    fn similarity(a: &str, b: &str) -> f64 {
        let vectors = Lexical.embed(&[a, b]);
        cosine(&vectors[0].vector, &vectors[1].vector)
    }

    #[test]
    fn what_has_words_in_common_is_alike() {
        assert!((similarity("migrate the payment service", "The payment services were migrated.") - 1.0).abs() < 1e-6);
        let near = similarity("migrate the payment service", "a plan for payments");
        let far = similarity("migrate the payment service", "a poem on the sea");
        assert!(near > 0.3 && far.abs() < 0.1, "{near} {far}");
        assert!(similarity("microservice", "microservices architecture") > similarity("microservice", "a boat"));
    }

    #[test]
    fn what_holds_no_content_has_no_direction() {
        for text in ["", " ", "…", "of the"] {
            assert!(Lexical.embed(&[text])[0].vector.iter().all(|x| *x == 0.0), "{text:?}");
        }
        assert!(Lexical.windows(" ").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_has_a_vector_of_length_one_or_none(text in "\\PC{0,200}") {
            let vector = &Lexical.embed(&[&text])[0].vector;
            let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5, "{length}");
            prop_assert_eq!(vector, &Lexical.embed(&["other", &text])[1].vector);
        }
    }
}
