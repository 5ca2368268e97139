//! Finding by meaning in large vaults: a scan over rows that were made small, then exact scores for the best of them.
//!
//! Nothing is built and tended: every row is read. [`Bytes`] keep each row as 384 signed bytes and a scale, a quarter of its floats; [`Signs`] as one bit a
//! number (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, over the axes), a thirty-second. What the scan
//! loses, the exact scores bring back: [`rescored`] takes several times as many rows as are wanted and asks for their floats, wherever those lie.

use steadfast_embed::{Path, bit_distances, byte_products};

use super::top::{Hit, Top};

/// Rows that are scanned before their scores are looked at, so that these stay near the processor.
const BLOCK_ROWS: usize = 4_096;

/// How many times as many rows the scan over bytes takes as are wanted.
pub const BYTES_OVERSAMPLING: usize = 4;
/// The least rows that the scan over signs takes for each that is wanted.
pub const SIGNS_OVERSAMPLING: usize = 40;

/// Rows of signed bytes: each number over the largest of its row, times 127.
#[derive(Clone, Debug)]
pub struct Bytes {
    path: Path,
    dimensions: usize,
    rows: Vec<i8>,
    /// What a row's bytes are multiplied with.
    scales: Vec<f32>,
}

impl Bytes {
    /// Makes rows of floats small; what is left behind the last whole row is not taken.
    #[must_use]
    pub fn of(rows: &[f32], dimensions: usize) -> Self {
        let mut bytes =
            Self { path: Path::best(), dimensions, rows: Vec::with_capacity(rows.len()), scales: Vec::new() };
        rows.chunks_exact(dimensions.max(1)).for_each(|row| bytes.push(row));
        bytes
    }

    /// Takes one more row; numbers beyond its length are not taken, and those that are missing are 0.
    pub fn push(&mut self, row: &[f32]) {
        let (small, scale) = small(row, self.dimensions);
        self.rows.extend(small);
        self.scales.push(scale);
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// The `k` rows whose products with the vector seem the largest, best first.
    #[must_use]
    pub fn search(&self, vector: &[f32], k: usize) -> Vec<Hit> {
        let mut top = Top::new(k);
        let (vector, scale) = small(vector, self.dimensions);
        if self.dimensions == 0 {
            return Vec::new();
        }
        let mut products = [0; BLOCK_ROWS];
        let blocks = self.rows.chunks(BLOCK_ROWS * self.dimensions).zip(self.scales.chunks(BLOCK_ROWS));
        let mut row = 0;
        for (rows, scales) in blocks {
            let products = &mut products[..scales.len()];
            byte_products(self.path, rows, &vector, products);
            for (product, own) in products.iter().zip(scales) {
                top.push(row, *product as f32 * own * scale);
                row += 1;
            }
        }
        top.into_hits()
    }
}

/// A row as bytes, and what they are multiplied with.
fn small(row: &[f32], dimensions: usize) -> (Vec<i8>, f32) {
    let largest = row.iter().take(dimensions).fold(0.0_f32, |largest, number| largest.max(number.abs()));
    let step = if largest.is_finite() { largest / 127.0 } else { 0.0 };
    let byte = |number: &f32| if step > 0.0 { (number / step).round() as i8 } else { 0 };
    let mut bytes: Vec<i8> = row.iter().take(dimensions).map(byte).collect();
    bytes.resize(dimensions, 0);
    (bytes, step)
}

/// Rows of bits: whether each number is above 0.
#[derive(Clone, Debug)]
pub struct Signs {
    path: Path,
    dimensions: usize,
    words: usize,
    rows: Vec<u64>,
}

impl Signs {
    /// Makes rows of floats small; what is left behind the last whole row is not taken.
    #[must_use]
    pub fn of(rows: &[f32], dimensions: usize) -> Self {
        let mut signs = Self { path: Path::best(), dimensions, words: dimensions.div_ceil(64), rows: Vec::new() };
        rows.chunks_exact(dimensions.max(1)).for_each(|row| signs.push(row));
        signs
    }

    /// Takes one more row; numbers beyond its length are not taken, and those that are missing are 0.
    pub fn push(&mut self, row: &[f32]) {
        let bits = signs(row, self.dimensions);
        self.rows.extend(bits);
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.words).unwrap_or_default()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The `k` rows that differ from the vector in the fewest signs, best first; the score is the share of signs that are the same.
    #[must_use]
    pub fn search(&self, vector: &[f32], k: usize) -> Vec<Hit> {
        let mut top = Top::new(k);
        if self.words == 0 {
            return Vec::new();
        }
        let vector = signs(vector, self.dimensions);
        let mut distances = [0; BLOCK_ROWS];
        let mut row = 0;
        for rows in self.rows.chunks(BLOCK_ROWS * self.words) {
            let distances = &mut distances[..rows.len() / self.words];
            bit_distances(self.path, rows, &vector, distances);
            for distance in distances {
                top.push(row, 1.0 - *distance as f32 / self.dimensions as f32);
                row += 1;
            }
        }
        top.into_hits()
    }
}

fn signs(row: &[f32], dimensions: usize) -> Vec<u64> {
    let mut words = vec![0; dimensions.div_ceil(64)];
    for (at, _) in row.iter().take(dimensions).enumerate().filter(|(_, number)| **number > 0.0) {
        words[at / 64] |= 1 << (at % 64);
    }
    words
}

/// The `k` best of the rows that a scan found, by their exact scores: `exact` gives that of a row, or none where it cannot be had.
#[must_use]
pub fn rescored(found: &[Hit], k: usize, mut exact: impl FnMut(u32) -> Option<f32>) -> Vec<Hit> {
    let mut top = Top::new(k);
    for hit in found {
        if let Some(score) = exact(hit.document) {
            top.push(hit.document, score);
        }
    }
    top.into_hits()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows of length 1 around a few centres, as like each other as texts of a few kinds.
    fn mixture(count: usize, dimensions: usize, seed: u32) -> Vec<f32> {
        let mut state = seed | 1;
        let mut number = move || {
            (0..4)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    (state >> 8) as f32 / (1 << 24) as f32 - 0.5
                })
                .sum::<f32>()
        };
        let centres: Vec<f32> = (0..20 * dimensions).map(|_| number()).collect();
        let mut rows = Vec::new();
        for at in 0..count {
            let centre = &centres[at % 20 * dimensions..][..dimensions];
            let row: Vec<f32> = centre.iter().map(|centre| centre + 1.2 * number()).collect();
            let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
            rows.extend(row.iter().map(|x| x / length));
        }
        rows
    }

    fn exact(rows: &[f32], vector: &[f32], row: u32) -> f32 {
        let row = &rows[row as usize * vector.len()..][..vector.len()];
        row.iter().zip(vector).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn with_exact_scores_nearly_all_of_the_best_are_found() {
        let (dimensions, k) = (384, 10);
        // The queries are drawn as the rows are.
        let mut rows = mixture(3_020, dimensions, 7);
        let queries = rows.split_off(3_000 * dimensions);
        let (bytes, signs) = (Bytes::of(&rows, dimensions), Signs::of(&rows, dimensions));
        let (mut by_bytes, mut by_signs) = (0, 0);
        for query in queries.chunks(dimensions) {
            let all: Vec<Hit> = (0..3_000).map(|document| Hit { document, score: 0.0 }).collect();
            let best = rescored(&all, k, |row| Some(exact(&rows, query, row)));
            let shared = |found: &[Hit]| {
                let found = rescored(found, k, |row| Some(exact(&rows, query, row)));
                best.iter().filter(|hit| found.iter().any(|other| other.document == hit.document)).count()
            };
            by_bytes += shared(&bytes.search(query, k * BYTES_OVERSAMPLING));
            by_signs += shared(&signs.search(query, k * SIGNS_OVERSAMPLING));
        }
        assert_eq!(by_bytes, 200);
        assert!(by_signs >= 190, "{by_signs}");
    }

    #[test]
    fn what_holds_nothing_finds_nothing() {
        for dimensions in [0, 16] {
            assert!(Bytes::of(&[], dimensions).search(&[1.0; 16], 3).is_empty());
            assert!(Signs::of(&[], dimensions).search(&[1.0; 16], 3).is_empty());
        }
        assert!(Bytes::of(&[0.0; 16], 16).search(&[f32::INFINITY; 16], 3).len() == 1);
        assert!(rescored(&[Hit { document: 0, score: 1.0 }], 3, |_| None).is_empty());
    }

    proptest! {
        #[test]
        fn no_numbers_break_it(
            rows in prop::collection::vec(any::<f32>(), 0..80), vector in prop::collection::vec(any::<f32>(), 0..20),
        ) {
            let (bytes, signs) = (Bytes::of(&rows, 16), Signs::of(&rows, 16));
            prop_assert_eq!((bytes.len(), signs.len()), (rows.len() / 16, rows.len() / 16));
            prop_assert!(bytes.search(&vector, 3).len() <= 3 && signs.search(&vector, 3).len() <= 3);
        }
    }
}
