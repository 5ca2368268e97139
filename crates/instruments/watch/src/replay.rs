//! Intent replay: which goal is in force at each step, read from the instructions alone.
//!
//! At the first step the goal is the initial intent, and that step's instruction is not compared with it. Then
//! `sim = cos(goal, instruction)`: above the upper threshold the instruction refines the goal, which is kept; below the lower
//! one it is a major shift, between them a high drift risk, and in both cases the instruction becomes the goal.

use steadfast_embed::{Embedder, cosine};

use crate::divergence::{Vectored, is_empty};
use crate::model::UpdateType;

/// From which similarity on an instruction stays with the goal. They belong to one embedder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Above it the instruction is a refinement.
    pub refinement: f64,
    /// Below it the instruction is a major shift.
    pub major_shift: f64,
}

impl Thresholds {
    /// Those of the published reference, for all-MiniLM-L6-v2.
    pub const MINILM: Self = Self { refinement: 0.8, major_shift: 0.6 };

    /// Those fitted for the lexical embedder on the decisions that MiniLM makes: pairs of instructions and outputs, on the half that
    /// was kept aside the same type in .91 (kappa .78). `docs/watch.md` says on what.
    pub const LEXICAL: Self = Self { refinement: 0.58, major_shift: 0.38 };

    /// Those of an embedder by its name, where they are known.
    #[must_use]
    pub fn of(embedder: &str) -> Option<Self> {
        match embedder {
            "minilm" => Some(Self::MINILM),
            "lexical" => Some(Self::LEXICAL),
            _ => None,
        }
    }

    fn update(self, similarity: f64) -> UpdateType {
        if similarity > self.refinement {
            UpdateType::Refinement
        } else if similarity < self.major_shift {
            UpdateType::MajorShift
        } else {
            UpdateType::HighDriftRisk
        }
    }
}

/// The goal in force, step by step.
#[derive(Clone, Debug)]
pub struct Replay {
    thresholds: Option<Thresholds>,
    goal: Vectored,
    begun: bool,
}

impl Replay {
    /// Before the first step, with the initial intent as the goal. Where no thresholds are known for the embedder, every
    /// instruction becomes the goal, and no update has a type.
    #[must_use]
    pub const fn new(initial: Vectored, thresholds: Option<Thresholds>) -> Self {
        Self { thresholds, goal: initial, begun: false }
    }

    /// The goal in force.
    #[must_use]
    pub const fn goal(&self) -> &Vectored {
        &self.goal
    }

    /// Takes the instruction of the next step. `None` where there is none (or white space alone) and it is not the first
    /// step: the goal stays.
    pub fn take(&mut self, instruction: Option<&str>, embedder: &dyn Embedder) -> Option<UpdateType> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(UpdateType::Initial);
        }
        let instruction = instruction.filter(|text| !is_empty(text))?;
        let Some(thresholds) = self.thresholds else {
            if instruction != self.goal.text {
                self.goal = Vectored::new(instruction, embedder);
            }
            return None;
        };
        if instruction == self.goal.text {
            return Some(UpdateType::Refinement);
        }
        let instruction = Vectored::new(instruction, embedder);
        let similarity = if is_empty(&self.goal.text) {
            0.0
        } else {
            cosine(&self.goal.embedding.vector, &instruction.embedding.vector)
        };
        let update = thresholds.update(similarity);
        if update != UpdateType::Refinement {
            self.goal = instruction;
        }
        Some(update)
    }
}

/// The goal at one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// The goal in force.
    pub goal: String,
    /// What the step's instruction did to it.
    pub update_type: UpdateType,
}

/// The goal at each step of a task, from its initial intent and the instructions of its steps.
#[must_use]
pub fn intent_replay(
    initial_intent: &str,
    instructions: &[&str],
    thresholds: Thresholds,
    embedder: &dyn Embedder,
) -> Vec<Inferred> {
    let mut replay = Replay::new(Vectored::new(initial_intent, embedder), Some(thresholds));
    instructions
        .iter()
        .map(|instruction| {
            // An empty instruction leaves the goal as it is.
            let update_type = replay.take(Some(instruction), embedder).unwrap_or(UpdateType::Refinement);
            Inferred { goal: replay.goal().text.clone(), update_type }
        })
        .collect()
}
