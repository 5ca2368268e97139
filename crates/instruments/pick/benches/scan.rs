//! How long a search over the vectors of a vault takes, and how much of what is best it finds: bytes and signs in memory, the floats in a
//! file, exact similarities for the best of the scan.
//!
//! The rows are drawn around 2,000 centres, queries around the same; a document has one row. Recall@10 is printed before the times.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark says what it found and fails by panicking")]

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_embed::{Path, dots};
use steadfast_pick::retrieve::pack::{Packer, Unpacker};
use steadfast_pick::retrieve::top::Top;
use steadfast_pick::retrieve::vectors::{Rows, Shrunk, Tiers, VectorError, Vectors};

const DIMENSIONS: usize = 384;
const ROW_BYTES: usize = DIMENSIONS * 4;
const CENTRES: u32 = 2_000;
const K: usize = 10;
/// Candidates that a pick asks for.
const POOL: usize = 80;
const QUERIES: u32 = 20;
/// Rows that are compared exactly at a time.
const BLOCK: usize = 1_000;

/// Numbers around 0, the same for the same seed.
fn numbers(seed: u32) -> impl Iterator<Item = f32> {
    let mut state = (u64::from(seed) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (a, b) = ((state >> 33) as u16, (state >> 48) as u16);
        (f32::from(a) + f32::from(b)) / 65_536.0 - 1.0
    })
}

/// A row of length 1 near one of the centres.
fn row(number: u32) -> Vec<f32> {
    let centre = numbers(number % CENTRES + (1 << 30));
    let row: Vec<f32> = centre.zip(numbers(number)).map(|(centre, own)| centre + own).take(DIMENSIONS).collect();
    let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    row.iter().map(|x| x / length).collect()
}

/// Rows in a file.
#[derive(Debug)]
struct OnDisk(File);

impl Rows for OnDisk {
    fn read(&self, first: usize, into: &mut [f32]) -> Result<(), VectorError> {
        let mut bytes = vec![0; into.len() * 4];
        self.0.read_exact_at(&mut bytes, (first * ROW_BYTES) as u64).unwrap();
        let numbers = bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        into.iter_mut().zip(numbers).for_each(|(into, number)| *into = number);
        Ok(())
    }
}

/// Vectors of so many documents as `tiers` have them, and the same floats once more.
fn vectors(count: u32, tiers: Tiers) -> (Vectors, OnDisk) {
    let mut shrunk = Shrunk::new(DIMENSIONS, tiers).unwrap();
    // It has no name: nothing is left behind.
    let file = tempfile::tempfile().unwrap();
    let mut out = BufWriter::new(file.try_clone().unwrap());
    for number in 0..count {
        let row = row(number);
        shrunk.push(None, [row.as_slice()]).unwrap();
        row.iter().for_each(|x| out.write_all(&x.to_le_bytes()).unwrap());
    }
    out.flush().unwrap();
    let mut packer = Packer::default();
    shrunk.pack(&mut packer);
    let bytes = packer.into_bytes();
    let rows = Arc::new(OnDisk(file.try_clone().unwrap()));
    (Vectors::unpack(&mut Unpacker::new(&bytes), DIMENSIONS, tiers, rows).unwrap(), OnDisk(file))
}

fn recall(vectors: &Vectors, rows: &OnDisk) -> f64 {
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|at| row((1 << 29) + at * 97)).collect();
    let mut best: Vec<Top> = queries.iter().map(|_| Top::new(K)).collect();
    let (mut block, mut products) = (vec![0.0; BLOCK * DIMENSIONS], vec![0.0; BLOCK]);
    for from in (0..vectors.rows()).step_by(BLOCK) {
        rows.read(from, &mut block).unwrap();
        for (query, best) in queries.iter().zip(&mut best) {
            dots(Path::best(), &block, query, &mut products);
            (from as u32..).zip(&products).for_each(|(document, product)| best.push(document, *product));
        }
    }
    let mut shared = 0;
    for (query, best) in queries.iter().zip(best) {
        let found = vectors.search(query, POOL, |_| true).unwrap();
        shared += best.into_hits().iter().filter(|hit| found.iter().any(|it| it.document == hit.document)).count();
    }
    shared as f64 / (K * queries.len()) as f64
}

fn scans(criterion: &mut Criterion) {
    let query = row(1 << 29);
    let bytes = Tiers { exact_rows_max: 0, bytes_rows_max: usize::MAX };
    let signs = Tiers { exact_rows_max: 0, bytes_rows_max: 0 };
    for (name, count, tiers) in [("bytes, 100,000 rows", 100_000, bytes), ("signs, 1,000,000 rows", 1_000_000, signs)] {
        let (vectors, rows) = vectors(count, tiers);
        println!("{name}: recall@{K} {:.4}", recall(&vectors, &rows));
        criterion.bench_function(name, |bench| bench.iter(|| vectors.search(black_box(&query), POOL, |_| true)));
    }
}

criterion_group!(benches, scans);
criterion_main!(benches);
