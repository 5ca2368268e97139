//! The arguments of `steadfast watch`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use steadfast_wire::audit::Judge;
use steadfast_wire::request::EmbedderChoice;
use steadfast_wire::watch::Aggregate;

use super::{ChatArgs, EXIT_STATUS, ExportArgs, OutputArgs};

/// Arguments of `steadfast watch`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct WatchArgs {
    /// Another thing to do with steps.
    #[command(subcommand)]
    pub(crate) command: Option<WatchCommand>,

    /// Logs of agents: JSON lines with `task_id`, `step`, `prompt`, `output`; chat messages; or OTLP/JSON spans. `-` is stdin, whose
    /// steps are told as they come.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// How steps are scored.
    #[command(flatten)]
    pub(crate) scoring: ScoringArgs,

    /// Raise an alert where scores persist at THRESHOLD or above, 0 to 1: in three of five steps, until three in a row lie .05 below it.
    ///
    /// Scores of answers that are on task lie near .5, so a threshold says little unless it is fitted: see --baseline. Without both,
    /// alerts rest on changes for good and on broken bans alone.
    #[arg(long, value_name = "THRESHOLD", allow_negative_numbers = true)]
    pub(crate) alert: Option<String>,

    /// Fit the threshold on FILE, runs that are known to be good: steps, or a result that was saved. With --alert, measure how often
    /// that threshold is wrong there.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// End with status 1 on `alert`.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<String>,

    /// Who judges; `rules` by default. `both` also asks the chat model of the settings about steps that signals single out.
    #[arg(long, value_enum)]
    pub(crate) judge: Option<Judge>,

    /// How the model is asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// End with status 4 where calls of the chat model bring nothing; else the result says so in `chat.failed`, and stands without them.
    #[arg(long, help_heading = "Chat models")]
    pub(crate) require_chat: bool,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) output: OutputArgs<WatchFormat>,
}

/// What else is done with steps.
#[derive(Debug, Subcommand)]
pub(crate) enum WatchCommand {
    /// Compare two arms that did the same tasks.
    Compare(WatchCompareArgs),
}

/// Arguments of `steadfast watch compare`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct WatchCompareArgs {
    /// The first arm: steps, or a result that `watch --json` wrote.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// The second arm.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// How steps are scored.
    #[command(flatten)]
    pub(crate) scoring: ScoringArgs,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) output: OutputArgs<WatchFormat>,
}

/// How steps are scored.
#[derive(Debug, Args)]
pub(crate) struct ScoringArgs {
    /// What makes vectors of the texts.
    #[arg(long, value_enum, default_value_t = EmbedderChoice::Minilm)]
    pub(crate) embedder: EmbedderChoice,

    /// What of a long output is compared with the goal.
    #[arg(long, value_enum, default_value_t = Aggregate::Whole)]
    pub(crate) aggregate: Aggregate,

    /// The initial intent of each task: a JSON object from task id to text. Without it the steps say it, else the first instruction is
    /// it.
    #[arg(long, value_name = "FILE")]
    pub(crate) intents: Option<PathBuf>,

    /// Keep the run in FILE, and the vectors of texts, so that a text is embedded once ever. The file is made where it does not exist.
    ///
    /// Of a run hashes of what was read, settings and the result are kept; of texts only hashes and vectors. The result is the same with
    /// it and without it, but for the member `run` of its JSON; without it nothing is stored. `steadfast runs` looks at what is kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Where the run is told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// What `watch` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WatchFormat {
    /// A summary for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A line of JSON for each step as it comes, then one for the whole without its steps.
    Jsonl,
    /// A report in Markdown.
    Md,
    /// A report as one self-contained page with its curves.
    Html,
}
