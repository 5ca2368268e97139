//! The tools: each takes its arguments apart and makes one call of the engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use steadfast_engine::calls::{
    self, AuditCall, AuditMade, PickCall, PlanCall, PlanModels, Refusal, WatchCall, blocking,
};
use steadfast_engine::review::{ReviewRequest, criteria_of, output_file};
use steadfast_engine::runs::AgentName;
use steadfast_engine::vault::{PickRequest, Points, filters};
use steadfast_engine::{
    AuditInput, CALENDARS_MAX, EngineError, File, NotesRequest, Page, Rules, calendar_files, context_file, lint_prompt,
    plan_file, prompt_file, report_file, rules_of,
};
use steadfast_render::plan::file;
use steadfast_wire::api::{Fields, members};
use steadfast_wire::audit::{DriftEvaluation, Judge};
use steadfast_wire::pick::SearchResult;
use steadfast_wire::plan::{CalendarText, Preferences, Variant};
use steadfast_wire::tools::{
    Answer, AuditArguments, AuditCompareArguments, AuditLintArguments, EmbedderChoice, EvaluateOutputArguments,
    FeedbackArguments, FlagSequenceQualityArguments, Flagged, FullPayload, Generator, INCIDENTS_DEFAULT, PickArguments,
    PlanArguments, PlanCheckArguments, PlanConstraintsArguments, PointChoice, Reader, RequestFullPayloadArguments,
    VaultSearchArguments, WatchArguments, Word, read,
};
use steadfast_wire::watch::Aggregate;

use crate::Host;
use crate::schemas::Call;

/// What a log is called that comes without a file.
const LOG_NAME: &str = "steps.jsonl";

/// Prompts that a search gives where no number is given, and at most.
const SEARCH_DEFAULT: usize = 10;
const SEARCH_MAX: usize = 1_000;

/// What a tool gives.
pub(crate) struct Given {
    /// The answer.
    pub(crate) answer: Answer,
    /// Which members of it are asked for, where not all are.
    pub(crate) fields: Option<Fields>,
    /// Texts beside it.
    pub(crate) files: Vec<String>,
}

impl Given {
    fn of(answer: Answer, fields: Option<Fields>) -> Self {
        Self { answer, fields, files: Vec::new() }
    }
}

/// Calls a tool. `stopped` says whether anybody still waits for it.
pub(crate) async fn run(
    host: Arc<dyn Host>,
    call: Call,
    arguments: JsonObject,
    stopped: Arc<AtomicBool>,
) -> Result<Given, Refusal> {
    let whole = match call {
        Call::Audit => return audit(host, taken(call, read(arguments))?).await,
        Call::VaultSearch => return vault_search(host, taken(call, read(arguments))?).await,
        Call::Plan => return plan(host, taken(call, read(arguments))?).await,
        Call::AuditLint => audit_lint(host, taken(call, read(arguments))?).await,
        Call::AuditCompare => audit_compare(host, taken(call, read(arguments))?).await,
        Call::PlanCheck => plan_check(host, taken(call, read(arguments))?).await,
        Call::PlanConstraints => plan_constraints(host, taken(call, read(arguments))?).await,
        Call::Watch => watch(host, taken(call, read(arguments))?, stopped).await,
        Call::EvaluateOutput => evaluate_output(host, taken(call, read(arguments))?).await,
        Call::RequestFullPayload => request_full_payload(host, taken(call, read(arguments))?).await,
        Call::FlagSequenceQuality => flag_sequence_quality(host, taken(call, read(arguments))?).await,
        Call::Pick => pick(host, taken(call, read(arguments))?).await,
        Call::Feedback => feedback(host, taken(call, read(arguments))?).await,
    };
    Ok(Given::of(whole?, None))
}

/// Arguments, or why they are none of this tool's.
fn taken<T>(call: Call, read: Result<T, String>) -> Result<T, Refusal> {
    let name = call.name();
    read.map_err(|what| {
        Refusal::input(format!("{name}: {what}")).hint(format!("`tools/list` has the schema of what `{name}` takes"))
    })
}

/// The same host, as far as calls of the engine need it.
fn calling(host: &Arc<dyn Host>) -> Arc<dyn calls::Host> {
    Arc::<dyn Host>::clone(host)
}

async fn audit(host: Arc<dyn Host>, given: AuditArguments) -> Result<Given, Refusal> {
    let AuditArguments {
        prompt,
        prompt_path,
        report,
        report_path,
        run_path,
        judge,
        embedder,
        rules,
        agent,
        limit,
        min_severity,
        cursor,
        fields,
    } = given;
    let fields = only::<DriftEvaluation>(fields)?;
    let page =
        Page { limit: Some(limit.unwrap_or(INCIDENTS_DEFAULT)), min_severity: min_severity.unwrap_or(0), cursor };
    let input = match run_path {
        Some(path) => {
            if prompt.or(prompt_path).or(report).or(report_path).is_some() {
                return Err(Refusal::input("`run_path` is given beside a prompt or a report").hint("a run holds both"));
            }
            let own = Arc::clone(&host);
            blocking(&calling(&host), move || own.run(&path)).await?
        }
        None => AuditInput::Pair {
            prompt: text(&host, "prompt", prompt.map(prompt_file), prompt_path).await?,
            report: text(&host, "report", report.map(report_file), report_path).await?,
        },
    };
    let call = AuditCall {
        input,
        judge: judge.unwrap_or(Judge::Rules),
        embedder: embedder.unwrap_or(EmbedderChoice::Lexical),
        rules: rules.as_deref().map(rules_of).transpose()?,
        page,
        agent: AgentName::given(agent)?,
    };
    Ok(Given::of(answer(&calls::audit(&calling(&host), call).await?)?, fields))
}

async fn audit_lint(host: Arc<dyn Host>, given: AuditLintArguments) -> Result<Answer, Refusal> {
    let AuditLintArguments { prompt, prompt_path } = given;
    let prompt = text(&host, "prompt", prompt.map(prompt_file), prompt_path).await?;
    answer(&lint_prompt(prompt, host.rules()).await.map_err(Refusal::from)?.lint)
}

async fn audit_compare(host: Arc<dyn Host>, given: AuditCompareArguments) -> Result<Answer, Refusal> {
    let AuditCompareArguments { a, a_path, b, b_path } = given;
    let (a, b) = (made(&host, "a", a, a_path).await?, made(&host, "b", b, b_path).await?);
    answer(&calls::audit_compare(&calling(&host), a, b).await?.comparison)
}

/// An audit that was made: a run by its id, or its result.
async fn made(
    host: &Arc<dyn Host>,
    what: &str,
    given: Option<Value>,
    path: Option<String>,
) -> Result<AuditMade, Refusal> {
    match (given, path) {
        (Some(Value::String(id)), None) => Ok(AuditMade::Stored(id)),
        (given, path) => {
            let result =
                given.map(|given| File { name: format!("{what}.json"), bytes: given.to_string().into_bytes() });
            Ok(AuditMade::Result(text(host, what, result, path).await?))
        }
    }
}

/// What all tools of notes take.
struct Notes {
    context: Option<String>,
    context_path: Option<String>,
    calendars: Option<Vec<CalendarText>>,
    calendar_paths: Option<Vec<String>>,
    current_time: Option<String>,
    timezone: Option<String>,
    preferences: Option<Preferences>,
}

impl Notes {
    async fn request(self, host: &Arc<dyn Host>) -> Result<NotesRequest, Refusal> {
        let context = self.context.map(|context| context_file(context.into_bytes()));
        let notes = text(host, "context", context, self.context_path).await?;
        let mut calendars = calendar_files(self.calendars);
        let paths = self.calendar_paths.unwrap_or_default();
        if calendars.len() + paths.len() > CALENDARS_MAX {
            return Err(EngineError::TooManyCalendars { calendars: calendars.len() + paths.len() }.into());
        }
        let own = Arc::clone(host);
        let read = move || paths.iter().map(|path| own.file(path)).collect::<Result<Vec<File>, Refusal>>();
        calendars.extend(blocking(&calling(host), read).await?);
        let now = host.now(self.current_time, self.timezone, &notes.name);
        Ok(NotesRequest {
            notes,
            calendars,
            current_time: now.current_time,
            timezone: now.timezone,
            preferences: self.preferences.unwrap_or(Preferences::Soft),
            assumptions: now.assumptions,
            rules: Rules::CURRENT,
        })
    }
}

async fn plan(host: Arc<dyn Host>, given: PlanArguments) -> Result<Given, Refusal> {
    let PlanArguments {
        context,
        context_path,
        current_time,
        timezone,
        calendars,
        calendar_paths,
        from,
        from_path,
        done,
        variant,
        preferences,
        extract,
        generate,
        advise,
        files,
        agent,
    } = given;
    let agent = AgentName::given(agent)?;
    let from = match (from, from_path) {
        (None, None) => None,
        (from, path) => Some(text(&host, "from", from.map(|from| plan_file(from.to_string())), path).await?),
    };
    if from.is_some() && current_time.is_none() {
        return Err(Refusal::input("`from` is given without `current_time`")
            .hint("`current_time` says from when on the rest of the day is planned"));
    }
    let earlier = calls::earlier_plan(from, done)?;
    let notes = Notes { context, context_path, calendars, calendar_paths, current_time, timezone, preferences };
    let call = PlanCall {
        request: notes.request(&host).await?,
        variant: variant.unwrap_or(Variant::V4Repair),
        models: PlanModels {
            extract: extract == Some(Reader::Model),
            generate: generate == Some(Generator::Model),
            advise: advise == Some(true),
        },
        earlier,
        agent,
    };
    let response = calls::plan(&calling(&host), call).await?.response;
    let files = files.unwrap_or_default().into_iter().map(|own| file(&response, own).0).collect();
    Ok(Given { answer: answer(&response)?, fields: None, files })
}

async fn plan_check(host: Arc<dyn Host>, given: PlanCheckArguments) -> Result<Answer, Refusal> {
    let PlanCheckArguments {
        context,
        context_path,
        plan,
        plan_path,
        current_time,
        timezone,
        calendars,
        calendar_paths,
        preferences,
        agent,
    } = given;
    let agent = AgentName::given(agent)?;
    let plan = text(&host, "plan", plan.map(|plan| plan_file(plan.to_string())), plan_path).await?;
    let notes = Notes { context, context_path, calendars, calendar_paths, current_time, timezone, preferences };
    let request = notes.request(&host).await?;
    answer(&calls::plan_check(&calling(&host), request, plan, agent).await?.validation)
}

async fn plan_constraints(host: Arc<dyn Host>, given: PlanConstraintsArguments) -> Result<Answer, Refusal> {
    let PlanConstraintsArguments {
        context,
        context_path,
        current_time,
        timezone,
        calendars,
        calendar_paths,
        preferences,
    } = given;
    let notes = Notes { context, context_path, calendars, calendar_paths, current_time, timezone, preferences };
    let request = notes.request(&host).await?;
    answer(&calls::plan_constraints(&calling(&host), request).await?)
}

async fn watch(host: Arc<dyn Host>, given: WatchArguments, stopped: Arc<AtomicBool>) -> Result<Answer, Refusal> {
    let WatchArguments { steps, log, log_path, intents, embedder, aggregate, alert } = given;
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
    let call = WatchCall {
        log,
        embedder: embedder.unwrap_or(EmbedderChoice::Minilm),
        aggregate: aggregate.unwrap_or(Aggregate::Whole),
        alert,
        intents: intents.unwrap_or_default(),
    };
    answer(&calls::watch(&calling(&host), call, || stopped.load(Ordering::Relaxed)).await?)
}

async fn evaluate_output(host: Arc<dyn Host>, given: EvaluateOutputArguments) -> Result<Answer, Refusal> {
    let EvaluateOutputArguments { output, output_path, acceptance_criteria, threshold, profile, agent } = given;
    let agent = AgentName::given(agent)?;
    // What is evaluated is asked for again: a server that keeps nothing could not give it.
    calls::store(&*calling(&host))?;
    let output = output.map(|output| output_file(output.into_bytes()));
    let mut request = ReviewRequest::new(text(&host, "output", output, output_path).await?);
    let line = |criterion: &String| criterion.split_whitespace().collect::<Vec<_>>().join(" ");
    request.criteria =
        acceptance_criteria.unwrap_or_default().iter().flat_map(|criterion| criteria_of(&line(criterion))).collect();
    request.threshold = threshold.unwrap_or(request.threshold);
    request.profile = profile.unwrap_or(request.profile);
    answer(&calls::review(&calling(&host), request, agent).await?)
}

async fn request_full_payload(host: Arc<dyn Host>, given: RequestFullPayloadArguments) -> Result<Answer, Refusal> {
    let full_output = calls::full_payload(&calling(&host), given.task_id).await?;
    answer(&FullPayload { full_output })
}

async fn flag_sequence_quality(host: Arc<dyn Host>, given: FlagSequenceQualityArguments) -> Result<Answer, Refusal> {
    let FlagSequenceQualityArguments { task_id, quality, tags } = given;
    calls::flag(&calling(&host), task_id, quality, tags.unwrap_or_default()).await?;
    answer(&Flagged { success: true })
}

async fn pick(host: Arc<dyn Host>, given: PickArguments) -> Result<Answer, Refusal> {
    let PickArguments { task, at, explain, filter, exclude, operating_point, intake } = given;
    let (filter, exclude) = (filter.unwrap_or_default(), exclude.unwrap_or_default());
    let wanted = filters(&filter, &exclude)?;
    let call = PickCall {
        request: PickRequest {
            qid: None,
            task,
            at,
            explain: explain.unwrap_or(false),
            filters: wanted,
            rules: Rules::CURRENT,
        },
        filters: [filter, exclude.iter().map(|own| format!("not {own}")).collect()].concat(),
        points: match operating_point.unwrap_or(PointChoice::Default) {
            PointChoice::Default => Points::fitted(),
            PointChoice::Seed => Points::seed(),
        },
        intake: intake == Some(Reader::Model),
    };
    answer(&calls::pick(&calling(&host), call).await?)
}

async fn vault_search(host: Arc<dyn Host>, given: VaultSearchArguments) -> Result<Given, Refusal> {
    let VaultSearchArguments { query, k, filter, exclude, fields } = given;
    let fields = only::<SearchResult>(fields)?;
    let wanted = filters(&filter.unwrap_or_default(), &exclude.unwrap_or_default())?;
    let k = k.unwrap_or(SEARCH_DEFAULT);
    if !(1..=SEARCH_MAX).contains(&k) {
        return Err(Refusal::input(format!("`k` is {k}: between 1 and {SEARCH_MAX} prompts can be asked for")));
    }
    Ok(Given::of(answer(&calls::vault_search(&calling(&host), query, k, wanted).await?)?, fields))
}

async fn feedback(host: Arc<dyn Host>, given: FeedbackArguments) -> Result<Answer, Refusal> {
    let FeedbackArguments { trace_id, verdict, prompt_ids } = given;
    let prompt_ids = prompt_ids.unwrap_or_default();
    answer(&calls::feedback(&calling(&host), trace_id, verdict == Word::Good, prompt_ids).await?)
}

/// A text that is given as such or as a file: exactly one of the two.
async fn text(host: &Arc<dyn Host>, what: &str, text: Option<File>, path: Option<String>) -> Result<File, Refusal> {
    match (text, path) {
        (Some(text), None) => Ok(text),
        (None, Some(path)) => {
            let own = Arc::clone(host);
            blocking(&calling(host), move || own.file(&path)).await
        }
        (Some(_), Some(_)) => {
            Err(Refusal::input(format!("`{what}` and `{what}_path` are both given")).hint("give one of them"))
        }
        (None, None) => Err(Refusal::input(format!("neither `{what}` nor `{what}_path` is given"))),
    }
}

/// The members that `fields` names, where it is given.
fn only<T: JsonSchema>(fields: Option<Vec<String>>) -> Result<Option<Fields>, Refusal> {
    let Some(names) = fields else { return Ok(None) };
    if names.is_empty() {
        return Err(Refusal::input("`fields` names nothing").hint("leave it out for the whole result"));
    }
    Fields::of(names, members::<T>).map(Some).map_err(|unknown| Refusal::input(format!("`fields` {unknown}")))
}

fn answer<T: Serialize>(value: &T) -> Result<Answer, Refusal> {
    Answer::of(value).map_err(|error| Refusal::external(error.to_string()))
}
