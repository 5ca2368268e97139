//! `/api/trajectories` and `/v1/traces`: their table.

use std::sync::Arc;

use axum::http::{HeaderMap, Method};
use steadfast_engine::EngineError;
use steadfast_engine::calls::Refusal;
use steadfast_engine::limits::LIVE_TRAJECTORY_STEPS_MAX;
use steadfast_engine::live::{NewSteps, TrajectoryFilter};
use steadfast_wire::api::{Components, members};
use steadfast_wire::live::{self, LiveStep, StepsTaken, TrajectoryHead, TrajectoryList, TrajectoryPage};
use steadfast_wire::watch::Watch;

use super::{LiveService, READ_AT_ONCE_BYTES, events, off, otlp, problem};
use crate::api::{CURSOR, LIMIT, MIB, fields, nothing, parameter};
use crate::problem::Problem;
use crate::problem::kinds::{IDEMPOTENCY, INVALID, MALFORMED, NOT_EVALUABLE, NOT_STORED, UNAVAILABLE, UNUSABLE};
use crate::query::Kind;
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes};

/// Bytes of a body of steps, or of spans.
const BODY_BYTES_MAX: usize = 16 * MIB;

/// Bytes of a string of JSON: what 1 MiB of text takes where all of it is escaped.
const FIELD_BYTES_MAX: usize = 6 * MIB;

/// Bytes of what is searched for.
const SEARCH_BYTES_MAX: usize = 256;

const LIST: Route = Route {
    path: "/api/trajectories",
    query: &[
        parameter("alerting", Kind::Word(&["true", "false"]), "`true` lists only those that have alerts."),
        parameter(
            "search",
            Kind::Text(SEARCH_BYTES_MAX),
            "Only those of which the name, the beginning of the intent or the first agent holds this.",
        ),
        LIMIT,
        CURSOR,
        fields(members::<TrajectoryHead>),
    ],
    gives: &[Gives::json(Components::of::<TrajectoryList>, "The trajectories, those that changed last first.")],
    problems: &[&UNUSABLE],
    name: "listTrajectories",
    tag: "trajectories",
    summary: "List trajectories",
    about: "Those that changed last first. One that changes meanwhile is at the front again.",
    handler: list,
    ..Route::GET
};

pub(crate) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        path: "/api/trajectories/{id}/steps",
        scope: Scope::Write,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(one_or_more),
            example: r#"{"prompt": "Summarise the meeting notes", "output": "The meeting was about the budget."}"#,
        }],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: FIELD_BYTES_MAX,
        query: &[parameter(
            "score",
            Kind::Word(&["true", "false"]),
            "`false` answers once the steps are on the disk; they are scored later.",
        )],
        gives: &[Gives::json(
            Components::of::<StepsTaken>,
            "The steps, with their scores where they were waited for. All of them are on the disk.",
        )],
        problems: &[&UNUSABLE, &IDEMPOTENCY, &UNAVAILABLE],
        name: "postSteps",
        summary: "Add steps to a trajectory",
        about: "One step, or a list of them, in their order: all are kept or none. The trajectory is made with its first step.",
        handler: post,
        ..LIST
    },
    LIST,
    Route {
        path: "/api/trajectories/{id}",
        query: &[
            LIMIT,
            parameter(
                "cursor",
                Kind::Count(0, LIVE_TRAJECTORY_STEPS_MAX),
                "The `next_cursor` of the page before: the place of the first step.",
            ),
            fields(members::<TrajectoryPage>),
        ],
        gives: &[Gives::json(Components::of::<TrajectoryPage>, "The trajectory with a page of its steps.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "showTrajectory",
        summary: "Show a trajectory",
        about: "With a page of its steps in their order, and their scores as far as they are made.",
        handler: show,
        ..LIST
    },
    Route {
        path: "/api/trajectories/{id}/watch",
        query: &[fields(members::<Watch>)],
        gives: &[Gives::json(Components::of::<Watch>, "The steps with their scores.")],
        problems: &[&UNUSABLE, &NOT_STORED, &NOT_EVALUABLE, &UNAVAILABLE],
        name: "watchTrajectory",
        summary: "The whole of a trajectory",
        about: "What `steadfast watch --format json` prints for its steps. Those that have no scores yet get them first.",
        handler: watch,
        ..LIST
    },
    Route {
        path: "/api/trajectories/{id}/events",
        query: &[parameter(
            "after",
            Kind::Count(0, LIVE_TRAJECTORY_STEPS_MAX),
            "The place of a step: what comes after it is told. Without it all is told, from the first step on.",
        )],
        gives: &[Gives {
            media: events::MEDIA_TYPE,
            schema: None,
            about: "An event `step` for each step that has scores, in their order: its id is the place of the step, its data a `StepScored`. \
                    `deleted` where the trajectory was deleted.",
        }],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "trajectoryEvents",
        summary: "Follow a trajectory",
        about: "Server-sent events: the scores of steps as they are made. Whoever comes again with `Last-Event-ID` misses nothing.",
        handler: follow,
        ..LIST
    },
    Route {
        method: Method::DELETE,
        path: "/api/trajectories/{id}",
        scope: Scope::Admin,
        query: &[],
        gives: &[],
        status: 204,
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "deleteTrajectory",
        summary: "Delete a trajectory",
        about: "With its steps: their bytes are overwritten.",
        handler: delete,
        ..LIST
    },
    Route {
        method: Method::POST,
        path: "/v1/traces",
        scope: Scope::Write,
        takes: &[
            Takes { media: Media::Protobuf, schema: None, example: "" },
            Takes {
                media: Media::Json,
                schema: Some(spans),
                example: r#"{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "startTimeUnixNano": "1", "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}, {"key": "gen_ai.output.messages", "value": {"stringValue": "The meeting was about the budget."}}]}]}]}]}"#,
            },
        ],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: FIELD_BYTES_MAX,
        query: &[],
        gives: &[
            Gives {
                media: "application/x-protobuf",
                schema: None,
                about: "An `ExportTraceServiceResponse`, where the request is in protobuf.",
            },
            Gives::json(partial, "The same in JSON: how many spans were not taken, and why."),
        ],
        problems: &[&UNUSABLE, &UNAVAILABLE],
        name: "postTraces",
        summary: "Take the spans of an OpenTelemetry exporter",
        about: "OTLP over HTTP. Spans that call a model or an agent become steps, as `steadfast watch` reads them; others are taken and \
                nothing is made of them. The steps are scored later. The same body sent again is taken once.",
        handler: otlp::post,
        ..LIST
    },
];

/// A step, or a list of steps.
fn one_or_more(components: &mut Components) -> serde_json::Value {
    let step = components.of::<LiveStep>();
    serde_json::json!({"oneOf": [step, {"type": "array", "items": step, "minItems": 1, "maxItems": live::STEPS_MAX}]})
}

/// A request of OTLP: its own specification says what stands in it.
fn spans(_: &mut Components) -> serde_json::Value {
    serde_json::json!({"type": "object", "properties": {"resourceSpans": {"type": ["array", "null"], "items": {"type": "object"}}}})
}

/// An answer of OTLP.
fn partial(_: &mut Components) -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {
            "partialSuccess": {
                "type": "object",
                "properties": {"rejectedSpans": {"type": "string"}, "errorMessage": {"type": "string"}},
            },
        },
    })
}

/// What trajectories are followed with.
pub(super) fn door(incoming: &Incoming) -> Result<&LiveService, Problem> {
    let refusal = || Refusal::input("this server keeps nothing, so it follows no trajectory");
    incoming.app.live.as_ref().ok_or_else(|| refusal().hint("start the server without `--no-store`").into())
}

/// A header that stands there once, as text.
fn header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Problem> {
    let mut all = headers.get_all(name).iter();
    let Some(value) = all.next() else { return Ok(None) };
    match value.to_str() {
        Ok(text) if all.next().is_none() => Ok(Some(text)),
        Ok(_) => Err(Problem::of(&INVALID, format!("the header `{name}` is given more than once"))),
        Err(_) => Err(Problem::of(&INVALID, format!("the header `{name}` holds something else than printable ASCII"))),
    }
}

fn post(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let door = door(&incoming)?;
        let score = incoming.query.text("score").as_deref() != Some("false");
        let key = header(&incoming.headers, "idempotency-key")?.map(str::to_owned);
        let (id, body) = (incoming.part("id"), incoming.body.clone());
        let length = body.len();
        let read = move || {
            crate::json::measure(&body, FIELD_BYTES_MAX)?;
            let steps = live::read_steps(&body).map_err(|error| match error {
                steadfast_wire::Error::Read(error) => crate::json::problem(&error, None),
                other => Problem::of(&MALFORMED, other.to_string()),
            })?;
            NewSteps::of(&id, steps, key.as_deref()).map_err(problem)
        };
        let steps = if length > READ_AT_ONCE_BYTES { off(read).await? } else { read()? };
        if !score {
            return incoming.answer(&door.intake.take(steps, true).await?);
        }
        // Whoever cannot have scores is told before anything is kept.
        let place = door.place().await?;
        door.work(None, super::Live::ready).await?;
        let taken = door.intake.take(steps, false).await?;
        let scored = door.work(Some(place), move |live| live.with_scores(taken)).await?;
        incoming.answer(&scored)
    })
}

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let filter = TrajectoryFilter {
            alerting: incoming.query.text("alerting").as_deref() == Some("true"),
            search: incoming.query.text("search"),
        };
        let (cursor, limit) = (incoming.query.text("cursor"), incoming.limit());
        let list = door(&incoming)?.work(None, move |live| live.list(filter, cursor.as_deref(), limit)).await?;
        incoming.list(&list, "trajectories")
    })
}

fn show(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (id, limit) = (incoming.part("id"), incoming.limit());
        let cursor = incoming.query.count("cursor").map(|cursor| cursor as u64);
        let page = door(&incoming)?.work(None, move |live| live.page(&id, cursor, limit)).await?;
        incoming.answer(&page)
    })
}

fn watch(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let door = door(&incoming)?;
        let id = incoming.part("id");
        let place = door.place().await?;
        let whole = door.work(Some(place), move |live| live.watch(&id)).await?;
        incoming.answer(&whole)
    })
}

/// The place of the last event that whoever follows has: by the header of one who comes again, else by the query.
pub(crate) fn after(incoming: &Incoming, place_max: u64, of: &str) -> Result<Option<u64>, Problem> {
    match header(&incoming.headers, "last-event-id")? {
        None => Ok(incoming.query.count("after").map(|after| after as u64)),
        Some(last) => last.parse().ok().filter(|last| *last <= place_max).map(Some).ok_or_else(|| {
            Problem::of(&INVALID, format!("the header `Last-Event-ID` is none that an event of {of} has"))
        }),
    }
}

fn follow(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let door = door(&incoming)?;
        let after = after(&incoming, LIVE_TRAJECTORY_STEPS_MAX, "a trajectory")?;
        let id = incoming.part("id");
        let listener = door.listeners.listen(&id)?;
        // Whoever follows nothing is told so by the status.
        door.work(None, move |live| live.trajectory(&id).map(drop)).await?;
        Ok(events::follow(Arc::clone(&door.live), listener, after, door.closing.subscribe()))
    })
}

fn delete(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let id = incoming.part("id");
        door(&incoming)?.work(None, move |live| live.delete(&id)).await?;
        Ok(nothing())
    })
}

/// Whether steps can never be taken, whoever sends them again.
pub(super) fn is_refused(error: &EngineError) -> bool {
    matches!(error, EngineError::Steps { .. } | EngineError::StepsTooLarge { .. } | EngineError::KeyReused { .. })
}
