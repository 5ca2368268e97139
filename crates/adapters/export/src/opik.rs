//! Traces as Opik's REST API takes them.
//!
//! Members are those of the models in the official Python SDK (`opik.rest_api`): `TraceWrite`, `SpanWrite`, `FeedbackScoreBatchItem`,
//! `DatasetItemWrite`, `ExperimentItem`. What was taken before is taken again under the same ids and changes nothing.

use serde::Serialize;
use serde_json::value::RawValue;
use steadfast_engine::store::{micros, rfc3339_us};
use steadfast_net::Method;
use steadfast_wire::trace::{Attributes, Batch, Dataset, DatasetItem, Experiment, Score, Span, Trace, Value};

use crate::ExportError;
use crate::send::Call;

/// Elements of one call.
const ELEMENTS_MAX: usize = 1_000;

/// The elements of one call in bytes with their commas, but for one that is larger by itself.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Names of traces and datasets by which Opik tells who made them.
const FROM_A_RUN: &str = "sdk";
const FROM_AN_EXPERIMENT: &str = "experiment";

#[derive(Serialize)]
struct TraceWrite<'a> {
    id: &'a str,
    project_name: &'a str,
    name: &'a str,
    start_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_time: Option<String>,
    input: &'a Attributes,
    output: &'a Attributes,
    metadata: &'a Attributes,
    tags: &'a [String],
    source: &'static str,
}

#[derive(Serialize)]
struct SpanWrite<'a> {
    id: &'a str,
    project_name: &'a str,
    trace_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_span_id: Option<&'a str>,
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    start_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_time: Option<String>,
    input: &'a Attributes,
    output: &'a Attributes,
    metadata: Attributes,
    source: &'static str,
}

#[derive(Serialize)]
struct FeedbackScore<'a> {
    id: &'a str,
    project_name: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    category_name: Option<&'a str>,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    source: &'static str,
}

#[derive(Serialize)]
struct DatasetWrite<'a> {
    name: &'a str,
    description: &'a str,
    project_name: &'a str,
}

#[derive(Serialize)]
struct DatasetItemWrite<'a> {
    id: &'a str,
    source: &'static str,
    data: &'a Attributes,
}

#[derive(Serialize)]
struct DatasetItems<'a> {
    dataset_name: &'a str,
    project_name: &'a str,
    items: Box<RawValue>,
}

#[derive(Serialize)]
struct ExperimentWrite<'a> {
    id: &'a str,
    dataset_name: &'a str,
    project_name: &'a str,
    name: &'a str,
    metadata: &'a Attributes,
    #[serde(rename = "type")]
    kind: &'static str,
    evaluation_method: &'static str,
    experiment_scores: Vec<ExperimentScore<'a>>,
}

#[derive(Serialize)]
struct ExperimentScore<'a> {
    name: &'a str,
    value: f64,
}

#[derive(Serialize)]
struct ExperimentItemWrite<'a> {
    id: &'a str,
    experiment_id: &'a str,
    dataset_item_id: &'a str,
    trace_id: &'a str,
}

/// The calls that tell Opik of these batches, in their order: datasets, traces, spans, feedback scores of both, experiments. Each is put together
/// of all batches, within limits on elements and bytes.
///
/// # Errors
/// [`ExportError::Internal`] where something has no JSON form: a fault of ours.
pub fn calls(batches: &[&Batch], project: &str) -> Result<Vec<Call>, ExportError> {
    let mut calls = Vec::new();
    let mut told: Vec<&Dataset> = Vec::new();
    for own in batches.iter().filter_map(|batch| batch.experiment.as_ref()).map(|experiment| &experiment.dataset) {
        // Experiments share their dataset.
        if !told.contains(&own) {
            dataset(own, project, &mut calls)?;
            told.push(own);
        }
    }
    let traces = || batches.iter().flat_map(|batch| batch.traces.iter().map(|trace| (trace, source(batch))));
    let written = traces().map(|(trace, source)| trace_write(trace, project, source));
    put(&mut calls, Method::Post, "/v1/private/traces/batch", "traces", written)?;
    let spans = traces().flat_map(|(trace, source)| trace.spans.iter().map(move |span| (trace, span, source)));
    let written = spans.map(|(trace, span, source)| span_write(trace, span, project, source));
    put(&mut calls, Method::Post, "/v1/private/spans/batch", "spans", written)?;
    let scores = || traces().flat_map(|(trace, _)| trace.scores.iter().map(move |score| (trace, score)));
    let of_traces = scores().filter(|(_, score)| score.span.is_none());
    let written = of_traces.map(|(trace, score)| feedback(&trace.id, score, project));
    put(&mut calls, Method::Put, "/v1/private/traces/feedback-scores", "scores", written)?;
    let of_spans = scores().filter_map(|(_, score)| Some((score.span.as_ref()?, score)));
    let written = of_spans.map(|(span, score)| feedback(span, score, project));
    put(&mut calls, Method::Put, "/v1/private/spans/feedback-scores", "scores", written)?;
    for experiment in batches.iter().filter_map(|batch| batch.experiment.as_ref()) {
        self::experiment(experiment, project, &mut calls)?;
    }
    Ok(calls)
}

const fn source(batch: &Batch) -> &'static str {
    if batch.experiment.is_some() { FROM_AN_EXPERIMENT } else { FROM_A_RUN }
}

fn trace_write<'a>(trace: &'a Trace, project: &'a str, source: &'static str) -> TraceWrite<'a> {
    let start_us = micros(&trace.started).unwrap_or_default();
    TraceWrite {
        id: &trace.id,
        project_name: project,
        name: &trace.name,
        start_time: rfc3339_us(start_us),
        end_time: trace.duration_us.map(|us| rfc3339_us(start_us.saturating_add(us))),
        input: &trace.input,
        output: &trace.output,
        metadata: &trace.metadata,
        tags: &trace.tags,
        source,
    }
}

fn span_write<'a>(trace: &'a Trace, span: &'a Span, project: &'a str, source: &'static str) -> SpanWrite<'a> {
    let start_us = micros(&trace.started).unwrap_or_default().saturating_add(span.start_us);
    let mut metadata = span.attributes.clone();
    metadata.insert("timed".to_owned(), span.duration_us.is_some().into());
    // Opik has no events.
    if !span.events.is_empty() {
        let events = span.events.iter().map(|event| {
            let mut told = event.attributes.clone();
            told.insert("event".to_owned(), event.name.as_str().into());
            Value::Object(told)
        });
        metadata.insert("events".to_owned(), events.collect::<Vec<_>>().into());
    }
    SpanWrite {
        id: &span.id,
        project_name: project,
        trace_id: &trace.id,
        parent_span_id: span.parent.as_deref(),
        name: &span.name,
        kind: "general",
        start_time: rfc3339_us(start_us),
        end_time: span.duration_us.map(|us| rfc3339_us(start_us.saturating_add(us))),
        input: &span.input,
        output: &span.output,
        metadata,
        source,
    }
}

fn feedback<'a>(of: &'a str, score: &'a Score, project: &'a str) -> FeedbackScore<'a> {
    FeedbackScore {
        id: of,
        project_name: project,
        name: &score.name,
        category_name: score.label.as_deref(),
        value: score.value,
        reason: score.reason.as_deref(),
        source: "sdk",
    }
}

fn dataset(own: &Dataset, project: &str, calls: &mut Vec<Call>) -> Result<(), ExportError> {
    let write = DatasetWrite { name: &own.name, description: &own.description, project_name: project };
    calls.push(Call::json(Method::Post, "/v1/private/datasets", json(&write)?));
    let item = |item: &DatasetItem| json(&DatasetItemWrite { id: &item.id, source: "sdk", data: &item.data });
    for items in chunks(own.items.iter().map(item))? {
        let items = RawValue::from_string(items).map_err(internal)?;
        let write = DatasetItems { dataset_name: &own.name, project_name: project, items };
        calls.push(Call::json(Method::Put, "/v1/private/datasets/items", json(&write)?));
    }
    Ok(())
}

fn experiment(experiment: &Experiment, project: &str, calls: &mut Vec<Call>) -> Result<(), ExportError> {
    let scores = experiment.scores.iter().map(|score| ExperimentScore { name: &score.name, value: score.value });
    let write = ExperimentWrite {
        id: &experiment.id,
        dataset_name: &experiment.dataset.name,
        project_name: project,
        name: &experiment.name,
        metadata: &experiment.metadata,
        kind: "regular",
        evaluation_method: "dataset",
        experiment_scores: scores.collect(),
    };
    calls.push(Call::json(Method::Post, "/v1/private/experiments", json(&write)?));
    let items = experiment.items.iter().map(|item| ExperimentItemWrite {
        id: &item.id,
        experiment_id: &experiment.id,
        dataset_item_id: &item.dataset_item_id,
        trace_id: &item.trace_id,
    });
    put(calls, Method::Post, "/v1/private/experiments/items", "experiment_items", items)
}

fn json<T: Serialize>(value: &T) -> Result<String, ExportError> {
    serde_json::to_string(value).map_err(internal)
}

#[expect(clippy::needless_pass_by_value, reason = "an error is mapped by value")]
fn internal(error: serde_json::Error) -> ExportError {
    ExportError::Internal { what: error.to_string() }
}

/// Calls with these elements, as many as are needed; none where there are none.
fn put<T: Serialize>(
    calls: &mut Vec<Call>,
    method: Method,
    path: &'static str,
    member: &str,
    elements: impl Iterator<Item = T>,
) -> Result<(), ExportError> {
    for list in chunks(elements.map(|element| json(&element)))? {
        calls.push(Call::json(method, path, format!("{{\"{member}\":{list}}}")));
    }
    Ok(())
}

/// JSON arrays of elements, each within the limits.
fn chunks(elements: impl Iterator<Item = Result<String, ExportError>>) -> Result<Vec<String>, ExportError> {
    let mut lists = Vec::new();
    let (mut list, mut count) = (String::new(), 0);
    for element in elements {
        let element = element?;
        if count > 0 && (count >= ELEMENTS_MAX || list.len() + 1 + element.len() > BODY_BYTES_MAX) {
            lists.push(format!("[{list}]"));
            list.clear();
            count = 0;
        }
        if count > 0 {
            list.push(',');
        }
        list.push_str(&element);
        count += 1;
    }
    if count > 0 {
        lists.push(format!("[{list}]"));
    }
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::{BODY_BYTES_MAX, ELEMENTS_MAX, chunks};

    fn sizes(elements: impl Iterator<Item = usize>) -> Vec<usize> {
        let elements = elements.map(|bytes| Ok(format!("\"{}\"", "x".repeat(bytes))));
        chunks(elements).unwrap().iter().map(|list| list.matches("\"").count() / 2).collect()
    }

    #[test]
    fn calls_hold_no_more_than_they_may() {
        assert_eq!(sizes([].into_iter()), [0_usize; 0]);
        assert_eq!(sizes((0..ELEMENTS_MAX).map(|_| 1)), [ELEMENTS_MAX]);
        assert_eq!(sizes((0..=ELEMENTS_MAX).map(|_| 1)), [ELEMENTS_MAX, 1]);
        let half = BODY_BYTES_MAX / 2 - 3;
        assert_eq!(sizes([half, half + 1].into_iter()), [2]);
        assert_eq!(sizes([half, half + 2].into_iter()), [1, 1]);
        assert_eq!(sizes([1, BODY_BYTES_MAX * 2, 1].into_iter()), [1, 1, 1]);
    }
}
