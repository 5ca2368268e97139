//! `/api/tasks`: what agents made of tasks, and which of it is an example.

use axum::http::Method;
use steadfast_engine::calls::{self, kept, with_store};
use steadfast_engine::store::Keep;
use steadfast_engine::tasks::{TaskFilter, delete_task, find_tasks, show_task};
use steadfast_wire::api::{Components, FlagBody, members};
use steadfast_wire::request;
use steadfast_wire::review::{Flagged, FullPayload};
use steadfast_wire::tasks::{Task, TaskHead, TaskList};

use super::{CURSOR, LIMIT, MIB, NAME_CHARS_MAX, fields, nothing, parameter, tagged};
use crate::problem::kinds::{NOT_STORED, UNUSABLE};
use crate::query::{Kind, Parameter};
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes, Work};

/// Bytes of an export.
const EXPORT_BYTES_MAX: usize = 64 * MIB;

const LIST: Route = Route {
    path: "/api/tasks",
    query: &[LIMIT, CURSOR, fields(members::<TaskHead>)],
    gives: &[Gives::json(Components::of::<TaskList>, "The tasks, in the order of their ids.")],
    problems: &[&UNUSABLE],
    name: "listTasks",
    tag: "tasks",
    summary: "List tasks",
    about: "In the order of their ids.",
    handler: list,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    LIST,
    Route {
        path: "/api/tasks/export",
        work: Work::Heavy,
        query: &[
            parameter("quality", Kind::Word(&["good", "bad"]), "Only sequences of this quality."),
            Parameter {
                many: true,
                ..parameter(
                    "tag",
                    Kind::Text(NAME_CHARS_MAX),
                    "Only sequences that have this tag. Repeatable: then all of them.",
                )
            },
        ],
        gives: &[Gives { media: "application/x-ndjson", schema: None, about: "A sequence a line." }],
        name: "exportTasks",
        summary: "What was flagged, for training",
        about: "What was flagged good or bad as JSON lines, with what made each a candidate for training: what `steadfast tasks export` \
                prints.",
        handler: export,
        ..LIST
    },
    Route {
        path: "/api/tasks/{id}",
        query: &[fields(members::<Task>)],
        gives: &[Gives::json(Components::of::<Task>, "The task.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "showTask",
        summary: "Show a task",
        about: "Its messages, and what was said of it.",
        handler: show,
        ..LIST
    },
    Route {
        path: "/api/tasks/{id}/payload",
        query: &[],
        gives: &[Gives::json(Components::of::<FullPayload>, "The output.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "taskPayload",
        summary: "All of the last output of a task",
        about: "Where its summary is not enough.",
        handler: payload,
        ..LIST
    },
    Route {
        method: Method::POST,
        path: "/api/tasks/{id}/flag",
        scope: Scope::Write,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<FlagBody>),
            example: r#"{"quality": "good", "tags": ["concise"]}"#,
        }],
        body_bytes_max: MIB,
        field_bytes_max: 1024,
        query: &[],
        gives: &[Gives::json(Components::of::<Flagged>, "That it was flagged.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "flagTask",
        summary: "Flag a task as an example",
        about: "Good and bad ones are candidates for training, until somebody is unsure.",
        handler: flag,
        ..LIST
    },
    Route {
        method: Method::DELETE,
        path: "/api/tasks/{id}",
        scope: Scope::Admin,
        query: &[],
        gives: &[],
        status: 204,
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "deleteTask",
        summary: "Delete a task",
        about: "With its messages and what was said of it. Runs stay.",
        handler: delete,
        ..LIST
    },
];

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (cursor, limit) = (incoming.query.text("cursor"), incoming.limit());
        let found = move |store: &dyn Keep| find_tasks(store, TaskFilter::default(), cursor.as_deref(), limit);
        let list = with_store(&incoming.calling(), found).await?;
        incoming.list(&list, "tasks")
    })
}

fn export(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (quality, tags) = (incoming.query.text("quality"), incoming.query.all("tag"));
        let lines = kept::export_training(&incoming.calling(), quality, tags, EXPORT_BYTES_MAX).await?;
        Ok(tagged("application/x-ndjson", lines))
    })
}

fn show(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let id = incoming.part("id");
        incoming.answer(&with_store(&incoming.calling(), move |store| show_task(store, &id)).await?)
    })
}

fn payload(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let request = request::FullPayload { task_id: incoming.part("id") };
        incoming.answer(&calls::full_payload(&incoming.calling(), request).await?)
    })
}

fn flag(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let FlagBody { quality, tags } = incoming.json()?;
        let request = request::Flag { task_id: incoming.part("id"), quality, tags };
        incoming.answer(&calls::flag(&incoming.calling(), request).await?)
    })
}

fn delete(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let id = incoming.part("id");
        with_store(&incoming.calling(), move |store| delete_task(store, &id)).await?;
        Ok(nothing())
    })
}
