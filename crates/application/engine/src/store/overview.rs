//! Runs as they are counted and looked through, and the texts that some of them were about.

/// A text that a run was about, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunText {
    /// Its name, as spans of the result call it.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// All of it; `None` where it did not fit.
    pub text: Option<String>,
}

/// How many runs of a verb came to what on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCount {
    /// The day, in UTC: `2026-01-25`.
    pub day: String,
    /// What was asked for.
    pub verb: String,
    /// What came of it, in a word.
    pub verdict: Option<String>,
    /// The exit status.
    pub exit_status: u8,
    /// How many runs.
    pub runs: u64,
}

/// Audits of the work of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentAudits {
    /// The agent, where it is known.
    pub agent: Option<String>,
    /// Whether these are all agents but those that are told by themselves.
    pub rest: bool,
    /// How many audits.
    pub audits: u64,
    /// Those that found a hard obligation broken.
    pub broken: u64,
}
