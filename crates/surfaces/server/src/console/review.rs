//! Outputs of sub-agents: reviewing one, the page of what came of it, and tasks with their outputs over time.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Form as Sent, Path, Query as Asked, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use steadfast_engine::calls;
use steadfast_engine::review::{ReviewOutcome, THRESHOLD_DEFAULT};
use steadfast_engine::store::Quality;
use steadfast_engine::tasks::{TaskFilter, find_tasks, show_task};
use steadfast_render::{Texts, review as drawing};
use steadfast_wire::request::{self, Flag, Source};
use steadfast_wire::review::{Profile, Review};
use steadfast_wire::runs::{RunRecord, StoredRun};
use steadfast_wire::sessions::VERB;
use steadfast_wire::tasks::{Task, TaskHead, TaskMessage};

use super::Query;
use super::results::{Shown, Tables, facts, made, place, read, typed, value};
use super::runs::{page_of, texts_of};
use super::shell::{Page, Section, encoded, filters, go, keeps, kept, non_empty, show, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Tasks on a page.
const TASKS_ON_A_PAGE: usize = 50;

/// Outputs of a task on a page, the newest first.
const MESSAGES_ON_A_PAGE: usize = 50;

/// Characters of a message that the page of its task holds.
const MESSAGE_CHARS_MAX: usize = 12_000;

const EXAMPLE: &str = include_str!("../../../../../examples/story/check-in.md");
const EXAMPLE_CRITERIA: &str = include_str!("../../../../../examples/story/criteria.txt");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/review", get(form).post(make))
        .route("/tasks", get(tasks))
        .route("/tasks/{id}", get(task))
        .route("/tasks/{id}/flag", post(flag))
}

/// What the form holds.
#[derive(Clone, Debug, Default)]
struct Typed {
    output: String,
    session: String,
    criteria: String,
    threshold: String,
    fixed: bool,
}

impl Typed {
    fn request(&self) -> Result<request::Review, Problem> {
        let threshold = Some(&self.threshold).filter(|own| !own.is_empty()).map(|own| own.parse()).transpose();
        let threshold = threshold.map_err(|_| {
            let what = format!("the threshold is `{}`, which is no number", self.threshold);
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "what was given cannot be used", what)
                .hint("it lies between 0 and 1")
        })?;
        let text = |own: &String| Some(Source::Text(own.clone())).filter(|_| !own.is_empty());
        Ok(request::Review {
            output: text(&self.output).or_else(|| self.session.is_empty().then(|| Source::Text(String::new()))),
            session: text(&self.session),
            acceptance_criteria: Some(self.criteria.lines().map(str::to_owned).collect()),
            threshold,
            profile: Some(if self.fixed { Profile::Fixed } else { Profile::Seed }),
            ..request::Review::default()
        })
    }
}

#[derive(Template)]
#[template(path = "review_form.html")]
struct FormPage {
    page: Page,
    typed: Typed,
    threshold: String,
}

fn page() -> Page {
    Page::new(Section::Review, "Review")
        .lead("Is what a sub-agent reports of its own work worth reading in full, and is it true?")
}

fn form_page(typed: Typed, trouble: Option<Problem>) -> Result<Response, Problem> {
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    show_as(status, &FormPage { page: page().trouble(trouble), typed, threshold: THRESHOLD_DEFAULT.to_string() })
}

async fn form(Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let typed = if query.contains_key("example") {
        Typed { output: EXAMPLE.to_owned(), criteria: EXAMPLE_CRITERIA.to_owned(), ..Typed::default() }
    } else {
        Typed::default()
    };
    form_page(typed, None)
}

/// Reviews an output, and leads to its page.
async fn make(State(app): State<Arc<App>>, Sent(form): Sent<Query>) -> Result<Response, Problem> {
    let typed = Typed {
        output: typed(&form, "output"),
        session: typed(&form, "session"),
        criteria: typed(&form, "criteria"),
        threshold: value(&form, "threshold"),
        fixed: value(&form, "profile") == Profile::Fixed.name(),
    };
    let request = match typed.request() {
        Ok(request) => request,
        Err(problem) => return form_page(typed, Some(problem)),
    };
    match calls::review(&app.host, request, None, &()).await {
        Ok((ReviewOutcome { review, .. }, _)) => match &review.run {
            Some(run) => Ok(go(&format!("/runs/{}", encoded(&run.id)))),
            None => {
                let report = review.report.clone().unwrap_or(typed.output);
                let texts = [(review.output.file.clone(), report)].into();
                review_page(page(), &review, &texts, (None, &Query::new()))
            }
        },
        Err(refusal) => form_page(typed, Some(refusal.into())),
    }
}

/// The page of a run of `review`.
pub(super) async fn result(app: &Arc<App>, record: &RunRecord, query: &Query) -> Result<Response, Problem> {
    let run = &record.run;
    let review: Review = read(record.result.get())?;
    let mut texts = texts_of(app, &run.id).await?;
    if run.verb != VERB && !texts.contains_key(&review.output.file) {
        // What was reviewed is kept with its task.
        let (task_id, id) = (review.task_id.clone(), run.id.clone());
        let found = kept(app, move |store| show_task(store, &task_id)).await;
        let own = found.ok().and_then(|task| task.messages.into_iter().find(|it| it.run_id.as_ref() == Some(&id)));
        if let Some(message) = own {
            texts.insert(review.output.file.clone(), message.content);
        }
    }
    review_page(page_of(run, ""), &review, &texts, (Some(run), query))
}

fn review_page(
    page: Page,
    review: &Review,
    texts: &BTreeMap<String, String>,
    (run, query): (Option<&StoredRun>, &Query),
) -> Result<Response, Problem> {
    let is_session = run.is_some_and(|run| run.verb == VERB);
    let (title, lead) = if is_session {
        (format!("Session {}", review.task_id), String::new())
    } else {
        (format!("Review of {}", review.output.file), format!("Task {}", review.task_id))
    };
    let page = Page { title, lead, ..page };
    let mut shown = Shown::new(page, made(drawing::part(review, &Texts::of(texts), &Tables { run, query }))?);
    if is_session {
        shown.links.push(("Sessions", "/sessions".to_owned()));
    } else if run.is_some() {
        shown.links.push(("Task", format!("/tasks/{}", encoded(&review.task_id))));
    }
    shown.links.push(("Review another", "/review".to_owned()));
    shown.facts = run.map(facts).transpose()?.unwrap_or_default();
    shown.answer()
}

#[derive(Template)]
#[template(path = "tasks.html")]
struct TasksPage {
    page: Page,
    keeps: bool,
    tasks: Vec<TaskHead>,
    first: String,
    next: String,
}

/// The list of tasks, in the order of their ids.
async fn tasks(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let cursor = value(&query, "cursor");
    let page = Page::new(Section::Review, "Tasks")
        .in_section()
        .lead("Outputs that were reviewed, by their tasks, and what was said of them.")
        .json(with_query("/api/tasks", &[("limit", &TASKS_ON_A_PAGE.to_string()), ("cursor", &cursor)]));
    if !keeps(&app) {
        let none = TasksPage { page, keeps: false, tasks: Vec::new(), first: String::new(), next: String::new() };
        return show(&none);
    }
    let after = non_empty(&cursor);
    let list =
        kept(&app, move |store| find_tasks(store, TaskFilter::default(), after.as_deref(), TASKS_ON_A_PAGE)).await?;
    show(&TasksPage {
        page,
        keeps: true,
        tasks: list.tasks,
        first: if cursor.is_empty() { String::new() } else { "/tasks".to_owned() },
        next: list.next_cursor.map_or_else(String::new, |next| with_query("/tasks", &[("cursor", &next)])),
    })
}

/// A message of a task as its page shows it.
struct Row {
    own: TaskMessage,
    number: usize,
    score: String,
    tone: &'static str,
    first: String,
    content: String,
    left_out: usize,
}

#[derive(Template)]
#[template(path = "task.html")]
struct TaskPage {
    page: Page,
    task: Task,
    rows: Vec<Row>,
    shown: String,
    first: String,
    next: String,
    chart: String,
    qualities: [&'static str; 3],
    quality: String,
    tags: String,
}

fn task_page(
    task: Task,
    from: usize,
    trouble: Option<Problem>,
    done: Option<String>,
    said: (String, String),
) -> Result<Response, Problem> {
    let id = encoded(&task.task_id);
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let mut page = Page::new(Section::Review, format!("Task {}", task.task_id))
        .in_section()
        .below("Tasks", "/tasks")
        .json(format!("/api/tasks/{id}"))
        .trouble(trouble);
    page.done = done;
    let count = task.messages.len();
    let from = from.min(count.saturating_sub(1)) / MESSAGES_ON_A_PAGE * MESSAGES_ON_A_PAGE;
    let own = format!("/tasks/{id}");
    let next = from + MESSAGES_ON_A_PAGE;
    let scores: Vec<(String, Option<f64>)> =
        task.messages.iter().map(|own| (own.created_at.clone(), own.eval_score)).collect();
    let newest_first = task.messages.iter().enumerate().rev();
    let rows = newest_first.skip(from).take(MESSAGES_ON_A_PAGE).map(|(at, own)| {
        let content: String = own.content.chars().take(MESSAGE_CHARS_MAX).collect();
        Row {
            number: at + 1,
            score: own.eval_score.map_or_else(|| "none".to_owned(), |score| format!("{score:.2}")),
            tone: match own.recommendation.as_deref() {
                Some("approve") => "good",
                Some("review") => "warn",
                Some("request_revision") => "serious",
                _ => "info",
            },
            first: own.content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned(),
            left_out: own.content.chars().count() - content.chars().count(),
            content,
            own: own.clone(),
        }
    });
    let rows: Vec<Row> = rows.collect();
    let (quality, tags) = said;
    let page = TaskPage {
        page,
        chart: drawing::scores_over_time(&scores),
        shown: format!("Outputs {} to {} of {count}", count - from, (count - from).saturating_sub(rows.len()) + 1),
        first: if from == 0 { String::new() } else { own.clone() },
        next: if next < count { format!("{own}?from={next}") } else { String::new() },
        rows,
        task,
        qualities: Quality::ALL.map(Quality::name),
        quality,
        tags,
    };
    show_as(status, &page)
}

/// A task: its outputs over time, and what was said of them.
async fn task(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Problem> {
    let task = kept(&app, move |store| show_task(store, &id)).await?;
    let done = query.contains_key("flagged").then(|| "What you said of this task is kept.".to_owned());
    task_page(task, place(&query, "from"), None, done, (String::new(), String::new()))
}

/// Says that a task is a good or a bad example, or takes that back.
async fn flag(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(form): Sent<Query>,
) -> Result<Response, Problem> {
    let (quality, said) = (value(&form, "quality"), value(&form, "tags"));
    let tags: Vec<String> = said.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    let request = Flag { task_id: id.clone(), quality: quality.clone(), tags: Some(tags) };
    match calls::flag(&app.host, request).await {
        Ok(_) => Ok(go(&format!("/tasks/{}?flagged=1", encoded(&id)))),
        Err(refusal) => {
            let task = kept(&app, move |store| show_task(store, &id)).await?;
            task_page(task, 0, Some(refusal.into()), None, (quality, said))
        }
    }
}
