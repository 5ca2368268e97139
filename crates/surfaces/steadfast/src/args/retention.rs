//! The arguments of what is done with a store as a whole.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::store::StoreArgs;
use super::{EXIT_STATUS, OutputArgs, RowsArgs};

/// Arguments of `steadfast store`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct StoreVerbArgs {
    /// What to do with the store.
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

/// What is done with a store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Delete runs, tasks, trajectories and jobs that nothing was added to for some days. Their bytes are overwritten.
    ///
    /// Prompts of a vault, what was picked of them, decisions, keys and vectors stay.
    Prune {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// How many days, 1 to 36,500.
        #[arg(long, value_name = "DAYS")]
        older_than: u32,
        /// Count them, and delete nothing.
        #[arg(long)]
        dry_run: bool,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Write all that it holds as JSON lines, as of one moment: to leave with, or to keep in a form that can be read.
    ///
    /// `steadfast schema store-export` is a line of it. Keys of the API are told without their hashes; what is made of the rest (vectors, indexes) is left out:
    /// `steadfast backup` copies all of it.
    Export {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// Write to FILE instead of stdout, readable by its owner alone; the file appears whole or not at all.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Say, week by week, in which share of runs a hard obligation was broken: by agent and check.
    Summary {
        /// The store.
        #[command(flatten)]
        store: StoreArgs,
        /// How many weeks, this one included: 1 to 520.
        #[arg(long, value_name = "N", default_value_t = 4)]
        weeks: u32,
        /// The zone in which weeks begin, by its IANA name or an offset.
        #[arg(long, value_name = "ZONE", default_value = "UTC")]
        tz: String,
        /// What is written where.
        #[command(flatten)]
        output: OutputArgs<SummaryFormat>,
    },
}

/// What is written of weeks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// Lines for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A table for each week, in Markdown.
    Md,
}
