//! The tools: what each is called, what it takes and gives, and the one call to the engine that it makes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use steadfast_engine::watch::{WatchRequest, Watcher, alerting};
use steadfast_engine::{AuditInput, AuditRequest, File, NotesRequest, Page, context_file, prompt_file, report_file};
use steadfast_wire::audit::{DriftEvaluation, Judge};
use steadfast_wire::plan::{Constraints, PlanResponse, Preferences, Validation, Variant};
use steadfast_wire::schema;
use steadfast_wire::tools::{
    Answer, AuditArguments, EmbedderChoice, INCIDENTS_DEFAULT, PlanArguments, PlanCheckArguments,
    PlanConstraintsArguments, WatchArguments, arguments_schema, read,
};
use steadfast_wire::watch::{Aggregate, Watch};

use crate::{Error, Host, Refusal};

/// What a log is called that comes without a file.
const LOG_NAME: &str = "steps.jsonl";

/// What a plan is called that comes without a file.
const PLAN_NAME: &str = "plan.json";

/// The most severe that an incident can be.
const SEVERITY_MAX: u8 = 4;

/// The tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Audit,
    Plan,
    PlanCheck,
    PlanConstraints,
    Watch,
}

impl Call {
    const ALL: [Self; 5] = [Self::Audit, Self::Plan, Self::PlanCheck, Self::PlanConstraints, Self::Watch];

    /// The tool of this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|call| call.name() == name)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Plan => "plan",
            Self::PlanCheck => "plan_check",
            Self::PlanConstraints => "plan_constraints",
            Self::Watch => "watch",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Audit => "Audit a report against its prompt",
            Self::Plan => "Make a day plan and prove it",
            Self::PlanCheck => "Check a plan against notes",
            Self::PlanConstraints => "List what notes require",
            Self::Watch => "Follow an agent step by step",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Audit => {
                "Does the finished report still say what the prompt asked for? Finds what was dropped, broken, changed or made up: \
                 banned things used again, figures changed, invented facts, lost hedges, drift of scope. Every incident has a quote \
                 from the report and one from the prompt; scores, risk and `usable_as_is` are computed from the incidents. Lists the \
                 ten most severe incidents; `next_cursor` leads to the next ones."
            }
            Self::Plan => {
                "Makes a day plan of three to seven items from notes in prose, and proves that it keeps every constraint in them: \
                 fixed events, blocked windows, deadlines, order, travel, preferences. `status` is `recommended` or `rejected`; `validation` \
                 has each constraint with its words in the notes, `overload` says what to drop where not everything fits."
            }
            Self::PlanCheck => {
                "Checks somebody else's day plan, yours for example, against notes: which constraints of the notes it breaks, \
                 with the words of the notes, which tasks it leaves out and which it invents. What cannot be checked for want of times \
                 stands in `unchecked`."
            }
            Self::PlanConstraints => {
                "Lists what notes require, without making a plan: tasks and constraints, each with its words, times and kind, and what \
                 had to be settled or asked where the notes can be read in more than one way."
            }
            Self::Watch => {
                "Step by step, is the agent still on the goal? Scores each output by how far it is from the goal in force (0 on it, 1 \
                 away), follows changes of the goal through the instructions, and says where the agent left it for good (`onset`) and \
                 what wants looking at (`alerts`), bans of the instruction that an output breaks among them."
            }
        }
    }
}

/// The tools as they are listed.
pub(crate) fn list() -> Result<Vec<Tool>, Error> {
    let object = |schema: rmcp::schemars::Schema| match schema.to_value() {
        serde_json::Value::Object(members) => Ok(members),
        other => Err(Error::Tools(format!("a schema is no object: {other}"))),
    };
    Call::ALL
        .into_iter()
        .map(|call| {
            let (takes, gives) = match call {
                Call::Audit => (arguments_schema::<AuditArguments>(), schema::<DriftEvaluation>()),
                Call::Plan => (arguments_schema::<PlanArguments>(), schema::<PlanResponse>()),
                Call::PlanCheck => (arguments_schema::<PlanCheckArguments>(), schema::<Validation>()),
                Call::PlanConstraints => (arguments_schema::<PlanConstraintsArguments>(), schema::<Constraints>()),
                Call::Watch => (arguments_schema::<WatchArguments>(), schema::<Watch>()),
            };
            // It reads what it is given and changes nothing.
            let annotations = ToolAnnotations::with_title(call.title())
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false);
            Ok(Tool::new(call.name(), call.description(), object(takes)?)
                .with_title(call.title())
                .with_raw_output_schema(Arc::new(object(gives)?))
                .with_annotations(annotations))
        })
        .collect()
}

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
    let input = match run_path {
        Some(path) => {
            if prompt.or(prompt_path).or(report).or(report_path).is_some() {
                return Err(Refusal::input("`run_path` is given beside a prompt or a report").hint("a run holds both"));
            }
            blocking(move || host.run(&path)).await?
        }
        None => AuditInput::Pair {
            prompt: text(&host, "prompt", prompt.map(prompt_file), prompt_path).await?,
            report: text(&host, "report", report.map(report_file), report_path).await?,
        },
    };
    let outcome = steadfast_engine::audit(AuditRequest { input, judge: Judge::Rules }).await?;
    answer(Answer::of(&steadfast_engine::page(outcome.evaluation, &page)?))
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
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let outcome = steadfast_engine::plan(request, variant.unwrap_or(Variant::V4Repair)).await?;
    answer(Answer::of(&outcome.response))
}

async fn plan_check(host: Arc<dyn Host>, given: PlanCheckArguments) -> Result<Answer, Refusal> {
    let PlanCheckArguments { context, context_path, plan, plan_path, current_time, timezone, preferences } = given;
    let plan = plan.map(|plan| File { name: PLAN_NAME.to_owned(), bytes: plan.to_string().into_bytes() });
    let plan = text(&host, "plan", plan, plan_path).await?;
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let outcome = steadfast_engine::plan_check(request, plan).await?;
    answer(Answer::of(&outcome.validation))
}

async fn plan_constraints(host: Arc<dyn Host>, given: PlanConstraintsArguments) -> Result<Answer, Refusal> {
    let PlanConstraintsArguments { context, context_path, current_time, timezone, preferences } = given;
    let request = Notes { context, context_path, current_time, timezone, preferences }.request(&host).await?;
    let outcome = steadfast_engine::plan_constraints(request).await?;
    answer(Answer::of(&outcome.constraints))
}

async fn watch(host: Arc<dyn Host>, given: WatchArguments, stopped: Arc<AtomicBool>) -> Result<Answer, Refusal> {
    let WatchArguments { steps, log, log_path, intents, embedder, aggregate, alert } = given;
    if let Some(alert) = alert.filter(|alert| !(0.0..=1.0).contains(alert)) {
        return Err(Refusal::input(format!("`alert` is {alert}: scores lie between 0 and 1")));
    }
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
    let embedder = blocking(move || host.embedder(choice)).await?;
    let aggregate = aggregate.unwrap_or(Aggregate::Whole);
    let alert = alerting(alert, None, (embedder.name(), embedder.version()), aggregate)?;
    let intents = intents.unwrap_or_default().into_iter().collect();
    let mut watcher = Watcher::new(embedder, None, WatchRequest { aggregate, alert, intents, keep_steps: true });
    watcher.follow(&log, || stopped.load(Ordering::Relaxed)).await?;
    answer(Answer::of(&watcher.finish(&log.name)?))
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
