//! The arguments by which runs are told to whoever collects traces.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{EXIT_STATUS, RowsArgs};

/// Where a run is told of.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ExportArgs {
    /// Tell of the run: add a line to FILE, or send a trace to Opik or to a collector that speaks OTLP. Repeatable.
    ///
    /// Addresses and keys are those of the environment: OPIK_URL_OVERRIDE, OPIK_API_KEY, OPIK_WORKSPACE, OPIK_PROJECT_NAME;
    /// OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME. Answer and exit status are the same whether or not a
    /// trace can be sent: what cannot be waits in a queue, see `steadfast export`. Without it STEADFAST_EXPORT says where to, separated by
    /// commas; `none` is nowhere.
    #[arg(long = "export", value_name = "jsonl:FILE|opik|otlp")]
    pub(crate) to: Vec<String>,

    /// What is told of texts: their first 200 characters, nothing but hashes, or nothing. Without it STEADFAST_EXPORT_CAPTURE says so; `capture` of the
    /// settings file is the most.
    #[arg(long = "export-capture", value_enum)]
    pub(crate) capture: Option<CaptureArg>,

    /// How long the run waits, once its answer is out, until what waits is sent: 0 to 60, and 1 where nothing says otherwise. Without it
    /// STEADFAST_EXPORT_WAIT says so.
    #[arg(long = "export-wait", value_name = "SECONDS")]
    pub(crate) wait: Option<String>,

    /// Where traces wait.
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
}

/// Where traces wait.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct QueueArgs {
    /// The folder that traces wait in until they are sent.
    ///
    /// Without it STEADFAST_EXPORT_QUEUE names it; else it is `FILE.export` beside the store that --store names, else `steadfast/export` in
    /// XDG_DATA_HOME or in `.local/share` of the home folder.
    #[arg(long = "export-queue", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// What is told of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaptureArg {
    /// The first 200 characters of each.
    Preview,
    /// Names, lengths, hashes, counts and figures.
    Hash,
    /// The same without hashes.
    None,
}

/// Arguments of `steadfast export`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ExportsArgs {
    /// What to do with traces that wait.
    #[command(subcommand)]
    pub(crate) command: ExportCommand,
}

/// What is done with traces that wait.
#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// Send what waits. Ends with status 4 where something could not be sent; it stays.
    Flush {
        /// Where it waits.
        #[command(flatten)]
        place: WaitingArgs,
        /// Try again what the other side refused for good.
        #[arg(long)]
        failed: bool,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Say what waits, what was sent, what failed and what was refused, for each exporter.
    Status {
        /// Where it waits.
        #[command(flatten)]
        place: WaitingArgs,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
}

/// The queue that is looked at.
#[derive(Clone, Debug, Args)]
pub(crate) struct WaitingArgs {
    /// Its folder.
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    /// The store beside which it stands.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}
