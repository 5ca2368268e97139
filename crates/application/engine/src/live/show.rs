//! Looking at trajectories: lists, pages, events, the whole document.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use steadfast_wire::from_json;
use steadfast_wire::live::{
    self, KeptStep, LiveScores, SCHEMA_VERSION, StepScored, TrajectoryHead, TrajectoryList, TrajectoryPage,
};
use steadfast_wire::watch::{Step, Watch};

use super::{Live, lock};
use crate::EngineError;
use crate::error::of_json;
use crate::limits::{LIVE_DOCUMENT_BYTES_MAX, LIVE_PAGE_BYTES_MAX, PAGE_ROWS_MAX};
use crate::page::{by_moment, searchable};
use crate::store::{self, ScoredStep};

/// What the file of steps is called that a trajectory stands for.
pub const LOG_NAME: &str = "steps.jsonl";

/// Steps that are read at a time for the whole document.
const READ_STEPS: usize = 1_000;

/// Which trajectories are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrajectoryFilter {
    /// Only those that have alerts.
    pub alerting: bool,
    /// Only those of which the name, the beginning of the intent or the first agent holds this, in any case.
    pub search: Option<String>,
}

fn published(head: store::TrajectoryHead) -> TrajectoryHead {
    let store::TrajectoryHead {
        id,
        created_at,
        updated_at,
        intent,
        agent,
        agents,
        steps,
        scored,
        scorer,
        summary: store::LiveSummary { of_steps, mean_ids, max_ids, onset, alerts },
    } = head;
    TrajectoryHead {
        id,
        created_at,
        updated_at,
        intent,
        agent,
        agents,
        steps,
        scored,
        of_steps,
        mean_ids,
        max_ids,
        onset,
        alerts,
        scorer,
    }
}

fn scores_of(step: &ScoredStep) -> Result<Option<LiveScores>, EngineError> {
    step.scores.as_deref().map(|scores| from_json(scores).map_err(of_json)).transpose()
}

impl Live {
    /// Trajectories, those that changed last first: at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on. One that changes
    /// meanwhile is at the front again.
    ///
    /// # Errors
    /// [`EngineError::Search`], [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
    pub fn list(
        &self,
        filter: TrajectoryFilter,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<TrajectoryList, EngineError> {
        let limit = limit.min(PAGE_ROWS_MAX);
        let TrajectoryFilter { alerting, search } = filter;
        searchable(search.as_deref())?;
        let page = store::TrajectoryPage { alerting, search, after: by_moment(cursor)?, limit: limit + 1 };
        let mut heads = self.store.trajectories(&page)?;
        let more = heads.len() > limit;
        heads.truncate(limit);
        let next_cursor = heads.last().filter(|_| more).map(|head| format!("{} {}", head.updated_at, head.id));
        let trajectories = heads.into_iter().map(published).collect();
        Ok(TrajectoryList { schema_version: SCHEMA_VERSION.to_owned(), trajectories, next_cursor })
    }

    fn head(&self, id: &str) -> Result<store::TrajectoryHead, EngineError> {
        self.store.trajectory(id)?.ok_or_else(|| EngineError::NoTrajectory { id: id.to_owned() })
    }

    /// One trajectory without its steps.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where it cannot be read.
    pub fn trajectory(&self, id: &str) -> Result<TrajectoryHead, EngineError> {
        Ok(published(self.head(id)?))
    }

    /// Steps of a trajectory in the order in which they were taken: those from the place `cursor` on, at most `limit` of them and
    /// [`PAGE_ROWS_MAX`], fewer where their texts are long.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where they cannot be read.
    pub fn page(&self, id: &str, cursor: Option<u64>, limit: usize) -> Result<TrajectoryPage, EngineError> {
        let limit = limit.clamp(1, PAGE_ROWS_MAX);
        let head = self.head(id)?;
        let from = cursor.unwrap_or(0);
        let steps = self.store.steps(id, from, limit, LIVE_PAGE_BYTES_MAX)?;
        let (scored, goals) = self.scores(id, from, steps.len(), u64::MAX)?;
        let mut scores: HashMap<u64, LiveScores> =
            scored.into_iter().filter_map(|(step, scores)| Some((step.number, scores?))).collect();
        let next = steps.last().map_or(from, |last| last.number + 1);
        let steps = steps.into_iter().map(|step| KeptStep {
            scores: scores.remove(&step.number),
            id: step.id,
            number: step.number,
            agent: step.given.agent,
            parent: step.given.parent,
            prompt: step.given.prompt,
            output: step.given.output,
        });
        Ok(TrajectoryPage {
            schema_version: SCHEMA_VERSION.to_owned(),
            steps: steps.collect(),
            goals,
            next_cursor: Some(next).filter(|next| *next < head.steps),
            trajectory: published(head),
        })
    }

    /// Scores of steps from a place on, and the goals that they name.
    #[expect(clippy::type_complexity, reason = "two lists that are taken apart at once")]
    pub(super) fn scores(
        &self,
        id: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<(Vec<(ScoredStep, Option<LiveScores>)>, BTreeMap<u64, String>), EngineError> {
        if limit == 0 {
            return Ok(Default::default());
        }
        let steps = self.store.scored_steps(id, from, limit, bytes)?;
        let scored: Vec<(ScoredStep, Option<LiveScores>)> =
            steps.into_iter().map(|step| scores_of(&step).map(|scores| (step, scores))).collect::<Result<_, _>>()?;
        let named: BTreeSet<u64> = scored.iter().filter_map(|(_, scores)| Some(scores.as_ref()?.goal_from)).collect();
        let goals = self.store.goals(id, &named.into_iter().collect::<Vec<_>>())?;
        Ok((scored, goals.into_iter().collect()))
    }

    /// Steps that have scores, behind the one of the place `after`: what is told to whoever follows a trajectory. At most `limit` of them, fewer where
    /// much is to be told. Nothing is told twice, and nothing left out, whoever asks when.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where they cannot be read.
    pub fn events(&self, id: &str, after: Option<u64>, limit: usize) -> Result<Vec<StepScored>, EngineError> {
        let head = self.head(id)?;
        let from = after.map_or(0, |after| after.saturating_add(1));
        let limit = limit.min(PAGE_ROWS_MAX).min(usize::try_from(head.scored.saturating_sub(from)).unwrap_or(0));
        let (scored, mut goals) = self.scores(id, from, limit, LIVE_PAGE_BYTES_MAX)?;
        // They are scored in their order: behind one that has none, none has.
        let scored = scored.into_iter().map_while(|(step, scores)| Some((step, scores?)));
        let event = |(step, scores): (ScoredStep, LiveScores)| live::StepScored {
            trajectory_id: id.to_owned(),
            id: step.id,
            number: step.number,
            agent: step.agent,
            goal: goals.remove(&step.number),
            scores,
        };
        Ok(scored.map(event).collect())
    }

    /// What `watch` gives for the steps of a trajectory, in the order in which they were taken: the whole of it. Steps that have no scores yet get
    /// them first.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], [`EngineError::NotEvaluable`] where no step has text, [`EngineError::StepsTooLarge`] where the document
    /// would be larger than [`LIVE_DOCUMENT_BYTES_MAX`], those of the embedder, or [`EngineError::Store`].
    pub fn watch(&self, id: &str) -> Result<Watch, EngineError> {
        let end = self.head(id)?.steps;
        let scorer = self.scorer()?;
        self.with(id, |followed| {
            self.follow(&scorer, followed, id, end, usize::MAX)?;
            let (Some(work), end) = (&followed.work, followed.taken) else {
                return Err(EngineError::NoTrajectory { id: id.to_owned() });
            };
            let places: HashMap<Option<String>, usize> =
                work.agents().enumerate().map(|(place, agent)| (agent.map(str::to_owned), place)).collect();
            let mut steps: Vec<Vec<Step>> = vec![Vec::new(); places.len()];
            let (mut next, mut bytes) = (0, 0);
            let mut goals: BTreeMap<u64, String> = BTreeMap::new();
            while next < end {
                let (scored, named) = self.scores(id, next, READ_STEPS, LIVE_PAGE_BYTES_MAX)?;
                goals.extend(named);
                let Some((last, _)) = scored.last() else { break };
                next = last.number + 1;
                for (step, scores) in scored.into_iter().filter(|(step, _)| step.number < end) {
                    let place = places.get(&step.agent).and_then(|place| steps.get_mut(*place));
                    let (Some(scores), Some(own)) = (scores, place) else {
                        return Err(EngineError::Internal { what: format!("step {} has no scores", step.number) });
                    };
                    let goal = goals.get(&scores.goal_from).cloned().unwrap_or_default();
                    bytes += (step.scores.map_or(0, |scores| scores.len()) + goal.len()) as u64;
                    if bytes > LIVE_DOCUMENT_BYTES_MAX {
                        let what = format!("all of `{id}` is more than {} MiB", LIVE_DOCUMENT_BYTES_MAX / (1 << 20));
                        return Err(EngineError::StepsTooLarge { what });
                    }
                    own.push(scores.with_goal(goal));
                }
            }
            work.document(LOG_NAME, steps)
        })
    }

    /// Deletes a trajectory with its steps: their bytes are overwritten.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where it cannot be deleted.
    pub fn delete(&self, id: &str) -> Result<(), EngineError> {
        let was_there = self.store.delete_trajectory(id)?;
        lock(&self.held).forget(id);
        (self.changed)(id);
        if was_there { Ok(()) } else { Err(EngineError::NoTrajectory { id: id.to_owned() }) }
    }
}
