//! `/api/jobs`: their table.

use std::sync::Arc;

use axum::http::{HeaderValue, Method, StatusCode, header};
use steadfast_engine::calls::Refusal;
use steadfast_engine::jobs;
use steadfast_engine::limits::{JOB_ITEMS_MAX, LIVE_NAME_BYTES_MAX};
use steadfast_wire::api::{Components, members};
use steadfast_wire::audit::Judge;
use steadfast_wire::jobs::{Job, JobBody, JobList, JobRecord};
use steadfast_wire::request::AgentName;

use super::input::Order;
use super::{Jobs, events};
use crate::api::{CURSOR, LIMIT, MIB, fields, parameter};
use crate::live::{after, off};
use crate::problem::Problem;
use crate::problem::kinds::{NOT_STORED, UNUSABLE};
use crate::query::Kind;
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes, Work};

const LIST: Route = Route {
    path: "/api/jobs",
    query: &[LIMIT, CURSOR, fields(members::<Job>)],
    gives: &[Gives::json(Components::of::<JobList>, "The jobs, the newest first.")],
    problems: &[&UNUSABLE],
    name: "listJobs",
    tag: "jobs",
    summary: "List jobs",
    about: "The newest first. Of those that have ended the oldest are forgotten at last.",
    handler: list,
    ..Route::GET
};

pub(crate) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[
            Takes {
                media: Media::Json,
                schema: Some(Components::of::<JobBody>),
                example: r##"{"pairs": [{"name": "seeds", "prompt": "Plan a seed library for the allotments. Budget: 500 EUR.", "report": "# Seed library\n\nThe seed library costs 900 EUR."}]}"##,
            },
            Takes { media: Media::Zip, schema: None, example: "" },
        ],
        body_bytes_max: 64 * MIB,
        field_bytes_max: 32 * MIB,
        query: &[
            parameter(
                "judge",
                Kind::Word(&["rules", "model", "both"]),
                "Who judges. For a zip archive alone; JSON says it in its body.",
            ),
            parameter(
                "agent",
                Kind::Text(LIVE_NAME_BYTES_MAX),
                "Whose work all of it is. For a zip archive alone; JSON says it of each pair.",
            ),
        ],
        gives: &[Gives::json(
            Components::of::<JobRecord>,
            "The job, which waits for its turn. `Location` is its path.",
        )],
        status: 202,
        name: "createJob",
        summary: "Audit many in the background",
        about: "Takes prompts and reports as JSON, or a zip archive whose top folders are runs. They are audited one after the other, and each is \
                kept as a run.",
        handler: create,
        ..LIST
    },
    LIST,
    Route {
        path: "/api/jobs/{id}",
        query: &[
            LIMIT,
            parameter(
                "cursor",
                Kind::Count(0, JOB_ITEMS_MAX),
                "The `next_cursor` of the page before: the place of the first part.",
            ),
            fields(members::<JobRecord>),
        ],
        gives: &[Gives::json(Components::of::<JobRecord>, "The job, with a page of what came of its parts.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "showJob",
        summary: "Show a job",
        about: "How it stands, and the runs that its parts were kept as, or why there are none.",
        handler: show,
        ..LIST
    },
    Route {
        path: "/api/jobs/{id}/events",
        query: &[parameter(
            "after",
            Kind::Count(0, JOB_ITEMS_MAX),
            "The place of a part: what comes after it is told. Without it all is told, from the first part on.",
        )],
        gives: &[Gives {
            media: crate::live::events::MEDIA_TYPE,
            schema: None,
            about: "An event `part` for each part that is done: its id is the place of the part, its data a `JobItem`. `job` with the `Job` \
                    whenever it changed; `end` with it once it has ended, and nothing more.",
        }],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "jobEvents",
        summary: "Follow a job",
        about: "Server-sent events: what came of its parts, as they are done. Whoever comes again with `Last-Event-ID` misses nothing.",
        handler: follow,
        ..LIST
    },
    Route {
        method: Method::DELETE,
        path: "/api/jobs/{id}",
        scope: Scope::Write,
        query: &[],
        gives: &[Gives::json(
            Components::of::<JobRecord>,
            "The job as it stands now, with the first page of its parts.",
        )],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "cancelJob",
        summary: "Cancel a job",
        about: "No further part of it is begun. What it did stays, and so does the job; one that has ended stays as it ended.",
        handler: cancel,
        ..LIST
    },
];

/// What jobs are done with.
fn door(incoming: &Incoming) -> Result<&Arc<Jobs>, Problem> {
    let refusal = || Refusal::input("this server keeps nothing, so it does no jobs");
    incoming.app.jobs.as_ref().ok_or_else(|| refusal().hint("start the server without `--no-store`").into())
}

fn create(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let jobs = Arc::clone(door(&incoming)?);
        let (incoming, order) = off(move || {
            let order = order(&incoming)?;
            Ok((incoming, order))
        })
        .await?;
        let record = jobs.take(order).await?;
        let mut response = incoming.answer(&record)?;
        *response.status_mut() = StatusCode::ACCEPTED;
        if let Ok(path) = HeaderValue::from_str(&format!("/api/jobs/{}", record.job.id)) {
            response.headers_mut().insert(header::LOCATION, path);
        }
        Ok(response)
    })
}

fn order(incoming: &Incoming) -> Result<Order, Problem> {
    if incoming.media == Some(Media::Zip) {
        let judge = incoming.query.text("judge");
        let judge = Judge::ALL.iter().find(|own| judge.as_deref() == Some(own.name())).copied();
        let agent = incoming.query.text("agent").map(AgentName::try_from).transpose();
        let agent = agent.map_err(|error| Problem::of(&UNUSABLE, error.to_string()).parameter("agent"))?;
        return Order::archive(incoming.body.clone(), judge, agent);
    }
    if let Some(name) = ["judge", "agent"].into_iter().find(|name| incoming.query.has(name)) {
        let problem = Problem::of(&UNUSABLE, format!("`{name}` is a parameter for zip archives")).parameter(name);
        return Err(problem.hint("say it in the body"));
    }
    Order::pairs(incoming.json()?)
}

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (cursor, limit) = (incoming.query.text("cursor"), incoming.limit());
        let list = door(&incoming)?.work(move |books| jobs::list(books, cursor.as_deref(), limit)).await?;
        incoming.list(&list, "jobs")
    })
}

fn show(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (id, limit) = (incoming.part("id"), incoming.limit());
        let cursor = incoming.query.count("cursor").map(|cursor| cursor as u64);
        let record = door(&incoming)?.work(move |books| jobs::show(books, &id, cursor, limit)).await?;
        incoming.answer(&record)
    })
}

fn follow(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let jobs = door(&incoming)?;
        let last = after(&incoming, JOB_ITEMS_MAX, "a job")?;
        let id = incoming.part("id");
        let listener = jobs.listeners.listen(&id)?;
        // Whoever follows nothing is told so by the status.
        jobs.work(move |books| jobs::show(books, &id, None, 1)).await?;
        Ok(events::follow(Arc::clone(jobs), listener, last.map_or(0, |last| last + 1)))
    })
}

fn cancel(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (jobs, id, limit) = (door(&incoming)?, incoming.part("id"), incoming.limit());
        let own = id.clone();
        jobs.change(move |books| jobs::cancel(books, &own)).await?;
        let record = jobs.work(move |books| jobs::show(books, &id, None, limit)).await?;
        incoming.answer(&record)
    })
}
