//! How long an evaluation of 500 incidents takes to its JSON and back.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::{from_json, to_json};

const EXAMPLE: &str = include_str!("../tests/data/drift-evaluation.json");

fn both_ways(criterion: &mut Criterion) {
    let mut evaluation: DriftEvaluation = from_json(EXAMPLE).unwrap();
    let incidents = evaluation.drift_incidents.clone();
    evaluation.drift_incidents = incidents.into_iter().cycle().take(500).collect();
    let text = to_json(&evaluation).unwrap();
    criterion.bench_function("write", |b| b.iter(|| to_json(&evaluation).unwrap()));
    criterion.bench_function("read", |b| b.iter(|| from_json::<DriftEvaluation>(&text).unwrap()));
}

criterion_group!(benches, both_ways);
criterion_main!(benches);
