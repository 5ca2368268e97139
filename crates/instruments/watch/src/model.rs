//! What is followed: steps of an agent, each an instruction and what came of it.

use steadfast_session::Call;

use crate::bans::Broken;

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its number, as whoever wrote it down counts.
    pub number: i64,
    /// The instruction; `None` where none was given or captured.
    pub instruction: Option<String>,
    /// What the agent answered; `None` where no text was written or captured (a call of a tool, say), which is not the same
    /// as an empty answer.
    pub output: Option<String>,
    /// The calls that the agent made in it, where the input holds them.
    pub calls: Vec<Call>,
    /// Whether it answers words that instruct nothing (thanks, a greeting): it is scored, and counts in no mean and no onset.
    pub aside: bool,
}

steadfast_evidence::vocabulary! {
    /// What an instruction does to the goal in force.
    UpdateType {
        /// The first step: the goal is the initial intent.
        Initial = "initial", "initial";
        /// The instruction stays with the goal.
        Refinement = "refinement", "refinement";
        /// The instruction leaves the goal somewhat, and becomes it.
        HighDriftRisk = "high_drift_risk", "high drift risk";
        /// The instruction leaves the goal, and becomes it.
        MajorShift = "major_shift", "major shift";
    }
}

/// What was measured of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepScore {
    /// The step's number.
    pub number: i64,
    /// Intent Drift Score: divergence of the output from the current goal, from 0 to 1. `None` where there is no text or no
    /// goal is known yet.
    pub ids: Option<f64>,
    /// Goal distance of the output from the current goal, from 0 to 1: see [`distance`](crate::distance).
    pub goal_distance: Option<f64>,
    /// Divergence of the output from the initial intent, from 0 to 1.
    pub anchor_ids: Option<f64>,
    /// Share of the output's shingles that repeat the instruction, from 0 to 1.
    pub echo: Option<f64>,
    /// The current goal.
    pub goal: String,
    /// What the instruction did to the goal; `None` where there is no instruction, or where no thresholds are known for the
    /// embedder.
    pub update_type: Option<UpdateType>,
    /// Whether the output is longer than what the embedder reads.
    pub truncated: bool,
    /// Whether the step has no output at all.
    pub no_text: bool,
    /// What the output uses although the initial intent or the instruction bans it.
    pub broken: Vec<Broken>,
}
