//! What reading a report of 60,000 words costs: modality, negation, names, stems, terms.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_annotate::{NameContext, TermMatcher, content_stems, modality, names, negations};

const SENTENCES: &[&str] = &[
    "The ferry company Nordhavn A/S will probably open a second pier in Aarhus, which might reduce queues by 20 %.",
    "Do not use plastic cups, paper plates or straws; avoid glass near the water.",
    "If the grant is approved, the Harbour Council plans to hire two guides to ensure safe crossings.",
    "Review the contract with Dr. Ada Winter every month and report delays to the Steering Committee (SC).",
    "A revolutionary, world-class cafe is out of scope, and no app is needed rather than a printed map.",
];

fn readers(c: &mut Criterion) {
    let words_per_round: usize = SENTENCES.iter().map(|s| s.split_whitespace().count()).sum();
    let rounds = 60_000 / words_per_round;
    let matcher = TermMatcher::new(&["AR", "app", "blockchain", "smart home", "NFT"]);
    let mut group = c.benchmark_group("readers");
    group.sample_size(10);
    group.bench_function("all readers, 60,000 words", |b| {
        b.iter(|| {
            for _ in 0..rounds {
                for sentence in SENTENCES {
                    let sentence = black_box(*sentence);
                    black_box(modality(sentence));
                    black_box(negations(sentence));
                    black_box(names(sentence, &NameContext::default()));
                    black_box(content_stems(sentence));
                    black_box(matcher.find_all(sentence));
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
