//! The arguments of what asks chat models.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use steadfast_wire::chat::ExamPart;

use super::{EXIT_STATUS, OutputArgs};

/// How chat models are asked. For every verb that asks one.
#[derive(Debug, Default, Args)]
pub(crate) struct ChatArgs {
    /// The settings file.
    ///
    /// Without it STEADFAST_CONFIG names it, else it is `steadfast.toml` in the working folder, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The model for every role, whatever the settings file says; SERVER is a name of that file, or `anthropic`, `openai` or `ollama`.
    #[arg(long, value_name = "SERVER/MODEL")]
    pub(crate) chat_model: Option<String>,

    /// Write every call to the end of FILE as a JSON line: what the model said, and a hash of what it was asked.
    #[arg(long, value_name = "FILE")]
    pub(crate) chat_record: Option<PathBuf>,

    /// Ask nobody: take the replies from FILE, which --chat-record wrote. What is not recorded there fails.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["chat_record", "chat_model", "dry_run"])]
    pub(crate) chat_replay: Option<PathBuf>,

    /// Send nothing: say what would be sent, to whom, and how many tokens it is estimated to have.
    #[arg(long, conflicts_with = "chat_record")]
    pub(crate) dry_run: bool,
}

/// Arguments of `steadfast chat`.
#[derive(Debug, Args)]
pub(crate) struct ChatVerbArgs {
    /// What to do with chat models.
    #[command(subcommand)]
    pub(crate) command: ChatCommand,
}

/// What is done with chat models.
#[derive(Debug, Subcommand)]
pub(crate) enum ChatCommand {
    /// Ask every model that a role is set to one tiny question, and say whether it answers, how fast, and in which form it can be asked.
    Check(ChatCheckArgs),
    /// Have the models that judge reports and read notes do that with labelled cases that ship, and say what to expect of them.
    Exam(ChatExamArgs),
}

/// Arguments of `steadfast chat check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ChatCheckArgs {
    /// How models are asked.
    #[command(flatten)]
    pub(crate) chat: ChatArgs,

    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<ChatFormat>,
}

/// Arguments of `steadfast chat exam`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ChatExamArgs {
    /// Which part; both by default, where a role is set for them.
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) part: Option<ExamPart>,

    /// Cases of each part, the first of those that ship: 144 pairs of reports, 156 notes. A mark is kept from 40 on.
    #[arg(long, value_name = "N", default_value_t = CASES, value_parser = value_parser!(u16).range(1..=156))]
    pub(crate) cases: u16,

    /// Times that each case is judged, so that it shows how much changes from one time to the next.
    #[arg(long, value_name = "N", default_value_t = REPEATS, value_parser = value_parser!(u16).range(1..=10))]
    pub(crate) repeats: u16,

    /// Cases that are judged at once.
    #[arg(long, value_name = "N", default_value_t = PARALLEL, value_parser = value_parser!(u16).range(1..=32))]
    pub(crate) parallel: u16,

    /// How models are asked.
    #[command(flatten)]
    pub(crate) chat: ChatArgs,

    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<ChatFormat>,
}

/// What is sat where nothing else is asked for.
const CASES: u16 = steadfast_exam::CASES_DEFAULT;
const REPEATS: u16 = 3;
const PARALLEL: u16 = 4;

/// What `chat check` and `chat exam` write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChatFormat {
    /// A few lines for each model.
    Text,
    /// Everything, as the published JSON.
    Json,
}
