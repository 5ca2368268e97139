//! `GET /api/audit/compare`.

use axum::http::Method;
use steadfast_engine::calls;
use steadfast_wire::api::Components;
use steadfast_wire::audit::AuditComparison;
use steadfast_wire::request::{AuditCompare, JsonSource};

use super::{NAME_CHARS_MAX, parameter};
use crate::problem::kinds::{NOT_STORED, UNUSABLE};
use crate::query::{Kind, Parameter};
use crate::routes::{Answer, Gives, Incoming, Route, Scope, Work};

/// The id of a stored run of `audit`.
const fn run_of(name: &'static str, about: &'static str) -> Parameter {
    Parameter { required: true, ..parameter(name, Kind::Text(NAME_CHARS_MAX), about) }
}

pub(super) static ROUTES: &[Route] = &[Route {
    method: Method::GET,
    path: "/api/audit/compare",
    scope: Scope::Read,
    work: Work::Heavy,
    takes: &[],
    body_bytes_max: 0,
    field_bytes_max: 0,
    query: &[
        run_of("a", "The id of a stored run of `audit`: what was before."),
        run_of("b", "The id of another: what is now."),
    ],
    gives: &[Gives::json(Components::of::<AuditComparison>, "The comparison.")],
    status: 200,
    problems: &[&UNUSABLE, &NOT_STORED],
    name: "compareAudits",
    tag: "instruments",
    summary: "Compare two stored audits",
    about: "Which obligations are newly broken, which are repaired, which incidents are new and which are gone. The answer is what \
            `steadfast audit compare A B --store FILE --format json` prints. It is not stored.",
    handler: compare,
}];

fn compare(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let run = |name: &str| JsonSource::Value(incoming.query.text(name).unwrap_or_default().into());
        let request = AuditCompare { a: run("a"), b: run("b") };
        incoming.answer(&calls::audit_compare(&incoming.calling(), request).await?.comparison)
    })
}
