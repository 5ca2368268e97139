//! The arguments of what else `steadfast audit` does.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use steadfast_wire::request;

use super::{EXIT_STATUS, OutputArgs};

/// What else is done with audits.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Write what is read in a prompt: obligations with their quotes, and what was not read; to be edited and given to --contract.
    Contract(AuditContractArgs),
    /// Write what rules leave undecided, in batches, for whoever judges it and answers with --proposals.
    Undecided(AuditUndecidedArgs),
    /// Compare two audits: two runs of one prompt, or before and after a change.
    Compare(AuditCompareArgs),
}

/// Arguments of `steadfast audit contract`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct AuditContractArgs {
    /// The prompt.
    #[command(flatten)]
    pub(crate) request: request::AuditContract,

    /// Who you are: every obligation is confirmed by you.
    #[arg(long, value_name = "NAME", value_parser = super::person)]
    pub(crate) confirm: Option<String>,

    /// What is written to stdout, or to the file that -o names.
    #[arg(long, value_enum, default_value_t = ContractFormat::Json)]
    pub(crate) format: ContractFormat,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `steadfast audit undecided`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct AuditUndecidedArgs {
    /// What is audited.
    #[command(flatten)]
    pub(crate) request: request::AuditUndecided,

    /// What is written to stdout, or to the file that -o names.
    #[arg(long, value_enum, default_value_t = UndecidedFormat::Json)]
    pub(crate) format: UndecidedFormat,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What `audit undecided` and `review undecided` write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UndecidedFormat {
    /// The batch, for whoever answers it.
    Json,
}

/// What `audit contract` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContractFormat {
    /// The document that --contract takes.
    Json,
    /// A list for the terminal.
    Text,
}

/// Arguments of `steadfast audit compare`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct AuditCompareArgs {
    /// What was before: the JSON of an audit, the folder or zip archive of a planner's run, a report (with --prompt), or the id of a stored run
    /// (with --store); `-` is stdin.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// What is now.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// The prompt of A and B where they are reports.
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<PathBuf>,

    /// The store that A and B are looked for in by the ids of runs, where there is no such file. Nothing is written to it.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// End with status 1 on `new`: B breaks an obligation that the prompt states and that A does not break.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<String>,

    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<AuditCompareFormat>,
}

/// What `audit compare` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditCompareFormat {
    /// A summary for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A report in Markdown.
    Md,
    /// A report as one self-contained page.
    Html,
}
