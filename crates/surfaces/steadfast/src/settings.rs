//! From arguments to plain values: what cannot be is refused here, before anything is read.

use std::env;
use std::path::PathBuf;

use steadfast_engine::decisions::AsOf;
use steadfast_engine::runs::AgentName;
use steadfast_engine::{Gates, Page};
use steadfast_wire::api::{Fields, members};
use steadfast_wire::audit::{DriftEvaluation, Judge, Risk};
use steadfast_wire::plan::{PlanFile, Preferences, Variant};

use crate::args::{
    AuditArgs, AuditCommand, BenchFormat, EarlierArgs, EmbedderArg, Format, HeedArgs, JudgeArg, ModelsArgs, PlanArgs,
    PlanBenchArgs, PlanCommand, PlannerArg, PreferencesArg, ReaderArg, ReadingArgs, VariantArg, WritingArgs,
};
use crate::exit::Failure;
use crate::store::fields;

mod alerts;
mod alone;
mod audit_compare;
mod chat;
mod export;
mod file;
mod privacy;
mod review;
mod watch;

pub(crate) use alerts::{AlertSettings, alerts};
pub(crate) use alone::refuse as refuse_alone;
pub(crate) use audit_compare::AuditCompareSettings;
pub(crate) use chat::{
    ChatCheckSettings, ChatSettings, ENVIRONMENT, KeyPlace, RoleModel, Tape, asked_models, chat_check, key, server_chat,
};
pub(crate) use export::{ExportSettings, export, queue, text};
pub(crate) use file::refused as toml_refused;
pub(crate) use privacy::privacy;
pub(crate) use review::{ReviewCall, ReviewGates, ReviewSettings, review};
pub(crate) use watch::{CompareSettings, Scoring, WatchCall, WatchSettings, watch};

/// The best score.
const SCORE_MAX: f64 = 5.0;

/// Conditions of `--fail-on` that other verbs know.
const OTHER_CONDITIONS: &[&str] = &["alert", "clarify"];

/// Settings of one audit.
#[derive(Debug)]
pub(crate) struct AuditSettings {
    /// What is audited.
    pub(crate) target: Target,
    /// Who judges.
    pub(crate) judge: Judge,
    /// How the model is asked, where one judges.
    pub(crate) chat: Option<ChatSettings>,
    /// What makes vectors for the support score; words alone make none.
    pub(crate) embedder: EmbedderArg,
    /// The first option that was given and needs a report.
    pub(crate) needs_report: Option<&'static str>,
    /// What must hold.
    pub(crate) gates: Gates,
    /// The file of decisions that is heeded, where one is named.
    pub(crate) accepted: Option<PathBuf>,
    /// The day as of which decisions hold, where it is given.
    pub(crate) as_of: Option<AsOf>,
    /// The earlier evaluation that it is compared with.
    pub(crate) baseline: Option<Place>,
    /// Which incidents are listed.
    pub(crate) page: Page,
    /// Which members of the JSON are written, where not all are.
    pub(crate) fields: Option<Fields>,
    /// Whether instructions are written in place of a format.
    pub(crate) as_prompt: bool,
    /// What is written.
    pub(crate) format: Format,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
    /// Where the report folder goes.
    pub(crate) out_dir: Option<PathBuf>,
    /// Whose work it is.
    pub(crate) agent: Option<AgentName>,
    /// Where the run is kept.
    pub(crate) store: Option<PathBuf>,
    /// Where it is told of.
    pub(crate) export: ExportSettings,
}

/// Where something is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Standard input.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
}

impl Place {
    /// The path, where there is one.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Stdin => None,
            Self::Path(path) => Some(path.clone()),
        }
    }

    /// What it is called in outputs: the file's name alone, since the folders before it are of this machine.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "stdin".to_owned(),
            Self::Path(path) => {
                path.file_name().map_or_else(|| "input".to_owned(), |name| name.to_string_lossy().into_owned())
            }
        }
    }
}

/// What is audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A prompt and a report.
    Pair {
        /// The prompt.
        prompt: Place,
        /// The report.
        report: Place,
    },
    /// A planner's run.
    Run(Place),
}

impl Target {
    /// Whether a part of it is what comes on stdin.
    fn is_read_from_stdin(&self) -> bool {
        match self {
            Self::Pair { prompt, report } => [prompt, report].contains(&&Place::Stdin),
            Self::Run(run) => *run == Place::Stdin,
        }
    }

    /// The files and folders that it names.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Pair { prompt, report } => prompt.path().into_iter().chain(report.path()).collect(),
            Self::Run(run) => run.path().into_iter().collect(),
        }
    }
}

/// What `steadfast audit` is asked for.
#[derive(Debug)]
pub(crate) enum AuditCall {
    /// An audit.
    Audit(Box<AuditSettings>),
    /// Comparing two.
    Compare(AuditCompareSettings),
}

/// Settings of `steadfast audit`.
pub(crate) fn audit(args: AuditArgs) -> Result<AuditCall, Failure> {
    let needs_report = alone::needs_report(&args);
    if let Some(AuditCommand::Compare(args)) = args.command {
        return audit_compare::audit_compare(args).map(AuditCall::Compare);
    }
    // The parser asks for it.
    let input = place(args.input.ok_or_else(|| Failure::usage("neither PROMPT nor RUN is given"))?);
    let target = match args.report {
        None => Target::Run(input),
        Some(report) => Target::Pair { prompt: input, report: place(report) },
    };
    if target == (Target::Pair { prompt: Place::Stdin, report: Place::Stdin }) {
        return Err(Failure::usage("prompt and report cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast audit prompt.txt -`"));
    }
    let judge = match args.judge {
        JudgeArg::Rules => Judge::Rules,
        JudgeArg::Model => Judge::Model,
        JudgeArg::Both => Judge::Both,
    };
    let config = args.chat.config.clone();
    let chat = asked_models(judge != Judge::Rules, args.chat, "`--judge model` or `--judge both`")?;
    let mut gates = Gates { fail_below: args.fail_below.as_deref().map(score).transpose()?, ..Gates::default() };
    for condition in &args.fail_on {
        fail_on(condition, &mut gates)?;
    }
    let HeedArgs { accepted, at, baseline, as_prompt } = args.heed;
    if gates.fail_on_new && baseline.is_none() {
        return Err(Failure::usage("`--fail-on new` needs an earlier evaluation to compare with")
            .hint("`--baseline FILE` names one, as `--json -o FILE` wrote it"));
    }
    let baseline = baseline.map(place);
    if baseline == Some(Place::Stdin) && target.is_read_from_stdin() {
        return Err(Failure::usage("what is audited and the baseline cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast audit prompt.txt - --baseline before.json`"));
    }
    let as_of = at.as_deref().map(AsOf::given).transpose()?;
    let export = export(args.export, args.store.as_deref(), config)?;
    let format = if args.json { Format::Json } else { args.format };
    let fields = fields(&args.fields, format == Format::Json, members::<DriftEvaluation>)?;
    Ok(AuditCall::Audit(Box::new(AuditSettings {
        target,
        judge,
        chat,
        needs_report,
        embedder: args.embedder,
        gates,
        accepted,
        as_of,
        baseline,
        page: Page { limit: args.limit, min_severity: args.min_severity, cursor: args.cursor },
        fields,
        as_prompt,
        format,
        output: args.output.filter(|path| path.as_os_str() != "-"),
        out_dir: args.out_dir,
        agent: args.agent,
        store: args.store,
        export,
    })))
}

/// Settings of one call of `steadfast plan`.
#[derive(Debug)]
pub(crate) struct PlanSettings {
    /// What is done.
    pub(crate) task: PlanTask,
    /// The notes.
    pub(crate) notes: Place,
    /// The calendars beside them.
    pub(crate) calendars: Vec<PathBuf>,
    /// The current time, as it was given.
    pub(crate) at: Option<String>,
    /// The zone, as it was given.
    pub(crate) tz: Option<String>,
    /// Whether wishes bind.
    pub(crate) preferences: Preferences,
    /// What chat models are asked for.
    pub(crate) models: PlanModels,
    /// How they are asked, where one is.
    pub(crate) chat: Option<ChatSettings>,
    /// What is written.
    pub(crate) format: Format,
    /// What is written instead: a file that other programs read.
    pub(crate) file: Option<PlanFile>,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
    /// Whose work it is.
    pub(crate) agent: Option<AgentName>,
    /// Where the run is kept.
    pub(crate) store: Option<PathBuf>,
    /// Where it is told of.
    pub(crate) export: ExportSettings,
}

/// What chat models are asked for in making a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlanModels {
    /// Whether one reads the notes as well.
    pub(crate) extract: bool,
    /// Whether one makes the plan.
    pub(crate) generate: bool,
    /// Whether one gives an opinion on it.
    pub(crate) advise: bool,
}

/// What is done with notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlanTask {
    /// A plan is made.
    Make(Variant),
    /// The rest of a day is planned anew, after an earlier plan of which these items are done.
    Again(Variant, Place, Vec<usize>),
    /// Somebody's plan is checked.
    Check(Place),
    /// What the notes require is listed.
    Constraints,
}

/// What `steadfast plan` is asked for.
#[derive(Debug)]
pub(crate) enum PlanCall {
    /// Something about notes.
    Notes(Box<PlanSettings>),
    /// The comparison of variants.
    Bench(BenchSettings),
}

/// Settings of `steadfast plan bench`.
#[derive(Debug)]
pub(crate) struct BenchSettings {
    /// What is written.
    pub(crate) format: BenchFormat,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
    /// Where it is told of.
    pub(crate) export: ExportSettings,
}

/// Settings of `steadfast plan`.
pub(crate) fn plan(args: PlanArgs) -> Result<PlanCall, Failure> {
    let models = PlanModels {
        extract: args.models.extract == ReaderArg::Model,
        generate: args.models.generate == PlannerArg::Model,
        advise: args.models.advise,
    };
    let asks = models != PlanModels::default();
    let config = args.chat.config.clone();
    let chat = asked_models(asks, args.chat, "`--extract model`, `--generate model` or `--advise`")?;
    let mut file = None;
    let mut agent = args.agent;
    let (notes, task, reading, writing) = match args.command {
        None => {
            // The parser asks for it.
            let notes = args.notes.ok_or_else(|| Failure::usage("no NOTES are given"))?;
            let (variant, EarlierArgs { from, done }) = (variant(args.variant), args.earlier);
            if from.is_some() && asks {
                return Err(Failure::usage("`--from` is planned by rules alone")
                    .hint("leave out `--extract model`, `--generate model` and `--advise`"));
            }
            let task = from.map_or(PlanTask::Make(variant), |from| PlanTask::Again(variant, place(from), done));
            let WritingArgs { format, json, output, store, export } = args.writing;
            let format = format.format().unwrap_or_else(|own| {
                file = Some(own);
                Format::Text
            });
            (notes, task, args.reading, WritingArgs { format, json, output, store, export })
        }
        Some(PlanCommand::Check(args)) => {
            agent = args.agent;
            (args.notes, PlanTask::Check(place(args.plan)), args.reading, args.writing)
        }
        Some(PlanCommand::Constraints(args)) => (args.notes, PlanTask::Constraints, args.reading, args.writing),
        Some(PlanCommand::Bench(PlanBenchArgs { format, json, output, export })) => {
            let format = if json { BenchFormat::Json } else { format };
            return Ok(PlanCall::Bench(BenchSettings {
                format,
                output: output.filter(|path| path.as_os_str() != "-"),
                export: self::export(export, None, config)?,
            }));
        }
    };
    let notes = place(notes);
    if notes == Place::Stdin && matches!(task, PlanTask::Check(Place::Stdin) | PlanTask::Again(_, Place::Stdin, _)) {
        return Err(Failure::usage("notes and plan cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast plan check notes.md -`"));
    }
    let WritingArgs { format, json, output, store, export } = writing;
    let export = self::export(export, store.as_deref(), config)?;
    let format = if json { Format::Json } else { format };
    if task == PlanTask::Constraints && matches!(format, Format::Junit | Format::Sarif) {
        return Err(Failure::usage("`plan constraints` finds nothing that JUnit or SARIF could say")
            .hint("`--format json` has every constraint with its place"));
    }
    let ReadingArgs { at, tz, calendars, preferences } = reading;
    let preferences = match preferences {
        PreferencesArg::Soft => Preferences::Soft,
        PreferencesArg::Hard => Preferences::Hard,
    };
    let output = output.filter(|path| path.as_os_str() != "-");
    Ok(PlanCall::Notes(Box::new(PlanSettings {
        task,
        notes,
        calendars,
        at,
        tz,
        preferences,
        models,
        chat,
        format,
        file,
        output,
        agent,
        store,
        export,
    })))
}

/// The folder that models are kept in: the flag, else `STEADFAST_MODELS`, else the cache folder of the user.
pub(crate) fn models(args: ModelsArgs) -> Result<PathBuf, Failure> {
    args.folder
        .or_else(|| variable("STEADFAST_MODELS"))
        .or_else(|| user_folder("XDG_CACHE_HOME", ".cache").map(|cache| cache.join("models")))
        .ok_or_else(|| Failure::usage("no folder for models is known: HOME is not set").hint("`--dir DIR` names one"))
}

/// The store of a server: the flag, else the data folder of the user; `None` where nothing is to be kept.
pub(crate) fn server_store(store: Option<PathBuf>, no_store: bool) -> Result<Option<PathBuf>, Failure> {
    if no_store {
        return Ok(None);
    }
    let own = || user_folder("XDG_DATA_HOME", ".local/share").map(|data| data.join("steadfast.db"));
    let found = store.or_else(own).ok_or_else(|| {
        Failure::usage("no folder for the store is known: HOME is not set")
            .hint("`--store FILE` names one, `--no-store` keeps nothing")
    })?;
    Ok(Some(found))
}

/// Our folder in one of the user's, as the XDG Base Directory Specification has it: what is not absolute is passed over.
fn user_folder(name: &str, in_home: &str) -> Option<PathBuf> {
    let named = variable(name).filter(|path| path.is_absolute());
    let home = || variable("HOME").or_else(|| variable("USERPROFILE")).map(|home| home.join(in_home));
    named.or_else(home).map(|folder| folder.join("steadfast"))
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

const fn variant(variant: VariantArg) -> Variant {
    match variant {
        VariantArg::V1Naive => Variant::V1Naive,
        VariantArg::V2Constraints => Variant::V2Constraints,
        VariantArg::V3Validator => Variant::V3Validator,
        VariantArg::V4Repair => Variant::V4Repair,
    }
}

fn place(path: PathBuf) -> Place {
    if path.as_os_str() == "-" { Place::Stdin } else { Place::Path(path) }
}

fn score(text: &str) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=SCORE_MAX).contains(&score) => Ok(score),
        _ => Err(Failure::usage(format!("`--fail-below {text}` is no score")).hint("a score lies between 0 and 5")),
    }
}

/// Reads one `--fail-on`. Of several risks the lowest holds, since each of them fails.
fn fail_on(condition: &str, gates: &mut Gates) -> Result<(), Failure> {
    const KNOWN: &str = "audit fails on `risk=low|medium|high|critical`, `disqualified` or `new`";
    if condition == "disqualified" {
        gates.fail_on_disqualified = true;
        return Ok(());
    }
    if condition == "new" {
        gates.fail_on_new = true;
        return Ok(());
    }
    if OTHER_CONDITIONS.contains(&condition) {
        return Err(Failure::usage(format!("`--fail-on {condition}` does not apply to audit")).hint(KNOWN));
    }
    let order = [Risk::Low, Risk::Medium, Risk::High, Risk::Critical];
    let level = condition.strip_prefix("risk=");
    let Some(named) = level.and_then(|level| order.iter().position(|risk| risk.name() == level)) else {
        return Err(Failure::usage(format!("`--fail-on {condition}` is no condition")).hint(KNOWN));
    };
    let lowest = gates.fail_on_risk.and_then(|risk| order.iter().position(|known| *known == risk));
    gates.fail_on_risk = Some(order[lowest.map_or(named, |lowest| lowest.min(named))]);
    Ok(())
}
