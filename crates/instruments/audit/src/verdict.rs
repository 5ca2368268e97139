//! Scores, risk, counts and lists: functions of the incidents and of what the ask and the report make assessable.
//!
//! Source: the proposal for a drift measurement task, sections 3 and 4 (weights, thresholds, disqualifying conditions), and
//! the rules of `docs/audit.md` where it is silent.

#[cfg(test)]
mod tests;

use steadfast_evidence::{Severity, Status, Strength};

use crate::ask::Contract;
use crate::assessed::Assessed;
use crate::incident::{DriftType, Incident};
use crate::status::Judged;

steadfast_evidence::vocabulary! {
    /// The ten dimensions of fidelity, in the order of the seed's `DimensionScores`.
    Dimension {
        /// Neither more nor less than was asked.
        Scope = "scope_fidelity", "Scope fidelity";
        /// Limits, bans and requirements are kept.
        Constraint = "constraint_fidelity", "Constraint fidelity";
        /// Claims are as strong as the ask makes them.
        ClaimStrength = "claim_strength_fidelity", "Claim strength";
        /// Facts stated as given were given.
        EvidenceGrounding = "evidence_grounding_fidelity", "Evidence grounding";
        /// Customers, buyers, places and names are those of the ask.
        Entity = "entity_fidelity", "Entity fidelity";
        /// The mechanism asked for is the mechanism planned.
        Causal = "causal_fidelity", "Causal fidelity";
        /// What was uncertain is still uncertain.
        Epistemic = "epistemic_fidelity", "Epistemic fidelity";
        /// What is said to come from the ask does.
        SourceTrace = "source_trace_fidelity", "Source trace";
        /// What mattered most still does.
        StructuralPriority = "structural_priority_fidelity", "Structural priority";
        /// The register of the ask is kept.
        LanguagePosture = "language_posture_fidelity", "Language posture";
    }
}

impl Dimension {
    /// Its share of the overall score; the ten add up to 1.
    #[must_use]
    pub const fn weight(self) -> f64 {
        match self {
            Self::Constraint => 0.20,
            Self::Scope | Self::EvidenceGrounding => 0.15,
            Self::Causal | Self::Entity | Self::Epistemic => 0.10,
            Self::StructuralPriority => 0.08,
            Self::ClaimStrength => 0.05,
            Self::SourceTrace => 0.04,
            Self::LanguagePosture => 0.03,
        }
    }
}

/// How much one incident of a severity weighs against its dimension, in points of load.
const LOAD: [f64; 5] = [0.0, 0.5, 1.5, 3.0, 5.0];

/// The load that halves a dimension's distance to zero in a report of [`WORDS_REFERENCE`] words to a prompt of
/// [`OBLIGATIONS_REFERENCE`] obligations. Uncalibrated.
const LOAD_HALF: f64 = 3.0;

/// The length from which on a longer report is allowed more, in words: each doubling by a twelfth.
const WORDS_REFERENCE: f64 = 1_000.0;
/// Doublings of the length that allow as much again.
const WORDS_DOUBLINGS: f64 = 12.0;

/// The number of obligations from which on a report is allowed more: each doubling by as much again, since it had twice as much
/// to keep.
const OBLIGATIONS_REFERENCE: f64 = 30.0;

/// Best score of a dimension.
const SCORE_MAX: f64 = 5.0;

/// The dimensions that an incident counts against.
#[must_use]
pub fn dimensions(incident: &Incident) -> Vec<Dimension> {
    let mut dimensions = match incident.drift_type {
        DriftType::A => vec![Dimension::Scope],
        DriftType::B | DriftType::I => vec![Dimension::Constraint],
        DriftType::C if incident.concerns_name => vec![Dimension::EvidenceGrounding, Dimension::Entity],
        DriftType::C => vec![Dimension::EvidenceGrounding],
        DriftType::D if incident.hedge_lost => vec![Dimension::ClaimStrength, Dimension::Epistemic],
        DriftType::D => vec![Dimension::ClaimStrength],
        DriftType::E | DriftType::F => vec![Dimension::Entity],
        DriftType::G => vec![Dimension::Causal],
        DriftType::H => vec![Dimension::StructuralPriority],
        DriftType::J => vec![Dimension::LanguagePosture],
    };
    if incident.finding.source.is_none() {
        dimensions.push(Dimension::SourceTrace);
    }
    dimensions
}

/// What makes the dimensions assessable: only the ask and the report, never what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessable {
    /// Dimensions that can be judged for this ask and report.
    pub dimensions: Vec<Dimension>,
    /// Length of what was judged, in words.
    pub words: usize,
    /// How many obligations the prompt states.
    pub obligations: usize,
}

/// A score for each dimension and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// 0 to 5 for each of [`Dimension::ALL`]; unassessed ones hold the weighted mean of the others.
    pub dimensions: [u8; 10],
    /// Those that could not be judged.
    pub unassessed: Vec<Dimension>,
    /// The weighted sum, 0 to 5, rounded to two decimals.
    pub overall: f64,
}

steadfast_evidence::vocabulary! {
    /// Overall risk, by the seed's rule.
    Risk {
        /// Score of at least 3.5.
        Low = "low", "low";
        /// Score below 3.5.
        Medium = "medium", "medium";
        /// Score below 2.5.
        High = "high", "high";
        /// Any incident of severity 4.
        Critical = "critical", "critical";
    }
}

/// One dimension's score from the loads of its incidents: `5 · 2^(−load / (3 · damping))`, rounded to the nearest integer, where
/// `damping = 1 + log2(words / 1000) / 12 + log2(obligations / 30)`, neither logarithm below nought: what is long has more room
/// for slips, and who was asked more had more to keep. Each incident adds `LOAD[severity] · confidence`, so one more never
/// raises it.
fn dimension_score(load: f64, assessable: &Assessable) -> u8 {
    let words = (assessable.words as f64 / WORDS_REFERENCE).max(1.0);
    let obligations = (assessable.obligations as f64 / OBLIGATIONS_REFERENCE).max(1.0);
    let damping = 1.0 + words.log2() / WORDS_DOUBLINGS + obligations.log2();
    let score = SCORE_MAX * (-load / (LOAD_HALF * damping)).exp2();
    // Within 0 and 5 by construction.
    score.round() as u8
}

/// Scores from incidents.
#[must_use]
pub fn score(incidents: &[Incident], assessable: &Assessable) -> Scores {
    let mut loads = [0.0_f64; 10];
    for incident in incidents {
        let load = LOAD[usize::from(incident.finding.severity.level())] * incident.finding.confidence.value();
        for dimension in dimensions(incident) {
            loads[dimension as usize] += load;
        }
    }
    let mut scores = [0_u8; 10];
    let mut unassessed = Vec::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    for dimension in Dimension::ALL.iter().copied() {
        let index = dimension as usize;
        if assessable.dimensions.contains(&dimension) {
            scores[index] = dimension_score(loads[index], assessable);
            sum += f64::from(scores[index]) * dimension.weight();
            weights += dimension.weight();
        } else {
            unassessed.push(dimension);
        }
    }
    let mean = if weights > 0.0 { sum / weights } else { 0.0 };
    for dimension in &unassessed {
        scores[*dimension as usize] = mean.round() as u8;
    }
    let overall: f64 =
        Dimension::ALL.iter().map(|dimension| f64::from(scores[*dimension as usize]) * dimension.weight()).sum();
    Scores { dimensions: scores, unassessed, overall: (overall * 100.0).round() / 100.0 }
}

/// The seed's rule: critical with any incident of severity 4, else by the overall score.
#[must_use]
pub fn risk(incidents: &[Incident], overall: f64) -> Risk {
    if incidents.iter().any(|incident| incident.finding.severity == Severity::Critical) {
        Risk::Critical
    } else if overall < 2.5 {
        Risk::High
    } else if overall < 3.5 {
        Risk::Medium
    } else {
        Risk::Low
    }
}

/// Share of the obligations that must be kept from which on a report that breaks none can be called usable, unless another is asked for.
pub const USABLE_SHARE: f64 = 0.6;

steadfast_evidence::vocabulary! {
    /// Why an answer is usable as it is, or not.
    #[schemars(rename = "UsableBecause")]
    Usable {
        /// Enough was judged, and nothing stands against it.
        Yes = "ok", "enough was assessed, and nothing stands against it";
        /// It is disqualified, its risk is high, or something that must be kept is broken, weakened or missing.
        Broken = "broken", "something is broken or missing";
        /// Nothing stands against it, and too little of what must be kept was judged to say that it is usable.
        TooLittleAssessed = "too_little_assessed", "too little was assessed";
    }
}

impl Usable {
    /// Whether it can be used as it is.
    #[must_use]
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }

    /// The verdict in words: "not usable as it is: too little was assessed".
    #[must_use]
    pub fn verdict(self) -> String {
        match self {
            Self::Yes => "usable as it is".to_owned(),
            because => format!("not usable as it is: {}", because.label()),
        }
    }
}

/// Whether a report can be used as it is: nothing disqualifies it, its risk is low or medium, nothing that must be is broken, weakened or
/// missing, and at least `share` of what must be was judged; of all obligations where none must be.
#[must_use]
pub fn usable(disqualified: bool, risk: Risk, contract: &Contract, obligations: &[Judged], share: f64) -> Usable {
    let fails = |judged: &Judged| {
        let must = contract.obligations.get(judged.item).is_some_and(|item| item.strength == Strength::Must);
        let failed = matches!(judged.status, Status::Broken | Status::Weakened) || judged.is_missing();
        must && failed
    };
    if disqualified || risk > Risk::Medium || obligations.iter().any(fails) {
        return Usable::Broken;
    }
    let assessed = Assessed::of(contract, obligations);
    let (n, of) = if assessed.must_of > 0 { (assessed.must_n, assessed.must_of) } else { (assessed.n, assessed.of) };
    if n as f64 >= share * of as f64 { Usable::Yes } else { Usable::TooLittleAssessed }
}
