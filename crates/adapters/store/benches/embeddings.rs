//! How long 10,000 vectors of 384 components take: to be kept on the disk, to be read, to be found missing.

#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use steadfast_embed::Embedding;
use steadfast_engine::store::{EmbeddingStore as _, TextKey};
use steadfast_store::Store;
use tempfile::TempDir;

const COUNT: u32 = 10_000;

/// Keys as scattered as hashes are.
fn key(number: u32) -> TextKey {
    let mut key = [0; 32];
    key[..4].copy_from_slice(&number.wrapping_mul(2_654_435_761).to_be_bytes());
    key
}

fn vectors() -> Vec<(TextKey, Embedding)> {
    (0..COUNT).map(|number| (key(number), Embedding { vector: vec![0.05; 384].into(), truncated: false })).collect()
}

fn empty() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("s.db")).unwrap();
    (folder, store)
}

fn embeddings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("10,000 vectors");
    group.sample_size(10);
    group.bench_function("put in one write", |bencher| {
        bencher.iter_batched(
            || (empty(), vectors()),
            |((folder, store), vectors)| {
                store.put("v", vectors)().unwrap();
                (folder, store)
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("put in writes of 100", |bencher| {
        bencher.iter_batched(
            || (empty(), vectors()),
            |((folder, store), vectors)| {
                for some in vectors.chunks(100) {
                    drop(store.put("v", some.to_vec()));
                }
                store.flush().unwrap();
                (folder, store)
            },
            BatchSize::PerIteration,
        );
    });
    let (_folder, store) = empty();
    store.put("v", vectors())().unwrap();
    let there: Vec<TextKey> = (0..COUNT).map(key).collect();
    let missing: Vec<TextKey> = (COUNT..2 * COUNT).map(key).collect();
    group.bench_function("get", |bencher| bencher.iter(|| store.get("v", black_box(&there)).unwrap()));
    group.bench_function("get, none there", |bencher| {
        bencher.iter(|| store.get("v", black_box(&missing)).unwrap());
    });
    group.finish();
}

criterion_group!(benches, embeddings);
criterion_main!(benches);
