//! Prompts of a vault, tasks, and what was picked: the contracts of section 4 of the prompt-orchestration document.

mod filled;
mod given;
mod model_view;
mod output;
mod point;
mod preview;
mod record;
mod results;
mod vault;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

pub use filled::{FilledChain, FilledPrompt, Placeholder};
pub use given::{GivenPrompt, GivenTask, read_prompt, read_task};
pub use model_view::{Intake, IntakeQuestion, IntakeReading, IntakeWording, ModelView, Ranking};
pub use output::{
    Candidate, ChainScore, Evidence, Fallback, Feedback, FinalOutput, LogStep, Missing, PickScores, PickedByRules,
    RULES, SelectedPrompt, StageFit, TaskSpec, Thresholds,
};
pub use point::{
    ConfidenceFit, CurvePoint, FoldFit, ModeShare, OperatingPoints, PointFigures, PointFit, PointThresholds,
    RiskCoverage, SetFigures, TradeOff, read_points,
};
pub use preview::{HeldAs, ImportPreview, NotTaken, NotTakenReason, PreviewFile};
pub use record::PromptRecord;
pub use results::{PointComparison, PointResult, VaultResults};
pub use vault::{
    Import, ImportRefusal, Inferred, PromptList, PromptRow, QueueEntry, SearchResult, VaultPrompt, VaultQueue,
    VaultStatus,
};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// What a task gets.
    PickMode {
        /// One prompt.
        Single = "single", "one prompt";
        /// Several, in order.
        Chain = "chain", "a chain of prompts";
        /// A question.
        Clarify = "clarify", "a question first";
    }
}

names! {
    /// A stage of a piece of work.
    Stage {
        /// Find out what is wanted.
        Clarify = "clarify", "clarify";
        /// Say how it will be done.
        Plan = "plan", "plan";
        /// Do it.
        Execute = "execute", "execute";
        /// Check what was done.
        Verify = "verify", "verify";
        /// Learn from it.
        Reflect = "reflect", "reflect";
    }
}

names! {
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

names! {
    /// Where a candidate came from.
    RetrievalSource {
        /// Its metadata are those of the task.
        Metadata = "metadata", "metadata";
        /// It shares words with the task.
        Bm25 = "bm25", "words";
        /// It is near the task in meaning.
        Vector = "vector", "meaning";
        /// It is a relative of another candidate.
        Neighbor = "neighbor", "a relative";
    }
}
