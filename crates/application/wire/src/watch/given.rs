//! Steps as they come in.

/// One step of somebody's run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenStep {
    /// The task.
    pub task_id: String,
    /// The agent.
    pub agent: Option<String>,
    /// The step's number.
    pub step: Option<i64>,
    /// The instruction.
    pub prompt: Option<String>,
    /// What the agent answered; `None` where no text was written or captured.
    pub output: Option<String>,
    /// The goal at the first step.
    pub initial_intent: Option<String>,
    /// The line of the input that it began on, from 1.
    pub line: u64,
}
