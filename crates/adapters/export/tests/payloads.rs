//! How a trace looks to each collector, byte by byte.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{batch, experiment, trace};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde_json::Value;
use steadfast_export::{Call, jsonl, opik, otlp};
use steadfast_wire::trace::Trace;

/// Method, path and body of each call, the body indented.
fn shown(calls: &[Call]) -> String {
    let one = |call: &Call| {
        assert_eq!(call.content_type, "application/json");
        let body: Value = serde_json::from_slice(&call.body).unwrap();
        format!("{:?} {}\n{body:#}\n", call.method, call.path)
    };
    calls.iter().map(one).collect()
}

#[test]
fn a_trace_is_one_line_of_json_and_comes_back() {
    let line = jsonl::line(&trace(7)).unwrap();
    insta::assert_snapshot!("jsonl", line);
    assert!(line.ends_with('\n') && line.matches('\n').count() == 1);
    assert_eq!(steadfast_wire::from_json::<Trace>(&line).unwrap(), trace(7));
}

#[test]
fn opik_gets_traces_spans_and_scores() {
    let (one, two) = (batch(1), batch(2));
    insta::assert_snapshot!("opik", shown(&opik::calls(&[&one], "days").unwrap()));
    let both = opik::calls(&[&one, &two], "days").unwrap();
    assert_eq!(both.len(), 4, "several traces go together");
}

#[test]
fn opik_gets_a_dataset_and_an_experiment() {
    let one = experiment();
    insta::assert_snapshot!("opik_experiment", shown(&opik::calls(&[&one], "days").unwrap()));
    let both = opik::calls(&[&one, &one], "days").unwrap();
    let datasets = both.iter().filter(|call| call.path == "/v1/private/datasets").count();
    assert_eq!(datasets, 1, "a dataset that experiments share is told once");
}

#[test]
fn a_collector_gets_spans_in_protobuf() {
    let resource = [("service.name".to_owned(), "tests".to_owned())];
    let body = otlp::request(&[&batch(1)], &resource);
    let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
    insta::assert_snapshot!("otlp", format!("{request:#?}"));
    let own = &request.resource_spans[0].scope_spans[0].spans;
    assert_eq!(own.len(), 3);
    let (root, child, grandchild) = (&own[0], &own[1], &own[2]);
    assert!(own.iter().all(|span| span.trace_id.len() == 16 && span.trace_id == root.trace_id));
    assert!(root.parent_span_id.is_empty());
    assert_eq!((&child.parent_span_id, &grandchild.parent_span_id), (&root.span_id, &child.span_id));
    assert_eq!(root.end_time_unix_nano - root.start_time_unix_nano, 123_000_000);
    assert_eq!(grandchild.end_time_unix_nano, grandchild.start_time_unix_nano, "it was not timed by itself");
    let names: Vec<&str> = own.iter().flat_map(|span| &span.events).map(|event| event.name.as_str()).collect();
    assert_eq!(
        names,
        [&["gen_ai.evaluation.result"; 3][..], &["steadfast.incident", "gen_ai.evaluation.result"]].concat()
    );
}

#[test]
fn the_traces_of_an_experiment_go_to_a_collector_as_they_are() {
    let body = otlp::request(&[&experiment()], &[]);
    let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
    let spans = &request.resource_spans[0].scope_spans[0].spans;
    assert_eq!(spans.len(), 2);
    assert!(spans.iter().all(|span| span.parent_span_id.is_empty()) && spans[0].trace_id != spans[1].trace_id);
}
