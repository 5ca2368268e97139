//! Spans of an exporter of OpenTelemetry (OTLP over HTTP): those that call a model or an agent become steps.
//!
//! An exporter sends a request again where it saw no answer, to the byte: so the hash of its body is the key of its steps.

mod protobuf;

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use steadfast_engine::calls;
use steadfast_engine::live::NewSteps;
use steadfast_wire::live::{LiveStep, STEPS_MAX};
use steadfast_wire::to_json_line;
use steadfast_wire::watch::{CAPTURE_SETTING, GivenStep, ReadSpans, read_spans};

use super::intake::Told;
use super::routes::{door, is_refused};
use super::{off, problem};
use crate::json::Limits;
use crate::problem::Problem;
use crate::problem::kinds::INVALID;
use crate::routes::{Answer, Incoming, Media};

/// Objects and lists within one another in a request of spans: tools are called with values of their own depth.
const DEPTH_MAX: usize = 64;

/// Values in a request: those of 512 spans with 128 attributes each, and as many again.
const VALUES_MAX: usize = 300_000;

/// Requests whose steps are handed over before their receipts are waited for.
const TOGETHER_MAX: usize = 64;

/// Reasons that an answer gives.
const REASONS_MAX: usize = 5;

/// What of a request was not taken, and why.
#[derive(Debug, Default)]
struct Rejected {
    spans: u64,
    reasons: Vec<String>,
}

impl Rejected {
    fn add(&mut self, spans: u64, reason: String) {
        self.spans += spans;
        self.tell(reason);
    }

    fn tell(&mut self, reason: String) {
        if self.reasons.len() < REASONS_MAX && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

/// Steps of one trajectory that are kept together.
struct Piece {
    steps: NewSteps,
    spans: u64,
}

pub(super) fn post(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let door = door(&incoming)?;
        let media = incoming.media;
        let (body, limit) = (incoming.body.clone(), incoming.route.field_bytes_max);
        // So few work at a time that what they make of their bodies has a bound.
        let place = door.place().await?;
        let (pieces, mut rejected) = off(move || {
            let request = read(media, &body, limit)?;
            let read = read_spans(&request);
            drop(request);
            let pieces = pieces(read, &calls::fingerprint(&body));
            drop(place);
            Ok(pieces)
        })
        .await?;
        let mut pieces = pieces.into_iter();
        loop {
            let mut handed: Vec<(u64, tokio::sync::oneshot::Receiver<Told>)> = Vec::new();
            for Piece { steps, spans } in pieces.by_ref().take(TOGETHER_MAX) {
                handed.push((spans, door.intake.queue(steps, true)?));
            }
            if handed.is_empty() {
                break;
            }
            for (spans, told) in handed {
                match told.await.map_err(|_| Problem::fault("nobody takes steps any more"))? {
                    Ok(_) => {}
                    Err(error) if is_refused(&error) => rejected.add(spans, error.to_string()),
                    // Sent again, what was kept is not kept twice.
                    Err(error) => return Err(problem(error)),
                }
            }
        }
        Ok(answer(media, &rejected))
    })
}

fn read(media: Option<Media>, body: &Bytes, field_bytes_max: usize) -> Result<Value, Problem> {
    match media {
        Some(Media::Protobuf) => {
            protobuf::read(body, Limits { field_bytes_max, depth_max: DEPTH_MAX, values_max: VALUES_MAX })
        }
        _ => {
            let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
            crate::json::measure_within(
                body,
                Limits { field_bytes_max, depth_max: DEPTH_MAX, values_max: VALUES_MAX },
            )?;
            let request: Value = serde_json::from_slice(body).map_err(|error| crate::json::problem(&error, None))?;
            let Value::Object(members) = &request else {
                return Err(Problem::of(&INVALID, "the body is no JSON object").at(""));
            };
            match members.get("resourceSpans") {
                // To JSON of protocol buffers `null` is what is not said.
                None | Some(Value::Null) => Ok(request),
                Some(Value::Array(all)) if all.iter().all(Value::is_object) => Ok(request),
                Some(_) => Err(Problem::of(&INVALID, "`resourceSpans` is no list of objects").at("/resourceSpans")),
            }
        }
    }
}

/// The steps of each trajectory, as many at a time as may be; those that never can be taken are left out.
fn pieces(read: ReadSpans, fingerprint: &str) -> (Vec<Piece>, Rejected) {
    let mut rejected = Rejected { spans: read.rejected, reasons: Vec::new() };
    for problem in read.problems {
        rejected.tell(problem.message);
    }
    if !read.steps.is_empty() && read.steps.iter().all(|step| step.prompt.is_none() && step.output.is_none()) {
        rejected.tell(format!("no span captured what was asked or said: `{CAPTURE_SETTING}` would have it captured"));
    }
    let mut places: HashMap<Arc<str>, usize> = HashMap::new();
    let mut all: Vec<(Arc<str>, Vec<LiveStep>)> = Vec::new();
    for step in read.steps {
        let (task, step) = of_span(step);
        if let Err(error) = NewSteps::of(&task, vec![step.clone()], None) {
            rejected.add(1, error.to_string());
            continue;
        }
        let place = *places.entry(Arc::clone(&task)).or_insert(all.len());
        match all.get_mut(place) {
            Some((_, steps)) => steps.push(step),
            None => all.push((task, vec![step])),
        }
    }
    let mut pieces = Vec::new();
    for (task, steps) in all {
        for (at, steps) in steps.chunks(STEPS_MAX).enumerate() {
            let spans = steps.len() as u64;
            match NewSteps::of(&task, steps.to_vec(), Some(&format!("otlp-{fingerprint}-{at}"))) {
                Ok(steps) => pieces.push(Piece { steps, spans }),
                Err(error) => rejected.add(spans, error.to_string()),
            }
        }
    }
    (pieces, rejected)
}

/// A step as it is posted. It has no number: those of a request count from 0 each time, those of a trajectory go on.
fn of_span(step: GivenStep) -> (Arc<str>, LiveStep) {
    let GivenStep { task_id, agent, prompt, output, initial_intent, parent, .. } = step;
    let text = |text: Option<Arc<str>>| text.map(|text| text.as_ref().to_owned());
    let step = LiveStep {
        task_id: None,
        step: None,
        prompt: text(prompt),
        output,
        agent: text(agent),
        initial_intent: text(initial_intent),
        parent: text(parent),
    };
    (task_id, step)
}

/// An `ExportTraceServiceResponse` in the form of the request. Where all is taken and nothing is to be told, it is empty.
fn answer(media: Option<Media>, rejected: &Rejected) -> Response {
    // What spans hold is text of others.
    let message: String = rejected.reasons.join("; ").chars().flat_map(shown).collect();
    let (media, body) = match media {
        Some(Media::Protobuf) => (Media::Protobuf, protobuf::answer(rejected.spans, &message)),
        _ => {
            let told =
                json!({"partialSuccess": {"rejectedSpans": rejected.spans.to_string(), "errorMessage": message}});
            let all = if rejected.spans == 0 && message.is_empty() { json!({}) } else { told };
            (Media::Json, to_json_line(&all).unwrap_or_default().into_bytes())
        }
    };
    ([(header::CONTENT_TYPE, HeaderValue::from_static(media.name()))], body).into_response()
}

/// A character of a message: controls as escapes.
fn shown(own: char) -> impl Iterator<Item = char> {
    let escaped = own.is_control().then(|| own.escape_default());
    let plain = escaped.is_none().then_some(own);
    escaped.into_iter().flatten().chain(plain)
}
