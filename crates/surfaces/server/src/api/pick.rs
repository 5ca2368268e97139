//! `POST /api/pick` and `POST /api/feedback`.

use axum::http::Method;
use steadfast_engine::Rules;
use steadfast_engine::calls::{self, PickCall};
use steadfast_engine::vault::{PickRequest, Points, filters};
use steadfast_wire::api::{Components, members};
use steadfast_wire::pick::{Feedback, FinalOutput};
use steadfast_wire::tools::{FeedbackArguments, PickArguments, PointChoice, Reader, Word};

use super::{MIB, fields};
use crate::problem::Problem;
use crate::problem::kinds::{NOT_STORED, UNUSABLE};
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: Method::POST,
        path: "/api/pick",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<PickArguments>),
            example: r#"{"task": "Write a launch email for a seed library", "at": "2026-01-26"}"#,
        }],
        body_bytes_max: MIB,
        field_bytes_max: 256 * 1024,
        query: &[fields(members::<FinalOutput>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<FinalOutput>),
            about: "The prompts, or what must be asked first.",
        }],
        status: 200,
        problems: &[&UNUSABLE],
        name: "pick",
        tag: "instruments",
        summary: "Pick prompts for a task",
        about: "Which prompts of the vault, in which order, for this task, or what must be asked first? The answer is what `steadfast pick \
                --format json` prints.",
        handler: pick,
    },
    Route {
        method: Method::POST,
        path: "/api/feedback",
        scope: Scope::Write,
        work: Work::Heavy,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<FeedbackArguments>),
            example: r#"{"trace_id": "5f0c8e2a-0000-8000-8000-000000000000", "verdict": "good"}"#,
        }],
        body_bytes_max: MIB,
        field_bytes_max: 1024,
        query: &[],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<Feedback>),
            about: "What was said.",
        }],
        status: 200,
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "feedback",
        tag: "vault",
        summary: "Say whether picked prompts were of use",
        about: "Good prompts are preferred from then on, bad ones are not.",
        handler: feedback,
    },
];

fn pick(given: Given) -> Answer {
    Box::pin(async move {
        let PickArguments { task, at, explain, filter, exclude, operating_point, intake } = given.json()?;
        let (filter, exclude) = (filter.unwrap_or_default(), exclude.unwrap_or_default());
        let wanted = filters(&filter, &exclude).map_err(calls::Refusal::from).map_err(Problem::from)?;
        let call = PickCall {
            request: PickRequest {
                qid: None,
                task,
                at,
                explain: explain.unwrap_or(false),
                filters: wanted,
                rules: Rules::CURRENT,
            },
            filters: [filter, exclude.iter().map(|own| format!("not {own}")).collect()].concat(),
            points: match operating_point.unwrap_or(PointChoice::Default) {
                PointChoice::Default => Points::fitted(),
                PointChoice::Seed => Points::seed(),
            },
            intake: intake == Some(Reader::Model),
        };
        given.answer(&calls::pick(&given.calling(), call).await?)
    })
}

fn feedback(given: Given) -> Answer {
    Box::pin(async move {
        let FeedbackArguments { trace_id, verdict, prompt_ids } = given.json()?;
        let (host, good) = (given.calling(), verdict == Word::Good);
        given.answer(&calls::feedback(&host, trace_id, good, prompt_ids.unwrap_or_default()).await?)
    })
}
