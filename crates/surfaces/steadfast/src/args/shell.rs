//! The arguments of what the program gives to shells and to `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::EXIT_STATUS;

/// Arguments of `steadfast completions`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct CompletionsArgs {
    /// The shell that the script is for.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Arguments of `steadfast man`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ManArgs {
    /// Write the page of the program and one for each of its verbs to DIR, which is made if need be.
    ///
    /// Without it the page of the program is written to stdout.
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
}
