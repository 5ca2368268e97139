//! The arguments of `steadfast hook`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use steadfast_wire::hook::HookHost;

/// Arguments of `steadfast hook`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: always 0 where a host calls it; for install and uninstall 0, or 2 where the settings cannot be changed.")]
pub(crate) struct HookArgs {
    /// What happens.
    #[command(subcommand)]
    pub(crate) command: HookCommand,
}

/// What a hook is called for, and how it gets into the settings of a host.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// The agent is about to end its turn: it is sent back once if the log contradicts its report or a call broke what the user said.
    Stop(HeardArgs),
    /// A sub-agent is about to end: the same is said beside its findings.
    SubagentStop(HeardArgs),
    /// A tool is about to be called: it is denied if the user's words forbid it.
    PreToolUse(HeardArgs),
    /// A tool has been called: kept for hosts whose log cannot be read.
    PostToolUse(HeardArgs),
    /// The agent has said something: kept for hosts whose log cannot be read.
    AgentResponse(HeardArgs),
    /// The user has typed something: after a summary their earlier words are given back.
    UserPrompt(HeardArgs),
    /// Earlier turns are about to be summarised: nothing is answered, since the log says whether they were.
    PreCompact(HeardArgs),
    /// A session goes on after a summary: what the user typed is given back.
    SessionStart(HeardArgs),
    /// Keep what code says of a session; the hook starts it when a turn has ended.
    Keep {
        /// The log.
        log: PathBuf,
    },
    /// Put the hooks into the settings of a host, and show what changes.
    Install(HookInstallArgs),
    /// Take them out again, and show what changes.
    Uninstall(HookInstallArgs),
}

/// How a host calls the hook.
#[derive(Debug, Args)]
pub(crate) struct HeardArgs {
    /// The host, which says on stdin what happens and reads the answer from stdout.
    #[arg(long, value_enum, default_value_t = HookHost::Claude)]
    pub(crate) host: HookHost,
}

/// Which settings are changed.
#[derive(Debug, Args)]
pub(crate) struct HookInstallArgs {
    /// The host.
    #[arg(value_enum)]
    pub(crate) host: HookHost,

    /// Change the settings of your own in the home folder, for all projects, instead of those of the project in the working folder.
    #[arg(long, conflicts_with = "file")]
    pub(crate) user: bool,

    /// Change this file instead.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Show what would change, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
