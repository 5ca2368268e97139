//! What is wrong with a chain: section 5.5 of the prompt-orchestration document.

use crate::candidate::Candidate;
use crate::compatibility::{Compatibility, Likeness};
use crate::planner::{Chain, Orders, STAGE_FIT_MIN};
use crate::record::Records;
use crate::score::redundancy;
use crate::stage::Stage;
use crate::task::TaskSpec;

/// Prompts whose texts repeat each other by this much or more say the same. Uncalibrated.
const REDUNDANCY_MAX: f64 = 0.8;

/// What one prompt gives is to be this share of what the next needs, where both say so. Uncalibrated.
const HANDOVER_MIN: f64 = 0.1;

/// Below this margin another prompt would have done as well. Uncalibrated.
const MARGIN_MIN: f64 = 0.01;

/// One thing that is wrong with a chain.
#[derive(Clone, Debug, PartialEq)]
pub enum Critique {
    /// A stage that the task needs is passed over though a prompt serves it.
    MissingStage {
        /// The stage.
        stage: Stage,
    },
    /// A prompt gives nothing of what the next one needs.
    Incoherent {
        /// The prompt, by its place among the candidates.
        first: usize,
        /// The next one.
        next: usize,
    },
    /// Two prompts say the same.
    Redundant {
        /// The better one.
        kept: usize,
        /// The other.
        dropped: usize,
    },
    /// Others would have done as well: no fault of the chain that another plan could mend.
    LowMargin {
        /// The mean margin.
        margin: f64,
    },
}

impl Critique {
    /// Whether the plan is made again because of it.
    #[must_use]
    pub const fn fails(&self) -> bool {
        !matches!(self, Self::LowMargin { .. })
    }

    /// What is wrong, in words.
    #[must_use]
    pub fn message(&self, id: &dyn Fn(usize) -> String) -> String {
        match self {
            Self::MissingStage { stage } => {
                format!("the stage {} is passed over, and a prompt serves it", stage.name())
            }
            Self::Incoherent { first, next } => {
                format!("{} gives nothing of what {} needs", id(*first), id(*next))
            }
            Self::Redundant { kept, dropped } => format!("{} says what {} says", id(*dropped), id(*kept)),
            Self::LowMargin { margin } => format!("other prompts would have done as well: the margin is {margin:.3}"),
        }
    }

    /// What the next plan has to do about it.
    pub fn order(&self, orders: &mut Orders) {
        match self {
            Self::MissingStage { stage } => orders.required.push(*stage),
            Self::Incoherent { first, next } => orders.apart.push((*first, *next)),
            Self::Redundant { dropped, .. } => orders.banned.push(*dropped),
            Self::LowMargin { .. } => {}
        }
    }
}

/// What is wrong with a chain, in a fixed order.
pub fn criticise(
    chain: &Chain,
    spec: &TaskSpec,
    records: &dyn Records,
    candidates: &[Candidate],
    likeness: &dyn Likeness,
    compatibility: &mut Compatibility,
) -> Vec<Critique> {
    let mut out = Vec::new();
    for stage in &spec.stages {
        let served = chain.links.iter().any(|link| link.stage == *stage);
        let used = |candidate: usize| chain.links.iter().any(|link| link.candidate == candidate);
        let mut free = candidates.iter().enumerate().filter(|(at, _)| !used(*at));
        if !served && free.any(|(_, own)| own.stage_fit.at(*stage) >= STAGE_FIT_MIN.max(0.5)) {
            out.push(Critique::MissingStage { stage: *stage });
        }
    }
    for (at, link) in chain.links.iter().enumerate() {
        for (later, other) in chain.links.iter().enumerate().skip(at + 1) {
            let (a, b) = (candidates[link.candidate].record, candidates[other.candidate].record);
            let pair = compatibility.pair(records, likeness, a, b);
            let duplicate = candidates[link.candidate].duplicate_of == Some(b)
                || candidates[other.candidate].duplicate_of == Some(a);
            if duplicate || redundancy(pair.likeness) >= REDUNDANCY_MAX {
                let first_is_better = link.score >= other.score;
                let (kept, dropped) = if first_is_better { (link, other) } else { (other, link) };
                out.push(Critique::Redundant { kept: kept.candidate, dropped: dropped.candidate });
            } else if later == at + 1 && pair.handover < HANDOVER_MIN && other.lacks_input {
                out.push(Critique::Incoherent { first: link.candidate, next: other.candidate });
            }
        }
    }
    if chain.parts.confidence_margin < MARGIN_MIN {
        out.push(Critique::LowMargin { margin: chain.parts.confidence_margin });
    }
    out
}
