//! The arguments of what looks after the keys of the server's API.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use steadfast_wire::keys::Scope;

use super::{EXIT_STATUS, RowsArgs};

/// Arguments of `steadfast key`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct KeyArgs {
    /// What to do with keys.
    #[command(subcommand)]
    pub(crate) command: KeyCommand,
}

/// The store of the server.
#[derive(Debug, Args)]
pub(crate) struct ServerStoreArgs {
    /// The store of the server.
    ///
    /// Without it it is `steadfast/steadfast.db` in XDG_DATA_HOME or in `.local/share` of the home folder, as for the server.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// What is done with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key and write it to stdout, this once: the store keeps its hash alone. The store is made where it does not exist.
    Create {
        /// What the key is called: who or what will use it.
        #[arg(long, value_name = "NAME")]
        name: String,
        /// What it may do; each may do all that those before it may.
        #[arg(long, value_enum)]
        scope: Scope,
        /// The store.
        #[command(flatten)]
        store: ServerStoreArgs,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// List the keys, those that were revoked too. None can be shown again.
    List {
        /// The store.
        #[command(flatten)]
        store: ServerStoreArgs,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Revoke a key: it is refused from now on.
    Revoke {
        /// The key, as `key list` names it.
        #[arg(value_name = "ID")]
        id: String,
        /// The store.
        #[command(flatten)]
        store: ServerStoreArgs,
    },
}
