//! Day plans: asking for one, checking somebody's, comparing variants, and the pages of what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query as Asked, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::calls::kept::drawable;
use steadfast_engine::calls::{self, Refusal};
use steadfast_engine::{CALENDAR_NAME, CheckOutcome, File, PLAN_NAME};
use steadfast_render::plan::{self as drawing, Sheet};
use steadfast_render::{Checked, Texts};
use steadfast_wire::plan::{Constraints, PlanAnswer, PlanFile, PlanResponse, Preferences, Validation, Variant};
use steadfast_wire::request::{self, JsonSource, Source};
use steadfast_wire::runs::{RunRecord, StoredRun};

use super::Query;
use super::results::{Shown, Tables, facts, made, read, typed, value};
use super::runs::{page_of, texts_of};
use super::shell::{Page, Section, encoded, filters, go, kept, show_as};
use super::upload::{self, Sent};
use crate::app::App;
use crate::problem::Problem;

mod again;

use again::Again;

/// Bytes of all that a form sends.
const FORM_BYTES_MAX: usize = 32 * 1024 * 1024;

const EXAMPLE_NOTES: &str = include_str!("../../../../../examples/story/2026-02-18.md");
const EXAMPLE_TIME: &str = "2026-02-18T08:30";
const EXAMPLE_ZONE: &str = "Europe/Amsterdam";
const EXAMPLE_PLAN: &str = include_str!("../../assets/example_plan.json");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/plan", get(form).post(make))
        .route("/plan/check", get(check_form).post(check))
        .route("/plan/compare", get(compare_form).post(compare))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// What a form of notes holds.
#[derive(Clone, Debug, Default)]
struct Typed {
    context: String,
    current_time: String,
    timezone: String,
    variant: String,
    hard: bool,
    plan: String,
    /// Answers to open questions, `ID=TEXT` each in a line.
    answers: String,
    /// A reading of the notes, as JSON.
    constraints: String,
    /// Calendars that were chosen. A browser does not fill them in again.
    calendars: Vec<File>,
    /// The earlier plan that is gone on with.
    again: Option<Again>,
}

impl Typed {
    fn of(sent: Sent) -> Self {
        let form = &sent.texts;
        let calendars = sent.files.iter().filter(|file| file.field == "calendars").map(|file| File {
            name: if file.name.is_empty() { CALENDAR_NAME.to_owned() } else { file.name.clone() },
            bytes: file.bytes.to_vec(),
        });
        Self {
            calendars: calendars.collect(),
            again: None,
            context: typed(form, "context"),
            current_time: value(form, "current_time"),
            timezone: value(form, "timezone"),
            variant: value(form, "variant"),
            hard: value(form, "preferences") == Preferences::Hard.name(),
            plan: typed(form, "plan"),
            answers: typed(form, "answers"),
            constraints: typed(form, "constraints"),
        }
    }

    /// An empty form with the time that it is, or the example.
    fn begun(app: &App, query: &Query) -> Self {
        if query.contains_key("example") {
            return Self {
                context: EXAMPLE_NOTES.to_owned(),
                current_time: EXAMPLE_TIME.to_owned(),
                timezone: EXAMPLE_ZONE.to_owned(),
                plan: EXAMPLE_PLAN.to_owned(),
                ..Self::default()
            };
        }
        let now = app.host.now(None, None, "");
        // As a field of a form holds it: without seconds, in the zone beside it.
        let current_time = now.current_time.get(..16).unwrap_or_default().to_owned();
        Self { current_time, timezone: now.timezone, ..Self::default() }
    }

    /// The request for a plan.
    fn request(&self, variant: Variant) -> Result<request::Plan, Refusal> {
        let (from, done) = self.again.as_ref().map(Again::plan).unzip();
        Ok(request::Plan {
            context: Source::Text(self.context.clone()),
            current_time: Some(self.current_time.clone()),
            timezone: Some(self.timezone.clone()),
            calendars: Some(self.calendars()),
            from,
            done,
            variant: Some(variant),
            preferences: Some(self.preferences()),
            constraints: self.constraints(),
            answers: Some(self.answers()?),
            ..request::Plan::default()
        })
    }

    /// The request to check a plan.
    fn check_request(&self) -> Result<request::PlanCheck, Refusal> {
        Ok(request::PlanCheck {
            context: Source::Text(self.context.clone()),
            plan: JsonSource::Source(Source::Text(self.plan.clone())),
            current_time: Some(self.current_time.clone()),
            timezone: Some(self.timezone.clone()),
            calendars: Some(self.calendars()),
            preferences: Some(self.preferences()),
            constraints: self.constraints(),
            answers: Some(self.answers()?),
            ..request::PlanCheck::default()
        })
    }

    /// The answers of the form.
    fn answers(&self) -> Result<Vec<PlanAnswer>, Refusal> {
        let lines = self.answers.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(|line| line.parse().map_err(|what: String| Refusal::input(format!("answers: `{line}`: {what}"))))
            .collect()
    }

    /// The reading of the form, where there is one.
    fn constraints(&self) -> Option<JsonSource> {
        let given = !self.constraints.trim().is_empty();
        given.then(|| JsonSource::Source(Source::Text(self.constraints.clone())))
    }

    fn preferences(&self) -> Preferences {
        if self.hard { Preferences::Hard } else { Preferences::Soft }
    }

    /// The calendars that were chosen, else those of the earlier plan.
    fn calendars(&self) -> Vec<Source> {
        let files = match &self.again {
            Some(again) if self.calendars.is_empty() => &again.calendars,
            _ => &self.calendars,
        };
        files.iter().cloned().map(|File { name, bytes }| Source::Bytes { name, bytes }).collect()
    }
}

/// What a form of notes is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Make,
    Check,
    Compare,
}

#[derive(Template)]
#[template(path = "plan_form.html")]
struct FormPage {
    page: Page,
    kind: Kind,
    typed: Typed,
    variants: &'static [Variant],
}

fn page(kind: Kind) -> Page {
    match kind {
        Kind::Make => Page::new(Section::Plan, "Plan")
            .lead("A day plan from your notes, with the proof that it keeps every constraint in them."),
        Kind::Check => Page::new(Section::Plan, "Check a plan")
            .in_section()
            .lead("Somebody else’s plan, checked against the notes that it was made from."),
        Kind::Compare => Page::new(Section::Plan, "Compare variants")
            .in_section()
            .lead("The same notes planned in four ways, from naive to validated and repaired, side by side."),
    }
}

fn form_page(kind: Kind, typed: Typed, trouble: Option<Problem>) -> Result<Response, Problem> {
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    show_as(status, &FormPage { page: page(kind).trouble(trouble), kind, typed, variants: Variant::ALL })
}

async fn form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let typed = match query.get("from") {
        Some(id) => again::begun(&app, id).await?,
        None => Typed::begun(&app, &query),
    };
    form_page(Kind::Make, typed, None)
}

async fn check_form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    form_page(Kind::Check, Typed::begun(&app, &query), None)
}

/// What a form sent.
async fn sent(app: &App, request: Request) -> Result<Typed, Problem> {
    upload::read(app, request, FORM_BYTES_MAX).await.map(Typed::of)
}

/// Makes a plan, or goes on with one, and leads to its page.
async fn make(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let sent = match upload::read(&app, request, FORM_BYTES_MAX).await {
        Ok(sent) => sent,
        Err(problem) => return form_page(Kind::Make, Typed::default(), Some(problem)),
    };
    let again = Again::of(&app, &sent.texts).await?;
    let typed = Typed { again, ..Typed::of(sent) };
    let planned = match typed.request(variant_of(&typed.variant)) {
        Ok(request) => calls::plan(&app.host, request).await,
        Err(refusal) => Err(refusal),
    };
    match planned {
        Ok(planned) => match &planned.response.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => plan_page(page(Kind::Make), &planned.response, &planned.texts, (None, &Query::new())),
        },
        Err(refusal) => form_page(Kind::Make, typed, Some(refusal.into())),
    }
}

fn variant_of(name: &str) -> Variant {
    Variant::ALL.iter().copied().find(|own| own.name() == name).unwrap_or(Variant::V4Repair)
}

/// Checks a plan, and leads to its page.
async fn check(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let typed = match sent(&app, request).await {
        Ok(typed) => typed,
        Err(problem) => return form_page(Kind::Check, Typed::default(), Some(problem)),
    };
    let checked = match typed.check_request() {
        Ok(request) => calls::plan_check(&app.host, request).await,
        Err(refusal) => Err(refusal),
    };
    match checked {
        Ok(checked) => match &checked.validation.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => {
                let (validation, texts) = (&checked.validation, &checked.texts);
                check_page(page(Kind::Check), validation, given(&checked), texts, (None, &Query::new()))
            }
        },
        Err(refusal) => form_page(Kind::Check, typed, Some(refusal.into())),
    }
}

/// Plans the same notes in all ways, and leads to the page that compares them.
async fn compare(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let typed = match sent(&app, request).await {
        Ok(typed) => typed,
        Err(problem) => return form_page(Kind::Compare, Typed::default(), Some(problem)),
    };
    let mut plans: Vec<PlanResponse> = Vec::new();
    for variant in Variant::ALL {
        let planned = match typed.request(*variant) {
            Ok(request) => calls::plan(&app.host, request).await,
            Err(refusal) => Err(refusal),
        };
        match planned {
            Ok(planned) => plans.push(planned.response),
            Err(refusal) => return form_page(Kind::Compare, typed, Some(refusal.into())),
        }
    }
    let ids: Option<Vec<&str>> = plans.iter().map(|own| own.run.as_ref().map(|run| run.id.as_str())).collect();
    match ids {
        Some(ids) => Ok(go(&format!("/plan/compare?runs={}", ids.join(",")))),
        None => compared(&plans),
    }
}

fn compared(plans: &[PlanResponse]) -> Result<Response, Problem> {
    let borrowed: Vec<&PlanResponse> = plans.iter().collect();
    let href =
        |own: &PlanResponse| own.run.as_ref().map_or_else(String::new, |run| format!("/runs/{}", encoded(&run.id)));
    let mut shown = Shown::new(page(Kind::Compare), made(drawing::variants(&borrowed, &href))?);
    shown.links.push(("Other notes", "/plan/compare".to_owned()));
    shown.answer()
}

/// The comparison of runs that are named, or the form.
async fn compare_form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let ids: Vec<String> = value(&query, "runs").split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.is_empty() {
        return form_page(Kind::Compare, Typed::begun(&app, &query), None);
    }
    let mut plans = Vec::new();
    for id in ids.into_iter().take(drawing::VARIANTS_MAX) {
        let record = kept(&app, move |store| steadfast_engine::runs::show_run(store, &id)).await?;
        if record.run.verb != "plan" {
            let what = format!("the run {} is one of `{}`, not of `plan`", record.run.id, record.run.verb);
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "these runs cannot be compared", what));
        }
        let mut response: PlanResponse = read(record.result.get())?;
        response.run = Some(steadfast_wire::Run { id: record.run.id, started: record.run.started, ms: record.run.ms });
        plans.push(response);
    }
    compared(&plans)
}

/// The page of a run of `plan`, `plan check` or `plan constraints`.
pub(super) async fn result(app: &Arc<App>, record: &RunRecord, query: &Query) -> Result<Response, Problem> {
    let run = &record.run;
    match run.verb.as_str() {
        "plan" => {
            let response: PlanResponse = read(record.result.get())?;
            plan_page(page_of(run, ""), &response, &texts_of(app, &run.id).await?, (Some(run), query))
        }
        "plan check" => {
            let own = drawable(&app.host, run.id.clone()).await?;
            let validation: Validation = read(own.record.result.get())?;
            let (current_time, timezone) = (setting(run, "current_time"), setting(run, "timezone"));
            // Where the texts are not kept the items are not known.
            let unknown = Checked { items: &[], file: PLAN_NAME, current_time: &current_time, timezone: &timezone };
            let checked = own.checked.as_ref().map_or(unknown, given);
            check_page(page_of(run, ""), &validation, checked, &own.texts, (Some(run), query))
        }
        _ => {
            let texts = texts_of(app, &run.id).await?;
            let constraints: Constraints = read(record.result.get())?;
            let part = made(drawing::marked(&constraints.constraints, &[], &Texts::of(&texts)))?;
            let mut shown = Shown::new(page_of(run, "What the notes require"), part);
            shown.facts = facts(run)?;
            shown.answer()
        }
    }
}

fn plan_page(
    page: Page,
    response: &PlanResponse,
    texts: &BTreeMap<String, String>,
    (run, query): (Option<&StoredRun>, &Query),
) -> Result<Response, Problem> {
    let sheet = Sheet::from(response);
    let page = Page { title: drawing::title(&sheet), lead: drawing::subtitle(&sheet), ..page };
    let mut shown = Shown::new(page, made(drawing::part(&sheet, &Texts::of(texts), &Tables { run, query }))?);
    if let Some(run) = run {
        let id = encoded(&run.id);
        shown.links.push(("Plan again from here", format!("/plan?from={id}")));
        let file = |(file, name): (PlanFile, &'static str)| {
            (file.label(), format!("/api/runs/{id}/result?format={file}"), name)
        };
        shown.downloads = [(PlanFile::Ics, "plan.ics"), (PlanFile::Tasks, "plan.md")].map(file).into();
    }
    shown.links.push(("Plan other notes", "/plan".to_owned()));
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}

/// Somebody's plan, as it was read.
fn given(checked: &CheckOutcome) -> Checked<'_> {
    let CheckOutcome { items, file, current_time, timezone, .. } = checked;
    Checked { items, file, current_time, timezone }
}

/// A setting of a run, where it is a text.
fn setting(run: &StoredRun, name: &str) -> String {
    run.settings.get(name).and_then(|it| it.as_str()).unwrap_or_default().to_owned()
}

fn check_page(
    page: Page,
    validation: &Validation,
    checked: Checked<'_>,
    texts: &BTreeMap<String, String>,
    (run, query): (Option<&StoredRun>, &Query),
) -> Result<Response, Problem> {
    let sheet = checked.sheet(validation);
    let page = Page { title: "Check of a plan".to_owned(), lead: drawing::subtitle(&sheet), ..page };
    let mut shown = Shown::new(page, made(drawing::part(&sheet, &Texts::of(texts), &Tables { run, query }))?);
    shown.links.push(("Check another plan", "/plan/check".to_owned()));
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}
