//! A selection with what a chat model chose of its candidates in the place of what rules chose.

use crate::candidate::Candidate;
use crate::compatibility::{Compatibility, Likeness};
use crate::exchange::{Choice, Chosen, RANKED_MAX};
use crate::machine::{Event, State};
use crate::operating_point::Mode;
use crate::pick::{CLARIFY_CANDIDATES, NOTHING_FITS, Selected, Selection};
use crate::planner::Planner;
use crate::record::Records;
use crate::stage::Stage;
use crate::task::TaskSpec;

/// How like prompts are decides nothing here: which of them are taken, the model said.
struct Unlike;

impl Likeness for Unlike {
    fn cosine(&self, _: usize, _: usize) -> f64 {
        0.0
    }
}

impl Selection {
    /// Whether it asks because the task lacks something. No choice of prompts answers that.
    #[must_use]
    pub fn asks_of_task(&self) -> bool {
        self.log.iter().any(|own| own.state == State::RiskCheck && own.event == Event::Clarify)
    }

    /// The candidates that a model ranks, by their places: the preferred ones and all that rules chose, in the order of the candidates.
    #[must_use]
    pub fn to_rank(&self) -> Vec<usize> {
        let chosen: Vec<usize> = self.selected.iter().map(|own| own.candidate).collect();
        let others = (0..self.candidates.len()).filter(|own| !chosen.contains(own));
        let mut all: Vec<usize> = others.take(RANKED_MAX.saturating_sub(chosen.len())).chain(chosen.clone()).collect();
        all.sort_unstable();
        all
    }

    /// The stages that want a prompt each: those of the chain, where rules chose one or found none of their prompts good enough.
    #[must_use]
    pub fn stages_to_serve(&self) -> Vec<Stage> {
        let chain = self.chain.as_ref().filter(|_| self.mode != Mode::Single);
        chain.map_or_else(Vec::new, |chain| chain.links.iter().map(|link| link.stage).collect())
    }

    /// The same with what a model chose of `ranked`, which are places of candidates. Scores and states stay those of rules.
    #[must_use]
    pub fn ranked(&self, spec: &TaskSpec, records: &dyn Records, ranked: &[usize], choice: &Choice) -> Self {
        let chosen = match choice {
            Choice::Prompts(chosen) => chosen.as_slice(),
            Choice::Nothing(_) => &[],
        };
        let chosen: Vec<(usize, &Chosen)> =
            chosen.iter().filter_map(|own| Some((*ranked.get(own.shown)?, own))).collect();
        if chosen.is_empty() {
            let missing = spec.missing.iter().map(|own| own.question.as_str());
            return Self {
                mode: Mode::Clarify,
                selected: Vec::new(),
                fallback: (Mode::Single, (0..self.candidates.len().min(CLARIFY_CANDIDATES)).collect()),
                questions: std::iter::once(NOTHING_FITS).chain(missing).map(str::to_owned).collect(),
                ..self.clone()
            };
        }
        let (used, others) = chosen.split_at(if self.stages_to_serve().is_empty() { 1 } else { chosen.len() });
        let selected = placed(spec, records, &self.candidates, used);
        let ids = |of: &[Selected]| of.iter().map(|own| own.candidate).collect::<Vec<_>>();
        let (own, before) = (ids(&selected), ids(&self.selected));
        let fallback = if !others.is_empty() {
            (Mode::Single, others.iter().map(|(candidate, _)| *candidate).collect())
        } else if before.is_empty() || before == own {
            let left = self.fallback.1.iter().copied().filter(|it| self.fallback.0 == Mode::Chain || !own.contains(it));
            (self.fallback.0, left.collect())
        } else {
            (self.mode, before)
        };
        let mode = if selected.len() > 1 { Mode::Chain } else { Mode::Single };
        Self { mode, selected, fallback, questions: Vec::new(), ..self.clone() }
    }
}

/// Prompts in this order, each at the stage that the model named; else at the one of those which no other serves that it is preferred for most.
fn placed(
    spec: &TaskSpec,
    records: &dyn Records,
    candidates: &[Candidate],
    chosen: &[(usize, &Chosen)],
) -> Vec<Selected> {
    let mut compatibility = Compatibility::default();
    let mut planner = Planner::new(spec, records, candidates, &Unlike, &mut compatibility);
    let mut open: Vec<Stage> = spec.stages.clone();
    open.retain(|stage| chosen.iter().all(|(_, own)| own.stage != Some(*stage)));
    let mut placed: Vec<Selected> = Vec::with_capacity(chosen.len());
    for (candidate, own) in chosen {
        let stages = match own.stage {
            Some(stage) => vec![stage],
            None if open.is_empty() => spec.stages.clone(),
            None => open.clone(),
        };
        let before: Vec<usize> = placed.iter().map(|own| own.candidate).collect();
        let Some((link, handover)) = planner.placed(*candidate, &stages, &before) else { continue };
        open.retain(|stage| *stage != link.stage);
        placed.push(Selected {
            candidate: link.candidate,
            stage: link.stage,
            score: link.score,
            lacks_input: link.lacks_input,
            handover,
            reason: own.why.clone(),
        });
    }
    placed
}
