//! A prompt that a task may want: section 4.3 of the prompt-orchestration document.

use std::collections::HashMap;

use crate::retrieve::hybrid::{self, Pool, Source};
use crate::score::PENALTY;
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
    /// How far it is what the task, or the part of it that asks for each stage, speaks of: the search's score, in the order of [`Stage::ALL`].
    pub relevance: [f64; 5],
    /// What brought it.
    pub sources: Vec<Source>,
    /// The place in the vault of a better candidate that says nearly the same.
    pub duplicate_of: Option<usize>,
}

/// What a part's own words count beside those of the whole task, where both say how relevant a prompt is to a stage.
const PART_WEIGHT: f64 = 0.6;

/// What metadata, stage, feedback and age count beside relevance, when candidates are put in their order: about as much as they count in
/// the score of section 6, by how far relevance differs between prompts. Uncalibrated, as the one before.
const METADATA_WEIGHT: f64 = 0.10;
const STAGE_WEIGHT: f64 = 0.05;
const QUALITY_WEIGHT: f64 = 0.10;
const FRESHNESS_WEIGHT: f64 = 0.02;

impl Candidate {
    /// A prompt that a search found, and how well it serves each stage.
    #[must_use]
    pub fn new(found: &hybrid::Candidate, stage_fit: StageFit) -> Self {
        Self {
            record: found.document as usize,
            evidence: Evidence {
                dense_sim: found.dense_sim,
                bm25_sim: found.bm25_sim,
                metadata_match: found.metadata_match,
                quality_prior: found.quality_prior,
                freshness: found.freshness,
            },
            stage_fit,
            relevance: [found.score; 5],
            sources: found.retrieval_sources.clone(),
            duplicate_of: found.duplicate_of.map(|other| other as usize),
        }
    }

    /// What decides which candidate comes first at a stage. The score of section 6 does not: its `bm25_sim` is 1 for the best match by words however
    /// weak it is, so that on everyday words it is led by chance. It never falls where any of what speaks for the candidate rises.
    #[must_use]
    pub fn preference(&self, stage: Stage, penalties: u8) -> f64 {
        self.relevance[stage as usize]
            + METADATA_WEIGHT * self.evidence.metadata_match
            + STAGE_WEIGHT * self.stage_fit.at(stage)
            + QUALITY_WEIGHT * self.evidence.quality_prior
            + FRESHNESS_WEIGHT * self.evidence.freshness
            - PENALTY * f64::from(penalties)
    }
}

/// Takes into account what was found for the part of a task that asks for `stage`: the relevance to that stage is that to the whole task and that to the
/// part, by a weight of each. A prompt that was not found for the part is as relevant to it as the last that was.
pub fn take_part(candidates: &mut [Candidate], stage: Stage, part: &Pool) {
    let least = part.candidates.iter().map(|found| found.score).fold(f64::INFINITY, f64::min);
    let scores: HashMap<usize, f64> =
        part.candidates.iter().map(|found| (found.document as usize, found.score)).collect();
    for candidate in candidates {
        let own = scores.get(&candidate.record).copied().unwrap_or(if least.is_finite() { least } else { 0.0 });
        let relevance = &mut candidate.relevance[stage as usize];
        *relevance += PART_WEIGHT * (own - *relevance);
    }
}
