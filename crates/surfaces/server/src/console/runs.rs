//! Stored runs: their list, one of them, deleting one, and finding one by its id.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query as Form, State};
use axum::http::StatusCode;
use axum::response::Response;
use steadfast_engine::runs::{RunFilter, delete_runs, find_runs, run_texts, show_run};
use steadfast_wire::runs::{RunList, RunRecord, StoredRun};
use steadfast_wire::sessions::VERB;
use steadfast_wire::trace::Value;

use super::shell::{Page, Section, encoded, filters, go, keeps, kept, non_empty, show, show_as, with_query};
use super::{Query, result_page};
use crate::app::App;
use crate::problem::Problem;

/// Runs on a page.
const RUNS_ON_A_PAGE: usize = 50;

/// Characters of a result that its page shows where no instrument has a page for it.
const RESULT_CHARS_MAX: usize = 200_000;

/// The verbs by which runs can be filtered.
pub(crate) const VERBS: [&str; 8] =
    ["pick", "plan", "plan check", "plan constraints", "watch", "review", "session", "audit"];

/// A stored run as rows of tables show it.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) verb: String,
    pub(crate) started: String,
    pub(crate) verdict: String,
    pub(crate) tone: &'static str,
    pub(crate) inputs: String,
    pub(crate) task_id: String,
    pub(crate) agent: String,
    pub(crate) ms: String,
}

impl Row {
    pub(crate) fn of(run: &StoredRun) -> Self {
        let names: Vec<&str> = run.inputs.iter().map(|input| input.name.as_str()).collect();
        let inputs = match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [one, two] => format!("{one}, {two}"),
            [one, rest @ ..] => format!("{one} and {} more", rest.len()),
        };
        Self {
            id: run.id.clone(),
            verb: run.verb.clone(),
            started: run.started.clone(),
            verdict: run.verdict.clone().unwrap_or_default(),
            tone: tone(run),
            inputs,
            task_id: task_of(run),
            agent: run.agent.clone().unwrap_or_default(),
            ms: run.ms.get("total").map_or_else(String::new, |ms| format!("{ms} ms")),
        }
    }
}

/// The task of a run that has a page; that of a session is the session itself.
fn task_of(run: &StoredRun) -> String {
    run.task_id.clone().filter(|_| run.verb != VERB).unwrap_or_default()
}

/// How a verdict is coloured; the word says the same.
pub(crate) fn tone(run: &StoredRun) -> &'static str {
    let verdict = run.verdict.as_deref().unwrap_or_default();
    match verdict {
        "risk critical" => "bad",
        _ if run.exit_status >= 3 => "bad",
        _ if wants_looking_at(&run.verb, run.verdict.as_deref(), run.exit_status) => "serious",
        "risk medium" | "review" | "clarify" | "doubtful" | "unsupported" => "warn",
        "0 alerts" | "recommended" | "pass" | "approve" | "risk low" | "supported" => "good",
        _ => "info",
    }
}

/// Whether somebody should look at a run that came to this: the store's own rule, for runs that are counted.
pub(crate) fn wants_looking_at(verb: &str, verdict: Option<&str>, exit_status: u8) -> bool {
    let bad = ["risk high", "risk critical", "rejected", "fail", "request_revision"];
    exit_status != 0
        || verdict.is_some_and(|verdict| bad.contains(&verdict) || (verb == "watch" && verdict != "0 alerts"))
}

/// What runs come to, for whoever filters by it.
const VERDICTS: [&str; 20] = [
    "risk low",
    "risk medium",
    "risk high",
    "risk critical",
    "recommended",
    "rejected",
    "pass",
    "fail",
    "approve",
    "review",
    "request_revision",
    "0 alerts",
    "1 alert",
    "clarify",
    "contradicted",
    "broken",
    "doubtful",
    "unsupported",
    "supported",
    "open",
];

/// What the list is filtered by, as it was typed.
#[derive(Default)]
struct Typed {
    verb: String,
    verdict: String,
    agent: String,
    since: String,
    text: String,
    attention: bool,
}

impl Typed {
    fn of(query: &Query) -> Self {
        let value = |name: &str| query.get(name).map(|value| value.trim().to_owned()).unwrap_or_default();
        Self {
            verb: value("verb"),
            verdict: value("verdict"),
            agent: value("agent"),
            since: value("since"),
            text: value("text"),
            attention: !value("attention").is_empty(),
        }
    }

    fn filter(&self) -> RunFilter {
        RunFilter {
            verb: non_empty(&self.verb),
            verdict: non_empty(&self.verdict),
            agent: non_empty(&self.agent),
            since: non_empty(&self.since),
            search: non_empty(&self.text),
            attention: self.attention,
        }
    }

    /// The address of a page of the same list.
    fn at(&self, cursor: &str) -> String {
        let attention = if self.attention { "1" } else { "" };
        let typed = [
            ("verb", &*self.verb),
            ("verdict", &self.verdict),
            ("agent", &self.agent),
            ("since", &self.since),
            ("text", &self.text),
        ];
        with_query("/runs", &[&typed[..], &[("attention", attention), ("cursor", cursor)]].concat())
    }
}

#[derive(Template)]
#[template(path = "runs.html")]
struct RunsPage {
    page: Page,
    keeps: bool,
    rows: Vec<Row>,
    verbs: &'static [&'static str],
    verdicts: &'static [&'static str],
    typed: Typed,
    filtered: bool,
    shown: String,
    first: String,
    next: String,
}

/// The list, newest first.
pub(super) async fn list(State(app): State<Arc<App>>, Form(query): Form<Query>) -> Result<Response, Problem> {
    let (typed, cursor) = (Typed::of(&query), query.get("cursor").cloned().unwrap_or_default());
    let mut page = Page::new(Section::Runs, "Runs")
        .lead("Everything that was asked of this server, newest first.")
        .json(with_query("/api/runs", &[("verb", &typed.verb), ("agent", &typed.agent)]));
    if query.contains_key("deleted") {
        page.done = Some("The run was deleted.".to_owned());
    }
    let keeps = keeps(&app);
    let (filter, after) = (typed.filter(), non_empty(&cursor));
    let found = if keeps {
        kept(&app, move |store| find_runs(store, filter, after.as_deref(), RUNS_ON_A_PAGE)).await
    } else {
        Ok(RunList { schema_version: String::new(), runs: Vec::new(), next_cursor: None })
    };
    // What was typed and cannot be searched for is told of in the page, and stays in the form.
    let (list, trouble) = match found {
        Ok(list) => (list, None),
        Err(problem) if problem.status.is_client_error() => {
            (RunList { schema_version: String::new(), runs: Vec::new(), next_cursor: None }, Some(problem))
        }
        Err(problem) => return Err(problem),
    };
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let rows: Vec<Row> = list.runs.iter().map(Row::of).collect();
    let filtered = typed.at("") != "/runs" || !cursor.is_empty();
    let runs_page = RunsPage {
        page: page.trouble(trouble),
        keeps,
        verbs: &VERBS,
        verdicts: &VERDICTS,
        filtered,
        shown: if rows.len() == 1 { "1 run".to_owned() } else { format!("{} runs", rows.len()) },
        first: if cursor.is_empty() { String::new() } else { typed.at("") },
        next: list.next_cursor.map(|next| typed.at(&next)).unwrap_or_default(),
        rows,
        typed,
    };
    show_as(status, &runs_page)
}

/// One run: the page of its instrument.
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Form(query): Form<Query>,
) -> Result<Response, Problem> {
    let record = kept(&app, move |store| show_run(store, &id)).await?;
    result_page(&app, record, query).await
}

/// What a run was asked for and took, as every result's page tells it.
#[derive(Template)]
#[template(path = "run_facts.html")]
pub(crate) struct Facts {
    id: String,
    started: String,
    verb: String,
    exit_status: u8,
    program_version: String,
    rules_version: String,
    input_sha256: String,
    task_id: String,
    agent: String,
    inputs: Vec<(String, u64, String)>,
    settings: Vec<(String, String)>,
    ms: Vec<(String, u64)>,
}

impl Facts {
    pub(crate) fn of(run: &StoredRun) -> Self {
        let setting = |value: &Value| match value {
            Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
            Value::String(text) => text.clone(),
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            Value::Null => "not given".to_owned(),
            // A whole number is shown without a point.
            other => other.as_f64().map(|number| number.to_string()).unwrap_or_default(),
        };
        Self {
            id: run.id.clone(),
            started: run.started.clone(),
            verb: run.verb.clone(),
            exit_status: run.exit_status,
            program_version: run.program_version.clone(),
            rules_version: run.rules_version.clone().unwrap_or_default(),
            input_sha256: run.input_sha256.clone(),
            task_id: task_of(run),
            agent: run.agent.clone().unwrap_or_default(),
            inputs: run.inputs.iter().map(|it| (it.name.clone(), it.bytes, it.sha256.clone())).collect(),
            settings: run.settings.iter().map(|(name, value)| (name.clone(), setting(value))).collect(),
            ms: run.ms.iter().map(|(name, ms)| (name.clone(), *ms)).collect(),
        }
    }
}

/// The texts of a run's inputs, by the names that its result gives them, as far as they are kept.
///
/// # Errors
/// [`Problem`] where they cannot be read.
pub(crate) async fn texts_of(app: &Arc<App>, id: &str) -> Result<BTreeMap<String, String>, Problem> {
    let id = id.to_owned();
    Ok(kept(app, move |store| run_texts(store, &id)).await?.texts)
}

/// The page of a run: below the first page of its instrument, with a link to the JSON of its result.
pub(crate) fn page_of(run: &StoredRun, title: impl Into<String>) -> Page {
    Page::new(Section::of_verb(&run.verb), title)
        .below("Runs", "/runs")
        .json(format!("/api/runs/{}/result", encoded(&run.id)))
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    page: Page,
    row: Row,
    facts: Facts,
    result: String,
    cut: bool,
}

/// A run without a page of its own: what it was asked for, and its result as JSON.
///
/// # Errors
/// [`Problem`] where the page cannot be made.
pub(crate) fn plain(record: &RunRecord, _: &Query) -> Result<Response, Problem> {
    let text = steadfast_wire::runs::indented(record.result.get());
    let result: String = text.chars().take(RESULT_CHARS_MAX).collect();
    let cut = result.len() < text.len();
    let page = page_of(&record.run, format!("Run of {}", record.run.verb));
    show(&RunPage { page, row: Row::of(&record.run), facts: Facts::of(&record.run), result, cut })
}

#[derive(Template)]
#[template(path = "run_delete.html")]
struct DeletePage {
    page: Page,
    row: Row,
}

/// Asks whether a run is to be deleted.
pub(super) async fn ask_to_delete(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let record = kept(&app, move |store| show_run(store, &id)).await?;
    let page = Page::new(Section::Runs, "Delete this run?")
        .in_section()
        .below(record.run.id.clone(), format!("/runs/{}", encoded(&record.run.id)));
    show(&DeletePage { page, row: Row::of(&record.run) })
}

/// Deletes a run.
pub(super) async fn delete(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Problem> {
    kept(&app, move |store| delete_runs(store, &[id])).await?;
    Ok(go("/runs?deleted=1"))
}

/// The run or task of an id that was typed in.
pub(super) async fn search(State(app): State<Arc<App>>, Form(query): Form<Query>) -> Result<Response, Problem> {
    let wanted = query.get("q").map(|q| q.trim().to_owned()).unwrap_or_default();
    if wanted.is_empty() {
        return Ok(go("/runs"));
    }
    let id = wanted.clone();
    let found = kept(&app, move |store| {
        if store.run(&id)?.is_some() {
            return Ok(Some("runs"));
        }
        Ok(store.task(&id)?.map(|_| "tasks"))
    })
    .await?;
    match found {
        Some(place) => Ok(go(&format!("/{place}/{}", encoded(&wanted)))),
        None => Err(Problem::new(
            StatusCode::NOT_FOUND,
            "nothing was found",
            format!("no run and no task of the id `{wanted}` is kept here"),
        )
        .hint("the list of runs shows those that are")),
    }
}
