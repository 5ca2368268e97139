//! How long a search over the vectors of a vault takes, and how much of what is best it finds: exact floats, bytes and signs, both with exact
//! scores for the best of the scan.
//!
//! The rows are drawn around 2,000 centres; queries around the same. Recall@10 is printed before the times. Signs are scanned at a million rows;
//! their floats are not kept but drawn again from the row's number, so that the bench needs little memory.

#![expect(clippy::print_stdout, reason = "a benchmark says what it found")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_embed::{Path, dots};
use steadfast_pick::retrieve::compact::{BYTES_OVERSAMPLING, Bytes, SIGNS_OVERSAMPLING, Signs, rescored};
use steadfast_pick::retrieve::top::{Hit, Top};

const DIMENSIONS: usize = 384;
const CENTRES: u32 = 2_000;
const K: usize = 10;
const QUERIES: u32 = 20;
/// Rows that are compared exactly at a time.
const BLOCK: u32 = 1_000;

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

fn exact(rows: impl Iterator<Item = u32>, query: &[f32]) -> Vec<Hit> {
    let mut top = Top::new(K);
    for document in rows {
        let mut product = [0.0];
        dots(Path::best(), &row(document), query, &mut product);
        top.push(document, product[0]);
    }
    top.into_hits()
}

fn recall(rows: u32, find: impl Fn(&[f32]) -> Vec<Hit>) -> f64 {
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|at| row((1 << 29) + at * 97)).collect();
    let mut best: Vec<Top> = queries.iter().map(|_| Top::new(K)).collect();
    let mut products = vec![0.0; BLOCK as usize];
    for from in (0..rows).step_by(BLOCK as usize) {
        let block: Vec<f32> = (from..from + BLOCK).flat_map(row).collect();
        for (query, best) in queries.iter().zip(&mut best) {
            dots(Path::best(), &block, query, &mut products);
            (from..).zip(&products).for_each(|(document, product)| best.push(document, *product));
        }
    }
    let mut shared = 0;
    for (query, best) in queries.iter().zip(best) {
        let found = find(query);
        shared += best.into_hits().iter().filter(|hit| found.iter().any(|it| it.document == hit.document)).count();
    }
    shared as f64 / (K * queries.len()) as f64
}

fn scans(criterion: &mut Criterion) {
    let query = row(1 << 29);
    let mut bytes = Bytes::of(&[], DIMENSIONS);
    (0..100_000).for_each(|number| bytes.push(&row(number)));
    let of_bytes =
        |query: &[f32]| exact(bytes.search(query, K * BYTES_OVERSAMPLING).into_iter().map(|hit| hit.document), query);
    println!("bytes, 100,000 rows: recall@{K} {:.4}", recall(100_000, of_bytes));
    criterion.bench_function("bytes, 100,000 rows", |bench| {
        bench.iter(|| bytes.search(black_box(&query), K * BYTES_OVERSAMPLING))
    });
    drop(bytes);
    let mut signs = Signs::of(&[], DIMENSIONS);
    (0..1_000_000).for_each(|number| signs.push(&row(number)));
    let of_signs =
        |query: &[f32]| exact(signs.search(query, K * SIGNS_OVERSAMPLING).into_iter().map(|hit| hit.document), query);
    println!("signs, 1,000,000 rows: recall@{K} {:.4}", recall(1_000_000, of_signs));
    criterion.bench_function("signs, 1,000,000 rows", |bench| {
        bench.iter(|| signs.search(black_box(&query), K * SIGNS_OVERSAMPLING))
    });
    let found: Vec<Hit> = signs.search(&query, K * SIGNS_OVERSAMPLING);
    criterion.bench_function("exact scores of what signs found", |bench| {
        let rows: Vec<Vec<f32>> = found.iter().map(|hit| row(hit.document)).collect();
        bench.iter(|| {
            let mut at = 0;
            rescored(&found, K, |_| {
                let mut product = [0.0];
                dots(Path::best(), &rows[at], black_box(&query), &mut product);
                at += 1;
                Some(product[0])
            })
        });
    });
}

criterion_group!(benches, scans);
criterion_main!(benches);
