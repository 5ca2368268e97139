//! What a server grants agents that call its tools.

use clap::Args;
use steadfast_wire::call::ToolSet;

/// What a server grants agents.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AgentsArgs {
    /// The tools that are listed: hosts hand the list to a model with every request. A tool that is not listed can be called all the same.
    #[arg(long, value_enum, default_value_t = ToolSet::Hosts)]
    pub(crate) tools: ToolSet,

    /// What the agent that calls proposes as kept makes reports usable. It may be judging its own work, so this is off by default; no call can ask for it.
    #[arg(long)]
    pub(crate) trust_host: bool,
}
