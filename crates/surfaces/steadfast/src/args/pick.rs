//! The arguments of `steadfast vault`, `pick` and `feedback`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use steadfast_wire::request::{Reader, Word};

use super::{ChatArgs, EXIT_STATUS, ExportArgs, RowsArgs};

/// The vault that is looked at.
#[derive(Debug, Args)]
pub(crate) struct VaultFileArgs {
    /// The vault: tables of a store, as --store of the other verbs names one.
    #[arg(long, value_name = "FILE")]
    pub(crate) vault: PathBuf,
}

/// What the metadata of prompts must be.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FilterArgs {
    /// Look only at prompts whose FIELD (stage, intent, task_type, domain, tag, status, model) is VALUE, said or inferred; given again for the same
    /// field, any of the values will do.
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) filter: Vec<String>,
    /// Leave out prompts whose FIELD (status, id) is VALUE.
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) exclude: Vec<String>,
}

/// Arguments of `steadfast vault`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct VaultArgs {
    /// What to do with the vault.
    #[command(subcommand)]
    pub(crate) command: VaultCommand,
}

/// What is done with a vault.
#[derive(Debug, Subcommand)]
pub(crate) enum VaultCommand {
    /// Take prompts in, and embed them where the embedding model is there. Only what changed is written; what is gone from a PATH is removed.
    Import {
        /// Folders of Markdown with front matter (notes, agent and skill files, pattern folders with a `system.md` each), or files: Markdown,
        /// JSON lines, CSV with a header.
        #[arg(value_name = "PATH", required_unless_present = "shipped")]
        paths: Vec<PathBuf>,
        /// The vault. It is made where it does not exist.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// Take in the prompts that ship with the program.
        #[arg(long)]
        shipped: bool,
        /// Take only files whose name below PATH matches: `*` stays within a folder, `**` goes through folders, a pattern without `/` holds in every folder.
        /// What it names is taken even where its name or folder is that of a daily note, a template, trash or a sync conflict. Repeatable.
        #[arg(long, value_name = "GLOB")]
        include: Vec<String>,
        /// Leave out files whose name below PATH matches. Repeatable.
        #[arg(long, value_name = "GLOB")]
        exclude: Vec<String>,
        /// Take only prompts that have this tag, in their front matter or as `#tag` in their text; tags below it (`#tag/more`) count. Repeatable: then any of
        /// them.
        #[arg(long = "tag", value_name = "NAME")]
        tags: Vec<String>,
        /// Say of every file whether it would be taken, as how many prompts, or why not. The vault is neither opened nor made.
        #[arg(long)]
        dry_run: bool,
        /// Make no vectors: prompts are found by their words and metadata alone until they are made.
        #[arg(long)]
        no_embed: bool,
        /// How the result is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Make the vectors that prompts lack, as `import` does unless it is told not to. It may be ended and run again: what was made stays. Meanwhile prompts are
    /// found by words and metadata alone.
    Embed {
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
    },
    /// List prompts, in the order of their ids.
    List {
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// Which prompts are listed.
        #[command(flatten)]
        filters: FilterArgs,
        /// List at most N of them, and at most 1,000.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Begin where the page before ended.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// List prompts of which something was inferred that somebody should look at, the least sure first.
    Queue {
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// List at most N of them, and at most 1,000.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Say what the vault holds.
    Status {
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// Say how operating points did: modes, and what feedback said of what they picked, with intervals.
    Results {
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// How it is written.
        #[command(flatten)]
        rows: RowsArgs,
    },
    /// List the prompts that fit a query best.
    Search {
        /// The query, in any words.
        #[arg(value_name = "QUERY", required_unless_present = "queries", conflicts_with = "queries")]
        query: Option<String>,
        /// Queries, a JSON object with `qid` and `query` a line; a result a line. `-` is stdin.
        #[arg(long, value_name = "FILE")]
        queries: Option<PathBuf>,
        /// The vault.
        #[command(flatten)]
        vault: VaultFileArgs,
        /// List at most N prompts, and at most 1,000.
        #[arg(short, value_name = "N", default_value_t = 10)]
        k: usize,
        /// Which prompts are looked at.
        #[command(flatten)]
        filters: FilterArgs,
        /// How they are written.
        #[command(flatten)]
        rows: RowsArgs,
    },
}

/// Arguments of `steadfast pick`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct PickArgs {
    /// The task, in your own words.
    #[arg(value_name = "TASK", required_unless_present = "tasks", conflicts_with = "tasks")]
    pub(crate) task: Option<String>,

    /// Tasks, a JSON object with `qid` and `query` a line; a result a line. `-` is stdin.
    #[arg(long, value_name = "FILE")]
    pub(crate) tasks: Option<PathBuf>,

    /// The vault. What is picked is kept in it, so that `feedback` can name it.
    #[command(flatten)]
    pub(crate) vault: VaultFileArgs,

    /// The day that freshness is as of, `YYYY-MM-DD`. Without it no prompt is fresher than another.
    #[arg(long, value_name = "DATE")]
    pub(crate) at: Option<String>,

    /// The thresholds that choose: `default` were fitted, `seed` are the initial ones of the prompt-orchestration document, and a FILE has others, as
    /// `steadfast-measure calibrate pick` writes it. Repeatable: then each task gets one of them by its hash, and `vault results` says how they did.
    #[arg(long, value_name = "default|seed|FILE", default_value = "default")]
    pub(crate) operating_point: Vec<String>,

    /// Which prompts are looked at.
    #[command(flatten)]
    pub(crate) filters: FilterArgs,

    /// Tell all candidates with their scores, and the states that were passed.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Write the texts of what was picked, as Markdown to be used, with `{{placeholders}}` filled from --set.
    ///
    /// Placeholders that nothing was given for stay, and are listed at the end and on stderr.
    #[arg(long, conflicts_with_all = ["tasks", "explain", "format", "json", "fields"])]
    pub(crate) print: bool,

    /// What stands in the place of `{{NAME}}`. A value may hold anything; nothing in it is filled in its turn. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", requires = "print")]
    pub(crate) set: Vec<String>,

    /// Who reads the task: rules alone, or a chat model beside them, whose proposals and wordings of questions are shown and choose nothing.
    #[arg(long, value_enum, default_value_t = Reader::Rules, value_name = "READER")]
    pub(crate) intake: Reader,

    /// Who chooses among the candidates: rules alone, or a chat model, where its reply can be used. It is sent their titles, descriptions and beginnings; what rules choose
    /// is told beside it.
    #[arg(long, value_enum, default_value_t = Reader::Rules, value_name = "READER")]
    pub(crate) rank: Reader,

    /// How the model is asked.
    #[command(flatten, next_help_heading = "Chat models")]
    pub(crate) chat: ChatArgs,

    /// End with status 1 on `clarify`: something has to be asked first.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) fail_on: Vec<String>,

    /// How it is written.
    #[command(flatten)]
    pub(crate) rows: RowsArgs,

    /// Where the run is told of. Tasks of a file are not told of.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

/// Arguments of `steadfast feedback`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct FeedbackArgs {
    /// What was picked, by its `trace_id`.
    #[arg(value_name = "TRACE_ID")]
    pub(crate) trace_id: String,

    /// Whether it was good.
    #[arg(value_name = "good|bad")]
    pub(crate) verdict: Word,

    /// Prompts of it; without any it is said of all.
    #[arg(value_name = "PROMPT_ID")]
    pub(crate) prompt_ids: Vec<String>,

    /// The vault.
    #[command(flatten)]
    pub(crate) vault: VaultFileArgs,
}
