//! The vault: looking through it, one prompt, what waits for review, taking prompts in.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Form as Sent, Path, Query as Asked, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::File;
use steadfast_engine::calls;
use steadfast_engine::limits::PAGE_ROWS_MAX;
use steadfast_engine::vault::{Filters, prompt_row, vault_queue, vault_show};
use steadfast_wire::pick::{Import, Inferred, PromptRow, QueueEntry, Stage, VaultPrompt, VaultStatus};
use steadfast_wire::request::VaultSearch;

use super::Query;
use super::results::{place, typed, value};
use super::shell::{Page, Section, filters, keeps, kept, non_empty, show, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Prompts on a page.
const PROMPTS_ON_A_PAGE: usize = 50;

/// Prompts that wait, on a page.
const QUEUE_ON_A_PAGE: usize = 50;

/// Bytes of the form by which prompts are taken in.
const FORM_BYTES_MAX: usize = 16 * 1024 * 1024;

const EXAMPLE: &str = include_str!("../../assets/example_prompts.jsonl");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/vault", get(browse))
        .route("/vault/prompts/{id}", get(prompt))
        .route("/vault/queue", get(queue))
        .route("/vault/import", get(import_form).post(import))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
}

/// A prompt in a list.
#[derive(Default)]
struct Row {
    id: String,
    title: String,
    stage: String,
    about: String,
    status: String,
    tags: Vec<String>,
    unsure: bool,
    /// How well it fits what is looked for; empty where nothing is.
    score: String,
}

impl From<PromptRow> for Row {
    fn from(own: PromptRow) -> Self {
        let about: Vec<String> = [own.intent, own.task_type, own.domain].into_iter().flatten().collect();
        Self {
            title: own.title.unwrap_or_default(),
            stage: own.stage.map_or_else(String::new, |stage| stage.label().to_owned()),
            about: about.join(" · "),
            status: own.status.unwrap_or_default(),
            tags: own.tags,
            unsure: own.confidence < 1.0,
            score: String::new(),
            id: own.prompt_id,
        }
    }
}

#[derive(Template)]
#[template(path = "vault.html")]
struct VaultPage {
    page: Page,
    tab: &'static str,
    keeps: bool,
    status: Option<VaultStatus>,
    rows: Vec<Row>,
    q: String,
    stage: String,
    filter: String,
    stages: &'static [Stage],
    searched: bool,
    first: String,
    next: String,
}

fn page(title: &str) -> Page {
    Page::new(Section::Vault, title)
}

/// The status of the vault, and its prompts: all in pages, or those that fit what is looked for.
async fn browse(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let (q, stage, filter, cursor) =
        (value(&query, "q"), value(&query, "stage"), value(&query, "filter"), value(&query, "cursor"));
    let mut own = VaultPage {
        page: page("Vault").lead("The prompts that `pick` chooses from."),
        tab: "prompts",
        keeps: keeps(&app),
        status: None,
        rows: Vec::new(),
        searched: !(q.is_empty() && stage.is_empty() && filter.is_empty()),
        q,
        stage,
        filter,
        stages: Stage::ALL,
        first: String::new(),
        next: String::new(),
    };
    own.page.lead = "The prompts that pick chooses from, what is known of them, and what was said of them.".to_owned();
    if !own.keeps {
        return show(&own);
    }
    own.status = Some(status(&app).await?);
    if own.searched {
        match search(&app, &own).await {
            Ok(rows) => own.rows = rows,
            Err(problem) => {
                let status = problem.status;
                own.page = own.page.trouble(Some(problem));
                return show_as(status, &own);
            }
        }
        return show(&own);
    }
    let after = non_empty(&cursor);
    let list = calls::vault::list(&app.host, Filters::default(), after, PROMPTS_ON_A_PAGE).await?;
    own.rows = list.prompts.into_iter().map(Row::from).collect();
    own.first = if cursor.is_empty() { String::new() } else { "/vault".to_owned() };
    own.next = list.next_cursor.map_or_else(String::new, |next| with_query("/vault", &[("cursor", &next)]));
    show(&own)
}

async fn status(app: &Arc<App>) -> Result<VaultStatus, Problem> {
    Ok(calls::vault::status(&app.host).await?)
}

/// The prompts that fit what is looked for; without words those whose metadata are what is asked for, by their ids.
async fn search(app: &Arc<App>, own: &VaultPage) -> Result<Vec<Row>, Problem> {
    let mut given: Vec<String> =
        own.filter.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    if !own.stage.is_empty() {
        given.push(format!("stage={}", own.stage));
    }
    let request = VaultSearch {
        query: own.q.clone(),
        k: Some(PROMPTS_ON_A_PAGE),
        filter: Some(given.clone()),
        ..VaultSearch::default()
    };
    let found = calls::vault_search(&app.host, request).await?;
    let ids: Vec<String> = found.candidates.iter().map(|it| it.prompt_id.clone()).collect();
    let stored = kept(app, move |store| {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        Ok(store.prompts_of(&ids)?)
    })
    .await?;
    let rows = found.candidates.iter().zip(stored).map(|(candidate, stored)| {
        // One that was taken out meanwhile is known by its id alone.
        let row = stored.and_then(|own| prompt_row(&own).ok()).map(Row::from).unwrap_or_default();
        Row { id: candidate.prompt_id.clone(), score: format!("{:.3}", candidate.score), ..row }
    });
    Ok(rows.collect())
}

#[derive(Template)]
#[template(path = "vault_prompt.html")]
struct PromptPage {
    page: Page,
    own: VaultPrompt,
    fields: Vec<(&'static str, String, Option<String>)>,
}

/// One prompt: its text, what was given and what was inferred, what is nearly the same, what was said of it.
async fn prompt(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let host = Arc::clone(&app.host);
    let (wanted, shelf) = (id.clone(), Arc::clone(&host));
    let near = calls::blocking(&host, move || shelf.vault()?.with(|open| Ok(open.near_duplicates_of(&wanted)))).await?;
    let asked = id.clone();
    let own = kept(&app, move |store| vault_show(store, &asked, near)).await?.ok_or_else(|| {
        let what = format!("the vault holds no prompt `{id}`");
        Problem::new(StatusCode::NOT_FOUND, "there is no such thing", what)
            .hint("the list of the vault shows those that are")
    })?;
    let title = own.record.title.clone().unwrap_or_else(|| own.record.prompt_id.clone());
    let mut page = Page::new(Section::Vault, title).in_section();
    page.lead = own.record.description.clone().unwrap_or_default();
    show(&PromptPage { page, fields: fields(&own), own })
}

/// The fields of a record: name, value, and how sure it is where it was inferred.
fn fields(own: &VaultPrompt) -> Vec<(&'static str, String, Option<String>)> {
    let record = &own.record;
    let inferred = |field: &str| -> Option<&Inferred> { own.inferred.iter().find(|it| it.field == field) };
    let sure = |field: &'static str, label: &'static str, given: Option<&str>| match (given, inferred(field)) {
        (Some(given), _) => Some((label, given.to_owned(), None)),
        (None, Some(own)) => Some((label, own.value.clone(), Some(format!("{:.2}", own.confidence)))),
        (None, None) => None,
    };
    let plain = |label, given: Option<&str>| given.map(|given| (label, given.to_owned(), None));
    [
        sure("stage", "Stage", record.stage.map(|stage| stage.label())),
        sure("intent", "Intent", record.intent.as_deref()),
        sure("task_type", "Task type", record.task_type.as_deref()),
        sure("domain", "Domain", record.domain.as_deref()),
        plain("Expected input", record.expected_input.as_deref()),
        plain("Expected output", record.expected_output.as_deref()),
        plain("Status", record.status.as_deref()),
        Some(("Models tested", record.models_tested.join(", "), None)).filter(|(_, value, _)| !value.is_empty()),
        plain("Variant of", record.parent_prompt.as_deref()),
        plain("Came from", record.original_link.as_deref()),
        plain("Last updated", record.last_updated.as_deref()),
        plain("Last evaluated", record.last_evaluated.as_deref()),
        plain("Notes", record.notes.as_deref()),
        plain("Content hash", Some(record.content_hash.as_str())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[derive(Template)]
#[template(path = "vault_queue.html")]
struct QueuePage {
    page: Page,
    tab: &'static str,
    keeps: bool,
    queue: Vec<QueueEntry>,
    shown: String,
    first: String,
    next: String,
}

/// Prompts of which something was inferred that nobody looked at, the least sure first.
async fn queue(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let from = place(&query, "from");
    let upto = (from + QUEUE_ON_A_PAGE).min(PAGE_ROWS_MAX);
    let page = page("Review queue")
        .in_section()
        .lead("Prompts of which something was inferred that is not sure, the least sure first. What you write into a record takes its place.")
        .json(format!("/api/vault/queue?limit={upto}"));
    let mut own = QueuePage {
        page,
        tab: "queue",
        keeps: keeps(&app),
        queue: Vec::new(),
        shown: String::new(),
        first: String::new(),
        next: String::new(),
    };
    if !own.keeps {
        return show(&own);
    }
    let found = calls::with_store(&app.host, move |store| vault_queue(store, from, QUEUE_ON_A_PAGE)).await?;
    let after = from + found.queue.len();
    own.shown = format!("{} to {after} of {}", from + 1, found.total);
    own.first = if from == 0 { String::new() } else { "/vault/queue".to_owned() };
    own.next = if after < found.total { format!("/vault/queue?from={after}") } else { String::new() };
    own.queue = found.queue;
    show(&own)
}

#[derive(Template)]
#[template(path = "vault_import.html")]
struct ImportPage {
    page: Page,
    tab: &'static str,
    keeps: bool,
    source: String,
    form: String,
    text: String,
    done: Option<Import>,
}

fn import_page(app: &Arc<App>) -> ImportPage {
    ImportPage {
        page: page("Import prompts")
            .in_section()
            .lead("Prompts as JSON lines, CSV, or one in Markdown with front matter."),
        tab: "import",
        keeps: keeps(app),
        source: String::new(),
        form: String::new(),
        text: String::new(),
        done: None,
    }
}

async fn import_form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let mut own = import_page(&app);
    if query.contains_key("example") {
        (own.source, own.form, own.text) = ("example".to_owned(), "jsonl".to_owned(), EXAMPLE.to_owned());
    }
    show(&own)
}

/// Takes prompts in, and says what came of it.
async fn import(State(app): State<Arc<App>>, Sent(form): Sent<Query>) -> Result<Response, Problem> {
    let mut own = import_page(&app);
    (own.source, own.form, own.text) = (value(&form, "source"), value(&form, "form"), typed(&form, "text"));
    let name = match own.form.as_str() {
        "md" => format!("{}.md", own.source),
        "csv" => "prompts.csv".to_owned(),
        _ => "prompts.jsonl".to_owned(),
    };
    let file = File { name, bytes: own.text.clone().into_bytes() };
    match calls::vault::import(&app.host, own.source.clone(), vec![file]).await {
        Ok(done) => {
            if done.refused.is_empty() {
                own.text = String::new();
            }
            own.done = Some(done);
            show(&own)
        }
        Err(refusal) => {
            let problem = Problem::from(refusal);
            let status = problem.status;
            own.page = own.page.trouble(Some(problem));
            show_as(status, &own)
        }
    }
}
