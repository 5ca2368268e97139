//! Finding by meaning in large vaults: a scan over rows that were made small, then exact scores for the best of them.
//!
//! Nothing is built and tended: every row is read. [`Bytes`] keep each row as 384 signed bytes and a scale, a quarter of its floats; [`Signs`] as one bit a
//! number (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, over the axes), a thirty-second. What the scan
//! loses, the exact scores bring back: [`vectors`](super::vectors) takes several times as many documents as are wanted and reads their floats.

use std::ops::Range;

use steadfast_embed::{Path, bit_distances, byte_products};

use super::pack::{Damaged, Packer, Unpacker};

/// Rows that are scanned before their scores are looked at, so that these stay near the processor.
pub(super) const BLOCK_ROWS: usize = 4_096;

/// How many times as many documents the scan over bytes takes as are wanted.
pub const BYTES_OVERSAMPLING: usize = 4;
/// The same for the scan over signs.
pub const SIGNS_OVERSAMPLING: usize = 40;
/// The least documents that the scan over signs takes, however few are wanted.
pub const SIGNS_DOCUMENTS_MIN: usize = 1_000;

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

    /// A vector as rows are compared with it.
    #[must_use]
    pub fn query(&self, vector: &[f32]) -> BytesQuery {
        let (vector, scale) = small(vector, self.dimensions);
        BytesQuery { vector, scale, products: Vec::new() }
    }

    /// What the products of some rows with the vector seem to be, in their order.
    ///
    /// # Panics
    /// Where there are no such rows.
    pub fn products(&self, query: &mut BytesQuery, rows: Range<usize>, into: &mut Vec<f32>) {
        let BytesQuery { vector, scale, products } = query;
        into.clear();
        if self.dimensions > 0 {
            products.resize(rows.len(), 0);
            let bytes = &self.rows[rows.start * self.dimensions..rows.end * self.dimensions];
            byte_products(self.path, bytes, vector, products);
            let scales = &self.scales[rows];
            into.extend(products.iter().zip(scales).map(|(product, own)| *product as f32 * own * *scale));
        }
    }

    /// Writes them.
    pub fn pack(&self, packer: &mut Packer) {
        packer.numbers(&self.rows, i8::to_le_bytes);
        packer.numbers(&self.scales, f32::to_le_bytes);
    }

    /// Reads them.
    ///
    /// # Errors
    /// [`Damaged`] where they are not such rows.
    pub fn unpack(unpacker: &mut Unpacker<'_>, dimensions: usize) -> Result<Self, Damaged> {
        let (rows, scales) = (unpacker.numbers(i8::from_le_bytes)?, unpacker.numbers(f32::from_le_bytes)?);
        let fits = Some(rows.len()) == scales.len().checked_mul(dimensions);
        if fits { Ok(Self { path: Path::best(), dimensions, rows, scales }) } else { Err(Damaged) }
    }
}

/// A vector as bytes, and what comes of it while it is compared.
#[derive(Clone, Debug)]
pub struct BytesQuery {
    vector: Vec<i8>,
    scale: f32,
    products: Vec<i32>,
}

/// A vector as signs, and what comes of it while it is compared.
#[derive(Clone, Debug)]
pub struct SignsQuery {
    vector: Vec<u64>,
    distances: Vec<u32>,
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

    /// A vector as rows are compared with it.
    #[must_use]
    pub fn query(&self, vector: &[f32]) -> SignsQuery {
        SignsQuery { vector: signs(vector, self.dimensions), distances: Vec::new() }
    }

    /// What the cosines of some rows with the vector seem to be, in their order: those of the angle that the share of signs that differ
    /// stands for, by the straight line from 1 to −1, which keeps the order.
    ///
    /// # Panics
    /// Where there are no such rows.
    pub fn cosines(&self, query: &mut SignsQuery, rows: Range<usize>, into: &mut Vec<f32>) {
        let SignsQuery { vector, distances } = query;
        into.clear();
        if self.words > 0 {
            distances.resize(rows.len(), 0);
            bit_distances(self.path, &self.rows[rows.start * self.words..rows.end * self.words], vector, distances);
            let step = 2.0 / self.dimensions as f32;
            into.extend(distances.iter().map(|distance| 1.0 - *distance as f32 * step));
        }
    }

    /// Writes them.
    pub fn pack(&self, packer: &mut Packer) {
        packer.numbers(&self.rows, u64::to_le_bytes);
    }

    /// Reads them.
    ///
    /// # Errors
    /// [`Damaged`] where they are not such rows.
    pub fn unpack(unpacker: &mut Unpacker<'_>, dimensions: usize) -> Result<Self, Damaged> {
        let (rows, words) = (unpacker.numbers(u64::from_le_bytes)?, dimensions.div_ceil(64));
        let fits = rows.len().is_multiple_of(words.max(1)) && (words > 0 || rows.is_empty());
        if fits { Ok(Self { path: Path::best(), dimensions, words, rows }) } else { Err(Damaged) }
    }
}

fn signs(row: &[f32], dimensions: usize) -> Vec<u64> {
    let mut words = vec![0; dimensions.div_ceil(64)];
    for (at, _) in row.iter().take(dimensions).enumerate().filter(|(_, number)| **number > 0.0) {
        words[at / 64] |= 1 << (at % 64);
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_rows_stand_for_their_floats() {
        let row: Vec<f32> = (0..16_i16).map(|at| (f32::from(at) - 8.0) / 16.0).collect();
        let rows = [row.clone(), row.iter().map(|x| -x).collect(), vec![0.0; 16]].concat();
        let (bytes, signs) = (Bytes::of(&rows, 16), Signs::of(&rows, 16));
        let mut found = Vec::new();
        bytes.products(&mut bytes.query(&row), 0..3, &mut found);
        let exact: f32 = row.iter().map(|x| x * x).sum();
        assert!((found[0] - exact).abs() < 0.01 && (found[1] + exact).abs() < 0.01 && found[2] == 0.0, "{found:?}");
        signs.cosines(&mut signs.query(&row), 0..1, &mut found);
        assert_eq!(found, [1.0]);
        // What is 0 has no sign of its own: nine of sixteen differ.
        signs.cosines(&mut signs.query(&row), 1..3, &mut found);
        assert!(found[0] < -0.8 && found[1].abs() < 0.2, "{found:?}");
    }

    #[test]
    fn what_holds_nothing_finds_nothing() {
        for dimensions in [0, 16] {
            let (bytes, signs) = (Bytes::of(&[], dimensions), Signs::of(&[], dimensions));
            let mut found = vec![1.0];
            bytes.products(&mut bytes.query(&[1.0; 16]), 0..0, &mut found);
            assert!(found.is_empty());
            signs.cosines(&mut signs.query(&[1.0; 16]), 0..0, &mut found);
            assert!(found.is_empty() && bytes.is_empty() && signs.is_empty());
        }
    }

    proptest! {
        #[test]
        fn no_numbers_break_it(
            rows in prop::collection::vec(any::<f32>(), 0..80), vector in prop::collection::vec(any::<f32>(), 0..20),
        ) {
            let (bytes, signs) = (Bytes::of(&rows, 16), Signs::of(&rows, 16));
            let (count, mut found) = (rows.len() / 16, Vec::new());
            prop_assert_eq!((bytes.len(), signs.len()), (count, count));
            bytes.products(&mut bytes.query(&vector), 0..count, &mut found);
            prop_assert_eq!(found.len(), count);
            signs.cosines(&mut signs.query(&vector), 0..count, &mut found);
            prop_assert!(found.len() == count && found.iter().all(|cosine| (-1.0..=1.0).contains(cosine)));
            let mut packer = Packer::default();
            bytes.pack(&mut packer);
            signs.pack(&mut packer);
            let packed = packer.into_bytes();
            let mut unpacker = Unpacker::new(&packed);
            prop_assert_eq!(Bytes::unpack(&mut unpacker, 16).unwrap().rows, bytes.rows);
            prop_assert_eq!(Signs::unpack(&mut unpacker, 16).unwrap().rows, signs.rows);
        }
    }
}
