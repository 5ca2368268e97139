//! The scores of section 6 of the prompt-orchestration document.

use crate::candidate::Evidence;

/// What a prompt loses that needs something which neither the task nor an earlier prompt gives, or that says what a better one says.
pub const PENALTY: f64 = 0.10;

/// The score of one prompt: .35 `dense_sim` + .25 `bm25_sim` + .15 `metadata_match` + .10 `stage_fit` + .10 `quality_prior` +
/// .05 `freshness` − [`PENALTY`] for each that it has, at least 0.
#[must_use]
pub fn prompt_score(evidence: &Evidence, stage_fit: f64, penalties: u8) -> f64 {
    let for_it = 0.35 * evidence.dense_sim
        + 0.25 * evidence.bm25_sim
        + 0.15 * evidence.metadata_match
        + 0.10 * stage_fit
        + 0.10 * evidence.quality_prior
        + 0.05 * evidence.freshness;
    (for_it - PENALTY * f64::from(penalties)).max(0.0)
}

/// What speaks for a chain, each in 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChainParts {
    /// The mean score of its prompts.
    pub avg_prompt_score: f64,
    /// The share of the stages that the task needs which it serves.
    pub workflow_coverage: f64,
    /// Mean over neighbours of half "in the order of stages", half likeness of what one gives to what the next needs.
    pub transition_coherence: f64,
    /// 1 − mean over pairs of max(0, cosine − .5) / .5.
    pub non_redundancy: f64,
    /// Mean over prompts of (score − best other for its stage) / score, 0 where another is better.
    pub confidence_margin: f64,
}

impl ChainParts {
    /// .45 `avg_prompt_score` + .25 `workflow_coverage` + .15 `transition_coherence` + .10 `non_redundancy` +
    /// .05 `confidence_margin`.
    #[must_use]
    pub fn score(&self) -> f64 {
        0.45 * self.avg_prompt_score
            + 0.25 * self.workflow_coverage
            + 0.15 * self.transition_coherence
            + 0.10 * self.non_redundancy
            + 0.05 * self.confidence_margin
    }
}

/// How much two prompts of a chain repeat each other, by the cosine of their texts: max(0, cosine − .5) / .5.
#[must_use]
pub fn redundancy(cosine: f64) -> f64 {
    ((cosine - 0.5) / 0.5).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_of_the_document() {
        let all = Evidence { dense_sim: 1.0, bm25_sim: 1.0, metadata_match: 1.0, quality_prior: 1.0, freshness: 1.0 };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(prompt_score(&all, 1.0, 0), 1.0);
        close(prompt_score(&all, 1.0, 2), 0.8);
        close(prompt_score(&Evidence::default(), 0.0, 2), 0.0);
        // The second prompt of the document's example, with what it does not show left at 0.
        let shown = Evidence { dense_sim: 0.83, bm25_sim: 0.72, metadata_match: 0.78, ..Evidence::default() };
        close(prompt_score(&shown, 0.92, 0), 0.35 * 0.83 + 0.25 * 0.72 + 0.15 * 0.78 + 0.092);
        let parts = ChainParts {
            avg_prompt_score: 1.0,
            workflow_coverage: 1.0,
            transition_coherence: 1.0,
            non_redundancy: 1.0,
            confidence_margin: 1.0,
        };
        close(parts.score(), 1.0);
        close(ChainParts { workflow_coverage: 0.0, ..parts }.score(), 0.75);
        close(redundancy(0.4), 0.0);
        close(redundancy(0.75), 0.5);
        close(redundancy(1.0), 1.0);
    }
}
