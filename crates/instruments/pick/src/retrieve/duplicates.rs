//! Prompts that are nearly the same text.
//!
//! First by hash: texts with the same words in the same order. Then by similarity: a text is kept as the [`SKETCH_SIZE`] smallest hashes of its
//! shingles, [`SHINGLE_WORDS`] words in a row, and two sketches give an estimate of the share of shingles that the texts have in common (Broder, "On the
//! resemblance and containment of documents", 1997). Only texts that share one of their [`KEYS`] smallest hashes are compared,
//! each with at most [`BUCKET_MAX`] others for each, so that time is linear in the number of texts.

use std::collections::HashMap;

use super::pack::{Damaged, Packer, Unpacker};
use super::terms::each_word;

/// Words in one shingle.
pub const SHINGLE_WORDS: usize = 4;
/// Hashes that are kept of a text: the estimate is off by some 0.06 (one standard deviation) at most.
pub const SKETCH_SIZE: usize = 64;
/// The smallest hashes by which texts meet.
pub const KEYS: usize = 8;
/// Texts of a key that a new text is compared with.
pub const BUCKET_MAX: usize = 16;
/// The share of shingles in common from which two texts are nearly the same. Uncalibrated.
pub const RESEMBLANCE_MIN: f64 = 0.7;

/// Two prompts that are nearly the same, by their documents' numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one that stands first.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Whether all words are the same.
    pub exact: bool,
    /// The share of shingles in common, an estimate: 1 where it is exact.
    pub resemblance: f64,
}

/// The near-duplicate graph: who is nearly the same as whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// Each pair once, in the order of the numbers.
    pub pairs: Vec<Pair>,
    /// Each pair both ways, in the order of the numbers.
    links: Vec<(u32, u32)>,
}

/// Takes texts one by one.
#[derive(Debug, Default)]
pub struct Builder {
    pairs: Vec<Pair>,
    sketches: Vec<Sketch>,
    exact: HashMap<u64, u32>,
    buckets: HashMap<u64, Vec<u32>>,
}

impl Builder {
    /// Takes the next text.
    pub fn push(&mut self, text: &str) {
        let Ok(document) = u32::try_from(self.sketches.len()) else { return };
        let sketch = Sketch::new(text);
        let mut met: Vec<u32> = Vec::new();
        if !sketch.smallest.is_empty() {
            let same = self.exact.entry(sketch.whole).or_insert(document);
            if *same != document {
                met.push(*same);
            }
        }
        for key in sketch.smallest.iter().take(KEYS) {
            let bucket = self.buckets.entry(*key).or_default();
            met.extend_from_slice(bucket);
            if bucket.len() < BUCKET_MAX {
                bucket.push(document);
            }
        }
        met.sort_unstable();
        met.dedup();
        for other in met {
            let before = &self.sketches[other as usize];
            let exact = before.whole == sketch.whole;
            let resemblance = if exact { 1.0 } else { before.resemblance(&sketch) };
            if resemblance >= RESEMBLANCE_MIN {
                self.pairs.push(Pair { first: other, second: document, exact, resemblance });
            }
        }
        self.sketches.push(sketch);
    }

    /// The graph over all texts that were given.
    #[must_use]
    pub fn build(self) -> Duplicates {
        Duplicates::with(self.pairs)
    }
}

impl Duplicates {
    /// The graph over texts, numbered in their order.
    #[must_use]
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = Builder::default();
        texts.into_iter().for_each(|text| builder.push(text));
        builder.build()
    }

    fn with(mut pairs: Vec<Pair>) -> Self {
        pairs.sort_by_key(|pair| (pair.first, pair.second));
        let both = |pair: &Pair| [(pair.first, pair.second), (pair.second, pair.first)];
        let mut links: Vec<(u32, u32)> = pairs.iter().flat_map(both).collect();
        links.sort_unstable();
        Self { pairs, links }
    }

    /// The documents that are nearly the same as this one, in the order of their numbers.
    pub fn of_document(&self, document: u32) -> impl Iterator<Item = u32> {
        let start = self.links.partition_point(|(own, _)| *own < document);
        self.links[start..].iter().take_while(move |(own, _)| *own == document).map(|(_, other)| *other)
    }

    /// Whether two documents are nearly the same.
    #[must_use]
    pub fn are(&self, a: u32, b: u32) -> bool {
        self.links.binary_search(&(a, b)).is_ok()
    }

    /// Writes it.
    pub fn pack(&self, packer: &mut Packer) {
        packer.u32s(&self.pairs.iter().map(|pair| pair.first).collect::<Vec<_>>());
        packer.u32s(&self.pairs.iter().map(|pair| pair.second).collect::<Vec<_>>());
        packer.numbers(&self.pairs.iter().map(|pair| u8::from(pair.exact)).collect::<Vec<_>>(), u8::to_le_bytes);
        packer.numbers(&self.pairs.iter().map(|pair| pair.resemblance).collect::<Vec<_>>(), f64::to_le_bytes);
    }

    /// Reads it; its documents are fewer than `documents`.
    ///
    /// # Errors
    /// [`Damaged`] where it is none.
    pub fn unpack(unpacker: &mut Unpacker<'_>, documents: usize) -> Result<Self, Damaged> {
        let (first, second) = (unpacker.u32s()?, unpacker.u32s()?);
        let (exact, resemblance) = (unpacker.numbers(u8::from_le_bytes)?, unpacker.numbers(f64::from_le_bytes)?);
        let count = first.len();
        if [second.len(), exact.len(), resemblance.len()] != [count; 3] {
            return Err(Damaged);
        }
        let pairs = first.iter().zip(&second).zip(&exact).zip(&resemblance);
        let pairs: Vec<Pair> = pairs
            .map(|(((first, second), exact), resemblance)| Pair {
                first: *first,
                second: *second,
                exact: *exact == 1,
                resemblance: *resemblance,
            })
            .collect();
        let known = |pair: &Pair| pair.first < pair.second && (pair.second as usize) < documents;
        if pairs.iter().all(known) { Ok(Self::with(pairs)) } else { Err(Damaged) }
    }
}

/// What is kept of a text.
#[derive(Debug)]
struct Sketch {
    /// The hash of all words; 0 where there are none.
    whole: u64,
    /// The smallest hashes of shingles, in ascending order.
    smallest: Vec<u64>,
}

impl Sketch {
    fn new(text: &str) -> Self {
        let mut words: Vec<u64> = Vec::new();
        each_word(text, |word| words.push(of_word(word)));
        let together = |words: &[u64]| {
            mixed(words.iter().fold(SEED, |hash, word| (hash ^ word).wrapping_mul(PRIME).rotate_left(23)))
        };
        let size = SHINGLE_WORDS.min(words.len()).max(1);
        let mut smallest: Vec<u64> = words.windows(size).map(together).collect();
        smallest.sort_unstable();
        smallest.dedup();
        smallest.truncate(SKETCH_SIZE);
        smallest.shrink_to_fit();
        Self { whole: if words.is_empty() { 0 } else { together(&words) }, smallest }
    }

    /// Of the smallest hashes of both together, the share that both have.
    fn resemblance(&self, other: &Self) -> f64 {
        let (mut a, mut b) = (self.smallest.iter().peekable(), other.smallest.iter().peekable());
        let (mut seen, mut shared) = (0_u32, 0_u32);
        while seen < SKETCH_SIZE as u32 {
            match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x == y => {
                    shared += 1;
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x < y => drop(a.next()),
                (Some(_), None) => drop(a.next()),
                _ => drop(b.next()),
            }
            seen += 1;
        }
        if seen == 0 { 0.0 } else { f64::from(shared) / f64::from(seen) }
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a (Fowler, Noll and Vo) of a word in lower case.
fn of_word(word: &str) -> u64 {
    let lower = word.chars().flat_map(char::to_lowercase);
    mixed(lower.fold(SEED, |hash, c| (hash ^ u64::from(c)).wrapping_mul(PRIME)))
}

/// The finaliser of MurmurHash3 (Appleby), since the bits of FNV alone are weak.
fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Duplicates;

    const LONG: &str = "You are an editor. Read the article below with care, then list every claim that has no source, quote it, say \
        what kind of source would settle it, and rank the claims by how much depends on them. Keep to the text.";

    fn pairs(texts: &[&str]) -> Vec<(u32, u32, bool)> {
        Duplicates::of(texts.iter().copied()).pairs.iter().map(|pair| (pair.first, pair.second, pair.exact)).collect()
    }

    #[test]
    fn the_same_words_are_exact_and_a_few_others_nearly_so() {
        let shouted = LONG.to_uppercase().replace(". ", "!\n\n");
        let edited = LONG.replace("article", "report");
        let texts = [LONG, "Plan my week.", &shouted, &edited, "Plan my day.", "", "…", ""];
        assert_eq!(pairs(&texts), [(0, 2, true), (0, 3, false), (2, 3, false)]);
        let graph = Duplicates::of(texts);
        assert_eq!(graph.of_document(0).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(graph.of_document(1).count(), 0);
        assert!(graph.are(3, 0) && !graph.are(1, 4));
        assert_eq!(pairs(&["Go.", "go", "Go on."]), [(0, 1, true)]);
    }

    #[test]
    fn many_copies_are_found_in_linear_time() {
        let graph = Duplicates::of(vec![LONG; 5_000]);
        assert!(graph.pairs.len() < 5_000 * 17);
        assert!((1..5_000).all(|copy| graph.are(0, copy)));
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(texts in prop::collection::vec(any::<String>(), 0..6)) {
            let graph = Duplicates::of(texts.iter().map(String::as_str));
            for pair in graph.pairs {
                prop_assert!(pair.first < pair.second && (0.0..=1.0).contains(&pair.resemblance));
            }
        }
    }
}
