//! The arguments of `steadfast review`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use steadfast_wire::request;

use super::{AuditContractArgs, ChatArgs, EXIT_STATUS, UndecidedFormat, WritingArgs};

/// Arguments of `steadfast review`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ReviewArgs {
    /// Another thing to do with self-reports.
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,

    /// What is reviewed, and how.
    #[command(flatten)]
    pub(crate) request: Option<request::Review>,

    /// How the model is asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// End with status 4 where calls of the chat model bring nothing; else the result says so in `chat.failed`, and the review stands without them.
    #[arg(long, help_heading = "Chat models")]
    pub(crate) require_chat: bool,

    /// Acceptance criteria, a line each, or the document that `review criteria` writes; `-` is stdin. Without them those count that the last check-in of the output lists.
    #[arg(long, value_name = "FILE")]
    pub(crate) criteria: Option<PathBuf>,

    /// Hand the output on to stdout, byte for byte, whatever it holds; the review goes to the file that -o names, and a line to
    /// stderr. An output without a block is handed on in silence, with status 0.
    #[arg(long)]
    pub(crate) pass_through: bool,

    /// End with status 1 when the score is below SCORE, 0 to 1.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(crate) fail_below: Option<String>,

    /// End with status 1 on `recommendation=review|request_revision` (that or worse), `contradiction`, `criteria` (one is not met or
    /// not reported), `contradicted` (a claim is, by what was done or by its own figures), `unsupported` (no call speaks of a claim), or `broken` (a call breaks what the user
    /// forbade or demanded). Repeatable.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<String>,

    /// The person who stands behind the proposals: what they find met or supported counts.
    #[arg(long, value_name = "NAME")]
    pub(crate) confirm: Option<String>,

    /// How the result is written.
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// What else is done with self-reports.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Print what to paste into a sub-agent's instructions, so that its work can be reviewed.
    Convention,
    /// Write the criteria that are read in what was asked, with their quotes, and what was not read; to be edited and given to --criteria. It is the
    /// document that `audit contract` writes.
    Criteria(Box<AuditContractArgs>),
    /// Write what rules leave undecided of a session or of evidence, in batches, for whoever judges it and answers with --proposals.
    Undecided(Box<ReviewUndecidedArgs>),
}

/// Arguments of `steadfast review undecided`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ReviewUndecidedArgs {
    /// What is judged.
    #[command(flatten)]
    pub(crate) request: request::ReviewUndecided,

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
