//! Audits: asking for one, and the pages of what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query as Asked, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use steadfast_engine::calls::{self, AuditContext};
use steadfast_engine::report_file;
use steadfast_render::audit::{Asked as Part, Filter, Parts, Standing, because, in_place, parts, places};
use steadfast_render::{Pages, Texts, lint as drawing};
use steadfast_wire::audit::{DriftEvaluation, DriftIncident, Judge, Risk, Role, UndecidedObligation};
use steadfast_wire::decisions::Decision;
use steadfast_wire::request::{self, Source};
use steadfast_wire::runs::{RunRecord, StoredRun};

use super::Query;
use super::results::{Shown, Tables, made, read};
use super::runs::{Facts, page_of};
use super::shell::{Page, Section, Tab, encoded, fault, filters, go, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

mod compare;
mod decide;
mod judge;
mod upload;

use decide::{Decide, decided};
use judge::{Judge as JudgeForm, Signs};
use upload::AuditForm;

/// Incidents on a page.
const INCIDENTS_ON_A_PAGE: usize = 50;

const EXAMPLE_PROMPT: &str = include_str!("../../../../../examples/story/ask.txt");
const EXAMPLE_REPORT: &str = include_str!("../../../../../examples/story/report.md");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/audit", get(form).post(make).layer(DefaultBodyLimit::max(upload::FORM_BYTES_MAX)))
        .route("/audit/compare", get(compare::page))
        .route("/runs/{id}/decisions", post(decide::decide))
        .route("/runs/{id}/judgements", post(judge::judge).layer(DefaultBodyLimit::max(judge::FORM_BYTES_MAX)))
}

#[derive(Template)]
#[template(path = "audit_form.html")]
struct FormPage {
    page: Page,
    given: AuditForm,
    judges: &'static [Judge],
    has_models: bool,
}

async fn form_page(app: &Arc<App>, given: AuditForm, trouble: Option<Problem>) -> Result<Response, Problem> {
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let page = Page::new(Section::Audit, "Audit")
        .lead("Does the finished report still say what the prompt asked for?")
        .trouble(trouble);
    let has_models = calls::audit_models(&app.host).await;
    show_as(status, &FormPage { page, given, judges: Judge::ALL, has_models })
}

async fn form(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let given = if query.contains_key("example") {
        AuditForm { prompt: EXAMPLE_PROMPT.to_owned(), report: EXAMPLE_REPORT.to_owned(), ..AuditForm::default() }
    } else {
        AuditForm::default()
    };
    form_page(&app, given, None).await
}

/// Audits what was given, and leads to the run's page; where nothing is kept the page stands here.
async fn make(State(app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let signs = Signs::of(&request);
    let (given, sent) = match upload::read(&app, request).await {
        Ok(read) => read,
        Err(problem) => return form_page(&app, AuditForm::default(), Some(problem)).await,
    };
    let wanted = match request_of(&given).await {
        Ok(Some(request)) => request,
        Ok(None) => return lint(&app, given).await,
        Err(problem) => return form_page(&app, given, Some(problem)).await,
    };
    let mut audited = calls::audit(&app.host, wanted.clone(), AuditContext::default()).await;
    // Where rules can judge nothing, whoever understands both texts may.
    if let Err(refusal) = &audited
        && let Some(open) = open_of(refusal, &given)
    {
        let form = &sent.texts;
        let trouble = if judge::is_sent(form) {
            match judge::proposed(&open, form, &signs) {
                Ok(own) => {
                    let context = AuditContext { earlier: vec![own], ..AuditContext::default() };
                    audited = calls::audit(&app.host, wanted, context).await;
                    audited.as_ref().err().map(|refusal| Problem::from(refusal.clone()))
                }
                Err(problem) => Some(problem),
            }
        } else {
            Some(Problem::from(refusal.clone()))
        };
        if let Some(trouble) = trouble {
            let page = Page::new(Section::Audit, "Nothing that rules can judge").in_section();
            let judge = JudgeForm::of_texts(&given.prompt, &given.report, open, form);
            let judge = judge.render().map_err(|error| fault(&error))?;
            return show_as(trouble.status, &Shown::new(page.trouble(Some(trouble)), judge));
        }
    }
    let evaluation = match audited {
        Ok(outcome) => outcome.evaluation,
        Err(refusal) => return form_page(&app, given, Some(Problem::from(refusal))).await,
    };
    if let Some(run) = &evaluation.run {
        return Ok(go(&format!("/runs/{}", encoded(&run.id))));
    }
    let page = Page::new(Section::Audit, title(&evaluation)).in_section().lead(NOT_KEPT);
    result_of(page, None, &evaluation, &texts_of(&given), &BTreeMap::new(), &Query::new(), None)
}

/// What a person may decide of a prompt and a report that rules judge nothing of; `None` where there is nothing to decide, and of an archive.
fn open_of(refusal: &calls::Refusal, given: &AuditForm) -> Option<Vec<UndecidedObligation>> {
    let answer = refusal.answer.as_deref().filter(|answer| !answer.obligations.is_empty())?;
    given.archive.is_none().then(|| calls::open_of_nothing(answer, &texts_of(given)))
}

/// Prompt and report, by the names that they have in the result.
fn texts_of(given: &AuditForm) -> BTreeMap<String, String> {
    let prompt = (steadfast_engine::PROMPT_NAME.to_owned(), given.prompt.clone());
    [prompt, (report_file(given.report.clone()).name, given.report.clone())].into()
}

/// What is said where nothing can be decided on a run's page.
const NOT_HERE: &str = "The texts of this run are not kept here as they came, so it cannot be audited again. \
    `steadfast audit --proposals FILE --confirm NAME` takes the files themselves.";

const NOT_KEPT: &str = "This server keeps nothing: leave this page and its result is gone.";

/// The request of a form; `None` where there is a prompt alone.
async fn request_of(given: &AuditForm) -> Result<Option<request::Audit>, Problem> {
    let judge = Judge::ALL.iter().find(|judge| judge.name() == given.judge).copied();
    let request = request::Audit { judge, ..request::Audit::default() };
    if let Some((name, bytes)) = &given.archive {
        crate::archive::bounded(name, bytes).await?;
        let run = Some(Source::Bytes { name: name.clone(), bytes: bytes.to_vec() });
        return Ok(Some(request::Audit { run, ..request }));
    }
    let missing = match (given.prompt.trim().is_empty(), given.report.trim().is_empty()) {
        (false, false) => {
            let (prompt, report) = (Source::Text(given.prompt.clone()), Source::Text(given.report.clone()));
            return Ok(Some(request::Audit { prompt: Some(prompt), report: vec![report], ..request }));
        }
        (false, true) => return Ok(None),
        (true, true) => "there is neither a prompt nor a report",
        (true, false) => "there is no prompt",
    };
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "Nothing to audit", missing);
    Err(problem.hint("paste both texts, a prompt alone, or choose a zip archive of a run"))
}

/// What can be said of a prompt by itself, on a page that is kept nowhere.
async fn lint(app: &Arc<App>, given: AuditForm) -> Result<Response, Problem> {
    let request = request::Lint { prompt: Source::Text(given.prompt.clone()) };
    let outcome = match calls::lint(&app.host, request).await {
        Ok(outcome) => outcome,
        Err(refusal) => return form_page(app, given, Some(refusal.into())).await,
    };
    let page = Page::new(Section::Audit, "A prompt by itself").in_section().lead(drawing::summary(&outcome.lint));
    let mut shown = Shown::new(page, made(drawing::html_part(&outcome.lint, &Texts::of(&outcome.texts)))?);
    shown.before = LINT_NOT_KEPT.to_owned();
    shown.answer()
}

/// What stands before what is said of a prompt alone.
const LINT_NOT_KEPT: &str = "<p class=\"hint\">There is no report, so the prompt was read by itself. This is kept nowhere: leave this page and it is gone. \
     <code>steadfast audit prompt.txt</code> says the same.</p>";

fn title(evaluation: &DriftEvaluation) -> String {
    let mut reports = evaluation.sources.iter().filter(|source| source.role == Role::Answer);
    match (reports.next(), reports.count()) {
        (Some(one), 0) => format!("Audit of {}", steadfast_render::shown_line(&one.file, 80)),
        (Some(_), more) => format!("Audit of {} files", more + 1),
        (None, _) => "Audit".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "audit_result.html")]
struct ResultPage {
    page: Page,
    id: String,
    figures: Figures,
    statuses: Vec<Tab>,
    parts: Parts,
    filters: Vec<Chosen>,
    filtered: bool,
    status: String,
    total: usize,
    none_found: String,
    shown: String,
    first: String,
    next: String,
    facts: String,
    /// The form in which a person decides what is open.
    judge: String,
}

/// The figures of a verdict, as they are shown.
struct Figures {
    assessed: String,
    assessed_must: String,
    score: String,
    risk: &'static str,
    risk_tone: &'static str,
    risk_rule: &'static str,
    usable: bool,
    usable_rule: &'static str,
    incidents: usize,
    severities: String,
    critical: usize,
    unsupported: usize,
    constraints: usize,
    inflated: usize,
}

impl Figures {
    fn of(evaluation: &DriftEvaluation) -> Self {
        let by_severity = evaluation.totals.by_severity.iter().rev().filter(|(_, count)| **count > 0);
        let severities: Vec<String> =
            by_severity.map(|(severity, count)| format!("{count} of severity {severity}")).collect();
        let (risk_tone, risk_rule) = match evaluation.overall_drift_risk {
            Risk::Critical => ("bad", "an incident has severity 4"),
            Risk::High => ("serious", "the score is below 2.5"),
            Risk::Medium => ("warn", "the score is below 3.5"),
            Risk::Low => ("good", "the score is at least 3.5, nothing is critical"),
        };
        let assessed = &evaluation.assessed;
        let assessed_must = match assessed.must_of {
            0 => "nothing must be kept".to_owned(),
            of => format!("{} of {of} that must be kept", assessed.must_n),
        };
        Self {
            assessed: format!("{} of {}", assessed.n, assessed.of),
            assessed_must,
            score: format!("{:.2}", evaluation.overall_fidelity_score),
            risk: evaluation.overall_drift_risk.name(),
            risk_tone,
            risk_rule,
            usable: evaluation.usable_as_is,
            usable_rule: because(evaluation),
            incidents: evaluation.totals.incidents,
            severities: severities.join(", "),
            critical: evaluation.critical_drift_count,
            unsupported: evaluation.unsupported_claim_count,
            constraints: evaluation.constraint_violation_count,
            inflated: evaluation.confidence_inflation_count,
        }
    }
}

/// The obligations of a page: those in one state have pages of their own.
struct Obligations<'a>(Tables<'a>);

impl Pages for Obligations<'_> {
    fn from(&self, state: &str) -> usize {
        self.0.from(state)
    }

    fn href(&self, state: &str, from: usize) -> String {
        let Some(run) = self.0.run else { return String::new() };
        let own = format!("/runs/{}", encoded(&run.id));
        format!("{}#obligations", with_query(&own, &[("status", state), (state, &from.to_string())]))
    }
}

/// A filter, and what is chosen in it.
struct Chosen {
    filter: Filter,
    value: String,
}

/// What stands at the end of an incident's card.
#[derive(Template)]
#[template(path = "audit_beside.html")]
struct Beside<'a> {
    id: &'a str,
    incident: &'a DriftIncident,
    decide: String,
}

/// The page of an audit, or of one of its incidents in place.
///
/// # Errors
/// [`Problem`] where the result cannot be read, or has no such incident.
pub(super) async fn result(app: &Arc<App>, record: RunRecord, query: Query) -> Result<Response, Problem> {
    let evaluation = evaluation(&record)?;
    let texts = super::runs::texts_of(app, &record.run.id).await?;
    let decisions = decided(app, &evaluation).await?;
    match query.get("incident") {
        Some(incident) => {
            let decide = Decide::new(&record.run.id, incident, &decisions, true);
            one_incident(&record.run, &evaluation, &texts, incident, decide, None)
        }
        None => {
            let mut page = page_of(&record.run, title(&evaluation));
            if query.contains_key("judged") {
                page.done = Some("The audit was made again with what you decided.".to_owned());
            }
            let open = calls::open_to_a_person(&evaluation, &texts);
            let mut judge = JudgeForm::of_run(&record.run, open, &query, &Query::new());
            if !calls::texts_are_kept(&evaluation, &texts) {
                judge = judge.closed(NOT_HERE.to_owned());
            }
            result_of(page, Some(&record.run), &evaluation, &texts, &decisions, &query, Some(judge))
        }
    }
}

fn evaluation(record: &RunRecord) -> Result<DriftEvaluation, Problem> {
    read(record.result.get())
}

fn result_of(
    page: Page,
    run: Option<&StoredRun>,
    evaluation: &DriftEvaluation,
    texts: &BTreeMap<String, String>,
    decisions: &BTreeMap<String, Decision>,
    query: &Query,
    judge: Option<JudgeForm>,
) -> Result<Response, Problem> {
    let judge = judge.map(|judge| judge.render()).transpose().map_err(|error| fault(&error))?.unwrap_or_default();
    let status = page.trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let id = run.map(|run| run.id.clone()).unwrap_or_default();
    let own = format!("/runs/{}", encoded(&id));
    let value = |name: &str| query.get(name).cloned().unwrap_or_default();
    let state = Standing::ALL.iter().find(|state| state.row().name == value("status")).copied();
    let from: usize = value("from").parse().unwrap_or(0);
    // A page that is not kept has no other pages: all that it can show stands on it.
    let limit = if run.is_some() { INCIDENTS_ON_A_PAGE } else { usize::MAX };
    let beside = |incident: &DriftIncident| {
        // What cannot be drawn is left out: it says nothing that is not elsewhere.
        if id.is_empty() {
            return String::new();
        }
        let decide = Decide::new(&id, &incident.id, decisions, false).render().unwrap_or_default();
        Beside { id: &id, incident, decide }.render().unwrap_or_default()
    };
    let address = format!("{own}?incident=");
    let pages = &Obligations(Tables { run, query });
    let asked = Part { filters: query, from, limit, state, pages, address: &address, beside: &beside };
    let parts = parts(evaluation, &Texts::of(texts), &asked).map_err(|error| fault(&error))?;
    let chosen: Vec<(&str, String)> = parts.filters.iter().map(|filter| (filter.name, value(filter.name))).collect();
    let filtered = chosen.iter().any(|(_, value)| !value.is_empty());
    let to = |from: String, status: &str| {
        let mut values: Vec<(&str, &str)> = chosen.iter().map(|(name, value)| (*name, value.as_str())).collect();
        values.push(("status", status));
        values.push(("from", &from));
        with_query(&own, &values)
    };
    let status_name = state.map(|state| state.row().name).unwrap_or_default();
    let next = from + parts.shown;
    let next = if next < parts.matching && parts.shown > 0 { to(next.to_string(), status_name) } else { String::new() };
    let first = if from > 0 { to(String::new(), status_name) } else { String::new() };
    let shown = match (parts.shown, parts.matching) {
        (0, _) => "No incident is shown".to_owned(),
        (shown, matching) => format!("Incidents {} to {} of {matching}", from + 1, from + shown),
    };
    let page_of_filter = ResultPage {
        page,
        figures: Figures::of(evaluation),
        statuses: if run.is_some() { statuses(evaluation, state, &|name| to(String::new(), name)) } else { Vec::new() },
        filters: parts
            .filters
            .iter()
            .map(|filter| Chosen { filter: filter.clone(), value: value(filter.name) })
            .collect(),
        parts,
        filtered,
        status: status_name.to_owned(),
        none_found: steadfast_render::none_found(evaluation),
        total: evaluation.totals.incidents,
        shown,
        first: anchored(first),
        next: anchored(next),
        facts: run.map(|run| Facts::of(run).render()).transpose().map_err(|error| fault(&error))?.unwrap_or_default(),
        id,
        judge,
    };
    show_as(status, &page_of_filter)
}

fn anchored(address: String) -> String {
    if address.is_empty() { address } else { format!("{address}#incidents") }
}

/// The obligations by what became of them, as tabs.
fn statuses(evaluation: &DriftEvaluation, chosen: Option<Standing>, to: &dyn Fn(&str) -> String) -> Vec<Tab> {
    let count = |state: Option<Standing>| {
        let own = evaluation.obligations.iter();
        own.filter(|own| state.is_none_or(|state| state == Standing::of(own))).count().to_string()
    };
    let all =
        Tab { label: "All", href: format!("{}#obligations", to("")), count: count(None), current: chosen.is_none() };
    let others = Standing::ALL.iter().map(|state| Tab {
        label: state.row().label,
        href: format!("{}#obligations", to(state.row().name)),
        count: count(Some(*state)),
        current: chosen == Some(*state),
    });
    std::iter::once(all).chain(others).collect()
}

#[derive(Template)]
#[template(path = "audit_incident.html")]
struct IncidentPage {
    page: Page,
    incident: DriftIncident,
    decide: String,
    severity: String,
    confidence: String,
    type_label: &'static str,
    voice: &'static str,
    tone: &'static str,
    places: String,
    before: String,
    after: String,
    also: Vec<String>,
}

/// One incident, with both texts in place.
fn one_incident(
    run: &StoredRun,
    evaluation: &DriftEvaluation,
    texts: &BTreeMap<String, String>,
    wanted: &str,
    decide: Decide,
    trouble: Option<Problem>,
) -> Result<Response, Problem> {
    let mut ordered: Vec<&DriftIncident> = evaluation.drift_incidents.iter().collect();
    ordered.sort_by_key(|incident| std::cmp::Reverse(incident.severity));
    let at = ordered.iter().position(|incident| incident.id == wanted).ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "there is no such thing", "this run has no incident of this id")
    })?;
    let incident = ordered[at];
    let own = format!("/runs/{}", encoded(&run.id));
    let to = |at: usize| {
        let incident = ordered.get(at);
        incident.map(|incident| with_query(&own, &[("incident", &incident.id)])).unwrap_or_default()
    };
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let page = page_of(run, format!("Incident {} of {}", at + 1, ordered.len()))
        .below(title(evaluation), own.clone())
        .trouble(trouble);
    let page = IncidentPage {
        page,
        decide: decide.render().map_err(|error| fault(&error))?,
        severity: format!("severity {}", incident.severity),
        confidence: format!("{:.2}", incident.confidence),
        type_label: incident.drift_type.label(),
        voice: incident.voice.label(),
        tone: ["info", "info", "warn", "serious", "bad"][usize::from(incident.severity.min(4))],
        places: in_place(incident, &Texts::of(texts)).map_err(|error| fault(&error))?,
        before: if at > 0 { to(at - 1) } else { String::new() },
        after: to(at + 1),
        also: places(&incident.also_at, &Texts::of(texts)),
        incident: incident.clone(),
    };
    show_as(status, &page)
}
