//! `/v1/traces`, with spans in both forms.

use std::time::Instant;

use axum::body::Bytes;
use axum::http::{Method, Request, StatusCode, header};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use serde_json::{Value, json};

use super::{Answer, Server, answer};
use crate::routes::LATE;

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

async fn send(server: &Server, media: &str, gzip: bool, body: impl Into<axum::body::Body>) -> Answer {
    let mut request = Request::post("/v1/traces").header(header::CONTENT_TYPE, media);
    if gzip {
        request = request.header(header::CONTENT_ENCODING, "gzip");
    }
    answer(server.send(request, body).await).await
}

/// Calls of a model in one conversation: what is asked and said.
fn said(count: usize) -> Vec<(String, String)> {
    (0..count).map(|at| (format!("Write part {at}."), format!("This is part {at}."))).collect()
}

fn messages(role: &str, text: &str) -> String {
    json!([{"role": role, "parts": [{"type": "text", "content": text}]}]).to_string()
}

fn attributes(conversation: &str, prompt: &str, output: &str) -> Vec<(&'static str, String)> {
    vec![
        ("gen_ai.operation.name", "chat".to_owned()),
        ("gen_ai.conversation.id", conversation.to_owned()),
        ("gen_ai.agent.name", "writer".to_owned()),
        ("gen_ai.input.messages", messages("user", prompt)),
        ("gen_ai.output.messages", messages("assistant", output)),
    ]
}

fn as_json(conversation: &str, said: &[(String, String)]) -> Value {
    let spans: Vec<Value> = (1_u64..)
        .zip(said)
        .map(|(at, (prompt, output))| {
            let attributes: Vec<Value> = attributes(conversation, prompt, output)
                .into_iter()
                .map(|(key, text)| json!({"key": key, "value": {"stringValue": text}}))
                .collect();
            json!({
                "traceId": format!("{:032x}", 7), "spanId": format!("{at:016x}"), "startTimeUnixNano": at.to_string(),
                "attributes": attributes,
            })
        })
        .collect();
    json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
}

fn as_protobuf(conversation: &str, said: &[(String, String)]) -> Vec<u8> {
    let pair = |(key, text): (&str, String)| KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(any_value::Value::StringValue(text)) }),
        ..KeyValue::default()
    };
    let spans = (1_u64..)
        .zip(said)
        .map(|(at, (prompt, output))| Span {
            trace_id: 7_u128.to_be_bytes().to_vec(),
            span_id: at.to_be_bytes().to_vec(),
            start_time_unix_nano: at,
            attributes: attributes(conversation, prompt, output).into_iter().map(pair).collect(),
            ..Span::default()
        })
        .collect();
    let scope_spans = vec![ScopeSpans { spans, ..ScopeSpans::default() }];
    ExportTraceServiceRequest { resource_spans: vec![ResourceSpans { scope_spans, ..ResourceSpans::default() }] }
        .encode_to_vec()
}

async fn kept(server: &Server, id: &str) -> Vec<(String, String, String)> {
    let page = server.get(&format!("/api/trajectories/{id}?limit=100")).await;
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let steps = page["steps"].as_array().unwrap();
    steps.iter().map(|it| (text(&it["agent"]), text(&it["prompt"]), text(&it["output"]))).collect()
}

#[tokio::test]
async fn both_forms_become_the_same_steps() {
    let server = Server::start();
    let said = said(3);
    let answered = send(&server, PROTOBUF, false, as_protobuf("p", &said)).await;
    assert_eq!(answered.status, StatusCode::OK);
    assert_eq!(answered.headers[header::CONTENT_TYPE], PROTOBUF);
    assert_eq!(answered.body, Bytes::new(), "a success says nothing more");
    let answered = send(&server, JSON, false, as_json("j", &said).to_string()).await;
    assert_eq!(answered.status, StatusCode::OK);
    assert_eq!(answered.headers[header::CONTENT_TYPE], JSON);
    assert_eq!(answered.json(), json!({}));
    let expect: Vec<_> = said.into_iter().map(|(prompt, output)| ("writer".to_owned(), prompt, output)).collect();
    assert_eq!(kept(&server, "p").await, expect);
    assert_eq!(kept(&server, "j").await, expect);
}

#[tokio::test]
async fn a_request_that_is_sent_again_is_taken_once() {
    let server = Server::start();
    let body = as_protobuf("c", &said(2));
    for gzip in [false, true, false] {
        let sent = if gzip { deflated(&body) } else { body.clone() };
        assert_eq!(send(&server, PROTOBUF, gzip, sent).await.status, StatusCode::OK);
    }
    assert_eq!(kept(&server, "c").await.len(), 2);
    assert_eq!(send(&server, PROTOBUF, false, as_protobuf("c", &said(1))).await.status, StatusCode::OK);
    assert_eq!(kept(&server, "c").await.len(), 3);
}

pub(super) fn deflated(body: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(body).unwrap();
    writer.finish().unwrap()
}

#[tokio::test]
async fn what_is_not_taken_is_counted_and_said() {
    let server = Server::start();
    let too_long = "x".repeat((1 << 20) + 1);
    let said = [("a".to_owned(), too_long), ("b".to_owned(), "Taken.".to_owned())];
    let answered = send(&server, PROTOBUF, false, as_protobuf("c", &said)).await;
    assert_eq!(answered.status, StatusCode::OK);
    let partial = ExportTraceServiceResponse::decode(answered.body).unwrap().partial_success.unwrap();
    assert_eq!(partial.rejected_spans, 1);
    assert_eq!(partial.error_message, "`output` of step 0 of the request has 1048577 bytes, more than 1048576");
    assert_eq!(kept(&server, "c").await.len(), 1);

    let mut body = as_json("bad\u{7}name", &said[1..]);
    body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array_mut().unwrap().push(json!({"spanId": "1"}));
    let partial = &send(&server, JSON, false, body.to_string()).await.json()["partialSuccess"];
    assert_eq!(partial["rejectedSpans"], "2");
    let message = partial["errorMessage"].as_str().unwrap();
    assert!(message.starts_with("a span has no `traceId`; the name of a trajectory has"), "{message}");
}

#[tokio::test]
async fn a_warning_says_that_nothing_was_captured() {
    let server = Server::start();
    let mut body = as_json("c", &said(1));
    let attributes = &mut body["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"];
    attributes.as_array_mut().unwrap().truncate(2);
    let partial = &send(&server, JSON, false, body.to_string()).await.json()["partialSuccess"];
    assert_eq!(partial["rejectedSpans"], "0");
    assert!(partial["errorMessage"].as_str().unwrap().contains("CAPTURE_MESSAGE_CONTENT"), "{partial}");
}

#[tokio::test]
async fn what_is_no_request_of_spans_is_refused() {
    let server = Server::start();
    assert_eq!(send(&server, PROTOBUF, false, "{}").await.refusal(), (400, "bad-request".to_owned()));
    assert_eq!(send(&server, JSON, false, "{").await.refusal(), (400, "malformed-json".to_owned()));
    assert_eq!(send(&server, "text/plain", false, "x").await.refusal(), (415, "unsupported-media-type".to_owned()));
    for other in
        ["[null, null]", "[]", "null", "3", "\"spans\"", r#"{"resourceSpans": {}}"#, r#"{"resourceSpans": [1]}"#]
    {
        assert_eq!(send(&server, JSON, false, other).await.refusal(), (422, "invalid".to_owned()), "{other}");
    }
    assert_eq!(send(&server, JSON, false, r#"{"resourceSpans": null}"#).await.status, StatusCode::OK);
    let begun = Instant::now();
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    assert_eq!(send(&server, JSON, false, deep).await.refusal(), (422, "invalid".to_owned()));
    let wide = format!("[{}]", vec!["1"; 300_002].join(","));
    assert_eq!(send(&server, JSON, false, wide).await.refusal(), (413, "too-large".to_owned()));
    assert!(begun.elapsed() >= 2 * LATE, "{:?}", begun.elapsed());
    assert_eq!(server.ask(Method::GET, "/v1/traces").await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(server.get("/api/trajectories").await["trajectories"], json!([]));
}
