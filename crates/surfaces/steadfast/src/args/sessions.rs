//! The arguments of `steadfast sessions`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use steadfast_wire::sessions::SessionCapture;

use super::{EXIT_STATUS, OutputArgs, RowsArgs, RowsFormat};

/// Arguments of `steadfast sessions`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct SessionsArgs {
    /// What to do with sessions.
    #[command(subcommand)]
    pub(crate) command: SessionsCommand,
}

/// The store of sessions.
#[derive(Debug, Args)]
pub(crate) struct SessionStoreArgs {
    /// The store.
    ///
    /// Without it it is `steadfast/steadfast.db` in XDG_DATA_HOME or in `.local/share` of the home folder, as for the hook and the server.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// What is done with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// Review the logs of agents by rules and keep what comes of it, one record for each session.
    Import {
        /// Logs, and folders with logs (`.jsonl`, `.json`, `.traj`).
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// How much is kept.
        #[arg(long, value_enum, default_value_t = SessionCapture::Refs)]
        keep: SessionCapture,
        /// The store.
        #[command(flatten)]
        store: SessionStoreArgs,
        /// How it is written.
        #[command(flatten)]
        output: OutputArgs<RowsFormat>,
    },
    /// List the sessions that are kept, the newest first.
    List {
        /// The store.
        #[command(flatten)]
        store: SessionStoreArgs,
        /// List at most N of them, and at most 100.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Begin where the page before ended.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Show a session: what the user typed, what was done, claims with what they rest on.
    Show {
        /// The session by its id or how that begins, as `sessions list` names it.
        #[arg(value_name = "ID")]
        id: String,
        /// The store.
        #[command(flatten)]
        store: SessionStoreArgs,
        /// How it is written.
        #[command(flatten)]
        output: OutputArgs,
    },
}
