//! Reading a generated plan of 60,000 words, and four and sixteen of them: the times must grow as the sizes do.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use steadfast_text::{Document, Format, QuoteIndex};

const WORDS: usize = 60_000;

/// Sections of a paragraph, a list and a table of sentences of 14 words.
fn plan(words: usize, format: Format) -> String {
    let sentence =
        |n: usize| format!("Team {n} pays $1.{n}M, i.e. less than the **full** sum, by March {}.", n % 28 + 1);
    let mut text = String::new();
    for n in 0..words / 70 {
        let (a, b, c, d, e) = (sentence(n), sentence(n + 1), sentence(n + 2), sentence(n + 3), sentence(n + 4));
        if format == Format::Html {
            let bold = |s: &str| s.replacen("**", "<b>", 1).replacen("**", "</b>", 1);
            let [a, b, c, d, e] = [a, b, c, d, e].map(|s| bold(&s));
            text.push_str(&format!(
                "<h2>Part {n}</h2>\n<p>{a} {b}</p>\n<ul>\n<li>{c}</li>\n<li>{d}</li>\n</ul>\n<table><tr><td>{n}</td><td>{e}</td></tr></table>\n"
            ));
        } else {
            text.push_str(&format!(
                "## Part {n}\n\n{a}\n{b}\n\n- {c}\n- {d}\n\n| n | what |\n|---|---|\n| {n} | {e} |\n\n"
            ));
        }
    }
    text
}

fn read(c: &mut Criterion) {
    for (name, format) in [("markdown", Format::Markdown), ("html", Format::Html), ("plain", Format::Plain)] {
        let mut group = c.benchmark_group(format!("read {name}"));
        group.sample_size(10);
        for times in [1, 4, 16] {
            let text = plan(WORDS * times, format);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(times), &text, |b, text| {
                b.iter(|| Document::from_str_as(text, format).blocks.len());
            });
        }
    }
    let document = Document::from_str_as(&plan(WORDS, Format::Html), Format::Html);
    c.bench_function("locate a quote that is not there, index ready", |b| {
        let index = QuoteIndex::new(&document);
        b.iter(|| index.locate("a quote that “nobody” wrote"));
    });
}

criterion_group!(benches, read);
criterion_main!(benches);
