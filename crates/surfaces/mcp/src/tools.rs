//! The tools: each takes its arguments apart, makes one call to the engine, and keeps a record of it where the server keeps any.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::JsonObject;
use steadfast_engine::review::{ReviewRequest, criteria_of, output_file, review};
use steadfast_engine::runs::{Asked, Outcome, Recorder, input};
use steadfast_engine::store::{EmbeddingStore, Keep};
use steadfast_engine::trace::{self, About};
use steadfast_engine::watch::{WatchRequest, Watcher, alerting};
use steadfast_engine::{
    AuditInput, AuditRequest, File, NotesRequest, Page, context_file, prompt_file, report_file, tasks,
};
use steadfast_wire::Run;
use steadfast_wire::audit::Judge;
use steadfast_wire::plan::{Preferences, Status, Validity, Variant};
use steadfast_wire::tools::{
    Answer, AuditArguments, EmbedderChoice, EvaluateOutputArguments, FlagSequenceQualityArguments, Flagged,
    FullPayload, INCIDENTS_DEFAULT, PlanArguments, PlanCheckArguments, PlanConstraintsArguments,
    RequestFullPayloadArguments, WatchArguments, read,
};
use steadfast_wire::trace::{Batch, Trace};
use steadfast_wire::watch::Aggregate;

use crate::schemas::Call;
use crate::{Host, Refusal};

/// The exit statuses of the commands: passed, a gate failed, there is nothing to evaluate.
const PASSED: u8 = 0;
const FAILED: u8 = 1;
const NOT_EVALUABLE: u8 = 3;

/// What a log is called that comes without a file.
const LOG_NAME: &str = "steps.jsonl";

/// What a plan is called that comes without a file.
const PLAN_NAME: &str = "plan.json";

/// The most severe that an incident can be.
const SEVERITY_MAX: u8 = 4;

/// Calls a tool. `stopped` says whether anybody still waits for it.
pub(crate) async fn run(
    host: Arc<dyn Host>,
    call: Call,
    arguments: JsonObject,
    stopped: Arc<AtomicBool>,
) -> Result<Answer, Refusal> {
    match call {
        Call::Audit => audit(host, taken(call, read(arguments))?).await,
        Call::Plan => plan(host, taken(call, read(arguments))?).await,
        Call::PlanCheck => plan_check(host, taken(call, read(arguments))?).await,
        Call::PlanConstraints => plan_constraints(host, taken(call, read(arguments))?).await,
        Call::Watch => watch(host, taken(call, read(arguments))?, stopped).await,
        Call::EvaluateOutput => evaluate_output(host, taken(call, read(arguments))?).await,
        Call::RequestFullPayload => request_full_payload(host, taken(call, read(arguments))?).await,
        Call::FlagSequenceQuality => flag_sequence_quality(host, taken(call, read(arguments))?).await,
    }
}

/// Arguments, or why they are none of this tool's.
fn taken<T>(call: Call, read: Result<T, String>) -> Result<T, Refusal> {
    let name = call.name();
    read.map_err(|what| {
        Refusal::input(format!("{name}: {what}")).hint(format!("`tools/list` has the schema of what `{name}` takes"))
    })
}

async fn audit(host: Arc<dyn Host>, given: AuditArguments) -> Result<Answer, Refusal> {
    let AuditArguments { prompt, prompt_path, report, report_path, run_path, limit, min_severity, cursor } = given;
    let page =
        Page { limit: Some(limit.unwrap_or(INCIDENTS_DEFAULT)), min_severity: min_severity.unwrap_or(0), cursor };
    if page.min_severity > SEVERITY_MAX {
        return Err(Refusal::input(format!(
            "`min_severity` is {}: severities lie between 0 and {SEVERITY_MAX}",
            page.min_severity
        )));
    }
    let recorder = begin(&*host)?;
    let input = match run_path {
        Some(path) => {
            if prompt.or(prompt_path).or(report).or(report_path).is_some() {
                return Err(Refusal::input("`run_path` is given beside a prompt or a report").hint("a run holds both"));
            }
            let host = Arc::clone(&host);
            blocking(move || host.run(&path)).await?
        }
        None => AuditInput::Pair {
            prompt: text(&host, "prompt", prompt.map(prompt_file), prompt_path).await?,
            report: text(&host, "report", report.map(report_file), report_path).await?,
        },
    };
    let mut evaluation = steadfast_engine::audit(AuditRequest { input, judge: Judge::Rules }, None).await?.evaluation;
    let (asked, outcome) = (Asked::audit(&evaluation), Outcome::audit(&evaluation)?);
    evaluation.run = kept(&host, recorder, asked, outcome, PASSED, |about| trace::audit(&evaluation, about)).await?;
    answer(Answer::of(&steadfast_engine::page(evaluation, &page)?))
}

/// What all tools of notes take.
struct Notes {
    context: Option<String>,
    context_path: Option<String>,
    current_time: Option<String>,
    timezone: Option<String>,
    preferences: Option<Preferences>,
}

impl Notes {
    async fn request(self, host: &Arc<dyn Host>) -> Result<NotesRequest, Refusal> {
        let context = self.context.map(|context| context_file(context.into_bytes()));
        let notes = text(host, "context", context, self.context_path).await?;
        let now = host.now(self.current_time, self.timezone, &notes.name);
        Ok(NotesRequest {
            notes,
            current_time: now.current_time,
            timezone: now.timezone,
            preferences: self.preferences.unwrap_or(Preferences::Soft),
            assumptions: now.assumptions,
        })
    }
}

async fn plan(host: Arc<dyn Host>, given: PlanArguments) -> Result<Answer, Refusal> {
    let PlanArguments { context, context_path, current_time, timezone, variant, preferences } = given;
    let recorder = begin(&*host)?;
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let variant = variant.unwrap_or(Variant::V4Repair);
    let asked = Asked::notes(&request, None).variant(variant);
    let mut response = steadfast_engine::plan(request, variant).await?.response;
    let status = if response.status == Status::Recommended { PASSED } else { FAILED };
    let outcome = Outcome::plan(&response)?;
    response.run = kept(&host, recorder, asked, outcome, status, |about| trace::plan(&response, about)).await?;
    answer(Answer::of(&response))
}

async fn plan_check(host: Arc<dyn Host>, given: PlanCheckArguments) -> Result<Answer, Refusal> {
    let PlanCheckArguments { context, context_path, plan, plan_path, current_time, timezone, preferences } = given;
    let recorder = begin(&*host)?;
    let plan = plan.map(|plan| File { name: PLAN_NAME.to_owned(), bytes: plan.to_string().into_bytes() });
    let plan = text(&host, "plan", plan, plan_path).await?;
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let asked = Asked::notes(&request, Some(&plan));
    let mut validation = steadfast_engine::plan_check(request, plan).await?.validation;
    let status = if validation.status == Validity::Pass { PASSED } else { FAILED };
    let outcome = Outcome::plan_check(&validation)?;
    let told = |about: &About<'_>| trace::plan_check(&validation, about);
    validation.run = kept(&host, recorder, asked, outcome, status, told).await?;
    answer(Answer::of(&validation))
}

async fn plan_constraints(host: Arc<dyn Host>, given: PlanConstraintsArguments) -> Result<Answer, Refusal> {
    let PlanConstraintsArguments { context, context_path, current_time, timezone, preferences } = given;
    let recorder = begin(&*host)?;
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let asked = Asked::notes(&request, None);
    let mut constraints = steadfast_engine::plan_constraints(request).await?.constraints;
    let outcome = Outcome::plan_constraints(&constraints)?;
    let told = |about: &About<'_>| trace::plan_constraints(&constraints, about);
    constraints.run = kept(&host, recorder, asked, outcome, PASSED, told).await?;
    answer(Answer::of(&constraints))
}

async fn watch(host: Arc<dyn Host>, given: WatchArguments, stopped: Arc<AtomicBool>) -> Result<Answer, Refusal> {
    let WatchArguments { steps, log, log_path, intents, embedder, aggregate, alert } = given;
    if let Some(alert) = alert.filter(|alert| !(0.0..=1.0).contains(alert)) {
        return Err(Refusal::input(format!("`alert` is {alert}: scores lie between 0 and 1")));
    }
    let recorder = begin(&*host)?;
    let log = log.map(|log| File { name: LOG_NAME.to_owned(), bytes: log.into_bytes() });
    let log = match steps {
        Some(_) if log.is_some() || log_path.is_some() => {
            return Err(
                Refusal::input("`steps` are given beside a log").hint("give one of `steps`, `log` and `log_path`")
            );
        }
        Some(steps) => {
            let mut lines = String::new();
            for step in &steps {
                lines.push_str(
                    &steadfast_wire::to_json_line(step).map_err(|error| Refusal::external(error.to_string()))?,
                );
            }
            File { name: LOG_NAME.to_owned(), bytes: lines.into_bytes() }
        }
        None if log.is_none() && log_path.is_none() => {
            return Err(Refusal::input("nothing is given to watch").hint("give one of `steps`, `log` and `log_path`"));
        }
        None => text(&host, "log", log, log_path).await?,
    };
    let choice = embedder.unwrap_or(EmbedderChoice::Minilm);
    let own = Arc::clone(&host);
    let embedder = blocking(move || own.embedder(choice)).await?;
    let aggregate = aggregate.unwrap_or(Aggregate::Whole);
    let asked = Asked::watch(vec![input(&log)], aggregate, alert);
    let alert = alerting(alert, None, (embedder.name(), embedder.version()), aggregate)?;
    let intents = intents.unwrap_or_default().into_iter().collect();
    let store = recorder.as_ref().and_then(Recorder::store);
    let vectors = store.map(|store| -> Arc<dyn EmbeddingStore> { store });
    let mut watcher = Watcher::new(embedder, vectors, WatchRequest { aggregate, alert, intents, keep_steps: true });
    watcher.follow(&log, || stopped.load(Ordering::Relaxed)).await?;
    let mut watch = watcher.finish(&log.name)?;
    let outcome = Outcome::watch(&watch)?;
    let steps: usize = watch.trajectories.iter().map(|own| own.steps.len()).sum();
    let told = |about: &About<'_>| trace::watch(&watch, &[], steps, about);
    watch.run = kept(&host, recorder, asked, outcome, PASSED, told).await?;
    answer(Answer::of(&watch))
}

async fn evaluate_output(host: Arc<dyn Host>, given: EvaluateOutputArguments) -> Result<Answer, Refusal> {
    let EvaluateOutputArguments { output, output_path, acceptance_criteria, threshold, profile } = given;
    // What is evaluated is asked for again: a server that keeps nothing could not give it.
    let recorder = Recorder::begin(store(&*host)?)?;
    let output = output.map(|output| output_file(output.into_bytes()));
    let mut request = ReviewRequest::new(text(&host, "output", output, output_path).await?);
    let line = |criterion: &String| criterion.split_whitespace().collect::<Vec<_>>().join(" ");
    request.criteria =
        acceptance_criteria.unwrap_or_default().iter().flat_map(|criterion| criteria_of(&line(criterion))).collect();
    request.threshold = threshold.unwrap_or(request.threshold);
    request.profile = profile.unwrap_or(request.profile);
    let asked = Asked::review(&request);
    let outcome = review(request).await?;
    let (mut review, content) = (outcome.review, outcome.texts.into_values().next().unwrap_or_default());
    let status = if outcome.not_evaluable.is_some() { NOT_EVALUABLE } else { PASSED };
    let outcome = Outcome::review(&review, &content)?;
    review.run = kept(&host, Some(recorder), asked, outcome, status, |about| trace::review(&review, about)).await?;
    answer(Answer::of(&review))
}

async fn request_full_payload(host: Arc<dyn Host>, given: RequestFullPayloadArguments) -> Result<Answer, Refusal> {
    let store = store(&*host)?;
    let full_output = blocking(move || Ok(tasks::request_full_payload(&*store, &given.task_id)?)).await?;
    answer(Answer::of(&FullPayload { full_output }))
}

async fn flag_sequence_quality(host: Arc<dyn Host>, given: FlagSequenceQualityArguments) -> Result<Answer, Refusal> {
    let store = store(&*host)?;
    let FlagSequenceQualityArguments { task_id, quality, tags } = given;
    let tags = tags.unwrap_or_default();
    blocking(move || Ok(tasks::flag_sequence_quality(&*store, &task_id, &quality, &tags)?)).await?;
    answer(Answer::of(&Flagged { success: true }))
}

/// What the server keeps its state in.
fn store(host: &dyn Host) -> Result<Arc<dyn Keep>, Refusal> {
    host.store().ok_or_else(|| {
        Refusal::input("this server keeps nothing, and outputs are evaluated to be asked for again")
            .hint("start the server without `--no-store`")
    })
}

/// Begins a record of a call, where the server keeps any, or tells of calls.
fn begin(host: &dyn Host) -> Result<Option<Recorder>, Refusal> {
    let recorder = match host.store() {
        Some(store) => Some(Recorder::begin(store)),
        None => host.traces().map(|traces| Recorder::timed(traces.clock)),
    };
    Ok(recorder.transpose()?)
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
    let host = Arc::clone(host);
    blocking(move || {
        let run = recorder.end(&asked, outcome, exit_status)?;
        if let Some((batch, sink)) = traces {
            sink.take(&batch).iter().for_each(|trouble| host.note(trouble));
            // The call does not wait until it is sent.
            drop(tokio::task::spawn_blocking(move || {
                sink.send_waiting().iter().for_each(|trouble| host.note(trouble))
            }));
        }
        Ok(run)
    })
    .await
}

/// A text that is given as such or as a file: exactly one of the two.
async fn text(host: &Arc<dyn Host>, what: &str, text: Option<File>, path: Option<String>) -> Result<File, Refusal> {
    match (text, path) {
        (Some(text), None) => Ok(text),
        (None, Some(path)) => {
            let host = Arc::clone(host);
            blocking(move || host.file(&path)).await
        }
        (Some(_), Some(_)) => {
            Err(Refusal::input(format!("`{what}` and `{what}_path` are both given")).hint("give one of them"))
        }
        (None, None) => Err(Refusal::input(format!("neither `{what}` nor `{what}_path` is given"))),
    }
}

fn answer(answer: Result<Answer, steadfast_wire::Error>) -> Result<Answer, Refusal> {
    answer.map_err(|error| Refusal::external(error.to_string()))
}

/// Does what may block off the thread that awaits.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Refusal::external(format!("the work failed: {error}"))))
}
