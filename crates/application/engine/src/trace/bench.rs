//! The comparison of the planner's variants as experiments: one dataset of days, one experiment for each variant.

use steadfast_wire::plan::{Bench, BenchRow, BenchVariant, Status};
use steadfast_wire::trace::{Batch, Dataset, DatasetItem, Experiment, ExperimentItem, Score, Trace, Value};

use super::build::{derived, empty, lasting, named, short_hash};
use crate::EngineError;
use crate::runs::Timing;
use crate::store::{Stamp, Stamps};

/// A day that the variants planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchDay {
    /// Its name in the rows.
    pub id: String,
    /// Its notes.
    pub notes: String,
    /// The time that it was planned for: RFC 3339.
    pub current_time: String,
}

/// One batch for each variant. The days ship with the program, so their notes are told whatever is captured of other texts. The days and the
/// ids of their items are the same in every run, so that experiments of different versions of the program can be compared.
///
/// # Errors
/// [`EngineError::Store`] where no id can be had.
pub fn bench(bench: &Bench, days: &[BenchDay], timing: &Timing, clock: &dyn Stamps) -> Result<Vec<Batch>, EngineError> {
    let dataset = dataset(bench, days);
    let mut batches = Vec::new();
    for own in &bench.variants {
        let stamp = clock.stamp()?;
        let mut traces = Vec::new();
        let mut items = Vec::new();
        for row in bench.rows.iter().filter(|row| row.variant == own.variant) {
            let trace = trace(row, &Stamp { id: clock.stamp()?.id, at: timing.stamp.at.clone() });
            items.push(ExperimentItem {
                id: derived(&trace.id, "experiment item"),
                dataset_item_id: item_id(&dataset.name, row),
                trace_id: trace.id.clone(),
            });
            traces.push(trace);
        }
        let name = own.variant.name();
        let experiment = Experiment {
            id: stamp.id,
            name: format!("{name} {}", timing.stamp.at),
            dataset: dataset.clone(),
            metadata: named([
                ("variant", name.into()),
                ("steadfast_version", env!("CARGO_PKG_VERSION").into()),
                ("days", bench.days.into()),
                ("feasible_days", bench.feasible_days.into()),
            ]),
            scores: scores(own, bench),
            items,
        };
        batches.push(Batch { traces, experiment: Some(experiment) });
    }
    Ok(batches)
}

/// The days, those in long notes as items of their own.
fn dataset(bench: &Bench, days: &[BenchDay]) -> Dataset {
    let all: Vec<&str> =
        days.iter().flat_map(|day| [day.id.as_str(), day.notes.as_str(), day.current_time.as_str()]).collect();
    let name = format!("steadfast plan bench {}", short_hash(&all));
    let mut items: Vec<DatasetItem> = Vec::new();
    for row in &bench.rows {
        let id = item_id(&name, row);
        if items.iter().any(|item| item.id == id) {
            continue;
        }
        let mut data = named([
            ("day", row.day.as_str().into()),
            ("in_long_notes", row.in_long_notes.into()),
            ("feasible", row.feasible.into()),
        ]);
        if let Some(day) = days.iter().find(|day| day.id == row.day) {
            data.extend(named([
                ("notes", day.notes.as_str().into()),
                ("current_time", day.current_time.as_str().into()),
            ]));
        }
        items.push(DatasetItem { id, data });
    }
    let description =
        "Days whose truth is known: ten written by hand and what is generated from them. Items with `in_long_notes` \
                       hold the same notes inside twenty pages of others, which are left out here."
            .to_owned();
    Dataset { name, description, items }
}

fn item_id(dataset: &str, row: &BenchRow) -> String {
    lasting(&[dataset, &row.day, if row.in_long_notes { "long" } else { "alone" }])
}

/// What one variant made of one day. Days are not timed one by one.
fn trace(row: &BenchRow, stamp: &Stamp) -> Trace {
    let mut trace = empty("plan bench", stamp);
    let variant = row.variant.name();
    trace.tags.push(variant.to_owned());
    trace.input = named([
        ("day", row.day.as_str().into()),
        ("in_long_notes", row.in_long_notes.into()),
        ("feasible", row.feasible.into()),
        ("variant", variant.into()),
    ]);
    trace.output = named([
        ("status", row.status.name().into()),
        ("confidence", row.confidence.name().into()),
        ("right", row.right.into()),
        ("problems", row.problems.iter().map(|it| Value::from(it.as_str())).collect::<Vec<_>>().into()),
    ]);
    trace.metadata = named([("steadfast_version", env!("CARGO_PKG_VERSION").into())]);
    let flag = |value: bool| if value { 1.0 } else { 0.0 };
    let score = |name: &str, value: f64, label: Option<&str>, reason: Option<String>| Score {
        name: name.to_owned(),
        value,
        label: label.map(str::to_owned),
        reason,
        span: None,
    };
    let problems = (!row.problems.is_empty()).then(|| row.problems.join("; "));
    trace.scores = vec![
        score("recommended", flag(row.status == Status::Recommended), Some(row.status.name()), None),
        score("right", flag(row.right), None, problems),
        score("problems", row.problems.len() as f64, None, None),
    ];
    trace
}

/// What section 10 of the contract for day plans compares variants on, and the known ways to fail of its section 11.
fn scores(own: &BenchVariant, bench: &Bench) -> Vec<Score> {
    let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
    let modes = &own.failure_modes;
    [
        ("pass_rate", own.pass_rate),
        ("true_pass_rate", own.true_pass_rate),
        ("constraints_violated", own.constraints_violated as f64),
        ("time_overflow_frequency", share(own.overflow_days, bench.days)),
        ("hallucination_flags", own.hallucination_flags as f64),
        ("confidence_mismatches", own.confidence_mismatches as f64),
        ("wrongly_recommended", own.wrongly_recommended as f64),
        ("time_hallucination_days", modes.time_hallucination as f64),
        ("context_collapse_days", modes.context_collapse as f64),
        ("overconfidence_days", modes.overconfidence as f64),
        ("humanly_impossible_days", modes.humanly_impossible as f64),
    ]
    .into_iter()
    .map(|(name, value)| Score { name: name.to_owned(), value, label: None, reason: None, span: None })
    .collect()
}
