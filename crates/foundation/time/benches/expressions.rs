//! How long 200 pages of day notes take, and a line of prose or of figures in which nothing is a time.

#![expect(clippy::unwrap_used, reason = "benches fail by panicking")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use steadfast_time::{Anchor, expressions};

/// A page has about 500 words.
const PAGES: usize = 200;

/// A line that is long enough for what begins nothing to tell.
const LINE_BYTES: usize = 1 << 20;

const PROSE: &str =
    "Nothing of the sort had ever been seen in this part of the country, which is why all of them went there. ";
const FIGURES: &str = "1234 567 89 12 3 45678 ";

const LINES: &[&str] = &[
    "- Standup 9:30-10, then back-to-back 10-12 and 13:00 with the team in room 12.",
    "- Pick up the kids at half past two; the dentist is at quarter to 5 next Tue.",
    "The report must be done by EOD on Friday, it takes about an hour and a half and is 12 pages long.",
    "Nothing in this sentence says anything of the hour, the day or the week in which it was written down by its author.",
    "Call Alice at 3pm ET, send version 3.14.2 to Bob, and book a table for 5 people after 7 in the evening.",
    "Every Tuesday at 9 the review of the last 3 days; from 4 to 8 March nobody is here, see https://example.org/2026/03/04.",
];

fn notes() -> String {
    let mut text = String::new();
    let mut words = 0;
    for line in LINES.iter().cycle() {
        if words >= PAGES * 500 {
            break;
        }
        words += line.split(' ').count();
        text.push_str(line);
        text.push_str(if words % 7 == 0 { "\n\n" } else { "\n" });
    }
    text
}

fn bench(criterion: &mut Criterion) {
    let anchor = Anchor::new("2026-01-21T11:00:00-05:00[America/Toronto]".parse().unwrap());
    let text = notes();
    let mut group = criterion.benchmark_group("time");
    group.sample_size(10);
    for (name, piece) in [("prose", PROSE), ("figures", FIGURES)] {
        let line = piece.repeat(LINE_BYTES / piece.len());
        group.throughput(Throughput::Bytes(line.len() as u64));
        group.bench_function(format!("expressions, a line of {name}"), |bencher| {
            bencher.iter(|| expressions(&line, &anchor).len());
        });
    }
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("expressions, 200 pages of notes", |bencher| {
        bencher.iter(|| expressions(&text, &anchor).len());
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
