//! How long a request of ordinary length is read.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_annotate::annotate;
use steadfast_evidence::FileId;
use steadfast_text::{Document, Format};

fn read(criterion: &mut Criterion) {
    let sentence = "Open a repair café within 3 months. It must stay free of charge, rather than becoming a paid shop. Donors may join. ";
    let text = format!("{}Budget is €3.8 million over 3 years. Banned words: luxury, VIP.", sentence.repeat(40));
    let document = Document::from_str_as(&text, Format::Plain);
    criterion.bench_function("read a request of 800 words", |bencher| {
        bencher.iter(|| steadfast_ask::read(FileId(0), &annotate(black_box(&document))));
    });
}

criterion_group!(benches, read);
criterion_main!(benches);
