//! Traces as OTLP spans, in protobuf.
//!
//! Names are those of OpenTelemetry's semantic conventions for generative AI: the run is an `invoke_workflow` operation, every score a
//! `gen_ai.evaluation.result` event on the span that it is about. What the conventions have no name for begins with `steadfast.`.

use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::{Event, SpanKind};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span as OtlpSpan};
use prost::Message;
use steadfast_engine::store::micros;
use steadfast_wire::trace::{Attributes, Batch, Score, Span, Trace, Value};

/// The media type of a request.
pub const CONTENT_TYPE: &str = "application/x-protobuf";

/// The event of a score.
const EVALUATION: &str = "gen_ai.evaluation.result";

/// W3C trace flags: sampled.
const SAMPLED: u32 = 1;

/// What a collector said of spans that it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// Spans that it did not keep.
    pub rejected_spans: u64,
    /// What it says about them, or a warning where it kept all.
    pub message: String,
}

/// The body of a request that holds these batches.
#[must_use]
pub fn request(batches: &[&Batch], resource: &[(String, String)]) -> Vec<u8> {
    let spans = batches.iter().flat_map(|batch| &batch.traces).flat_map(spans).collect();
    let scope = InstrumentationScope {
        name: "steadfast".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let attributes = resource.iter().map(|(name, value)| pair(name, &Value::from(value.as_str()))).collect();
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(Resource { attributes, ..Resource::default() }),
            scope_spans: vec![ScopeSpans { scope: Some(scope), spans, ..ScopeSpans::default() }],
            ..ResourceSpans::default()
        }],
    }
    .encode_to_vec()
}

/// What the body of an answer says of spans that were not kept; an empty body, or one that cannot be read, says nothing.
#[must_use]
pub fn partial(body: &[u8]) -> Partial {
    let said = ExportTraceServiceResponse::decode(body).ok().and_then(|response| response.partial_success);
    said.map_or_else(Partial::default, |partial| Partial {
        rejected_spans: u64::try_from(partial.rejected_spans).unwrap_or(0),
        message: partial.error_message,
    })
}

/// The run as the root span, and its own spans below it.
fn spans(trace: &Trace) -> Vec<OtlpSpan> {
    let trace_id = bytes(&trace.id);
    let root_id = span_id(&trace.id);
    let start_us = micros(&trace.started).unwrap_or_default();
    let scores = |of: Option<&str>, at_us: u64| -> Vec<Event> {
        let own = trace.scores.iter().filter(|score| score.span.as_deref() == of);
        own.map(|score| evaluation(score, nanos(at_us))).collect()
    };
    let mut attributes = vec![
        pair("gen_ai.operation.name", &"invoke_workflow".into()),
        pair("gen_ai.workflow.name", &format!("steadfast {}", trace.name).into()),
        pair("steadfast.tags", &trace.tags.iter().map(|tag| tag.as_str().into()).collect::<Vec<Value>>().into()),
    ];
    prefixed(&mut attributes, "steadfast.input.", &trace.input);
    prefixed(&mut attributes, "steadfast.output.", &trace.output);
    prefixed(&mut attributes, "steadfast.", &trace.metadata);
    let end_us = start_us.saturating_add(trace.duration_us.unwrap_or(0));
    let root = OtlpSpan {
        trace_id: trace_id.clone(),
        span_id: root_id.clone(),
        flags: SAMPLED,
        name: format!("invoke_workflow steadfast {}", trace.name),
        kind: SpanKind::Internal as i32,
        start_time_unix_nano: nanos(start_us),
        end_time_unix_nano: nanos(end_us),
        attributes,
        events: scores(None, end_us),
        ..OtlpSpan::default()
    };
    let own = trace.spans.iter().map(|span| {
        let begin_us = start_us.saturating_add(span.start_us);
        let end_us = begin_us.saturating_add(span.duration_us.unwrap_or(0));
        let found = span.events.iter().map(|event| {
            let mut attributes = Vec::new();
            prefixed(&mut attributes, "steadfast.", &event.attributes);
            Event {
                time_unix_nano: nanos(end_us),
                name: format!("steadfast.{}", event.name),
                attributes,
                ..Event::default()
            }
        });
        OtlpSpan {
            trace_id: trace_id.clone(),
            span_id: span_id(&span.id),
            parent_span_id: span.parent.as_ref().map_or_else(|| root_id.clone(), |parent| span_id(parent)),
            flags: SAMPLED,
            name: span.name.clone(),
            kind: SpanKind::Internal as i32,
            start_time_unix_nano: nanos(begin_us),
            end_time_unix_nano: nanos(end_us),
            attributes: attributes_of(span),
            events: scores(Some(&span.id), end_us).into_iter().chain(found).collect(),
            ..OtlpSpan::default()
        }
    });
    [root].into_iter().chain(own).collect()
}

fn attributes_of(span: &Span) -> Vec<KeyValue> {
    let mut attributes = vec![pair("steadfast.timed", &span.duration_us.is_some().into())];
    // An agent that was watched goes by the conventions' own names.
    for (name, own) in [("agent", "gen_ai.agent.name"), ("task_id", "gen_ai.conversation.id")] {
        attributes.extend(span.attributes.get(name).map(|value| pair(own, value)));
    }
    prefixed(&mut attributes, "steadfast.input.", &span.input);
    prefixed(&mut attributes, "steadfast.output.", &span.output);
    prefixed(&mut attributes, "steadfast.", &span.attributes);
    attributes
}

fn evaluation(score: &Score, at_nanos: u64) -> Event {
    let mut attributes = vec![
        pair("gen_ai.evaluation.name", &score.name.as_str().into()),
        pair("gen_ai.evaluation.score.value", &score.value.into()),
    ];
    for (name, text) in
        [("gen_ai.evaluation.score.label", &score.label), ("gen_ai.evaluation.explanation", &score.reason)]
    {
        attributes.extend(text.as_ref().map(|text| pair(name, &text.as_str().into())));
    }
    Event { time_unix_nano: at_nanos, name: EVALUATION.to_owned(), attributes, ..Event::default() }
}

fn prefixed(into: &mut Vec<KeyValue>, prefix: &str, attributes: &Attributes) {
    into.extend(attributes.iter().map(|(name, value)| pair(&format!("{prefix}{name}"), value)));
}

fn pair(name: &str, value: &Value) -> KeyValue {
    KeyValue { key: name.to_owned(), value: Some(any(value)), ..KeyValue::default() }
}

/// Lists of plain values are arrays; what is nested deeper is JSON in a text, which every backend can show.
fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Null => return AnyValue::default(),
        Value::Bool(flag) => any_value::Value::BoolValue(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => any_value::Value::IntValue(whole),
            None => any_value::Value::DoubleValue(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => any_value::Value::StringValue(text.clone()),
        Value::Array(list) if list.iter().all(|it| !matches!(it, Value::Array(_) | Value::Object(_))) => {
            any_value::Value::ArrayValue(ArrayValue { values: list.iter().map(any).collect() })
        }
        Value::Array(_) | Value::Object(_) => any_value::Value::StringValue(value.to_string()),
    };
    AnyValue { value: Some(value) }
}

const fn nanos(us: u64) -> u64 {
    us.saturating_mul(1_000)
}

/// The sixteen bytes of a UUID. What is none gives zeros after what could be read.
fn bytes(id: &str) -> Vec<u8> {
    let digits: Vec<u32> = id.chars().filter_map(|character| character.to_digit(16)).collect();
    let mut bytes: Vec<u8> =
        digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + *digit as u8)).collect();
    bytes.resize(16, 0);
    bytes
}

/// The last eight bytes of a UUID: its random half, which is never zero.
fn span_id(id: &str) -> Vec<u8> {
    bytes(id).split_off(8)
}

#[cfg(test)]
mod tests {
    use super::{bytes, partial, span_id};

    #[test]
    fn ids_are_the_bytes_of_uuids() {
        assert_eq!(bytes("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")[..4], [0x01, 0x7f, 0x22, 0xe2]);
        assert_eq!(span_id("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), [0x98, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
        assert_eq!((bytes("").len(), bytes(&"f".repeat(99)).len()), (16, 16));
    }

    #[test]
    fn partial_success_is_read_and_hostile_bodies_say_nothing() {
        // partial_success { rejected_spans: 2, error_message: "full" }
        let said = partial(&[0x0a, 0x08, 0x08, 0x02, 0x12, 0x04, b'f', b'u', b'l', b'l']);
        assert_eq!((said.rejected_spans, said.message.as_str()), (2, "full"));
        // rejected_spans: -1
        let minus = [0x0a, 0x0b, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        for none in [&b""[..], b"<html>", &[0xff; 64], &minus] {
            assert_eq!(partial(none).rejected_spans, 0);
        }
    }
}
