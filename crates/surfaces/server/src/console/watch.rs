//! Agents' runs: scoring a log, the pages of what came of it in pieces of any length, and the comparison of two arms.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Form as Sent, Query as Asked, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::calls::{self, Stopped};
use steadfast_engine::watch::{Arm, compare};
use steadfast_render::Rows;
use steadfast_render::watch::{self as drawing, STEPS_OF_PAGE_MAX, StepText, TRAJECTORIES_OF_PAGE_MAX};
use steadfast_wire::request::{self, EmbedderChoice, Source};
use steadfast_wire::runs::{RunRecord, StoredRun};
use steadfast_wire::watch::{Aggregate, Comparison, GivenStep, StepReader, Trajectory, Watch};

use super::Query;
use super::results::{Shown, Tables, facts, made, place, read, typed, value};
use super::runs::{page_of, texts_of};
use super::shell::{Page, Section, encoded, filters, go, kept, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// What a log is called that comes by a form.
const LOG_NAME: &str = "log.jsonl";

/// Bytes of a form with logs.
const FORM_BYTES_MAX: usize = 32 * 1024 * 1024;

const EXAMPLE_LOG: &str = include_str!("../../../../../examples/story/steps.jsonl");
const EXAMPLE_ONE: &str = include_str!("../../assets/example_one.jsonl");
const EXAMPLE_OTHER: &str = include_str!("../../assets/example_other.jsonl");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/watch", get(form).post(make))
        .route("/watch/compare", get(compare_form).post(compare_logs))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// What a form of logs holds.
#[derive(Clone, Debug, Default)]
struct Typed {
    log: String,
    other: String,
    embedder: String,
    aggregate: String,
    alert: String,
}

impl Typed {
    fn of(form: &Query) -> Self {
        Self {
            log: typed(form, "log"),
            other: typed(form, "other"),
            embedder: value(form, "embedder"),
            aggregate: value(form, "aggregate"),
            alert: value(form, "alert"),
        }
    }

    fn begun(query: &Query, two: bool) -> Self {
        if !query.contains_key("example") {
            return Self::default();
        }
        let lexical = "lexical".to_owned();
        let log = if two { EXAMPLE_ONE } else { EXAMPLE_LOG };
        Self { log: log.to_owned(), other: EXAMPLE_OTHER.to_owned(), embedder: lexical, ..Self::default() }
    }

    fn request(&self, name: &str, log: &str) -> Result<request::Watch, Problem> {
        let alert = match self.alert.as_str() {
            "" => None,
            given => Some(given.parse::<f64>().map_err(|_| {
                let what = format!("the threshold of alerts is `{given}`, which is no number");
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "what was given cannot be used", what)
                    .hint("scores lie between 0 and 1; leave it empty for alerts on changes and bans alone")
            })?),
        };
        Ok(request::Watch {
            log: Some(Source::Named { name: name.to_owned(), text: log.to_owned() }),
            embedder: EmbedderChoice::ALL.iter().copied().find(|own| own.name() == self.embedder),
            aggregate: Aggregate::ALL.iter().copied().find(|own| own.name() == self.aggregate),
            alert,
            ..request::Watch::default()
        })
    }
}

#[derive(Template)]
#[template(path = "watch_form.html")]
struct FormPage {
    page: Page,
    two: bool,
    typed: Typed,
    aggregates: &'static [Aggregate],
}

fn page(two: bool) -> Page {
    if two {
        Page::new(Section::Watch, "Compare two arms")
            .in_section()
            .lead("Two logs of the same tasks: which arm stays closer to its goals, and whether the difference is more than chance.")
    } else {
        Page::new(Section::Watch, "Watch")
            .lead("Step by step: is the agent still on the goal, and where did it leave it?")
    }
}

fn form_page(two: bool, typed: Typed, trouble: Option<Problem>) -> Result<Response, Problem> {
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    show_as(status, &FormPage { page: page(two).trouble(trouble), two, typed, aggregates: Aggregate::ALL })
}

async fn form(Asked(query): Asked<Query>) -> Result<Response, Problem> {
    form_page(false, Typed::begun(&query, false), None)
}

/// Scores a log, and leads to its page.
async fn make(State(app): State<Arc<App>>, Sent(form): Sent<Query>) -> Result<Response, Problem> {
    let typed = Typed::of(&form);
    match scored(&app, &typed, LOG_NAME, &typed.log).await {
        Ok(watch) => match &watch.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => {
                let trajectory = (watch.trajectories.len() == 1).then_some(0);
                let place = Place { trajectory, texts: [(LOG_NAME.to_owned(), typed.log)].into(), ..Place::default() };
                watch_page(page(false), &watch, &place, None)
            }
        },
        Err(problem) => form_page(false, typed, Some(problem)),
    }
}

async fn scored(app: &Arc<App>, typed: &Typed, name: &str, log: &str) -> Result<Watch, Problem> {
    Ok(calls::watch(&app.host, typed.request(name, log)?, &Stopped::default()).await?)
}

/// What of a run is shown.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The address of the run's page.
    href: String,
    /// The trajectory, by its place; `None` for the list.
    trajectory: Option<usize>,
    /// The first row.
    from: usize,
    texts: BTreeMap<String, String>,
}

/// The page of a run of `watch` or `watch compare`.
pub(super) async fn result(app: &Arc<App>, record: &RunRecord, query: &Query) -> Result<Response, Problem> {
    let run = &record.run;
    if run.verb != "watch" {
        let comparison: Comparison = read(record.result.get())?;
        return compared(page_of(run, "Two arms compared"), &comparison, (Some(run), query), Vec::new());
    }
    let watch: Watch = read(record.result.get())?;
    let trajectory = query.get("trajectory").and_then(|at| at.parse::<usize>().ok()).and_then(|at| at.checked_sub(1));
    let single = (watch.trajectories.len() == 1).then_some(0);
    let place = Place {
        href: format!("/runs/{}", encoded(&run.id)),
        trajectory: trajectory.or(single),
        from: place(query, "from"),
        texts: if trajectory.or(single).is_some() { texts_of(app, &run.id).await? } else { BTreeMap::new() },
    };
    watch_page(page_of(run, "Intent drift"), &watch, &place, Some(run))
}

fn watch_page(page: Page, watch: &Watch, place: &Place, run: Option<&StoredRun>) -> Result<Response, Problem> {
    match place.trajectory {
        Some(at) => {
            let own = watch.trajectories.get(at).ok_or_else(|| {
                let what = format!("the run has {} trajectories, and none at {}", watch.trajectories.len(), at + 1);
                Problem::new(StatusCode::NOT_FOUND, "there is no such thing", what)
            })?;
            trajectory_page(page, watch, (at, own), place, run)
        }
        None => list_page(page, watch, place, run),
    }
}

/// The address of a part of a run's page; empty where the run is not kept, and has none.
fn href_of(place: &Place, trajectory: Option<usize>, from: usize) -> String {
    if place.href.is_empty() {
        return String::new();
    }
    let trajectory = trajectory.map_or_else(String::new, |at| (at + 1).to_string());
    let from = if from == 0 { String::new() } else { from.to_string() };
    with_query(&place.href, &[("trajectory", &trajectory), ("from", &from)])
}

/// The trajectories of a run: who raises an alert, and all of them in pages.
fn list_page(mut page: Page, watch: &Watch, place: &Place, run: Option<&StoredRun>) -> Result<Response, Problem> {
    let count = watch.trajectories.len();
    let from = place.from.min(count.saturating_sub(1)) / TRAJECTORIES_OF_PAGE_MAX * TRAJECTORIES_OF_PAGE_MAX;
    page.lead = lead(watch);
    let summary =
        made(drawing::summary(watch, true, &|at| Some(href_of(place, Some(at), 0)).filter(|href| !href.is_empty())))?;
    let list = made(drawing::trajectories(watch, from, &|at| href_of(place, Some(at), 0)))?;
    let pages = Rows::of("trajectories", from, TRAJECTORIES_OF_PAGE_MAX, count, &|at| href_of(place, None, at));
    let part = format!(
        "{}<section id=\"trajectories\"><h2>Trajectories <span class=\"count\">{count}</span></h2>{list}</section>{}{}",
        if from == 0 { summary } else { String::new() },
        made(pages.html())?,
        made(drawing::rest(watch))?
    );
    finish(page, part, run)
}

/// One trajectory: its curve, and its steps in pages.
fn trajectory_page(
    mut page: Page,
    watch: &Watch,
    (at, own): (usize, &Trajectory),
    place: &Place,
    run: Option<&StoredRun>,
) -> Result<Response, Problem> {
    let count = own.steps.len();
    let from = place.from.min(count.saturating_sub(1)) / STEPS_OF_PAGE_MAX * STEPS_OF_PAGE_MAX;
    let alone = watch.trajectories.len() == 1;
    if !alone {
        page =
            page.below("Intent drift", href_of(place, None, at / TRAJECTORIES_OF_PAGE_MAX * TRAJECTORIES_OF_PAGE_MAX));
    }
    page.title = match own.agent.as_deref() {
        Some(agent) => format!("{} ({agent})", own.task_id),
        None => own.task_id.clone(),
    };
    page.lead = lead(watch);
    let said = Said::of(own, from, &place.texts);
    let steps = made(drawing::steps(own, from, &|at| said.at(at - from)))?;
    let pages = Rows::of("steps", from, STEPS_OF_PAGE_MAX, count, &|row| href_of(place, Some(at), row));
    let pages = made(pages.html())?;
    let summary = if alone { made(drawing::summary(watch, true, &|_| None))? } else { String::new() };
    let head = if from == 0 { format!("{summary}{}", made(drawing::trajectory(own))?) } else { String::new() };
    let rest = if alone && from == 0 { made(drawing::rest(watch))? } else { String::new() };
    let part = format!(
        "{head}<section id=\"steps\"><h2>Steps <span class=\"count\">{count}</span></h2>{steps}</section>{pages}{rest}"
    );
    finish(page, part, run)
}

fn lead(watch: &Watch) -> String {
    format!("Scored with the embedder {} ({}), {}.", watch.embedder, watch.embedding_version, watch.aggregate.label())
}

fn finish(page: Page, part: String, run: Option<&StoredRun>) -> Result<Response, Problem> {
    let mut shown = Shown::new(page, part);
    shown.links.push(("Watch another log", "/watch".to_owned()));
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}

/// The texts of a page's steps, read again from the log that the run was given.
struct Said {
    steps: Vec<Option<GivenStep>>,
}

impl Said {
    fn of(own: &Trajectory, from: usize, texts: &BTreeMap<String, String>) -> Self {
        let wanted: Vec<i64> = own.steps.iter().skip(from).take(STEPS_OF_PAGE_MAX).map(|step| step.step).collect();
        let mut steps: Vec<Option<GivenStep>> = vec![None; wanted.len()];
        for (name, log) in texts {
            let mut reader = StepReader::new(name);
            let mut read = reader.push(log.as_bytes());
            read.extend(reader.finish());
            // Steps that name no number are counted within their trajectory, as they were scored.
            let mut counted = 0;
            for step in read.into_iter().flatten() {
                let agent = step.agent.as_deref();
                if *step.task_id != *own.task_id || agent != own.agent.as_deref() {
                    continue;
                }
                let number = own.steps.get(counted).map(|scored| scored.step);
                let at = number.and_then(|number| wanted.iter().position(|it| *it == number));
                counted += 1;
                if let Some(slot) = at.and_then(|at| steps.get_mut(at)) {
                    *slot = Some(step);
                }
            }
        }
        Self { steps }
    }

    fn at(&self, place: usize) -> StepText<'_> {
        let Some(Some(step)) = self.steps.get(place) else { return StepText::default() };
        StepText { prompt: step.prompt.as_deref(), output: step.output.as_deref() }
    }
}

/// Scores two logs, and leads to the page that compares them.
async fn compare_logs(State(app): State<Arc<App>>, Sent(form): Sent<Query>) -> Result<Response, Problem> {
    let typed = Typed::of(&form);
    let both = async {
        let request::Watch { log: a, embedder, aggregate, .. } = typed.request("a.jsonl", &typed.log)?;
        let b = typed.request("b.jsonl", &typed.other)?.log;
        let arm = |log| request::Arm { log, ..request::Arm::default() };
        let request = request::WatchCompare { a: arm(a), b: arm(b), intents: None, embedder, aggregate };
        Ok::<_, Problem>(calls::watch_compare(&app.host, request, &Stopped::default()).await?)
    };
    match both.await {
        Ok(comparison) => match &comparison.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => compared(page(true), &comparison, (None, &Query::new()), Vec::new()),
        },
        Err(problem) => form_page(true, typed, Some(problem)),
    }
}

fn arms(a: &Watch, b: &Watch) -> Result<Comparison, Problem> {
    let (a, b) = (Arm { name: "a.jsonl", watch: a }, Arm { name: "b.jsonl", watch: b });
    compare(a, b).map_err(|error| Problem::from(calls::Refusal::from(error)))
}

/// The comparison of two runs that are named, or the form.
async fn compare_form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let (a, b) = (value(&query, "a"), value(&query, "b"));
    if a.is_empty() || b.is_empty() {
        return form_page(true, Typed::begun(&query, true), None);
    }
    let mut watches = Vec::with_capacity(2);
    // No route gives a comparison of stored runs: what it is made of is a link away, each with its own JSON.
    let arms_of = [("Arm A", format!("/runs/{}", encoded(&a))), ("Arm B", format!("/runs/{}", encoded(&b)))];
    for id in [a, b] {
        let record = kept(&app, move |store| steadfast_engine::runs::show_run(store, &id)).await?;
        if record.run.verb != "watch" {
            let what = format!("the run {} is one of `{}`, not of `watch`", record.run.id, record.run.verb);
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "these runs cannot be compared", what));
        }
        watches.push(read::<Watch>(record.result.get())?);
    }
    compared(page(true), &arms(&watches[0], &watches[1])?, (None, &query), arms_of.into())
}

fn compared(
    page: Page,
    comparison: &Comparison,
    (run, query): (Option<&StoredRun>, &Query),
    links: Vec<(&'static str, String)>,
) -> Result<Response, Problem> {
    let mut shown = Shown::new(page, made(drawing::compare_part(comparison, &Tables { run, query }))?);
    shown.links = links;
    shown.links.push(("Compare other logs", "/watch/compare".to_owned()));
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}
