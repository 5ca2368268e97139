//! The routes of the use cases, made from the table of calls: `POST` with a request as JSON. An audit takes a zip archive of a run as well, `watch` JSON lines.

use std::sync::LazyLock;

use axum::http::Method;
use steadfast_engine::calls::{Prepared, Refusal, Row, TABLE};
use steadfast_wire::api::Components;
use steadfast_wire::audit::{Judge, NotEvaluable};
use steadfast_wire::call::{self, Unfit};
use steadfast_wire::request::{AGENT_BYTES_MAX, AgentName, Audit, EmbedderChoice, Source, Watch};
use steadfast_wire::watch::Aggregate;

use super::{CURSOR, LIMIT_MAX, NAME_CHARS_MAX, fields, parameter};
use crate::problem::Problem;
use crate::problem::kinds::{INVALID, NOT_EVALUABLE, NOT_STORED, TOO_LARGE, UNAVAILABLE, UNUSABLE};
use crate::query::{Kind, Parameter};
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes, Work};

/// What an archive is called by default.
const ARCHIVE_NAME: &str = "run.zip";

/// What a log is called by default.
const LOG_NAME: &str = "steps.jsonl";

/// The problems that calls have beside those of every route.
static PROBLEMS: &[&crate::problem::Kind] = &[&UNUSABLE, &NOT_EVALUABLE, &NOT_STORED, &UNAVAILABLE];

/// The parameters of an audit whose body is an archive.
static OF_ARCHIVES: [Parameter; 6] = [
    parameter(
        "name",
        Kind::Text(NAME_CHARS_MAX),
        "What the archive is called; `run.zip` by default. For a zip archive alone.",
    ),
    parameter(
        "judge",
        Kind::Word(&["rules", "model", "both"]),
        "Who judges. For a zip archive alone; JSON says it in its body.",
    ),
    parameter(
        "agent",
        Kind::Text(AGENT_BYTES_MAX),
        "Whose work it is. For a zip archive alone; JSON says it in its body.",
    ),
    parameter("limit", Kind::Count(0, LIMIT_MAX), "Incidents that are listed at most. For a zip archive alone."),
    parameter(
        "min_severity",
        Kind::Count(0, 4),
        "Only incidents of at least this severity are listed. For a zip archive alone.",
    ),
    CURSOR,
];

/// The parameters of steps whose body is JSON lines.
static OF_LINES: [Parameter; 3] = [
    parameter(
        "name",
        Kind::Text(NAME_CHARS_MAX),
        "What the log is called; `steps.jsonl` by default. For JSON lines alone.",
    ),
    parameter("embedder", Kind::Word(&["minilm", "lexical"]), "What makes vectors of the texts. For JSON lines alone."),
    parameter(
        "aggregate",
        Kind::Word(&["whole", "max-sentence", "mean-chunk"]),
        "What of a long output is compared. For JSON lines alone.",
    ),
];

/// The other form that the body of a route may have, and the parameters that say the rest of the request then.
struct OtherForm {
    takes: Takes,
    query: &'static [Parameter],
    what: &'static str,
}

fn other_form(route: &call::Route) -> Option<OtherForm> {
    match route.name {
        "audit" => Some(OtherForm {
            takes: Takes { media: Media::Zip, schema: None, example: "" },
            query: &OF_ARCHIVES,
            what: "zip archives",
        }),
        "watch" => Some(OtherForm {
            takes: Takes {
                media: Media::Lines,
                schema: None,
                example: "{\"task_id\": \"t1\", \"step\": 0, \"prompt\": \"Summarise the meeting notes\", \"output\": \"The meeting was about the budget.\"}\n",
            },
            query: &OF_LINES,
            what: "JSON lines",
        }),
        _ => None,
    }
}

/// The routes, in the order of the table. They live as long as the program.
pub(super) static ROUTES: LazyLock<Vec<Route>> =
    LazyLock::new(|| TABLE.iter().filter_map(|row| Some(route(row, row.call.route?))).collect());

fn route(row: &'static Row, own: call::Route) -> Route {
    let json = Takes { media: Media::Json, schema: Some(row.described_request), example: own.example };
    let other = other_form(&own);
    let query = other.iter().flat_map(|other| other.query).copied().chain([fields(row.members)]);
    Route {
        method: Method::POST,
        path: own.path,
        scope: if own.reads_only { Scope::Read } else { Scope::Write },
        work: Work::Heavy,
        query: query.collect::<Vec<_>>().leak(),
        takes: std::iter::once(json).chain(other.map(|other| other.takes)).collect::<Vec<_>>().leak(),
        body_bytes_max: own.body.bytes_max,
        field_bytes_max: own.body.string_bytes_max,
        gives: gives(row, &own).leak(),
        status: 200,
        problems: PROBLEMS,
        name: own.name,
        tag: if row.call.verb.starts_with("vault") || row.call.verb == "feedback" { "vault" } else { "instruments" },
        summary: row.call.title,
        about: own.about,
        handler: answer,
    }
}

/// What a route gives: its answer, and of an audit what stands in its place.
fn gives(row: &Row, own: &call::Route) -> Vec<Gives> {
    let mut gives = vec![Gives::json(row.described_answer, own.gives)];
    if own.name == "audit" {
        gives.push(Gives::json(
            Components::of::<NotEvaluable>,
            "Where nothing can be evaluated: why, and what was read.",
        ));
    }
    gives
}

/// The row of a route.
fn row_of(route: &Route) -> Result<&'static Row, Problem> {
    let mut rows = TABLE.iter().filter(|row| row.call.route.is_some_and(|own| own.name == route.name));
    rows.next().ok_or_else(|| Problem::fault(format!("{route:?}: no call has this route")))
}

fn answer(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let request = match incoming.media {
            Some(Media::Zip) => archive(&incoming).await?,
            Some(Media::Lines) => lines(&incoming)?,
            _ => json(&incoming, row_of(incoming.route)?)?,
        };
        let answer = match request.run(incoming.calling(), incoming.stopped.clone()).await {
            // That nothing can be evaluated is an answer, and has a form of its own.
            Err(Refusal { answer: Some(own), .. }) => call::Answer::of(*own, None),
            other => other?.only(incoming.query.fields()),
        };
        Ok(super::json(answer.json().map_err(|error| Problem::fault(error.to_string()))?))
    })
}

/// A request as JSON.
fn json(incoming: &Incoming, row: &'static Row) -> Result<Box<dyn Prepared>, Problem> {
    let other = row.call.route.as_ref().and_then(other_form);
    let misplaced =
        other.as_ref().and_then(|other| other.query.iter().find(|parameter| incoming.query.has(parameter.name)));
    if let (Some(parameter), Some(other)) = (misplaced, &other) {
        let what = format!("`{}` is a parameter for {}", parameter.name, other.what);
        return Err(Problem::of(&UNUSABLE, what).parameter(parameter.name).hint("say it in the body"));
    }
    let request = crate::json::read_with(&incoming.body, incoming.route.field_bytes_max, row.read)?;
    request.fit_for_http().map_err(unfit)?;
    Ok(request)
}

fn unfit(unfit: Unfit) -> Problem {
    match unfit {
        Unfit::Missing { member } => Problem::of(&INVALID, format!("missing field `{member}`")).at(""),
        Unfit::TooLarge { member, bytes, bytes_max } => {
            let what = format!("`{member}` holds {bytes} bytes, more than the {bytes_max} of this route");
            Problem::of(&TOO_LARGE, what).at(format!("/{member}"))
        }
        Unfit::TooMany { member, count, count_max } => {
            let what = format!("{count} {member} are given, more than {count_max}");
            Problem::of(&INVALID, what).at(format!("/{member}"))
        }
    }
}

/// The value of a vocabulary that a parameter names.
fn word<T: Copy>(incoming: &Incoming, name: &str, all: &[T], spelling: fn(T) -> &'static str) -> Option<T> {
    let word = incoming.query.text(name)?;
    all.iter().copied().find(|own| spelling(*own) == word)
}

/// An audit of an archive, whose request stands in the query.
async fn archive(incoming: &Incoming) -> Result<Box<dyn Prepared>, Problem> {
    let name = incoming.query.text("name").unwrap_or_else(|| ARCHIVE_NAME.to_owned());
    crate::archive::bounded(&name, &incoming.body).await?;
    let agent = incoming.query.text("agent").map(AgentName::try_from).transpose();
    Ok(Box::new(Audit {
        run: Some(Source::Bytes { name, bytes: incoming.body.to_vec() }),
        judge: word(incoming, "judge", Judge::ALL, Judge::name),
        agent: agent.map_err(|error| Problem::of(&UNUSABLE, error.to_string()).parameter("agent"))?,
        limit: incoming.query.count("limit"),
        min_severity: incoming.query.count("min_severity").and_then(|level| u8::try_from(level).ok()),
        cursor: incoming.query.text("cursor"),
        ..Audit::default()
    }))
}

/// Steps as JSON lines, whose request stands in the query.
fn lines(incoming: &Incoming) -> Result<Box<dyn Prepared>, Problem> {
    let name = incoming.query.text("name").unwrap_or_else(|| LOG_NAME.to_owned());
    Ok(Box::new(Watch {
        log: Some(Source::Bytes { name, bytes: incoming.body.to_vec() }),
        embedder: word(incoming, "embedder", EmbedderChoice::ALL, EmbedderChoice::name),
        aggregate: word(incoming, "aggregate", Aggregate::ALL, Aggregate::name),
        ..Watch::default()
    }))
}
