//! Stated arithmetic over 1×, 4× and 16× text: the time grows with the text.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use steadfast_evidence::{FileId, contradictions};
use steadfast_text::{Document, Format};

const UNIT: &str = "## Budget\n\nThe total budget is $440K ($300K wages + $100K rent + $40K travel = $440K).\n\n\
    | Item | Cost |\n|---|---|\n| Wages | $300K |\n| Rent | $100K |\n| Travel | $40K |\n| Total | $440K |\n\n\
    - Wages: $300K\n- Rent: $100K\n- Total: $400K\n\nStaff falls from 120 to 90, a reduction of 25%, in 14 weeks.\n\n";

fn arithmetic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stated arithmetic");
    group.sample_size(10);
    for times in [100usize, 400, 1_600] {
        let text = UNIT.repeat(times);
        let document = Document::from_str_as(&text, Format::Markdown);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(times), &document, |bencher, document| {
            bencher.iter(|| contradictions(FileId(0), document));
        });
    }
    group.finish();
}

criterion_group!(benches, arithmetic);
criterion_main!(benches);
