//! The arguments of what looks after a store.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{EXIT_STATUS, OutputArgs};

/// The store that is looked at.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The store: the file that runs were given as --store.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
}

/// How rows are written.
#[derive(Debug, Args)]
pub(crate) struct RowsArgs {
    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<RowsFormat>,

    /// In JSON only these members of the answer, or of each row of a list, parted by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
}

/// What is written of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowsFormat {
    /// Lines for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
}

/// Arguments of `steadfast runs`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct RunsArgs {
    /// What to do with stored runs.
    #[command(subcommand)]
    pub(crate) command: RunsCommand,
}

/// What is done with stored runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List stored runs, the newest first.
    List {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// Only runs of this verb, such as `audit` or `plan check`.
        #[arg(long, value_name = "VERB")]
        verb: Option<String>,
        /// Only runs about the work of this agent, as the store names it.
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
        /// List at most N of them, and at most 1,000.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Begin where the page before ended.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Show one run: what it read, how it was asked, what came of it.
    Show {
        /// The run, as `runs list` names it.
        #[arg(value_name = "ID")]
        id: String,
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// Its result alone: the bytes that it wrote as JSON, without the member `run`.
        #[arg(long, conflicts_with_all = ["format", "json", "fields"])]
        result: bool,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Write all runs with their results as JSON lines, the oldest first.
    Export {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// Only runs of this verb.
        #[arg(long, value_name = "VERB")]
        verb: Option<String>,
        /// Write to FILE instead of stdout; the file appears whole or not at all.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Delete runs, all that are named or none. Their bytes are overwritten; messages of tasks stay.
    Delete {
        /// The runs.
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// Arguments of `steadfast tasks`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct TasksArgs {
    /// What to do with tasks.
    #[command(subcommand)]
    pub(crate) command: TasksCommand,
}

/// What is done with tasks.
#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// List tasks, in the order of their ids.
    List {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// List at most N of them, and at most 1,000.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Begin where the page before ended.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Show a task with its messages and what was said of it.
    Show {
        /// The task.
        #[arg(value_name = "TASK")]
        task: String,
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Say whether all that a task holds now is a good example, a bad one, or none.
    Flag {
        /// The task.
        #[arg(value_name = "TASK")]
        task: String,
        /// `good`, `bad` or `unsure`: good and bad ones are candidates for training, until somebody is unsure.
        #[arg(value_name = "QUALITY")]
        quality: String,
        /// In which respect. Repeatable.
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Write what was flagged good or bad as JSON lines, a sequence a line, with what made each a candidate for training.
    Export {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// Only `good` ones, or only `bad` ones.
        #[arg(long, value_name = "QUALITY")]
        quality: Option<String>,
        /// Only those that have this tag. Repeatable: then all of them.
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Write to FILE instead of stdout; the file appears whole or not at all.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Delete a task with its messages and what was said of it. Runs stay: see `runs delete`.
    Delete {
        /// The task.
        #[arg(value_name = "TASK")]
        task: String,
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// Arguments of `steadfast backup`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct BackupArgs {
    /// The copy: one file, which appears whole or not at all. An older copy is written over, nothing else is.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The store. Others may go on writing to it.
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Arguments of `steadfast restore`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct RestoreArgs {
    /// The copy, as `backup` wrote it. It is looked through first.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The store that it takes the place of. Nobody may have it open; what it held is kept beside it.
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
