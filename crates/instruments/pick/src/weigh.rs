//! What a task's prompts are worth before any threshold is held against it, so that many operating points can be tried on one run.

use crate::candidate::Candidate;
use crate::operating_point::{Mode, OperatingPoint, select};
use crate::pick::{Selection, Vault, pick};
use crate::planner::Chain;
use crate::task::TaskSpec;

/// What the pipeline comes to for a task, whatever the thresholds.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The ambiguity of the task.
    pub ambiguity: f64,
    /// Whether something is missing without which nothing sensible can be done: then it is asked about under any thresholds.
    pub lacks_required: bool,
    /// The best single prompt, by its place among the candidates, and its score.
    pub single: Option<(usize, f64)>,
    /// The best chain.
    pub chain: Option<Chain>,
    /// The candidates, best first.
    pub candidates: Vec<Candidate>,
}

impl Weighed {
    /// Whether the task is asked about before any prompt is looked at.
    #[must_use]
    pub fn is_asked_about(&self, t_ambiguity: f64) -> bool {
        self.lacks_required || self.ambiguity >= t_ambiguity
    }

    /// What [`pick`] chooses at an operating point.
    #[must_use]
    pub fn mode(&self, point: &OperatingPoint) -> Mode {
        if self.is_asked_about(point.t_ambiguity) {
            return Mode::Clarify;
        }
        select(self.single.map(|(_, score)| score), self.chain.as_ref().map(|it| it.score), point)
    }

    /// The prompts that [`pick`] chooses in a mode, by their places among the candidates, in their order.
    #[must_use]
    pub fn chosen(&self, mode: Mode) -> Vec<usize> {
        match mode {
            Mode::Single => self.single.iter().map(|(candidate, _)| *candidate).collect(),
            Mode::Chain => self.chain.iter().flat_map(|it| &it.links).map(|link| link.candidate).collect(),
            Mode::Clarify => Vec::new(),
        }
    }

    /// The score that [`pick`] takes its confidence from in a mode.
    #[must_use]
    pub fn score(&self, mode: Mode) -> Option<f64> {
        let (single, chain) = (self.single.map(|(_, score)| score), self.chain.as_ref().map(|it| it.score));
        match mode {
            Mode::Single => single,
            Mode::Chain => chain,
            Mode::Clarify => single.into_iter().chain(chain).reduce(f64::max),
        }
    }
}

/// Goes through all of [`pick`] for a task, past every threshold.
pub fn weigh(spec: &TaskSpec, vault: Vault<'_>, retrieve: impl FnOnce(&TaskSpec) -> Vec<Candidate>) -> Weighed {
    // Nothing stops it, and the single prompt is what is chosen, so that it is told; the chain is told in any case.
    let open = OperatingPoint {
        t_ambiguity: f64::INFINITY,
        t_single: f64::NEG_INFINITY,
        delta: f64::INFINITY,
        ..OperatingPoint::seed()
    };
    let stripped = TaskSpec { missing: Vec::new(), ..spec.clone() };
    let Selection { mode, selected, single_score, chain, candidates, .. } = pick(&stripped, vault, &open, retrieve);
    let single = selected.first().filter(|_| mode == Mode::Single).map(|own| own.candidate).zip(single_score);
    Weighed {
        ambiguity: spec.ambiguity_score,
        lacks_required: spec.missing.iter().any(|it| it.required),
        single,
        chain,
        candidates,
    }
}
