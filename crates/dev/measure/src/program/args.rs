//! Arguments of `steadfast-measure`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use steadfast_wire::request::EmbedderChoice;

/// What the exit statuses mean.
const EXIT_STATUS: &str = "\
Exit status: 0 passed, 1 a gate failed, 2 usage or configuration, 3 not evaluable, 4 something outside failed.";

/// Arguments of `steadfast-measure`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct MeasureArgs {
    /// Another thing to do with labelled data.
    #[command(subcommand)]
    pub(crate) command: Option<MeasureCommand>,

    /// A labelled set, several with commas between, of which those are measured that are there, `all`, or `list`. `pick_tasks` is measured without --data on what ships
    /// with the program.
    #[arg(value_name = "SET,…|all|list", required = true)]
    pub(crate) set: Option<String>,

    /// The folder that holds the sets' folders. Any of a set's files may be there: what is there is read.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// What makes vectors of the texts, for the sets that are measured with them.
    #[arg(long, value_enum, default_value_t = EmbedderChoice::Minilm)]
    pub(crate) embedder: EmbedderChoice,

    /// Write each row's id, prediction, score, label and counts to FILE as JSON lines, so that the figures can be computed again.
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,

    /// What is written to stdout, or to the file that -o names. Without this flag the file's ending says it: `.json`, `.md`, else text.
    #[arg(long, value_enum)]
    pub(crate) format: Option<MeasureFormat>,

    /// Keep the figures in FILE as well, as JSON: `steadfast-measure report` draws them again.
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What else is done with labelled data.
#[derive(Debug, Subcommand)]
pub(crate) enum MeasureCommand {
    /// Fit the thresholds of `pick` on vaults and tasks by others, cross-validated, or the coefficients of the support score.
    Calibrate(CalibrateArgs),
    /// Draw kept figures again, without any data: as a table, or the document that says what each detector is bad at.
    Report(ReportArgs),
    /// Make a faithful report drift in one known place each time, by operators for every type A to J, and say what of it `audit` finds.
    Mutate(MutateArgs),
    /// Write the cases of `sessions` as whoever judges them sees them: a folder with `session.jsonl` each, without any label.
    Logs(LogsArgs),
    /// Put texts of all kinds, as they are and damaged, through every reader. Status 1 where one panics or takes long.
    Robustness(RobustnessArgs),
}

/// Arguments of `steadfast-measure logs`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct LogsArgs {
    /// The folder that holds `sessions/`.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,

    /// The folder in which the cases are written, by the names that they have in `sessions/`.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

/// Arguments of `steadfast-measure robustness`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct RobustnessArgs {
    /// A folder of texts: text files, and the strings in JSON and JSON lines, 40 bytes to 16 KiB each.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,

    /// How many texts are read: half of them as they are, the others with pieces put in, taken out, doubled or turned to capitals.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) texts: usize,

    /// Which texts, and how they are damaged. The same seed gives the same texts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// How long one call may take, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    pub(crate) limit_ms: u64,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `steadfast-measure report`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ReportArgs {
    /// The JSON of an earlier measurement: what `--keep` or `--json` wrote.
    #[arg(value_name = "FILE")]
    pub(crate) kept: PathBuf,

    /// What is written. Without this flag the ending of the file that -o names says it: `.json`, `.txt`, else Markdown.
    #[arg(long, value_enum)]
    pub(crate) format: Option<MeasureFormat>,

    /// Write to FILE instead of stdout; the file appears whole or not at all.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `steadfast-measure mutate`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct MutateArgs {
    /// A prompt.
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: PathBuf,

    /// A report that is faithful to it: Markdown, HTML or plain text.
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,

    /// Which places are changed, where there are more than are taken. The same seed gives the same cases.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Drifted reports by one operator, at most, 1 to 20.
    #[arg(long, value_name = "N", default_value_t = steadfast_measure::mutate::PER_OPERATOR)]
    pub(crate) per_operator: usize,
}

/// Arguments of `steadfast-measure calibrate`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct CalibrateArgs {
    /// Whose thresholds.
    #[arg(value_enum)]
    pub(crate) what: CalibrateArg,

    /// The folder that holds `prompt_vaults/`, `in3/` and `taskbench/`: what is there is read. For `grounding` it holds `summedits/`, `entfa/`, `wice/` and `begin/`, all of them; for `reading`
    /// `prompts/` and `everyday/`; for `asides` `notes/`; for `pieces` `notes_wide/`; for `details` `pairs/`, `everyday/` and `short/`.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,

    /// What selections will call the operating point.
    #[arg(long, default_value = "fitted")]
    pub(crate) name: String,

    /// Of the clear tasks of each vault at most this share may end in a question, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = steadfast_measure::calibrate::ABSTAIN_MAX)]
    pub(crate) abstain_max: f64,

    /// Keep the vectors of all texts in FILE, so that the next fit does not make them again. The file is made where it does not exist.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Write the operating point to FILE instead of stdout; the file appears whole or not at all. `pick --operating-point FILE` reads it.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Whose thresholds are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CalibrateArg {
    /// Those of `steadfast pick`.
    Pick,
    /// The coefficients of the support score.
    Grounding,
    /// The coefficients by which prompts are read.
    Reading,
    /// The coefficients by which `plan` tells which lines of a list are nothing to plan.
    Asides,
    /// The coefficients by which `plan` cuts notes into pieces and tells what each says; `-o` names the folder of the three files.
    Pieces,
    /// The coefficients by which `audit` tells that a detail of the report replaces one of the prompt.
    Details,
}

/// What `measure` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureFormat {
    /// A table for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A document by detector: what each is bad at, its figures, what its verdicts rest on.
    Markdown,
}
