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

pub use filled::{FilledChain, FilledPrompt, Placeholder};
pub use given::{GivenPrompt, GivenTask, read_prompt, read_task};
pub use model_view::{Intake, IntakeQuestion, IntakeReading, IntakeWording, ModelView, Ranking};
pub use output::{
    Candidate, ChainScore, Evidence, Fallback, Feedback, FinalOutput, LogStep, Missing, PickScores, PickedByRules,
    RULES, SelectedPrompt, StageFit, TaskSpec, Thresholds,
};
pub use point::{
    CurvePoint, ModeShare, OperatingPoints, PointFigures, PointFit, PointThresholds, SetFigures, read_points,
};
pub use preview::{HeldAs, ImportPreview, NotTaken, NotTakenReason, PreviewFile};
pub use record::PromptRecord;
pub use results::{PointComparison, PointResult, VaultResults};
pub use steadfast_pick::operating_point::Mode as PickMode;
pub use steadfast_pick::retrieve::hybrid::Source as RetrievalSource;
pub use steadfast_pick::stage::Stage;
pub use steadfast_pick::task::RiskLevel;
pub use vault::{
    Import, ImportRefusal, Inferred, PromptList, PromptRow, QueueEntry, SearchResult, VaultPrompt, VaultQueue,
    VaultStatus,
};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";
