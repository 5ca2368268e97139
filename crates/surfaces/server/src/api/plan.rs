//! `POST /api/plan` and what else is done with notes.

use axum::http::Method;
use serde_json::Value;
use steadfast_engine::calls::{self, PlanCall, PlanModels, Refusal};
use steadfast_engine::runs::AgentName;
use steadfast_engine::{File, NotesRequest, Rules, calendar_files, context_file, plan_file};
use steadfast_wire::api::{Components, PlanCheckBody, PlanConstraintsBody, members};
use steadfast_wire::plan::{CalendarText, Constraints, PlanRequest, PlanResponse, Preferences, Validation, Variant};
use steadfast_wire::tools::{Generator, Reader};

use super::{MIB, fields};
use crate::problem::Problem;
use crate::problem::kinds::{NOT_EVALUABLE, TOO_LARGE, UNUSABLE};
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

/// What notes, a plan and calendars may hold.
const BODY_BYTES_MAX: usize = 32 * MIB;

/// A string in JSON: a calendar of 8 MiB with the ends of its lines escaped.
const FIELD_BYTES_MAX: usize = 16 * MIB;

/// Notes, in bytes.
const NOTES_BYTES_MAX: usize = MIB;

/// A plan, in bytes.
const PLAN_BYTES_MAX: usize = 2 * MIB;

const NOTES: &str = r#"{"context": "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm. Review Ana's draft (45 min).", "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"}"#;

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        path: "/api/plan",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes { media: Media::Json, schema: Some(Components::of::<PlanRequest>), example: NOTES }],
        body_bytes_max: BODY_BYTES_MAX,
        field_bytes_max: FIELD_BYTES_MAX,
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
        about: "Makes a day plan from notes in prose, with calendars beside them where there are any, and proves that it keeps every constraint in them; or goes \
                on with an earlier plan of the day (`from`). A plan that does not pass is an answer as well: its `status` is `rejected`. The answer is what \
                `steadfast plan --format json` prints; `/api/runs/{id}/result?format=ics` gives it as a calendar, `format=tasks` as task lines.",
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
        field_bytes_max: FIELD_BYTES_MAX,
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
        field_bytes_max: FIELD_BYTES_MAX,
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
        let PlanRequest {
            context,
            current_time,
            timezone,
            calendars,
            from,
            done,
            variant,
            preferences,
            extract,
            generate,
            advise,
            agent,
        } = given.json()?;
        let call = PlanCall {
            request: notes(context, calendars, current_time, timezone, preferences)?,
            variant: variant.unwrap_or(Variant::V4Repair),
            models: PlanModels {
                extract: extract == Some(Reader::Model),
                generate: generate == Some(Generator::Model),
                advise: advise == Some(true),
            },
            earlier: calls::earlier_plan(from.map(|from| plan_of(&from, "from")).transpose()?, done)?,
            agent: AgentName::given(agent).map_err(Refusal::from)?,
        };
        given.answer(&calls::plan(&given.calling(), call).await?.response)
    })
}

fn check(given: Given) -> Answer {
    Box::pin(async move {
        let PlanCheckBody { context, plan, current_time, timezone, calendars, preferences, agent } = given.json()?;
        let agent = AgentName::given(agent).map_err(Refusal::from)?;
        let request = notes(context, calendars, current_time, timezone, preferences)?;
        let plan = plan_of(&plan, "plan")?;
        given.answer(&calls::plan_check(&given.calling(), request, plan, agent).await?.validation)
    })
}

fn constraints(given: Given) -> Answer {
    Box::pin(async move {
        let PlanConstraintsBody { context, current_time, timezone, calendars, preferences } = given.json()?;
        let request = notes(context, calendars, current_time, timezone, preferences)?;
        given.answer(&calls::plan_constraints(&given.calling(), request).await?)
    })
}

fn notes(
    context: String,
    calendars: Option<Vec<CalendarText>>,
    current_time: String,
    timezone: String,
    preferences: Option<Preferences>,
) -> Result<NotesRequest, Problem> {
    within(context.len(), NOTES_BYTES_MAX, "context")?;
    Ok(NotesRequest {
        rules: Rules::CURRENT,
        notes: context_file(context.into_bytes()),
        calendars: calendar_files(calendars),
        current_time,
        timezone,
        preferences: preferences.unwrap_or(Preferences::Soft),
        assumptions: Vec::new(),
    })
}

/// Somebody's plan.
fn plan_of(plan: &Value, member: &str) -> Result<File, Problem> {
    let file = plan_file(plan.to_string());
    within(file.bytes.len(), PLAN_BYTES_MAX, member)?;
    Ok(file)
}

/// Refuses a member that holds more than it may.
fn within(bytes: usize, bytes_max: usize, member: &str) -> Result<(), Problem> {
    if bytes <= bytes_max {
        return Ok(());
    }
    let what = format!("`{member}` holds {bytes} bytes, more than the {bytes_max} of this route");
    Err(Problem::of(&TOO_LARGE, what).at(format!("/{member}")))
}
