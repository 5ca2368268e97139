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
