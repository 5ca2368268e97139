//! What the library of OpenTelemetry writes is read as OTLP/JSON says it.

use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue, KeyValueList};
use opentelemetry_proto::tonic::trace::v1::span::Event;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use serde_json::json;

use super::{answer, read};
use crate::json::Limits;

const LIMITS: Limits = Limits { field_bytes_max: 100, depth_max: 4, values_max: 1_000 };

fn any(value: Any) -> AnyValue {
    AnyValue { value: Some(value) }
}

fn pair(key: &str, value: Any) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(any(value)), ..KeyValue::default() }
}

fn text(text: &str) -> Any {
    Any::StringValue(text.to_owned())
}

fn request(spans: Vec<Span>) -> Vec<u8> {
    let scope_spans = vec![ScopeSpans { spans, schema_url: "https://example.org".to_owned(), ..ScopeSpans::default() }];
    let resource_spans = vec![ResourceSpans { scope_spans, ..ResourceSpans::default() }];
    ExportTraceServiceRequest { resource_spans }.encode_to_vec()
}

fn span() -> Span {
    Span {
        trace_id: vec![0xab; 16],
        span_id: vec![1, 2, 3, 4, 5, 6, 7, 8],
        parent_span_id: vec![0xff; 8],
        name: "chat".to_owned(),
        start_time_unix_nano: 1_763_000_000_000_000_001,
        end_time_unix_nano: 5,
        attributes: vec![
            pair("t", text("é")),
            pair("b", Any::BoolValue(true)),
            pair("i", Any::IntValue(-7)),
            pair("d", Any::DoubleValue(0.5)),
            pair("a", Any::ArrayValue(ArrayValue { values: vec![any(text("x")), any(Any::IntValue(1))] })),
            pair("k", Any::KvlistValue(KeyValueList { values: vec![pair("in", text("y"))] })),
            pair("bytes", Any::BytesValue(vec![1, 2])),
        ],
        events: vec![Event { name: "e".to_owned(), attributes: vec![pair("n", text("m"))], ..Event::default() }],
        ..Span::default()
    }
}

#[test]
fn every_kind_of_value_is_read() {
    let read = read(&request(vec![span()]), LIMITS).unwrap();
    let expect = json!({"resourceSpans": [{"scopeSpans": [{"spans": [{
        "traceId": "ab".repeat(16),
        "spanId": "0102030405060708",
        "parentSpanId": "ff".repeat(8),
        "startTimeUnixNano": "1763000000000000001",
        "attributes": [
            {"key": "t", "value": {"stringValue": "é"}},
            {"key": "b", "value": {"boolValue": true}},
            {"key": "i", "value": {"intValue": "-7"}},
            {"key": "d", "value": {"doubleValue": 0.5}},
            {"key": "a", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {"intValue": "1"}]}}},
            {"key": "k", "value": {"kvlistValue": {"values": [{"key": "in", "value": {"stringValue": "y"}}]}}},
            {"key": "bytes", "value": null},
        ],
        "events": [{"name": "e", "attributes": [{"key": "n", "value": {"stringValue": "m"}}]}],
    }]}]}]});
    assert_eq!(read, expect);
}

#[track_caller]
fn check(body: &[u8], limits: Limits, expect: &str) {
    let said = read(body, limits).map_or_else(|it| format!("{}: {}", it.kind.name, it.detail), |_| "read".to_owned());
    assert_eq!(said, expect);
}

#[test]
fn what_is_cut_off_or_foreign_is_refused() {
    const BROKEN: &str = "bad-request: the body is no `ExportTraceServiceRequest` in protobuf";
    let whole = request(vec![span()]);
    check(&whole, LIMITS, "read");
    check(b"", LIMITS, "read");
    for length in 1..whole.len() {
        check(&whole[..length], LIMITS, BROKEN);
    }
    check(b"{}", LIMITS, BROKEN);
    check(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], LIMITS, BROKEN);
    let no_text = Span { attributes: vec![pair("xx", text("ab"))], ..Span::default() };
    let mut bytes = request(vec![no_text]);
    let at = bytes.windows(2).position(|two| two == b"xx").unwrap();
    bytes[at] = 0xff;
    check(&bytes, LIMITS, BROKEN);
}

#[test]
fn what_comes_of_a_body_has_limits() {
    let nested = |depth: usize| {
        let inner = (0..depth).fold(text("x"), |inner, _| Any::ArrayValue(ArrayValue { values: vec![any(inner)] }));
        request(vec![Span { attributes: vec![pair("k", inner)], ..Span::default() }])
    };
    check(&nested(3), LIMITS, "read");
    check(&nested(4), LIMITS, "invalid: values stand more than 4 deep within one another");
    let long = |length: usize| {
        request(vec![Span { attributes: vec![pair("k", text(&"x".repeat(length)))], ..Span::default() }])
    };
    check(&long(100), LIMITS, "read");
    check(&long(101), LIMITS, "too-large: a string holds 101 bytes, more than the 100 of this route");
    // A resource and a scope are values as well.
    check(&request(vec![Span::default(); 998]), LIMITS, "read");
    check(&request(vec![Span::default(); 999]), LIMITS, "too-large: the body holds more than 1000 values");
}

#[test]
fn the_answer_is_read_by_others() {
    assert_eq!(answer(0, ""), b"");
    for (spans, message) in [(3_u32, "too long"), (0, "a warning"), (u32::MAX, "")] {
        let bytes = answer(spans.into(), message);
        let partial = ExportTraceServiceResponse::decode(bytes.as_slice()).unwrap().partial_success.unwrap();
        assert_eq!((partial.rejected_spans, partial.error_message.as_str()), (spans.into(), message));
    }
}
