//! A prompt that a task may want: section 4.3 of the prompt-orchestration document.

use crate::retrieve::hybrid::Source;
use crate::stage::Stage;

/// What speaks for a prompt, each in 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// max(0, cosine) of task and prompt; 0 where there are no vectors.
    pub dense_sim: f64,
    /// BM25, by that of the best prompt for this task.
    pub bm25_sim: f64,
    /// How far intent, task type and domain are those of the task.
    pub metadata_match: f64,
    /// What feedback made of it: the mean of a Beta distribution.
    pub quality_prior: f64,
    /// How new it is.
    pub freshness: f64,
}

/// How well a prompt serves each stage, 0 to 1, in the order of [`Stage::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageFit(pub [f64; 5]);

impl StageFit {
    /// How well it serves a stage.
    #[must_use]
    pub const fn at(&self, stage: Stage) -> f64 {
        self.0[stage as usize]
    }
}

/// A prompt that a task may want.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the vault.
    pub record: usize,
    /// What speaks for it.
    pub evidence: Evidence,
    /// How well it serves each stage.
    pub stage_fit: StageFit,
    /// What brought it.
    pub sources: Vec<Source>,
    /// The place in the vault of a better candidate that says nearly the same.
    pub duplicate_of: Option<usize>,
}
