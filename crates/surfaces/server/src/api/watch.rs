//! `POST /api/watch` and `/api/watch/compare`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::http::Method;
use steadfast_engine::File;
use steadfast_engine::calls::{self, CompareCall, WatchCall};
use steadfast_wire::api::{ArmBody, CompareBody, Components, WatchBody, members};
use steadfast_wire::to_json_line;
use steadfast_wire::tools::{EmbedderChoice, WatchStep};
use steadfast_wire::watch::{Aggregate, Comparison, Watch};

use super::{MIB, NAME_CHARS_MAX, fields, parameter};
use crate::problem::Problem;
use crate::problem::kinds::{INVALID, NOT_EVALUABLE, UNAVAILABLE, UNUSABLE};
use crate::query::Kind;
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

/// What a log is called that comes without a file.
const LOG_NAME: &str = "steps.jsonl";

/// What the arms are called whose names nobody says.
const ARM_NAMES: [&str; 2] = ["a.jsonl", "b.jsonl"];

/// Steps of one request.
const STEPS_MAX: usize = 100_000;

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        path: "/api/watch",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[
            Takes {
                media: Media::Json,
                schema: Some(Components::of::<WatchBody>),
                example: r#"{"embedder": "lexical", "steps": [{"task_id": "t1", "prompt": "Summarise the meeting notes", "output": "The meeting was about the budget."}, {"task_id": "t1", "prompt": "Shorten the summary", "output": "Budget meeting."}]}"#,
            },
            Takes {
                media: Media::Lines,
                schema: None,
                example: "{\"task_id\": \"t1\", \"step\": 0, \"prompt\": \"Summarise the meeting notes\", \"output\": \"The meeting was about the budget.\"}\n",
            },
        ],
        body_bytes_max: 64 * MIB,
        field_bytes_max: 32 * MIB,
        query: &[
            parameter(
                "name",
                Kind::Text(NAME_CHARS_MAX),
                "What the log is called; `steps.jsonl` where it is not said. For JSON lines alone.",
            ),
            parameter(
                "embedder",
                Kind::Word(&["minilm", "lexical"]),
                "What makes vectors of the texts. For JSON lines alone.",
            ),
            parameter(
                "aggregate",
                Kind::Word(&["whole", "max-sentence", "mean-chunk"]),
                "What of a long output is compared. For JSON lines alone.",
            ),
            fields(members::<Watch>),
        ],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<Watch>),
            about: "The steps with their scores.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_EVALUABLE, &UNAVAILABLE],
        name: "watch",
        tag: "instruments",
        summary: "Follow an agent step by step",
        about: "Step by step, is the agent still on the goal, and where did it leave it? The answer is what `steadfast watch --format json` \
                prints.",
        handler: watch,
    },
    Route {
        method: Method::POST,
        path: "/api/watch/compare",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<CompareBody>),
            example: r#"{"embedder": "lexical", "a": {"steps": [{"task_id": "t1", "prompt": "Name the seeds", "output": "Beans."}, {"task_id": "t1", "prompt": "Name more seeds", "output": "Beans and peas."}]}, "b": {"steps": [{"task_id": "t1", "prompt": "Name the seeds", "output": "Beans."}, {"task_id": "t1", "prompt": "Name more seeds", "output": "The weather is fine."}]}}"#,
        }],
        body_bytes_max: 64 * MIB,
        field_bytes_max: 32 * MIB,
        query: &[fields(members::<Comparison>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<Comparison>),
            about: "The comparison.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_EVALUABLE, &UNAVAILABLE],
        name: "watchCompare",
        tag: "instruments",
        summary: "Compare two arms on the same tasks",
        about: "The answer is what `steadfast watch compare --format json` prints.",
        handler: compare,
    },
];

fn watch(given: Given) -> Answer {
    Box::pin(async move {
        let call = match given.media {
            Some(Media::Lines) => WatchCall {
                log: File {
                    name: given.query.text("name").unwrap_or_else(|| LOG_NAME.to_owned()),
                    bytes: given.body.to_vec(),
                },
                embedder: EmbedderChoice::ALL
                    .iter()
                    .find(|own| given.query.text("embedder").as_deref() == Some(own.name()))
                    .copied()
                    .unwrap_or(EmbedderChoice::Minilm),
                aggregate: Aggregate::ALL
                    .iter()
                    .find(|own| given.query.text("aggregate").as_deref() == Some(own.name()))
                    .copied()
                    .unwrap_or(Aggregate::Whole),
                alert: None,
                intents: std::collections::BTreeMap::new(),
            },
            _ => of_body(&given)?,
        };
        let stopped = Arc::clone(&given.stopped);
        given.answer(&calls::watch(&given.calling(), call, move || stopped.load(Ordering::Relaxed)).await?)
    })
}

fn of_body(given: &Given) -> Result<WatchCall, Problem> {
    if let Some(name) = ["name", "embedder", "aggregate"].into_iter().find(|name| given.query.has(name)) {
        let problem = Problem::of(&UNUSABLE, format!("`{name}` is a parameter for JSON lines")).parameter(name);
        return Err(problem.hint("say it in the body"));
    }
    let WatchBody { steps, log, intents, embedder, aggregate, alert } = given.json()?;
    Ok(WatchCall {
        log: log_file(LOG_NAME.to_owned(), steps, log, "")?,
        embedder: embedder.unwrap_or(EmbedderChoice::Minilm),
        aggregate: aggregate.unwrap_or(Aggregate::Whole),
        alert,
        intents: intents.unwrap_or_default(),
    })
}

fn compare(given: Given) -> Answer {
    Box::pin(async move {
        let CompareBody { a, b, intents, embedder, aggregate } = given.json()?;
        let arm = |arm: ArmBody, at: usize, pointer: &str| {
            let ArmBody { name, steps, log } = arm;
            log_file(name.unwrap_or_else(|| ARM_NAMES[at].to_owned()), steps, log, pointer)
        };
        let call = CompareCall {
            a: arm(a, 0, "/a")?,
            b: arm(b, 1, "/b")?,
            embedder: embedder.unwrap_or(EmbedderChoice::Minilm),
            aggregate: aggregate.unwrap_or(Aggregate::Whole),
            intents: intents.unwrap_or_default(),
        };
        let stopped = Arc::clone(&given.stopped);
        given.answer(&calls::watch_compare(&given.calling(), call, move || stopped.load(Ordering::Relaxed)).await?)
    })
}

/// Steps or a log as a file: exactly one of the two.
fn log_file(name: String, steps: Option<Vec<WatchStep>>, log: Option<String>, pointer: &str) -> Result<File, Problem> {
    let bytes = match (steps, log) {
        (Some(_), Some(_)) => {
            return Err(Problem::of(&UNUSABLE, "`steps` and `log` are both given")
                .at(pointer)
                .hint("give one of them"));
        }
        (None, None) => {
            let problem = Problem::of(&UNUSABLE, "nothing is given to watch").at(pointer);
            return Err(problem.hint("give one of `steps` and `log`"));
        }
        (None, Some(log)) => log.into_bytes(),
        (Some(steps), None) => {
            if steps.len() > STEPS_MAX {
                let what = format!("{} steps are given, more than {STEPS_MAX}", steps.len());
                return Err(Problem::of(&INVALID, what).at(format!("{pointer}/steps")));
            }
            let lines: Result<String, _> = steps.iter().map(to_json_line).collect();
            lines.map_err(|error| Problem::fault(error.to_string()))?.into_bytes()
        }
    };
    Ok(File { name, bytes })
}
