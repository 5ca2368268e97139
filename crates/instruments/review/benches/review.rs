//! 10 MB of output with 10,000 items: the parser alone, and the whole review.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_review::answer::read;
use steadfast_review::{Settings, review};

/// 10 MB: prose of an agent, and a hundred blocks of a hundred items.
fn output() -> String {
    const SIGNS: [&str; 9] = ["✅", "🐛", "🔒", "⚠️", "🧩", "📝", "🚀", "🔄", "❓"];
    let mut out = String::with_capacity(11_000_000);
    for block in 0..100 {
        for line in 0..1_000 {
            out.push_str(&format!(
                "The handler of request {line} reads the record, checks it and writes what it found to file {block}.\n\n"
            ));
        }
        out.push_str("<npl-block type=\"reflection\">\n");
        for item in 0..100 {
            out.push_str(&format!("- {} Step {item} of part {block} was looked at\n", SIGNS[(item + block) % 9]));
        }
        out.push_str("</npl-block>\n\n");
    }
    out
}

fn benches(criterion: &mut Criterion) {
    let output = output();
    assert_eq!(read(&output).items.len(), 10_000);
    let mut group = criterion.benchmark_group("review");
    group.sample_size(10);
    group.bench_function("parser, 10 MB with 10,000 items", |bench| bench.iter(|| read(black_box(&output))));
    group.bench_function("review, 10 MB with 10,000 items", |bench| {
        bench.iter(|| review(black_box(&output), &Settings::default()));
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
