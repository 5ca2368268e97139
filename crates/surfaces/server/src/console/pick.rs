//! Prompts for a task: asking for them, the page of what was picked, and what is said of it afterwards.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Form as Sent, Path, Query as Asked, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use steadfast_engine::EngineError;
use steadfast_engine::calls;
use steadfast_engine::runs::show_run;
use steadfast_engine::vault::filled_chain;
use steadfast_render::pick::{self as drawing, Around};
use steadfast_wire::pick::{FinalOutput, Placeholder, PromptRecord, Stage};
use steadfast_wire::request::{self, PointChoice, Word};
use steadfast_wire::runs::{RunRecord, StoredRun};

use super::Query;
use super::results::{Shown, Tables, facts, made, read, text, typed, value};
use super::runs::page_of;
use super::shell::{Page, Section, encoded, filters, go, keeps, kept, non_empty, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Prompts of a result whose texts its page holds.
const PROMPTS_MAX: usize = 40;

const EXAMPLE: &str = "Plan how we open a library of things on our estate by 6 June: first find out what is still unclear in the brief, then work \
                       out the steps, the dates and a budget of €24,000, write the plan as a report that neighbours can read, and check \
                       at the end that everything the brief asks for is in it.";

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/pick", get(form).post(make))
        .route("/pick/{id}/feedback", post(feedback))
        .route("/pick/{id}/fill", post(fill))
}

/// What the form holds.
#[derive(Clone, Debug, Default)]
struct Typed {
    task: String,
    at: String,
    point: String,
    stage: String,
    filter: String,
    brief: bool,
}

impl Typed {
    fn request(&self) -> request::Pick {
        let mut given: Vec<String> =
            self.filter.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        if !self.stage.is_empty() {
            given.push(format!("stage={}", self.stage));
        }
        request::Pick {
            task: self.task.clone(),
            at: non_empty(&self.at),
            explain: Some(!self.brief),
            filter: Some(given),
            operating_point: Some(if self.point == "seed" { PointChoice::Seed } else { PointChoice::Default }),
            ..request::Pick::default()
        }
    }
}

#[derive(Template)]
#[template(path = "pick_form.html")]
struct FormPage {
    page: Page,
    keeps: bool,
    empty: bool,
    typed: Typed,
    stages: &'static [Stage],
}

fn page() -> Page {
    Page::new(Section::Pick, "Pick")
        .lead("Which prompts of the vault, in which order, for a task; or what has to be asked first.")
}

async fn form_page(app: &Arc<App>, typed: Typed, trouble: Option<Problem>) -> Result<Response, Problem> {
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let keeps = keeps(app);
    let empty = keeps && kept(app, |store| Ok(store.prompts_after(None, 1)?)).await?.is_empty();
    show_as(status, &FormPage { page: page().trouble(trouble), keeps, empty, typed, stages: Stage::ALL })
}

async fn form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let task = if query.contains_key("example") { EXAMPLE.to_owned() } else { value(&query, "task") };
    form_page(&app, Typed { task, ..Typed::default() }, None).await
}

/// Picks prompts, and leads to the page of what was picked.
async fn make(State(app): State<Arc<App>>, Sent(form): Sent<Query>) -> Result<Response, Problem> {
    let typed = Typed {
        task: typed(&form, "task"),
        at: value(&form, "at"),
        point: value(&form, "point"),
        stage: value(&form, "stage"),
        filter: value(&form, "filter"),
        brief: value(&form, "explain") == "no",
    };
    match calls::pick(&app.host, typed.request(), None, &()).await {
        Ok((found, _)) => match &found.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => pick_page(&app, page(), &found, (&Query::new(), &Query::new()), None).await,
        },
        Err(refusal) => form_page(&app, typed, Some(refusal.into())).await,
    }
}

/// The page of a run of `pick`.
pub(super) async fn result(app: &Arc<App>, record: &RunRecord, query: &Query) -> Result<Response, Problem> {
    let found: FinalOutput = read(record.result.get())?;
    pick_page(app, page_of(&record.run, ""), &found, (query, &Query::new()), Some(&record.run)).await
}

/// What stands before the name of a placeholder in a form.
const SET: &str = "set.";

/// The page of a run with values in the place of placeholders. Nothing of them is kept.
async fn fill(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(form): Sent<Query>,
) -> Result<Response, Problem> {
    let record = kept(&app, move |store| show_run(store, &id)).await?;
    if record.run.verb != "pick" {
        let what = format!("the run `{}` picked no prompts", record.run.id);
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "what was given cannot be used", what));
    }
    let found: FinalOutput = read(record.result.get())?;
    let given = form.keys().filter_map(|name| Some((name.strip_prefix(SET)?.to_owned(), typed(&form, name))));
    let given: Query = given.filter(|(_, value)| !value.is_empty()).collect();
    pick_page(&app, page_of(&record.run, ""), &found, (&Query::new(), &given), Some(&record.run)).await
}

/// What was picked, ready to be used.
#[derive(Template)]
#[template(path = "pick_use.html")]
struct Use {
    run: String,
    fields: Vec<Placeholder>,
    unfilled: usize,
    markdown: String,
}

/// The part of the page that has the texts of the chain; empty where nothing was picked, or the vault has lost a prompt of it.
async fn ready(app: &Arc<App>, found: &FinalOutput, values: &Query, run: &StoredRun) -> Result<String, Problem> {
    if found.selected_prompts.is_empty() {
        return Ok(String::new());
    }
    let (found, values) = (found.clone(), values.clone());
    let chain = kept(app, move |store| match filled_chain(store, &found, &values) {
        Err(EngineError::NoPromptKept { .. }) => Ok(None),
        chain => Ok(Some(chain?)),
    });
    let Some(chain) = chain.await? else { return Ok(String::new()) };
    let (markdown, unfilled) = (drawing::filled_markdown(&chain), chain.unfilled().count());
    text(&Use { run: run.id.clone(), fields: chain.placeholders, unfilled, markdown })
}

/// What can be said of a prompt that was picked.
#[derive(Template)]
#[template(path = "pick_feedback.html")]
struct Feedback {
    trace: String,
    prompt_id: String,
    run: String,
    said: bool,
}

async fn pick_page(
    app: &Arc<App>,
    page: Page,
    found: &FinalOutput,
    (query, values): (&Query, &Query),
    run: Option<&StoredRun>,
) -> Result<Response, Problem> {
    let ids: Vec<String> = found
        .selected_prompts
        .iter()
        .map(|own| own.prompt_id.clone())
        .chain(found.fallback.prompt_ids.iter().cloned())
        .take(PROMPTS_MAX)
        .collect();
    let prompts = if keeps(app) { records(app, ids).await? } else { BTreeMap::new() };
    let behind = match run.filter(|_| keeps(app)) {
        Some(run) => ready(app, found, values, run).await?,
        None => String::new(),
    };
    let title = Page { title: "Prompts for a task".to_owned(), lead: found.task_spec.raw_query.clone(), ..page };
    let mut page = title;
    let said = value(query, "said");
    if !said.is_empty() {
        page.done = Some("What you said of this selection is kept; it moves the quality of its prompts.".to_owned());
    }
    let id = run.map(|run| run.id.clone()).unwrap_or_default();
    let form = |prompt_id: &str| {
        let trace = found.trace_id.clone();
        let own = Feedback { trace, prompt_id: prompt_id.to_owned(), run: id.clone(), said: said == prompt_id };
        if keeps(app) { text(&own).unwrap_or_default() } else { String::new() }
    };
    let href = |id: &str| format!("/vault/prompts/{}", encoded(id));
    let around = Around { prompts: &prompts, href: &href, beside: &form, pages: &Tables { run, query } };
    let mut shown = Shown::new(page, made(drawing::part(found, &around))?);
    shown.links.push(("Pick again", with_query("/pick", &[("task", &short(&found.task_spec.raw_query))])));
    shown.behind = behind;
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}

/// A task as an address can hold it.
fn short(task: &str) -> String {
    const TASK_CHARS_MAX: usize = 1_000;
    task.chars().take(TASK_CHARS_MAX).collect()
}

/// What the vault holds of prompts; those that are not there are left out.
async fn records(app: &Arc<App>, ids: Vec<String>) -> Result<BTreeMap<String, PromptRecord>, Problem> {
    let found = kept(app, move |store| {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        Ok(store.prompts_of(&ids)?)
    });
    let found = found.await?.into_iter().flatten();
    found.map(|own| Ok((own.id, read(&own.record)?))).collect()
}

/// Says whether a prompt that was picked was of use.
async fn feedback(
    State(app): State<Arc<App>>,
    Path(trace): Path<String>,
    Sent(form): Sent<Query>,
) -> Result<Response, Problem> {
    let (prompt_id, run) = (value(&form, "prompt_id"), value(&form, "run"));
    let verdict = match value(&form, "verdict").as_str() {
        "good" => Word::Good,
        "bad" => Word::Bad,
        other => {
            let what = format!("`{other}` is said of the prompt: it is `good` or `bad`");
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "what was given cannot be used", what));
        }
    };
    let request = request::Feedback { trace_id: trace, verdict, prompt_ids: Some(vec![prompt_id.clone()]) };
    calls::feedback(&app.host, request).await?;
    if run.is_empty() {
        return Ok(go("/pick"));
    }
    Ok(go(&with_query(&format!("/runs/{}", encoded(&run)), &[("said", &prompt_id)])))
}
