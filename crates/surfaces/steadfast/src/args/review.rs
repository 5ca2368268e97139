//! The arguments of `steadfast review`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use steadfast_engine::runs::AgentName;

use super::{EXIT_STATUS, EmbedderArg, ExportArgs, Format};

/// Arguments of `steadfast review`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ReviewArgs {
    /// Another thing to do with self-reports.
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,

    /// The output of an agent, with the blocks in which it reports on its work; `-` is stdin.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) file: Option<PathBuf>,

    /// Acceptance criteria, a line each; `-` is stdin. Without them those count that the last check-in of the output lists.
    #[arg(long, value_name = "FILE")]
    pub(crate) criteria: Option<PathBuf>,

    /// Below this score, 0 to 1, a revision is requested and a summary returned; approval needs .8 or this, whichever is higher.
    #[arg(long, value_name = "SCORE", default_value_t = 0.6, allow_negative_numbers = true)]
    pub(crate) threshold: f64,

    /// How the house uses 🐛 and 🔒.
    #[arg(long, value_enum, default_value_t = ProfileArg::Seed)]
    pub(crate) profile: ProfileArg,

    /// What a summary may hold, in tokens of four characters.
    #[arg(long, value_name = "TOKENS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(50..=100_000))]
    pub(crate) summary_tokens: u32,

    /// Let an embedder find the item of a criterion where words find none. Without it words alone decide.
    #[arg(long, value_enum)]
    pub(crate) embedder: Option<EmbedderArg>,

    /// Hand the output on to stdout, byte for byte, whatever it holds; the review goes to the file that -o names, and a line to
    /// stderr. An output without a block is handed on in silence, with status 0.
    #[arg(long)]
    pub(crate) pass_through: bool,

    /// End with status 1 when the score is below SCORE, 0 to 1.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(crate) fail_below: Option<String>,

    /// End with status 1 on `recommendation=review|request_revision` (that or worse), `contradiction`, or `criteria` (one is not met or
    /// not reported). Repeatable.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<String>,

    /// Keep the review in this store, and the output with its task.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Whose work it is, 1 to 512 bytes: with the run that --store keeps, for rules of alerts, lists and summaries. No result depends on it.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<AgentName>,

    /// What is written to stdout, or to the file that -o names.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Where the run is told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// What else is done with self-reports.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Print what to paste into a sub-agent's instructions, so that its work can be reviewed.
    Convention,
}

/// How a house uses 🐛 and 🔒.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// A bug, a vulnerability: they weigh −.8 and −1.
    Seed,
    /// Fixed, addressed: they weigh .8 and 1.
    Fixed,
}
