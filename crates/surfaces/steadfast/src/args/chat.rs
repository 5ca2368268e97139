//! The arguments of what asks chat models.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{EXIT_STATUS, OutputArgs};

/// How chat models are asked. For every verb that asks one.
#[derive(Debug, Default, Args)]
pub(crate) struct ChatArgs {
    /// The settings file.
    ///
    /// Without it STEADFAST_CONFIG names it, else it is `steadfast.toml` in the working folder, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The model for every role, whatever the settings file says; SERVER is a name of that file.
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

/// What `chat check` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChatFormat {
    /// A few lines for each model.
    Text,
    /// Everything, as the published JSON.
    Json,
}
