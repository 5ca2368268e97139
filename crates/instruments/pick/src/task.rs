//! What is understood of a task.

use crate::stage::Stage;

steadfast_evidence::vocabulary! {
    /// How much harm a wrong result does.
    RiskLevel {
        /// It can be done again.
        Low = "low", "low";
        /// It costs time or money.
        Medium = "medium", "medium";
        /// It touches health, law, large money, safety or other people's data.
        High = "high", "high";
    }
}

/// What is understood of a task: section 4.2 of the prompt-orchestration document, and what was missing.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSpec {
    /// The task in the user's words.
    pub raw_query: String,
    /// What is to be done: create, analyze, decide … Never empty.
    pub intent: String,
    /// What it is about: content, code, meeting … Never empty.
    pub task_type: String,
    /// The field that it belongs to, where it shows.
    pub domain_hint: Option<String>,
    /// What must hold, in the user's words.
    pub constraints: Vec<String>,
    /// What is to come out of it.
    pub deliverable: Option<String>,
    /// How much harm a wrong result does.
    pub risk_level: RiskLevel,
    /// The words of the task that the level of risk rests on.
    pub risk_words: Vec<String>,
    /// The stages that it needs, in their order; never empty.
    pub stages: Vec<Stage>,
    /// The words that ask for each stage, where the task tells several in parts of its own, or what a whole undertaking is about: each stage once, in their order.
    pub parts: Vec<(Stage, String)>,
    /// Whether one step is not enough.
    pub requires_multistep: bool,
    /// How likely more than one step is, 0 to 1: `requires_multistep` is this at its threshold.
    pub multistep_score: f64,
    /// How much of what a task of this kind needs is missing, 0 to 1.
    pub ambiguity_score: f64,
    /// What is missing, the most needed first.
    pub missing: Vec<Missing>,
}

/// Something that a task of its kind needs and does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Missing {
    /// What it is: audience, date, place, which one …
    pub what: String,
    /// The question that asks for exactly that.
    pub question: String,
    /// Whether nothing sensible can be done without it: then the task is not tried, whatever its score.
    pub required: bool,
}
