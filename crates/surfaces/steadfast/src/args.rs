//! The arguments. Their doc comments are the reference that `--help` prints.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use steadfast_render::Form;
use steadfast_wire::request;

mod agents;
mod audit;
mod chat;
mod doctor;
mod embedder;
mod export;
mod findings;
mod hook;
mod key;
mod pick;
mod plan;
mod retention;
mod review;
mod serve;
mod sessions;
mod shell;
mod store;
mod watch;

pub(crate) use agents::AgentsArgs;
pub(crate) use audit::{
    AuditCommand, AuditCompareArgs, AuditCompareFormat, AuditContractArgs, AuditUndecidedArgs, ContractFormat,
    UndecidedFormat,
};
pub(crate) use chat::{ChatArgs, ChatCheckArgs, ChatCommand, ChatExamArgs, ChatFormat, ChatVerbArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use embedder::{
    EmbedderArgs, EmbedderCommand, EmbedderPullArgs, EmbedderStatusArgs, ModelsArgs, StatusFormat,
};
pub(crate) use export::{CaptureArg, ExportArgs, ExportCommand, ExportsArgs, QueueArgs};
pub(crate) use findings::{DecideArgs, DecisionsArgs, FindingsArgs, FindingsCommand, HeedArgs};
pub(crate) use hook::{HeardArgs, HookArgs, HookCommand, HookInstallArgs};
pub(crate) use key::{KeyArgs, KeyCommand};
pub(crate) use pick::{FeedbackArgs, PickArgs, VaultArgs, VaultCommand};
pub(crate) use plan::PlanFormat;
pub(crate) use retention::{StoreCommand, StoreVerbArgs, SummaryFormat};
pub(crate) use review::{ReviewArgs, ReviewCommand, ReviewUndecidedArgs};
pub(crate) use serve::{Isolate, ServeArgs};
pub(crate) use sessions::{SessionStoreArgs, SessionsArgs, SessionsCommand};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use store::{BackupArgs, RestoreArgs, RowsArgs, RowsFormat, RunsArgs, RunsCommand, TasksArgs, TasksCommand};
pub(crate) use watch::{ScoringArgs, WatchArgs, WatchCommand, WatchCompareArgs, WatchFormat};

/// Keeps the work of LLM agents true to what their user asked.
///
/// It reads the request and what an agent made of it, and says, with quotes from both, what was kept, what was broken and what was
/// made up. It runs offline and needs no chat model; the same input gives the same bytes.
#[derive(Debug, Parser)]
#[command(name = "steadfast", version, arg_required_else_help = true, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Say nothing on stderr but errors and failed gates.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

const EXIT_STATUS: &str = "\
Exit status: 0 passed, 1 a gate failed, 2 usage or configuration, 3 not evaluable, 4 something outside failed.";

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Which prompts of a vault, in which order, for this task, or what must be asked first?
    Pick(Box<PickArgs>),
    /// The vault of prompts: import, search, what wants looking at.
    Vault(VaultArgs),
    /// Say whether prompts that were picked were of use: their standing moves.
    Feedback(FeedbackArgs),
    /// Does the finished report still say what the prompt asked for?
    Audit(Box<AuditArgs>),
    /// Make a day plan from notes, and prove that it keeps every constraint in them.
    Plan(Box<PlanArgs>),
    /// Step by step, is the agent still on the goal, and where did it leave it?
    Watch(Box<WatchArgs>),
    /// Is what a sub-agent reports of its own work worth reading in full, and is it true?
    Review(Box<ReviewArgs>),
    /// Behind an agent, as a hook of the program that runs it: its report is compared with its log, and calls with what the user said.
    Hook(HookArgs),
    /// The same as tools for agents: an MCP server over stdin and stdout.
    Mcp(McpArgs),
    /// The same over HTTP: a server with an API and pages.
    Serve(ServeArgs),
    /// Findings of audits that people accept or contest, so that gates pass over them.
    Findings(FindingsArgs),
    /// Runs that were stored: list, show, export, delete.
    Runs(RunsArgs),
    /// Sessions of agents: take in their logs, list what was kept, show one.
    Sessions(SessionsArgs),
    /// What agents made of tasks, and which of it is an example for training.
    Tasks(TasksArgs),
    /// Keys of the server's API: make one, list them, revoke one.
    Key(KeyArgs),
    /// Traces of runs that wait to be sent: send them, or say how they stand.
    Export(ExportsArgs),
    /// A store as a whole: write all of it as JSON lines, delete what was kept long enough, sum up its weeks.
    Store(StoreVerbArgs),
    /// Copy a store while others write to it, and look through the copy.
    Backup(BackupArgs),
    /// Put a copy in the place of a store that nobody has open.
    Restore(RestoreArgs),
    /// The JSON Schemas of what goes in and comes out.
    Schema(SchemaArgs),
    /// Chat models: say whether those that are set answer, how they can be asked, and what to expect of them.
    Chat(ChatVerbArgs),
    /// The embedding model: fetch it, or say whether it is there.
    Embedder(EmbedderArgs),
    /// Whether this installation can do what it is set up to do: settings, models, the store, hooks. It sends nothing and changes nothing.
    Doctor(DoctorArgs),
    /// A script by which a shell completes these verbs and their options.
    Completions(CompletionsArgs),
    /// The manual pages.
    Man(ManArgs),
    /// One piece of work that ships with the program, from the ask to the report, seen by all five instruments and shown in the console.
    Demo(DemoArgs),
}

/// Arguments of `steadfast schema`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct SchemaArgs {
    /// Which one (draft 2020-12; closed: other members are refused); without a name they are listed.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Arguments of `steadfast audit`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct AuditArgs {
    /// Another thing to do with audits.
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,

    /// What is audited, and how.
    #[command(flatten)]
    pub(crate) request: Option<request::Audit>,

    /// How the model is asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// End with status 4 where calls of the chat model bring nothing; else the result says so in `chat_failed`, and the verdict stands without them.
    #[arg(long, help_heading = "Chat models")]
    pub(crate) require_chat: bool,

    /// Who you are: the contract and the proposals are yours then, and count as a person's. 1 to 128 characters.
    #[arg(long, value_name = "NAME", value_parser = person)]
    pub(crate) confirm: Option<String>,

    /// What is heeded of decisions and of an earlier audit.
    #[command(flatten)]
    pub(crate) heed: HeedArgs,

    /// Write drift-evaluation.json, drift-evaluation.md and drift-evaluation.html to DIR, which is made if need be.
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// Longest name of a person, in characters.
const PERSON_CHARS_MAX: usize = 128;

/// Reads the name of a person.
fn person(name: &str) -> Result<String, String> {
    let name = name.trim();
    let chars = name.chars().count();
    if chars == 0 || chars > PERSON_CHARS_MAX || name.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {PERSON_CHARS_MAX} characters and no control characters"));
    }
    Ok(name.to_owned())
}

/// Arguments of `steadfast plan`.
#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct PlanArgs {
    /// Another thing to do with notes.
    #[command(subcommand)]
    pub(crate) command: Option<PlanCommand>,

    /// The notes, and how a plan is made of them.
    #[command(flatten)]
    pub(crate) request: Option<request::Plan>,

    /// How they are asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) writing: WritingArgs<PlanFormat>,
}

const PLAN_HELP: &str = "\
Exit status: 0 the plan is recommended, 1 it is rejected, 2 usage or configuration, 3 not evaluable, 4 something outside failed.";

/// What else is done with notes.
#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Check somebody else's plan against notes.
    Check(PlanCheckArgs),
    /// List what notes require, without a plan.
    Constraints(PlanConstraintsArgs),
    /// Compare all variants of the planner on the days that ship with the program.
    Bench(PlanBenchArgs),
}

/// Arguments of `steadfast plan check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 the plan passes, 1 it fails, 2 usage or configuration, 3 not evaluable, 4 something outside failed.")]
pub(crate) struct PlanCheckArgs {
    /// The notes, the plan, and how they are read.
    #[command(flatten)]
    pub(crate) request: request::PlanCheck,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// Arguments of `steadfast plan constraints`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct PlanConstraintsArgs {
    /// The notes, and how they are read.
    #[command(flatten)]
    pub(crate) request: request::PlanConstraints,

    /// How a model is asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// Arguments of `steadfast plan bench`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct PlanBenchArgs {
    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<BenchFormat>,

    /// Where the comparison is told of: Opik gets a dataset of the days and an experiment for each variant.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// What `plan bench` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    /// A table for the terminal, with what went wrong.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// The table as one self-contained page.
    Html,
}

/// What is written, and where to.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs<F = Format>
where
    F: ValueEnum + Send + Sync + 'static,
{
    /// What is written to stdout, or to the file that -o names. Without it the ending of that file decides (`.json`, `.md`, `.html` …), else it is text.
    #[arg(long, value_enum)]
    format: Option<F>,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl<F: ValueEnum + Send + Sync + 'static> OutputArgs<F> {
    /// What is written. The first format of all is the default.
    pub(crate) fn format(&self) -> F {
        let named = |name: &str| F::from_str(name, true).ok();
        let by_ending = || self.file().as_deref().and_then(Path::extension).and_then(OsStr::to_str).and_then(named);
        let chosen = if self.json { named("json") } else { self.format.clone().or_else(by_ending) };
        chosen.unwrap_or_else(|| F::value_variants()[0].clone())
    }

    /// The file; `None` is stdout.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.output.clone().filter(|path| path.as_os_str() != "-")
    }
}

/// How a result is written.
#[derive(Debug, Args)]
pub(crate) struct WritingArgs<F = Format>
where
    F: ValueEnum + Send + Sync + 'static,
{
    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<F>,

    /// Keep the run in FILE: hashes of what was read, settings, the whole result. The file is made where it does not exist.
    ///
    /// The result is the same with it and without it, but for the member `run` of its JSON. `steadfast runs` looks at what is kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Where the run is told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// Arguments of `steadfast mcp`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct McpArgs {
    /// The folder that tools may read, with all that stands in it. Without it they take texts and read no file.
    ///
    /// What leads out of it, by a link or by `..`, is refused.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// The store that calls and evaluated outputs are kept in.
    ///
    /// Without it it is `steadfast/steadfast.db` in XDG_DATA_HOME or in `.local/share` of the home folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Keep nothing: outputs cannot be evaluated then.
    #[arg(long, conflicts_with = "store")]
    pub(crate) no_store: bool,

    /// The settings file, which names the chat models that calls may ask for.
    ///
    /// Without it STEADFAST_CONFIG names it, else it is `steadfast.toml` in the working folder, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// What agents are granted.
    #[command(flatten)]
    pub(crate) agents: AgentsArgs,

    /// Where calls are told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// Arguments of `steadfast demo`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct DemoArgs {
    /// Where the story, its reports and the store of its runs are written.
    #[arg(long, value_name = "DIR", default_value = "steadfast-demo")]
    pub(crate) out_dir: PathBuf,

    /// Neither fetch nor use the embedding model: what needs one does without, by words.
    #[arg(long)]
    pub(crate) no_model: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A summary for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A report in Markdown, with the most severe incidents.
    Md,
    /// A report as one self-contained page.
    Html,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0, with line annotations.
    Sarif,
}

impl Format {
    /// The form that is drawn; `None` for JSON.
    pub(crate) const fn form(self) -> Option<Form> {
        Some(match self {
            Self::Text => Form::Text,
            Self::Json => return None,
            Self::Md => Form::Markdown,
            Self::Html => Form::Html,
            Self::Junit => Form::Junit,
            Self::Sarif => Form::Sarif,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// Requests and the arguments beside them share the names of one command.
    #[test]
    fn no_two_arguments_of_a_command_have_one_name() {
        super::Cli::command().debug_assert();
    }
}
