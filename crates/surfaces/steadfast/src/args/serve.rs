//! The arguments of the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use steadfast_wire::request::EmbedderChoice;

use super::{AgentsArgs, EXIT_STATUS, ExportArgs};

/// Where texts are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Isolate {
    /// In a process of its own.
    On,
    /// In the process of the server.
    Off,
}

/// Arguments of `steadfast serve`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct ServeArgs {
    /// The address and port to listen at; port 0 is a free one, which is said on stderr.
    ///
    /// What is no loopback address needs --require-key.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,

    /// A name by which the server may be called, beside localhost and the address it listens at. Repeatable.
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,

    /// Answer only requests that have a key.
    #[arg(long)]
    pub(crate) require_key: bool,

    /// Requests a second that a caller may make over time, and twice as many at once; 0 is no limit.
    ///
    /// A caller is a key, or an address that shows none. What is too much is refused with 429 and `Retry-After`.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) rate: u32,

    /// Print the address of the server on stdout, alone on a line, once it takes requests in.
    #[arg(long)]
    pub(crate) print_url: bool,

    /// The folder that tools of the MCP server may read, with all that stands in it. Without it they take texts and read no file.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// The store that runs, tasks and prompts are kept in.
    ///
    /// Without it it is `steadfast/steadfast.db` in XDG_DATA_HOME or in `.local/share` of the home folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,

    /// Keep nothing: there are no runs, no tasks and no vault then.
    #[arg(long, conflicts_with = "store")]
    pub(crate) no_store: bool,

    /// What makes vectors of the steps of trajectories that are followed while they go on.
    #[arg(long, value_enum, default_value_t = EmbedderChoice::Minilm)]
    pub(crate) embedder: EmbedderChoice,

    /// The settings file, which names the chat models that requests may ask for.
    ///
    /// Without it STEADFAST_CONFIG names it, else it is `steadfast.toml` in the working folder, if there is one.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Whether texts are judged in a process of its own, so that one which ends the process that reads it costs one request and not the server.
    #[arg(long, value_enum, value_name = "WHETHER", default_value_t = Isolate::On)]
    pub(crate) isolate: Isolate,

    /// Be such a process: stdin is the stream to the server.
    #[arg(long, hide = true)]
    pub(crate) worker: bool,

    /// What agents are granted.
    #[command(flatten)]
    pub(crate) agents: AgentsArgs,

    /// Where calls are told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}
