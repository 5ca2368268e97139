//! `/api/decisions`: what people decided on findings.

use axum::http::Method;
use steadfast_engine::calls::with_store;
use steadfast_engine::decisions::{self, DecisionFilter};
use steadfast_engine::store::Keep;
use steadfast_wire::api::{Components, members};
use steadfast_wire::decisions::{Decision, DecisionGiven, DecisionList};

use super::{CURSOR, LIMIT, MIB, NAME_CHARS_MAX, fields, parameter};
use crate::problem::kinds::{NOT_STORED, UNUSABLE};
use crate::query::Kind;
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes};

const LIST: Route = Route {
    path: "/api/decisions",
    query: &[
        parameter("finding", Kind::Text(NAME_CHARS_MAX), "Only those on this finding: the `id` of an incident."),
        parameter("check", Kind::Text(NAME_CHARS_MAX), "Only those on findings of this check."),
        parameter(
            "latest",
            Kind::Word(&["true", "false"]),
            "`true` lists only the last one on each finding: the one that holds.",
        ),
        LIMIT,
        CURSOR,
        fields(members::<Decision>),
    ],
    gives: &[Gives::json(Components::of::<DecisionList>, "The decisions, the newest first.")],
    problems: &[&UNUSABLE],
    name: "listDecisions",
    tag: "decisions",
    summary: "List decisions on findings",
    about: "The newest first. A finding is known by its fingerprint, so a decision holds in every later run that finds it again.",
    handler: list,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    LIST,
    Route {
        method: Method::POST,
        scope: Scope::Write,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<DecisionGiven>),
            example: r#"{"finding": "banned-term-0123456789abcdef", "decision": "contest", "reason": "The word is quoted, not used."}"#,
        }],
        body_bytes_max: MIB,
        field_bytes_max: 16 * 1024,
        query: &[],
        gives: &[Gives::json(
            Components::of::<Decision>,
            "The decision, which is on the disk. Its author is the name of the key, or `local`.",
        )],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "decide",
        summary: "Accept or contest a finding",
        about: "Or take back what was decided (`withdrawn`). Nothing is written over: the last decision on a finding holds.",
        handler: decide,
        ..LIST
    },
];

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let filter = DecisionFilter {
            finding: incoming.query.text("finding"),
            check: incoming.query.text("check"),
            latest_only: incoming.query.text("latest").as_deref() == Some("true"),
        };
        let (cursor, limit) = (incoming.query.text("cursor"), incoming.limit());
        let found = move |store: &dyn Keep| decisions::list(store, filter, cursor.as_deref(), limit);
        let list = with_store(&incoming.calling(), found).await?;
        incoming.list(&list, "decisions")
    })
}

fn decide(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (given, author) = (incoming.json()?, incoming.asker.clone());
        let decided = move |store: &dyn Keep| decisions::decide(store, given, Some(&author));
        let decision = with_store(&incoming.calling(), decided).await?;
        incoming.answer(&decision)
    })
}
