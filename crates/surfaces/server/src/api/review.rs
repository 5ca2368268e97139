//! `POST /api/review`.

use axum::http::Method;
use steadfast_engine::calls::{self, Refusal};
use steadfast_engine::review::{ReviewRequest, criteria_of_each, output_file};
use steadfast_engine::runs::AgentName;
use steadfast_wire::api::{Components, ReviewBody, members};
use steadfast_wire::review::Review;

use super::{MIB, fields};
use crate::problem::kinds::UNUSABLE;
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

pub(super) static ROUTES: &[Route] = &[Route {
    method: Method::POST,
    path: "/api/review",
    scope: Scope::Write,
    work: Work::Heavy,
    takes: &[Takes {
        media: Media::Json,
        schema: Some(Components::of::<ReviewBody>),
        example: r#"{"output": "<npl-block type=\"reflection\">\n✅ Verified: all 12 tests pass\n🐛 Bug: the date is off by one\n</npl-block>", "acceptance_criteria": ["all tests pass"]}"#,
    }],
    body_bytes_max: 16 * MIB,
    field_bytes_max: 8 * MIB,
    query: &[fields(members::<Review>)],
    gives: &[Gives {
        media: "application/json",
        schema: Some(Components::of::<Review>),
        about: "The review. Its `score` is `null` where nothing can be evaluated.",
    }],
    status: 200,
    problems: &[&UNUSABLE],
    name: "review",
    tag: "instruments",
    summary: "Review what a sub-agent gave back",
    about: "Is what a sub-agent reports of its own work worth reading in full, and is it true? The output is kept with its task where the \
            server keeps anything. The answer is what `steadfast review --format json` prints.",
    handler: review,
}];

fn review(given: Given) -> Answer {
    Box::pin(async move {
        let ReviewBody { output, acceptance_criteria, threshold, profile, summary_tokens, agent } = given.json()?;
        let agent = AgentName::given(agent).map_err(Refusal::from)?;
        let mut request = ReviewRequest::new(output_file(output.into_bytes()));
        request.criteria = criteria_of_each(&acceptance_criteria.unwrap_or_default());
        request.threshold = threshold.unwrap_or(request.threshold);
        request.profile = profile.unwrap_or(request.profile);
        request.summary_tokens_max = summary_tokens.unwrap_or(request.summary_tokens_max);
        given.answer(&calls::review(&given.calling(), request, agent).await?)
    })
}
