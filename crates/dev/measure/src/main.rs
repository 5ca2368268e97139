//! `steadfast-measure`: how well does a part of Steadfast do on labelled data by others?

mod program;

use std::process::ExitCode;

use clap::Parser;
use steadfast::talk::Talk;

use program::args::MeasureArgs;

/// Measures parts of Steadfast on labelled data, fits their thresholds, and says how they compare with earlier figures.
#[derive(Debug, Parser)]
#[command(name = "steadfast-measure", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Cli {
    /// What is measured.
    #[command(flatten)]
    measure: MeasureArgs,
    /// Say nothing on stderr but errors and failed gates.
    #[arg(long, short, global = true)]
    quiet: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let talk = Talk { quiet: cli.quiet };
    match program::measure(cli.measure, &talk) {
        Ok(status) => status.into(),
        Err(failure) => {
            talk.failure(&failure);
            failure.status.into()
        }
    }
}
