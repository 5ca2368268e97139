//! The arguments of `steadfast doctor`.

use std::path::PathBuf;

use clap::Args;

use super::{ModelsArgs, RowsArgs};

/// Arguments of `steadfast doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 nothing failed, 1 a check failed, 2 usage, 4 the output cannot be written.")]
pub(crate) struct DoctorArgs {
    /// The settings file.
    ///
    /// Without it STEADFAST_CONFIG names it, else it is `steadfast.toml` in the working folder, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The store that is looked at, which must be there.
    ///
    /// Without it it is that of `serve`, `mcp` and the hooks, if it is there: `steadfast/steadfast.db` in XDG_DATA_HOME or in `.local/share` of the home folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Where the embedding model is.
    #[command(flatten)]
    pub(crate) models: ModelsArgs,

    /// How it is written.
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
}
