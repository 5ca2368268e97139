//! What a chat model is asked for beside the rules.

use clap::{Args, ValueEnum};

/// What `plan` asks chat models for.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Chat models")]
pub(crate) struct PlanModelArgs {
    /// Who reads the notes: rules alone, or a model beside them, whose proposals are shown and bind no plan.
    #[arg(long, value_enum, default_value_t = ReaderArg::Rules, value_name = "READER")]
    pub(crate) extract: ReaderArg,

    /// Who makes the plan. Whoever does, it is checked by the same rules.
    #[arg(long, value_enum, default_value_t = PlannerArg::BuiltIn, value_name = "PLANNER")]
    pub(crate) generate: PlannerArg,

    /// Let a model give an opinion on the plan. It decides nothing.
    #[arg(long)]
    pub(crate) advise: bool,
}

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReaderArg {
    /// The rules of the program alone.
    Rules,
    /// A chat model beside them.
    Model,
}

/// Who makes a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlannerArg {
    /// The planner of the program.
    BuiltIn,
    /// A chat model.
    Model,
}
