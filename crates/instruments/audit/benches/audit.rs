//! A whole audit of a generated report of 60,000 words, and of four and sixteen times as many: the times must grow as the
//! sizes do.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use steadfast_audit::{Source, audit};
use steadfast_evidence::FileId;
use steadfast_text::{Document, Format};

const PROMPT: &str = include_str!("../../../../examples/audit/prompt.txt");
const REPORT: &str = include_str!("../../../../examples/audit/drifted.md");

/// Words of the report at 1×.
const WORDS: usize = 60_000;

/// The example's report again and again, each sentence made one of its own by its round.
fn report(words: usize) -> String {
    let rounds = words / REPORT.split_whitespace().count() + 1;
    let mut out = String::new();
    for round in 0..rounds {
        for line in REPORT.lines() {
            let _ = writeln!(out, "{}", line.replace(". ", &format!(", says note {round}. ")));
        }
        out.push('\n');
    }
    out
}

fn source(file: u32, name: &str, text: &str, format: Format) -> Source {
    Source { file: FileId(file), name: name.to_owned(), document: Document::from_str_as(text, format) }
}

fn whole(criterion: &mut Criterion) {
    let prompt = source(0, "prompt.txt", PROMPT, Format::Plain);
    let mut group = criterion.benchmark_group("audit a report");
    group.sample_size(10);
    for times in [1, 4, 16] {
        let text = report(WORDS * times);
        let document = source(1, "report.md", &text, Format::Markdown);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(times), |bencher| {
            bencher.iter(|| audit(black_box(&prompt), vec![document.clone()]));
        });
    }
    group.finish();
}

criterion_group!(benches, whole);
criterion_main!(benches);
