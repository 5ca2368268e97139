//! `POST /api/audit`, `POST /api/audit/lint` and `GET /api/audit/compare`.

use axum::http::Method;
use steadfast_engine::calls::{self, AuditCall, AuditMade, Refusal};
use steadfast_engine::limits::LIVE_NAME_BYTES_MAX;
use steadfast_engine::runs::AgentName;
use steadfast_engine::{AuditInput, Page, lint_prompt, prompt_file, report_file};
use steadfast_wire::api::{AuditBody, Components, LintBody, members};
use steadfast_wire::audit::{AuditComparison, DriftEvaluation, Judge};
use steadfast_wire::lint::PromptLint;
use steadfast_wire::tools::EmbedderChoice;

use super::{CURSOR, LIMIT_MAX, MIB, NAME_CHARS_MAX, fields, parameter, rules_asked};
use crate::problem::Problem;
use crate::problem::kinds::{NOT_EVALUABLE, NOT_STORED, UNUSABLE};
use crate::query::{Kind, Parameter};
use crate::routes::{Answer, Given, Gives, Media, Route, Scope, Takes, Work};

/// What an archive is called whose name nobody says.
const ARCHIVE_NAME: &str = "run.zip";

/// The id of a stored run of `audit`.
const fn run_of(name: &'static str, about: &'static str) -> Parameter {
    Parameter { required: true, ..parameter(name, Kind::Text(NAME_CHARS_MAX), about) }
}

const AUDIT: Route = Route {
    method: Method::POST,
    path: "/api/audit",
    scope: Scope::Write,
    work: Work::Heavy,
    takes: &[
        Takes {
            media: Media::Json,
            schema: Some(Components::of::<AuditBody>),
            example: r##"{"prompt": "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.", "report": "# Seed library\n\nThe seed library opens within 6 months and costs 500 EUR."}"##,
        },
        Takes { media: Media::Zip, schema: None, example: "" },
    ],
    body_bytes_max: 64 * MIB,
    field_bytes_max: 32 * MIB,
    query: &[
        parameter(
            "name",
            Kind::Text(NAME_CHARS_MAX),
            "What the archive is called; `run.zip` where it is not said. For a zip archive alone.",
        ),
        parameter(
            "judge",
            Kind::Word(&["rules", "model", "both"]),
            "Who judges. For a zip archive alone; JSON says it in its body.",
        ),
        parameter(
            "embedder",
            Kind::Word(&["minilm", "lexical"]),
            "What the support score compares; `lexical` where it is not said. For a zip archive alone; JSON says it in its body.",
        ),
        parameter(
            "rules",
            Kind::Text(NAME_CHARS_MAX),
            "By which version of the rules; the server's where it is not said. For a zip archive alone; JSON says it in its body.",
        ),
        parameter(
            "agent",
            Kind::Text(LIVE_NAME_BYTES_MAX),
            "Whose work it is. For a zip archive alone; JSON says it in its body.",
        ),
        parameter("limit", Kind::Count(0, LIMIT_MAX), "Incidents that are listed at most. For a zip archive alone."),
        parameter(
            "min_severity",
            Kind::Count(0, 4),
            "Only incidents of at least this severity are listed. For a zip archive alone.",
        ),
        CURSOR,
        fields(members::<DriftEvaluation>),
    ],
    gives: &[Gives {
        media: "application/json",
        schema: Some(Components::of::<DriftEvaluation>),
        about: "The evaluation.",
    }],
    status: 200,
    problems: &[&UNUSABLE, &NOT_EVALUABLE],
    name: "audit",
    tag: "instruments",
    summary: "Audit a report against its prompt",
    about: "Does the finished report still say what the prompt asked for? Takes a prompt and a report as JSON, or a planner's run as a zip \
            archive. The answer is what `steadfast audit --format json` prints.",
    handler: audit,
};

pub(super) static ROUTES: &[Route] = &[
    AUDIT,
    Route {
        method: Method::GET,
        path: "/api/audit/compare",
        scope: Scope::Read,
        takes: &[],
        body_bytes_max: 0,
        field_bytes_max: 0,
        query: &[
            run_of("a", "The id of a stored run of `audit`: what was before."),
            run_of("b", "The id of another: what is now."),
        ],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<AuditComparison>),
            about: "The comparison.",
        }],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "compareAudits",
        summary: "Compare two stored audits",
        about: "Which obligations are newly broken, which are repaired, which incidents are new and which are gone. The answer is what \
                `steadfast audit compare A B --store FILE --format json` prints. It is not stored.",
        handler: compare,
        ..AUDIT
    },
    Route {
        path: "/api/audit/lint",
        scope: Scope::Read,
        takes: &[Takes {
            media: Media::Json,
            schema: Some(Components::of::<LintBody>),
            example: r#"{"prompt": "Plan a seed library for the allotments. It must open as soon as possible. The shelves must be user-friendly."}"#,
        }],
        query: &[fields(members::<PromptLint>)],
        gives: &[Gives {
            media: "application/json",
            schema: Some(Components::of::<PromptLint>),
            about: "What is said of the prompt.",
        }],
        name: "lintPrompt",
        summary: "Read a prompt by itself",
        about: "What can be said of a prompt before anybody plans by it: which asks a report can be checked for, which exclude each other, which words are \
                vague, and of what nothing is said. The answer is what `steadfast audit PROMPT --format json` prints. It is not stored.",
        handler: lint,
        ..AUDIT
    },
];

fn lint(given: Given) -> Answer {
    Box::pin(async move {
        let LintBody { prompt } = given.json()?;
        let outcome = lint_prompt(prompt_file(prompt), given.calling().rules()).await.map_err(Refusal::from)?;
        given.answer(&outcome.lint)
    })
}

fn compare(given: Given) -> Answer {
    Box::pin(async move {
        let made = |name: &str| AuditMade::Stored(given.query.text(name).unwrap_or_default());
        let (a, b) = (made("a"), made("b"));
        given.answer(&calls::audit_compare(&given.calling(), a, b).await?.comparison)
    })
}

fn audit(given: Given) -> Answer {
    Box::pin(async move {
        let call = match given.media {
            Some(Media::Zip) => archive(&given).await,
            _ => pair(&given),
        }?;
        given.answer(&calls::audit(&given.calling(), call).await?)
    })
}

fn pair(given: &Given) -> Result<AuditCall, Problem> {
    if let Some(name) = ["name", "judge", "embedder", "rules", "agent", "limit", "min_severity", "cursor"]
        .into_iter()
        .find(|name| given.query.has(name))
    {
        let problem = Problem::of(&UNUSABLE, format!("`{name}` is a parameter for zip archives")).parameter(name);
        return Err(problem.hint("say it in the body"));
    }
    let AuditBody { prompt, report, judge, embedder, rules, agent, limit, min_severity, cursor } = given.json()?;
    Ok(AuditCall {
        input: AuditInput::Pair { prompt: prompt_file(prompt), report: report_file(report) },
        judge: judge.unwrap_or(Judge::Rules),
        embedder: embedder.unwrap_or(EmbedderChoice::Lexical),
        rules: rules_asked(rules.as_deref())?,
        page: Page { limit, min_severity: min_severity.unwrap_or(0), cursor },
        agent: AgentName::given(agent).map_err(Refusal::from)?,
    })
}

async fn archive(given: &Given) -> Result<AuditCall, Problem> {
    let name = given.query.text("name").unwrap_or_else(|| ARCHIVE_NAME.to_owned());
    crate::archive::bounded(&name, &given.body).await?;
    let (judge, embedder) = (given.query.text("judge"), given.query.text("embedder"));
    Ok(AuditCall {
        input: AuditInput::Archive { name, bytes: given.body.to_vec() },
        judge: Judge::ALL.iter().find(|own| judge.as_deref() == Some(own.name())).copied().unwrap_or(Judge::Rules),
        embedder: match embedder.as_deref() {
            Some("minilm") => EmbedderChoice::Minilm,
            _ => EmbedderChoice::Lexical,
        },
        rules: rules_asked(given.query.text("rules").as_deref())?,
        page: Page {
            limit: given.query.count("limit"),
            min_severity: given.query.count("min_severity").and_then(|level| u8::try_from(level).ok()).unwrap_or(0),
            cursor: given.query.text("cursor"),
        },
        agent: AgentName::given(given.query.text("agent")).map_err(Refusal::from)?,
    })
}
