//! Reading the quantities of 60,000 words.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use steadfast_annotate::quantities;

fn quantities_of_a_report(criterion: &mut Criterion) {
    let paragraph = "The pilot opens five regional hubs by Q3 2027 with a budget of EUR 0.5–2.0 billion. It may be delayed by \
        18–20 months if suppliers do not deliver, which would raise costs by 10-15% and put the partnership at risk.\n\n";
    let words = paragraph.split_whitespace().count();
    let text = paragraph.repeat(60_000 / words);
    let mut group = criterion.benchmark_group("quantities");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("60,000 words", |bencher| bencher.iter(|| quantities(&text)));
    group.finish();
}

criterion_group!(benches, quantities_of_a_report);
criterion_main!(benches);
