//! How long a set of 2,000 examples takes, its interval included.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_measure::{Files, Means, measure, sets};

fn windows(criterion: &mut Criterion) {
    let example = r#"{"input": "Mara woke up at 6am. Jon saw Mara at the mill from 6am to 9am.\nOptions:\n(A) 6am to 9am\n(B) 9am to 11am", "target": "(B)"}"#;
    let text = format!("{{\"examples\": [{}]}}", vec![example; 2_000].join(","));
    let files = Files([("temporal_sequences.json".to_owned(), text.into_bytes())].into());
    let set = sets::named("bbh_time").unwrap();
    criterion.bench_function("2,000 days", |b| b.iter(|| measure(set, &files, &Means::default()).unwrap()));
}

criterion_group!(benches, windows);
criterion_main!(benches);
