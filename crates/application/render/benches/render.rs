//! How long each format takes for an evaluation of 500 incidents.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_render::{Colour, Links, Texts, html, junit, markdown, sarif, text};
use steadfast_wire::audit::DriftEvaluation;

const EXAMPLE: &str = include_str!("../../wire/tests/data/drift-evaluation.json");

fn formats(criterion: &mut Criterion) {
    let mut evaluation: DriftEvaluation = steadfast_wire::from_json(EXAMPLE).unwrap();
    let incidents = evaluation.drift_incidents.clone();
    evaluation.drift_incidents = incidents.into_iter().cycle().take(500).collect();
    let texts = Texts {
        files: [
            ("initial_plan.txt", include_str!("../../wire/tests/data/run/initial_plan.txt")),
            ("report.md", include_str!("../../wire/tests/data/run/report.md")),
            ("annex.html", include_str!("../../wire/tests/data/run/annex.html")),
        ]
        .into(),
    };
    criterion.bench_function("markdown", |b| b.iter(|| markdown(&evaluation, &texts)));
    criterion.bench_function("html", |b| b.iter(|| html(&evaluation, &texts, &Links::default()).unwrap()));
    criterion.bench_function("sarif", |b| b.iter(|| sarif(&evaluation, &texts).unwrap()));
    criterion.bench_function("junit", |b| b.iter(|| junit(&evaluation, &texts).unwrap()));
    criterion.bench_function("text", |b| b.iter(|| text(&evaluation, &texts, Colour::Off)));
}

criterion_group!(benches, formats);
criterion_main!(benches);
