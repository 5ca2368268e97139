//! How fast steps, messages and spans are read.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use steadfast_wire::watch::StepReader;

/// Lines together.
const LINES: usize = 20_000;

fn step(at: usize) -> String {
    let text = "The agent lists the banned items, the vote tally and the year from which the ban holds. ".repeat(4);
    format!(
        "{{\"agent\": \"baseline\", \"task_id\": \"task_{}\", \"step\": {}, \"prompt\": \"List the items of part {at}.\", \"output\": \"{text}\", \"timestamp\": \"2026-02-08T05:57:22.449540Z\", \"update_history\": [{{\"version\": 1}}]}}\n",
        at / 8,
        at % 8
    )
}

fn conversation(at: usize) -> String {
    let turn = "{\"role\": \"user\", \"content\": \"List the items.\"}, {\"role\": \"assistant\", \"content\": [{\"type\": \"text\", \"text\": \"Here they are: plates, cutlery, straws and sticks.\"}]}";
    format!("{{\"id\": \"t{at}\", \"messages\": [{turn}, {turn}, {turn}]}}\n")
}

fn request(at: usize) -> String {
    let said = |role: &str| {
        format!(
            "{{\"stringValue\": \"[{{\\\"role\\\": \\\"{role}\\\", \\\"parts\\\": [{{\\\"type\\\": \\\"text\\\", \\\"content\\\": \\\"Here they are: plates and straws.\\\"}}]}}]\"}}"
        )
    };
    format!(
        "{{\"resourceSpans\": [{{\"scopeSpans\": [{{\"spans\": [{{\"traceId\": \"t{}\", \"spanId\": \"{at}\", \"startTimeUnixNano\": \"{at}\", \"attributes\": [{{\"key\": \"gen_ai.operation.name\", \"value\": {{\"stringValue\": \"chat\"}}}}, {{\"key\": \"gen_ai.input.messages\", \"value\": {}}}, {{\"key\": \"gen_ai.output.messages\", \"value\": {}}}]}}]}}]}}]}}\n",
        at / 8,
        said("user"),
        said("assistant")
    )
}

fn reading(criterion: &mut Criterion) {
    let files = [
        ("steps", (0..LINES).map(step).collect::<String>()),
        ("messages", (0..LINES).map(conversation).collect()),
        ("spans", (0..LINES).map(request).collect()),
    ];
    for (name, file) in files {
        let mut group = criterion.benchmark_group("read");
        group.throughput(Throughput::Bytes(file.len() as u64)).sample_size(10);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut reader = StepReader::new("run");
                let read: usize = file.as_bytes().chunks(1 << 16).map(|chunk| reader.push(chunk).len()).sum();
                read + reader.finish().len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
