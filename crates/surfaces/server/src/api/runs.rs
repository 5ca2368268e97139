//! `/api/runs`: what was stored.

use std::sync::Arc;

use axum::http::{HeaderValue, Method, header};
use steadfast_engine::calls::kept::{self, Drawable};
use steadfast_engine::calls::{Refusal, with_store};
use steadfast_engine::limits::SUMMARY_WEEKS_MAX;
use steadfast_engine::runs::{RunFilter, delete_runs, find_runs, show_run};
use steadfast_engine::store::Keep;
use steadfast_engine::summary::weekly;
use steadfast_render::plan::file_media;
use steadfast_render::{Checked, Form, Stored, Texts};
use steadfast_wire::api::{Components, members};
use steadfast_wire::plan::{PlanFile, PlanResponse};
use steadfast_wire::runs::{RunList, RunRecord, StoredRun};
use steadfast_wire::summary::WeeklySummary;

use super::{CURSOR, LIMIT, NAME_CHARS_MAX, any, fields, json, nothing, parameter, tagged};
use crate::body::MemoryPermit;
use crate::live::off;
use crate::problem::Problem;
use crate::problem::kinds::{NOT_ACCEPTABLE, NOT_STORED, UNUSABLE};
use crate::query::Kind;
use crate::routes::{Answer, Gives, Incoming, Route, Scope, Work};
use crate::{accept, admission};

/// The media type of JSON.
const JSON: &str = "application/json";

/// What the page of a report may do: no more than what it says itself, in an origin of its own, so that it reads nothing of the server.
const REPORT_POLICY: &str =
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

const LIST: Route = Route {
    path: "/api/runs",
    query: &[
        parameter("verb", Kind::Text(NAME_CHARS_MAX), "Only runs of this verb, such as `audit` or `plan check`."),
        parameter("agent", Kind::Text(NAME_CHARS_MAX), "Only runs about the work of this agent."),
        LIMIT,
        CURSOR,
        fields(members::<StoredRun>),
    ],
    gives: &[Gives::json(Components::of::<RunList>, "The runs, the newest first.")],
    problems: &[&UNUSABLE],
    name: "listRuns",
    tag: "runs",
    summary: "List stored runs",
    about: "The newest first.",
    handler: list,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    LIST,
    Route {
        path: "/api/runs/{id}",
        query: &[fields(members::<RunRecord>)],
        gives: &[Gives::json(Components::of::<RunRecord>, "The run.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "showRun",
        summary: "Show a stored run",
        about: "What it read, how it was asked, and its result.",
        handler: show,
        ..LIST
    },
    Route {
        path: "/api/runs/{id}/result",
        query: &[parameter(
            "format",
            Kind::Word(&["json", "text", "md", "html", "junit", "sarif", "ics", "tasks"]),
            "The form, as `--format` of the command names it. Where it is not said `Accept` decides: JSON where that is taken, else the first of \
             `text`, `md`, `html`, `junit`, `sarif` and `ics` that is.",
        )],
        gives: &[
            Gives::json(
                any,
                "The bytes of the answer that was stored, with `run`; or what the command writes in another form.",
            ),
            Gives { media: Form::Text.media(), schema: None, about: "" },
            Gives { media: Form::Markdown.media(), schema: None, about: "" },
            Gives { media: Form::Html.media(), schema: None, about: "" },
            Gives { media: Form::Junit.media(), schema: None, about: "" },
            Gives { media: Form::Sarif.media(), schema: Some(any), about: "" },
            Gives { media: file_media(PlanFile::Ics), schema: None, about: "" },
        ],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "runResult",
        summary: "The result of a stored run",
        about: "In JSON the same bytes as the answer had: what `--format json` printed, whole, whatever part of it was listed. In another form what the \
                command writes: all of `audit`, `plan`, `plan check` and `review`; `text`, `md` and `html` of `plan constraints`, `watch` and \
                `watch compare`; `text` of `pick`; of `plan` also `ics`, a calendar, and `tasks`, task lines. Lines are counted where the texts of the run are kept.",
        handler: result,
        ..LIST
    },
    Route {
        method: Method::DELETE,
        path: "/api/runs/{id}",
        scope: Scope::Admin,
        query: &[],
        gives: &[],
        status: 204,
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "deleteRun",
        summary: "Delete a stored run",
        about: "Its bytes are overwritten; messages of tasks stay.",
        handler: delete,
        ..LIST
    },
    Route {
        path: "/api/summary",
        work: Work::Heavy,
        query: &[
            parameter(
                "weeks",
                Kind::Count(1, SUMMARY_WEEKS_MAX as u64),
                "How many weeks, this one included; 4 where it is not said.",
            ),
            parameter(
                "timezone",
                Kind::Text(NAME_CHARS_MAX),
                "The zone in which weeks begin, by its IANA name or an offset; `UTC` where it is not said.",
            ),
        ],
        gives: &[Gives::json(Components::of::<WeeklySummary>, "The weeks, the oldest first.")],
        name: "weeklySummary",
        summary: "How often hard obligations were broken, week by week",
        about: "In which share of stored runs a hard obligation was broken: by week, agent and check. The answer is what `steadfast store summary --json` prints.",
        handler: summary,
        ..LIST
    },
];

/// Weeks of a summary where no number is asked for, and the zone where none is.
pub(crate) const WEEKS_DEFAULT: u32 = 4;
pub(crate) const ZONE_DEFAULT: &str = "UTC";

fn summary(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let weeks = incoming.query.count("weeks").and_then(|weeks| u32::try_from(weeks).ok()).unwrap_or(WEEKS_DEFAULT);
        let zone = incoming.query.text("timezone").unwrap_or_else(|| ZONE_DEFAULT.to_owned());
        incoming.answer(&with_store(&incoming.calling(), move |store| weekly(store, weeks, &zone)).await?)
    })
}

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (verb, agent, cursor) =
            (incoming.query.text("verb"), incoming.query.text("agent"), incoming.query.text("cursor"));
        let filter = RunFilter { verb, agent, ..RunFilter::default() };
        let limit = incoming.limit();
        let found = move |store: &dyn Keep| find_runs(store, filter, cursor.as_deref(), limit);
        let list = with_store(&incoming.calling(), found).await?;
        incoming.list(&list, "runs")
    })
}

async fn run(incoming: &Incoming) -> Result<RunRecord, Refusal> {
    let id = incoming.part("id");
    with_store(&incoming.calling(), move |store| show_run(store, &id)).await
}

fn show(incoming: Incoming) -> Answer {
    Box::pin(async move { incoming.answer(&run(&incoming).await?) })
}

fn result(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let mut response = match wanted(&incoming).await? {
            Wanted::Json => {
                let record = run(&incoming).await?;
                json(record.answer().map_err(|error| Problem::fault(error.to_string()))?)
            }
            // To draw is work; what is stored is read at once.
            Wanted::Form(_) | Wanted::File(_) => {
                admission::within(&Arc::clone(&incoming.app), incoming, MemoryPermit::default(), draw).await?
            }
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
        Ok(response)
    })
}

fn draw(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let wanted = wanted(&incoming).await?;
        let own = kept::drawable(&incoming.calling(), incoming.part("id")).await?;
        let mut response = tagged(wanted.media(), off(move || drawn(&own, wanted)).await?);
        let headers = response.headers_mut();
        if let Ok(media) = HeaderValue::from_str(&format!("{}; charset=utf-8", wanted.media())) {
            headers.insert(header::CONTENT_TYPE, media);
        }
        if wanted == Wanted::Form(Form::Html) {
            // What it may load by itself it says itself, more closely.
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY));
        }
        Ok(response)
    })
}

/// The form in which a result is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Json,
    Form(Form),
    /// A plan as a file that other programs read.
    File(PlanFile),
}

impl Wanted {
    /// The forms of the result of a verb, in the order in which they are preferred.
    fn of(verb: &str) -> Vec<Self> {
        let forms = std::iter::once(Self::Json).chain(Form::of(verb).iter().copied().map(Self::Form));
        let files = if verb == "plan" { PlanFile::ALL } else { &[] };
        forms.chain(files.iter().copied().map(Self::File)).collect()
    }

    /// The form of this name.
    fn of_name(name: &str) -> Self {
        let form = Form::ALL.iter().copied().find(|form| form.name() == name).map(Self::Form);
        let file = || PlanFile::ALL.iter().copied().find(|file| file.name() == name).map(Self::File);
        form.or_else(file).unwrap_or(Self::Json)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Form(form) => form.name(),
            Self::File(file) => file.name(),
        }
    }

    const fn media(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Form(form) => form.media(),
            Self::File(file) => file_media(file),
        }
    }
}

async fn wanted(incoming: &Incoming) -> Result<Wanted, Problem> {
    if let Some(name) = incoming.query.text("format") {
        return Ok(Wanted::of_name(&name));
    }
    if accept::takes(&incoming.headers, JSON) {
        return Ok(Wanted::Json);
    }
    let run = run(incoming).await?.run;
    let forms = Wanted::of(&run.verb);
    match forms.iter().copied().find(|form| accept::takes(&incoming.headers, form.media())) {
        Some(form) => Ok(form),
        None => {
            let mut names: Vec<&str> = Vec::new();
            forms.iter().map(|form| form.media()).for_each(|media| {
                if !names.contains(&media) {
                    names.push(media);
                }
            });
            Err(Problem::of(&NOT_ACCEPTABLE, format!("`Accept` names none of {}", names.join(", "))))
        }
    }
}

fn drawn(own: &Drawable, wanted: Wanted) -> Result<String, Problem> {
    let run = &own.record.run;
    let result = own.record.result.get();
    let forms = Wanted::of(&run.verb);
    let refused = |what: String| Problem::of(&UNUSABLE, what).parameter("format");
    if !forms.contains(&wanted) {
        let names: Vec<&str> = forms.iter().map(|form| form.name()).collect();
        let what = format!("a run of `{}` has no form `{}`", run.verb, wanted.name());
        return Err(refused(what).hint(format!("there are {}", names.join(", "))));
    }
    let form = match wanted {
        Wanted::Json => return Ok(result.to_owned()),
        Wanted::File(file) => {
            let response: PlanResponse =
                steadfast_wire::from_json(result).map_err(|error| Problem::fault(error.to_string()))?;
            return Ok(steadfast_render::plan::file(&response, file).0);
        }
        Wanted::Form(form) => form,
    };
    let checked = own.checked.as_ref().map(|own| Checked {
        items: &own.items,
        file: &own.file,
        current_time: &own.current_time,
        timezone: &own.timezone,
    });
    let texts = Texts::of(&own.texts);
    let stored = Stored { verb: &run.verb, result, texts, titles: &own.titles, checked };
    let text = steadfast_render::stored(&stored, form).map_err(|error| Problem::fault(error.to_string()))?;
    text.ok_or_else(|| {
        let what = format!("the texts that this run of `{}` was about are not kept", run.verb);
        refused(what).hint("`format=json` gives its result")
    })
}

fn delete(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let id = incoming.part("id");
        with_store(&incoming.calling(), move |store| delete_runs(store, &[id])).await?;
        Ok(nothing())
    })
}
