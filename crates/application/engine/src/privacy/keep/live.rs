//! Trajectories: their texts are redacted before they are scored, so that scores do not depend on when that is done, and are kept as far as they may.

use std::sync::Arc;

use super::super::pending::Pending;
use super::{Keeping, keyed};
use crate::store::{
    AgentCount, AppendReceipt, Appended, Appending, LiveStore, NewStep, ScoredStep, Scoring, StoreFailure, StoredScore,
    StoredStep, TrajectoryHead, TrajectoryPage,
};

/// Steps of a request that is under way. Whoever never asks what came of it ends it as well.
struct UnderWay {
    pending: Arc<Pending>,
    trajectory: String,
    steps: Vec<NewStep>,
    first: Option<u64>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.pending.end(&self.trajectory, std::mem::take(&mut self.steps), self.first);
    }
}

impl Keeping {
    fn redacted_step(&self, step: NewStep) -> NewStep {
        let text = |text: Option<String>| text.map(|text| self.lens.redacted(&text));
        NewStep {
            step: step.step,
            agent: step.agent.map(|agent| self.lens.name(&agent)),
            prompt: text(step.prompt),
            output: text(step.output),
            initial_intent: text(step.initial_intent),
            parent: step.parent.map(|parent| self.lens.name(&parent)),
        }
    }

    fn kept_step(&self, step: &NewStep) -> NewStep {
        let text = |text: &Option<String>| text.as_ref().map(|text| self.lens.text(text));
        NewStep {
            prompt: text(&step.prompt),
            output: text(&step.output),
            initial_intent: text(&step.initial_intent),
            ..step.clone()
        }
    }
}

impl LiveStore for Keeping {
    fn append_steps(&self, appending: Appending) -> AppendReceipt {
        let trajectory = self.lens.name(&appending.trajectory);
        let steps: Vec<NewStep> = appending.steps.into_iter().map(|step| self.redacted_step(step)).collect();
        // The key of spans is a hash of theirs.
        let key = appending.key.map(|(key, sha256)| (self.lens.digest(&key), keyed(&self.lens, &sha256)));
        let kept = steps.iter().map(|step| self.kept_step(step)).collect();
        let appending = Appending { trajectory: trajectory.clone(), steps: kept, key, ..appending };
        if self.lens.keeps_texts() {
            return self.inner.append_steps(appending);
        }
        if let Err(failure) = self.pending.begin(&trajectory, &steps) {
            return Box::new(move || Err(failure));
        }
        let mut under_way = UnderWay { pending: Arc::clone(&self.pending), trajectory, steps, first: None };
        let receipt = self.inner.append_steps(appending);
        Box::new(move || {
            let appended = receipt()?;
            if let Appended::Kept { first, .. } = &appended {
                under_way.first = Some(*first);
            }
            drop(under_way);
            Ok(appended)
        })
    }

    fn keep_scores(&self, scoring: Scoring) -> Result<bool, StoreFailure> {
        let (trajectory, end) = (self.lens.name(&scoring.trajectory), scoring.first + scoring.scores.len() as u64);
        let kept = |score: StoredScore| {
            Ok(StoredScore {
                scores: self.lens.json(&score.scores, false, false)?,
                goal: score.goal.map(|goal| self.lens.text(&goal)),
            })
        };
        let scores = scoring.scores.into_iter().map(kept).collect::<Result<_, StoreFailure>>()?;
        let is_kept = self.inner.keep_scores(Scoring { trajectory: trajectory.clone(), scores, ..scoring })?;
        if is_kept {
            self.pending.forget_before(&trajectory, end);
        }
        Ok(is_kept)
    }

    /// Scores that something else made stay where no texts are there to make others of.
    fn drop_scores(&self, trajectory: &str, scorer: &str) -> Result<bool, StoreFailure> {
        if self.lens.keeps_texts() { self.inner.drop_scores(&self.lens.name(trajectory), scorer) } else { Ok(false) }
    }

    fn trajectory(&self, id: &str) -> Result<Option<TrajectoryHead>, StoreFailure> {
        self.inner.trajectory(&self.lens.name(id))
    }

    fn trajectories(&self, page: &TrajectoryPage) -> Result<Vec<TrajectoryHead>, StoreFailure> {
        self.inner.trajectories(page)
    }

    fn steps(&self, trajectory: &str, from: u64, limit: usize, bytes: u64) -> Result<Vec<StoredStep>, StoreFailure> {
        self.inner.steps(&self.lens.name(trajectory), from, limit, bytes)
    }

    fn steps_to_score(
        &self,
        trajectory: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<Vec<StoredStep>, StoreFailure> {
        let trajectory = self.lens.name(trajectory);
        let steps = self.inner.steps(&trajectory, from, limit, bytes)?;
        Ok(if self.lens.keeps_texts() { steps } else { self.pending.with_texts(&trajectory, steps) })
    }

    fn scored_steps(
        &self,
        trajectory: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<Vec<ScoredStep>, StoreFailure> {
        self.inner.scored_steps(&self.lens.name(trajectory), from, limit, bytes)
    }

    fn goals(&self, trajectory: &str, numbers: &[u64]) -> Result<Vec<(u64, String)>, StoreFailure> {
        self.inner.goals(&self.lens.name(trajectory), numbers)
    }

    fn unscored_trajectory(&self, after: Option<&str>) -> Result<Option<String>, StoreFailure> {
        self.inner.unscored_trajectory(after)
    }

    fn unscored_steps(&self) -> Result<u64, StoreFailure> {
        self.inner.unscored_steps()
    }

    fn agent_counts(&self, since: &str, limit: usize) -> Result<Vec<AgentCount>, StoreFailure> {
        self.inner.agent_counts(since, limit)
    }

    fn delete_trajectory(&self, id: &str) -> Result<bool, StoreFailure> {
        let id = self.lens.name(id);
        let was_there = self.inner.delete_trajectory(&id)?;
        self.pending.forget(&id);
        Ok(was_there)
    }
}
