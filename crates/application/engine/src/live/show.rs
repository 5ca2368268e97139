//! Looking at trajectories: lists, pages, events, the whole document.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use steadfast_wire::from_json;
use steadfast_wire::live::{
    self, KeptStep, LiveScores, LiveStep, SCHEMA_VERSION, StepScored, TrajectoryHead, TrajectoryList, TrajectoryPage,
};
use steadfast_wire::store_export::StoreLine;
use steadfast_wire::watch::{Step, Watch};

use super::{Live, lock};
use crate::EngineError;
use crate::error::of_json;
use crate::limits::{LIVE_DOCUMENT_BYTES_MAX, LIVE_PAGE_BYTES_MAX, PAGE_ROWS_MAX};
use crate::page::{by_moment, pages, searchable};
use crate::store::{self, LiveStore, NewStep, ScoredStep};

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

fn scores_of(step: &ScoredStep) -> Result<Option<LiveScores>, EngineError> {
    step.scores.as_deref().map(|scores| from_json(scores).map_err(of_json)).transpose()
}

/// Scores of steps, and the goals that they name by the place of the step at which each came into force.
type ScoresAndGoals = (Vec<(ScoredStep, Option<LiveScores>)>, BTreeMap<u64, String>);

fn scores(store: &dyn LiveStore, id: &str, from: u64, limit: usize, bytes: u64) -> Result<ScoresAndGoals, EngineError> {
    if limit == 0 {
        return Ok(Default::default());
    }
    let steps = store.scored_steps(id, from, limit, bytes)?;
    let scored: Vec<(ScoredStep, Option<LiveScores>)> =
        steps.into_iter().map(|step| scores_of(&step).map(|scores| (step, scores))).collect::<Result<_, _>>()?;
    let named: BTreeSet<u64> = scored.iter().filter_map(|(_, scores)| Some(scores.as_ref()?.goal_from)).collect();
    let goals = store.goals(id, &named.into_iter().collect::<Vec<_>>())?;
    Ok((scored, goals.into_iter().collect()))
}

/// All trajectories, those that changed last first, each with its steps behind it.
pub(crate) fn export_trajectories<E: From<EngineError>>(
    store: &dyn LiveStore,
    tell: &mut impl FnMut(StoreLine) -> Result<(), E>,
) -> Result<(), E> {
    let page = |after| {
        let heads = store.trajectories(&store::TrajectoryPage { after, limit: PAGE_ROWS_MAX, ..Default::default() })?;
        let next = heads.last().map(|head| (head.updated_at.clone(), head.id.clone()));
        Ok((heads, next))
    };
    pages(page, |head| {
        let id = head.id.clone();
        tell(StoreLine::Trajectory { trajectory: head })?;
        let page = |from: Option<u64>| {
            let from = from.unwrap_or_default();
            let steps = store.steps(&id, from, PAGE_ROWS_MAX, LIVE_PAGE_BYTES_MAX)?;
            let next = steps.last().map(|last| last.number + 1);
            let (scored, mut goals) = scores(store, &id, from, steps.len(), u64::MAX)?;
            let lines = steps.into_iter().zip(scored).map(|(own, (_, scores))| StoreLine::Step {
                goal: goals.remove(&own.number),
                step: posted(&id, own.given),
                id: own.id,
                number: own.number,
                scores,
            });
            Ok((lines.collect(), next))
        };
        pages(page, &mut *tell)
    })
}

/// A step as it was posted.
fn posted(trajectory: &str, given: NewStep) -> LiveStep {
    let NewStep { step, agent, prompt, output, initial_intent, parent } = given;
    LiveStep { task_id: Some(trajectory.to_owned()), step, prompt, output, agent, initial_intent, parent }
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
        Ok(TrajectoryList { schema_version: SCHEMA_VERSION.to_owned(), trajectories: heads, next_cursor })
    }

    /// One trajectory without its steps.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where it cannot be read.
    pub fn trajectory(&self, id: &str) -> Result<TrajectoryHead, EngineError> {
        self.store.trajectory(id)?.ok_or_else(|| EngineError::NoTrajectory { id: id.to_owned() })
    }

    /// Steps of a trajectory in the order in which they were taken: those from the place `cursor` on, at most `limit` of them and
    /// [`PAGE_ROWS_MAX`], fewer where their texts are long.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where they cannot be read.
    pub fn page(&self, id: &str, cursor: Option<u64>, limit: usize) -> Result<TrajectoryPage, EngineError> {
        let limit = limit.clamp(1, PAGE_ROWS_MAX);
        let head = self.trajectory(id)?;
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
            trajectory: head,
        })
    }

    /// Scores of steps from a place on, and the goals that they name.
    pub(super) fn scores(&self, id: &str, from: u64, limit: usize, bytes: u64) -> Result<ScoresAndGoals, EngineError> {
        scores(&*self.store, id, from, limit, bytes)
    }

    /// Steps that have scores, behind the one of the place `after`: what is told to whoever follows a trajectory. At most `limit` of them, fewer where
    /// much is to be told. Nothing is told twice, and nothing left out, whoever asks when.
    ///
    /// # Errors
    /// [`EngineError::NoTrajectory`], or [`EngineError::Store`] where they cannot be read.
    pub fn events(&self, id: &str, after: Option<u64>, limit: usize) -> Result<Vec<StepScored>, EngineError> {
        let head = self.trajectory(id)?;
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
        let end = self.trajectory(id)?.steps;
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
