//! `POST /api/plan` and what else is done with notes.

use axum::http::Method;
use steadfast_engine::{File, NotesRequest, Rules, calls, context_file};
use steadfast_wire::api::{Components, PlanCheckBody, PlanConstraintsBody, members};
use steadfast_wire::plan::{Constraints, PlanRequest, PlanResponse, Preferences, Validation};

use super::{MIB, fields};
use crate::problem::kinds::{NOT_EVALUABLE, UNUSABLE};
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

/// What a plan is called that comes without a file.
const PLAN_NAME: &str = "plan.json";

/// What notes and a plan may hold.
const BODY_BYTES_MAX: usize = 2 * MIB;

const NOTES: &str = r#"{"context": "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm. Review Ana's draft (45 min).", "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"}"#;

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        path: "/api/plan",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes { media: Media::Json, schema: Some(Components::of::<PlanRequest>), example: NOTES }],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: MIB,
        query: &[fields(members::<PlanResponse>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<PlanResponse>),
            about: "The plan with its proof.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_EVALUABLE],
        name: "plan",
        tag: "instruments",
        summary: "Make a day plan and prove it",
        about: "Makes a day plan from notes in prose, and proves that it keeps every constraint in them. A plan that does not pass is an \
                answer as well: its `status` is `rejected`. The answer is what `steadfast plan --format json` prints.",
        handler: plan,
    },
    Route {
        method: Method::POST,
        path: "/api/plan/check",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<PlanCheckBody>),
            example: r#"{"context": "Standup 9:30-9:45. Write the report (90 min).", "plan": [{"task": "Write the report", "start": "09:00", "end": "10:30"}], "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"}"#,
        }],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: MIB,
        query: &[fields(members::<Validation>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<Validation>),
            about: "The validation.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_EVALUABLE],
        name: "planCheck",
        tag: "instruments",
        summary: "Check somebody's plan against notes",
        about: "The answer is what `steadfast plan check --format json` prints.",
        handler: check,
    },
    Route {
        method: Method::POST,
        path: "/api/plan/constraints",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes { media: Media::Json, schema: Some(Components::of::<PlanConstraintsBody>), example: NOTES }],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: MIB,
        query: &[fields(members::<Constraints>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<Constraints>),
            about: "What the notes require.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_EVALUABLE],
        name: "planConstraints",
        tag: "instruments",
        summary: "List what notes require",
        about: "The answer is what `steadfast plan constraints --format json` prints.",
        handler: constraints,
    },
];

fn plan(given: Given) -> Answer {
    Box::pin(async move {
        let (request, variant, models) = NotesRequest::of_request(given.json::<PlanRequest>()?);
        given.answer(&calls::plan(&given.calling(), request, variant, models).await?)
    })
}

fn check(given: Given) -> Answer {
    Box::pin(async move {
        let PlanCheckBody { context, plan, current_time, timezone, preferences } = given.json()?;
        let request = notes(context, current_time, timezone, preferences);
        let plan = File { name: PLAN_NAME.to_owned(), bytes: plan.to_string().into_bytes() };
        given.answer(&calls::plan_check(&given.calling(), request, plan).await?)
    })
}

fn constraints(given: Given) -> Answer {
    Box::pin(async move {
        let PlanConstraintsBody { context, current_time, timezone, preferences } = given.json()?;
        let request = notes(context, current_time, timezone, preferences);
        given.answer(&calls::plan_constraints(&given.calling(), request).await?)
    })
}

fn notes(context: String, current_time: String, timezone: String, preferences: Option<Preferences>) -> NotesRequest {
    NotesRequest {
        rules: Rules::CURRENT,
        notes: context_file(context.into_bytes()),
        calendars: Vec::new(),
        current_time,
        timezone,
        preferences: preferences.unwrap_or(Preferences::Soft),
        assumptions: Vec::new(),
    }
}
