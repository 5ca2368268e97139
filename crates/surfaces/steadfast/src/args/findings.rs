//! The arguments of what people decide on findings, and of audits that heed it.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{EXIT_STATUS, RowsArgs};

/// Arguments of `steadfast findings`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct FindingsArgs {
    /// What to do with findings.
    #[command(subcommand)]
    pub(crate) command: FindingsCommand,
}

/// Where decisions are kept.
#[derive(Debug, Args)]
pub(crate) struct DecisionsArgs {
    /// The file of decisions: TOML, made to be committed. Without it and without --store it is `steadfast-accepted.toml` in the working folder.
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    pub(crate) accepted: Option<PathBuf>,

    /// Keep them in a store instead, where the server's console and API keep theirs.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// One decision.
#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    /// The finding: the `id` of an incident.
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Why, in words: at most 2,000 bytes.
    #[arg(long, value_name = "WHY")]
    pub(crate) reason: String,

    /// The last day on which it holds, such as 2026-03-31; afterwards the finding counts again. Without it it has no end.
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,

    /// Where it is kept.
    #[command(flatten)]
    pub(crate) decisions: DecisionsArgs,

    /// How what is kept is written.
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
}

/// What is done with findings.
#[derive(Debug, Subcommand)]
pub(crate) enum FindingsCommand {
    /// Accept a finding: it is right, and lived with. Gates pass over it.
    Accept(DecideArgs),
    /// Contest a finding: it is wrong. Gates pass over it, and it is counted against its check.
    Contest(DecideArgs),
    /// Take back what was decided on a finding: it counts again.
    Withdraw {
        /// The finding: the `id` of an incident.
        #[arg(value_name = "ID")]
        id: String,
        /// Where it is kept.
        #[command(flatten)]
        decisions: DecisionsArgs,
    },
    /// List what was decided, the newest first.
    List {
        /// Only on findings of this check.
        #[arg(long, value_name = "CHECK")]
        check: Option<String>,
        /// List at most N of them, and at most 1,000.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Begin where the page before ended.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// Where they are kept.
        #[command(flatten)]
        decisions: DecisionsArgs,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Count by check how findings were decided on: what is contested often is wrong often.
    Checks {
        /// Where they are kept.
        #[command(flatten)]
        decisions: DecisionsArgs,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
}

/// What an audit heeds of what people decided, and of an earlier audit.
#[derive(Debug, Args)]
pub(crate) struct HeedArgs {
    /// The file of what was decided on findings: gates pass over those that it names. Decisions in the file of --store are heeded as well.
    ///
    /// Without it `steadfast-accepted.toml` in the working folder, if it is there. `steadfast findings` writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) accepted: Option<PathBuf>,

    /// The day as of which decisions hold or have expired. Without it the clock of this machine is read, and the output says so where it matters.
    #[arg(long, value_name = "DATE")]
    pub(crate) at: Option<String>,

    /// An earlier evaluation, as --json writes it: each incident says whether it is new since.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write what is broken as instructions to whoever mends the report: one for each obligation, with the words of the prompt.
    #[arg(long, conflicts_with_all = ["format", "json", "fields"])]
    pub(crate) as_prompt: bool,
}
