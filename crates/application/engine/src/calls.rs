//! What the doors of a server have in common: one call of a use case, and a record of it where the server keeps any.
//!
//! A door (HTTP, MCP, the console) makes plain values of what came in, calls one of these functions, and says in its own form what comes
//! back; so the same request has the same answer at every door. What they need of the world they ask of their [`Host`].

mod audit_compare;
mod compare;
mod host;
pub mod kept;
mod plan;
pub mod vault;

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_evidence::Rules;
use steadfast_wire::audit::{DriftEvaluation, Judge};
use steadfast_wire::pick::{FinalOutput, SearchResult};
use steadfast_wire::review::Review;
use steadfast_wire::tools::EmbedderChoice;
use steadfast_wire::trace::{Batch, Trace};
use steadfast_wire::watch::{Aggregate, Watch};
use steadfast_wire::{Run, pick as wire_pick};

pub use audit_compare::{AuditMade, audit_compare};
pub use compare::{CompareCall, watch_compare};
pub use host::{Host, ModelState, Refusal, Traces, blocking};
pub use plan::{PlanCall, PlanModels, earlier_plan, plan, plan_check, plan_constraints};

use crate::audit::{AuditInput, AuditRequest};
use crate::chat::Desk;
use crate::decisions::{AsOf, mark};
use crate::intake::File;
use crate::page::{Page, page};
use crate::review::ReviewRequest;
use crate::runs::{AgentName, Asked, Outcome, Recorder, input};
use crate::store::{DecisionStore, EmbeddingStore, Keep};
use crate::trace::{self, About};
use crate::vault::{PickAssistance, PickRequest, Points};
use crate::watch::{WatchRequest, Watcher, alerting};
use crate::{EngineError, tasks, vault as prompts};

/// The exit statuses of the commands of the same names, by which runs are listed: passed, a gate failed, there is nothing to evaluate.
const PASSED: u8 = 0;
const FAILED: u8 = 1;
const NOT_EVALUABLE: u8 = 3;

/// Characters of a fingerprint: 128 bits.
const FINGERPRINT_CHARS: usize = 32;

/// The most severe that an incident can be.
pub const SEVERITY_MAX: u8 = 4;

/// An audit, and which of its incidents are listed.
#[derive(Clone, Debug)]
pub struct AuditCall {
    /// What to audit.
    pub input: AuditInput,
    /// Who judges.
    pub judge: Judge,
    /// What makes vectors for the support score; `Lexical` makes none.
    pub embedder: EmbedderChoice,
    /// By which rules; the host's where it is not said.
    pub rules: Option<Rules>,
    /// Which incidents are listed.
    pub page: Page,
    /// Whose work it is, where that is known.
    pub agent: Option<AgentName>,
}

/// Audits a report against its prompt.
///
/// # Errors
/// [`Refusal`]: what [`audit`](crate::audit()) refuses, a page that there is not, a record that cannot be kept.
pub async fn audit(host: &Arc<dyn Host>, call: AuditCall) -> Result<DriftEvaluation, Refusal> {
    let AuditCall { input, judge, embedder: choice, rules, page: wanted, agent } = call;
    let rules = rules.unwrap_or_else(|| host.rules());
    if wanted.min_severity > SEVERITY_MAX {
        let given = wanted.min_severity;
        return Err(Refusal::input(format!("`min_severity` is {given}: severities lie between 0 and {SEVERITY_MAX}")));
    }
    let recorder = begin(&**host)?;
    let desk = match judge {
        Judge::Rules => None,
        Judge::Model | Judge::Both => host.desk(&[Role::AuditContract, Role::AuditIncidents, Role::AuditScores])?,
    };
    let embedder = match choice {
        EmbedderChoice::Lexical => None,
        EmbedderChoice::Minilm => {
            let own = Arc::clone(host);
            Some(blocking(host, move || own.embedder(choice)).await?)
        }
    };
    let mut audited = crate::audit(AuditRequest { input, judge, embedder, rules }, desk.as_deref()).await?;
    if let Some(store) = host.store() {
        audited = blocking(host, move || {
            let as_of = AsOf::clock(&store.stamp().map_err(EngineError::from)?.at);
            let store: &dyn DecisionStore = &*store;
            mark(&mut audited, &[store], &as_of)?;
            Ok(audited)
        })
        .await?;
    }
    let mut evaluation = audited.evaluation;
    let asked = Asked::audit(&evaluation).about(agent);
    let outcome = of(host, Outcome::audit(&evaluation)?, || audited.texts);
    evaluation.run = kept(host, recorder, asked, outcome, PASSED, |about| trace::audit(&evaluation, about)).await?;
    Ok(page(evaluation, &wanted)?)
}

/// Whether there are chat models that an audit can ask.
pub async fn audit_models(host: &Arc<dyn Host>) -> bool {
    let own = Arc::clone(host);
    let desk = blocking(host, move || own.desk(&[Role::AuditContract, Role::AuditIncidents, Role::AuditScores]));
    desk.await.is_ok_and(|desk| desk.is_some())
}

/// A hash by which an answer is known again: the same bytes have the same one.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut hash = crate::hash::sha256(bytes);
    hash.truncate(FINGERPRINT_CHARS);
    hash
}

/// A log of steps, and how they are scored.
#[derive(Clone, Debug)]
pub struct WatchCall {
    /// The log.
    pub log: File,
    /// What makes vectors of the texts.
    pub embedder: EmbedderChoice,
    /// What of a long output is compared with the goal.
    pub aggregate: Aggregate,
    /// The threshold of an alert, 0 to 1.
    pub alert: Option<f64>,
    /// The initial intent of tasks, by task id.
    pub intents: BTreeMap<String, String>,
}

/// Scores the steps of a log. `stopped` is asked between two pieces of it.
///
/// # Errors
/// [`Refusal`]: what [`Watcher`] refuses, an embedder that is not there, or a record that cannot be kept.
pub async fn watch(
    host: &Arc<dyn Host>,
    call: WatchCall,
    stopped: impl Fn() -> bool + Send + Sync,
) -> Result<Watch, Refusal> {
    let WatchCall { log, embedder: choice, aggregate, alert, intents } = call;
    if let Some(alert) = alert.filter(|alert| !(0.0..=1.0).contains(alert)) {
        return Err(Refusal::input(format!("`alert` is {alert}: scores lie between 0 and 1")));
    }
    let recorder = begin(&**host)?;
    let own = Arc::clone(host);
    let embedder = blocking(host, move || own.embedder(choice)).await?;
    let asked = Asked::watch(vec![input(&log)], aggregate, alert);
    let alert = alerting(alert, None, (embedder.name(), embedder.version()), aggregate)?;
    let intents = intents.into_iter().collect();
    let store = recorder.as_ref().and_then(Recorder::store);
    let vectors = store.map(|store| -> Arc<dyn EmbeddingStore> { store });
    let request = WatchRequest { aggregate, alert, intents, keep_steps: true, rules: host.rules() };
    let mut watcher = Watcher::new(embedder, vectors, request);
    watcher.follow(&log, stopped).await?;
    let mut watch = watcher.finish(&log.name)?;
    let outcome = of(host, Outcome::watch(&watch)?, || texts_of(&log));
    let steps: usize = watch.trajectories.iter().map(|own| own.steps.len()).sum();
    let told = |about: &About<'_>| trace::watch(&watch, &[], steps, about);
    watch.run = kept(host, recorder, asked, outcome, PASSED, told).await?;
    Ok(watch)
}

/// Reviews what a sub-agent gave back. What was reviewed is kept to be asked for again where the server keeps anything. `agent` is who gave it
/// back, where that is known.
///
/// # Errors
/// [`Refusal`]: what [`review`](crate::review::review) refuses, or a record that cannot be kept.
pub async fn review(host: &Arc<dyn Host>, request: ReviewRequest, agent: Option<AgentName>) -> Result<Review, Refusal> {
    let recorder = begin(&**host)?;
    let request = ReviewRequest { rules: host.rules(), ..request };
    let asked = Asked::review(&request).about(agent);
    let outcome = crate::review::review(request).await?;
    let (mut review, content) = (outcome.review, outcome.texts.into_values().next().unwrap_or_default());
    let status = if outcome.not_evaluable.is_some() { NOT_EVALUABLE } else { PASSED };
    let outcome = Outcome::review(&review, &content)?;
    review.run = kept(host, recorder, asked, outcome, status, |about| trace::review(&review, about)).await?;
    Ok(review)
}

/// All of the last output of a task.
///
/// # Errors
/// [`Refusal`] where nothing is kept, or nothing of this task.
pub async fn full_payload(host: &Arc<dyn Host>, task_id: String) -> Result<String, Refusal> {
    let store = store(&**host)?;
    blocking(host, move || Ok(tasks::request_full_payload(&*store, &task_id)?)).await
}

/// Says that what is kept of a task is a good or a bad example, or takes that back.
///
/// # Errors
/// [`Refusal`] where nothing is kept, nothing of this task, or no such quality is known.
pub async fn flag(host: &Arc<dyn Host>, task_id: String, quality: String, tags: Vec<String>) -> Result<(), Refusal> {
    let store = store(&**host)?;
    blocking(host, move || Ok(tasks::flag_sequence_quality(&*store, &task_id, &quality, &tags)?)).await
}

/// A task, and how its prompts are picked.
#[derive(Clone, Debug)]
pub struct PickCall {
    /// The task, and which prompts may be picked.
    pub request: PickRequest,
    /// The filters as they were given, for the record.
    pub filters: Vec<String>,
    /// The thresholds that choose.
    pub points: Points,
    /// Whether a chat model reads the task as well.
    pub intake: bool,
}

/// Picks prompts for a task from the vault of the server.
///
/// # Errors
/// [`Refusal`]: no vault, nothing in it, what [`pick`](prompts::OpenVault::pick) refuses, or a record that cannot be kept.
pub async fn pick(host: &Arc<dyn Host>, call: PickCall) -> Result<FinalOutput, Refusal> {
    let PickCall { request, filters, points, intake } = call;
    let request = PickRequest { rules: host.rules(), ..request };
    let own = store(&**host)?;
    let recorder = begin(&**host)?;
    let desk = desk(&**host, intake.then_some(Role::PickIntake))?;
    let assistance = PickAssistance { desk, intake };
    assistance.ready()?;
    let (shelf, task) = (host.vault()?, request.clone());
    let (mut found, point) = blocking(host, move || {
        shelf.with(|open| {
            if open.is_empty() {
                return Err(Refusal::input("the vault holds no prompts")
                    .hint("`steadfast vault import PATH --vault FILE` takes some in; `--shipped` those that ship with the program"));
            }
            let points = prompts::against(&[points], open.has_vectors())?;
            let point = prompts::assigned(&task.task, &points)
                .ok_or_else(|| EngineError::Internal { what: "no operating point is there".to_owned() })?;
            Ok((open.pick(&task, point)?, point.name.clone()))
        })
    })
    .await?;
    prompts::pick_assisted(&mut found, &request, &assistance).await?;
    let selection = found.clone();
    blocking(host, move || Ok(prompts::keep_selection(&*own, &selection)?().map_err(EngineError::from)?)).await?;
    let outcome = Outcome::pick(&found)?;
    let asked = Asked::pick(&request, &point, filters).pick_assistance(&assistance);
    found.run = kept(host, recorder, asked, outcome, PASSED, |about| trace::pick(&found, about)).await?;
    Ok(found)
}

/// The prompts of the vault that fit a query best.
///
/// # Errors
/// [`Refusal`]: no vault, or what [`search`](prompts::OpenVault::search) refuses.
pub async fn vault_search(
    host: &Arc<dyn Host>,
    query: String,
    k: usize,
    filters: prompts::Filters,
) -> Result<SearchResult, Refusal> {
    let shelf = host.vault()?;
    blocking(host, move || shelf.with(|open| Ok(open.search(None, &query, k, &filters)?))).await
}

/// Says whether prompts that were picked were of use.
///
/// # Errors
/// [`Refusal`]: nothing is kept, or nothing of this name was picked.
pub async fn feedback(
    host: &Arc<dyn Host>,
    trace_id: String,
    good: bool,
    prompt_ids: Vec<String>,
) -> Result<wire_pick::Feedback, Refusal> {
    let store = store(&**host)?;
    blocking(host, move || Ok(prompts::give_feedback(&*store, &trace_id, good, &prompt_ids)?)).await
}

/// What the server keeps its state in.
///
/// # Errors
/// [`Refusal`] where it keeps nothing.
pub fn store(host: &dyn Host) -> Result<Arc<dyn Keep>, Refusal> {
    host.store().ok_or_else(|| {
        Refusal::input("this server keeps nothing, and this needs what was kept")
            .hint("start the server without `--no-store`")
    })
}

/// Who sits at these roles; `None` where nobody is asked for.
fn desk(host: &dyn Host, roles: impl IntoIterator<Item = Role>) -> Result<Option<Arc<Desk>>, Refusal> {
    let roles: Vec<Role> = roles.into_iter().collect();
    if roles.is_empty() { Ok(None) } else { host.desk(&roles) }
}

/// Begins a record of a call, where the server keeps any, or tells of calls.
fn begin(host: &dyn Host) -> Result<Option<Recorder>, Refusal> {
    let recorder = match host.store() {
        Some(store) => Some(Recorder::begin(store)),
        None => host.traces().map(|traces| Recorder::timed(traces.clock)),
    };
    Ok(recorder.transpose()?)
}

/// What came of a call, with the texts that it was about where this server keeps them: the console shows quotes in their places.
fn of(host: &Arc<dyn Host>, outcome: Outcome, texts: impl FnOnce() -> BTreeMap<String, String>) -> Outcome {
    if host.keeps_texts() { outcome.with_texts(texts()) } else { outcome }
}

/// The text of a file by its name; nothing where it is not UTF-8.
fn texts_of(file: &File) -> BTreeMap<String, String> {
    std::str::from_utf8(&file.bytes).map(|text| (file.name.clone(), text.to_owned())).into_iter().collect()
}

/// Keeps a record of a call, where the server keeps any: it is on the disk when this returns. Where calls are told of, this one is, by a trace that is
/// sent when nobody waits for it.
async fn kept(
    host: &Arc<dyn Host>,
    recorder: Option<Recorder>,
    asked: Asked,
    outcome: Outcome,
    exit_status: u8,
    told: impl FnOnce(&About<'_>) -> Trace,
) -> Result<Option<Run>, Refusal> {
    let Some(mut recorder) = recorder else { return Ok(None) };
    let (stored, timing) = (recorder.store().is_some(), recorder.stop());
    let traces = host.traces().map(|traces| {
        let about = About { timing: &timing, asked: &asked, exit_status, stored, capture: traces.capture };
        (Batch { traces: vec![told(&about)], experiment: None }, traces.sink)
    });
    let own = Arc::clone(host);
    blocking(host, move || {
        let run = recorder.end(&asked, outcome, exit_status)?;
        if let Some((batch, sink)) = traces {
            sink.take(&batch).iter().for_each(|trouble| own.note(trouble));
            // The call does not wait until it is sent.
            let noting = Arc::clone(&own);
            own.spawn(Box::new(move || sink.send_waiting().iter().for_each(|trouble| noting.note(trouble))));
        }
        Ok(run)
    })
    .await
}
