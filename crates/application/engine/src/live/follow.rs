//! Scoring steps: trajectories that are held ready, and taking up those that are not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use steadfast_wire::live::LiveScores;
use steadfast_wire::to_json_line;
use steadfast_wire::watch::{GivenStep, StepRecord};

use super::{Live, Scorer, lock};
use crate::EngineError;
use crate::error::of_json;
use crate::limits::{LIVE_HELD_BYTES_MAX, LIVE_HELD_MAX};
use crate::pool::try_on_pool;
use crate::privacy::is_reduced;
use crate::store::{LiveSummary, Scoring, StoredScore, StoredStep, TrajectoryHead};
use crate::watch::{BATCH_STEPS, WatchRequest, Work};

/// The texts of steps that are scored at a time, in bytes.
const STRETCH_BYTES: u64 = 4 * 1024 * 1024;

/// Notes on steps that are out of order which a document holds: the first ones.
const PROBLEMS_MAX: usize = 1_000;

/// What one agent's trajectory holds besides texts, in bytes: vectors, and the scores by which an onset is found.
const AGENT_BYTES: usize = 64 * 1024;

/// How often a text of a step may be held at the same time: as the anchor, the goal, the last instruction, their bans and stems.
const TEXT_COPIES: usize = 6;

/// A summary is made anew once a trajectory has grown by this part: to find an onset takes as long as scoring many steps.
const GROWTH: u64 = 32;

/// One trajectory as far as scoring its next step needs it.
#[derive(Default)]
pub(super) struct Followed {
    /// `None` where it was not taken up, or an error left it unclear how far it came.
    pub(super) work: Option<Work>,
    /// What scored it.
    scorer: Option<Arc<Scorer>>,
    /// How many steps it has taken.
    pub(super) taken: u64,
    /// By agent, the goal in force, and the step at which it came into force.
    goals: HashMap<Option<String>, (u64, String)>,
    /// What it holds, in bytes, roughly.
    bytes: usize,
}

/// Trajectories that are held ready, those that were used last.
#[derive(Default)]
pub(super) struct Held {
    all: HashMap<String, Slot>,
    uses: u64,
}

struct Slot {
    followed: Arc<Mutex<Followed>>,
    used: u64,
    bytes: usize,
}

impl Held {
    fn get(&mut self, id: &str) -> Arc<Mutex<Followed>> {
        self.uses += 1;
        let used = self.uses;
        let slot = self.all.entry(id.to_owned()).or_insert_with(|| Slot {
            followed: Arc::default(),
            used,
            bytes: AGENT_BYTES,
        });
        slot.used = used;
        let followed = Arc::clone(&slot.followed);
        self.make_room();
        followed
    }

    /// How much one holds now.
    fn weigh(&mut self, id: &str, bytes: usize) {
        if let Some(slot) = self.all.get_mut(id) {
            slot.bytes = bytes;
        }
        self.make_room();
    }

    /// Puts away what was not used for longest and is not in use, until there is room.
    fn make_room(&mut self) {
        let mut bytes: usize = self.all.values().map(|slot| slot.bytes).sum();
        while self.all.len() > LIVE_HELD_MAX || bytes > LIVE_HELD_BYTES_MAX {
            let idle = self.all.iter().filter(|(_, slot)| Arc::strong_count(&slot.followed) == 1);
            let Some(oldest) = idle.min_by_key(|(_, slot)| slot.used).map(|(id, _)| id.clone()) else { return };
            bytes -= self.all.remove(&oldest).map_or(0, |slot| slot.bytes);
        }
    }

    pub(super) fn forget(&mut self, id: &str) {
        self.all.remove(id);
    }

    pub(super) fn forget_all(&mut self) {
        self.all.clear();
    }
}

impl Live {
    /// Sees to it that the steps of a trajectory before `end` have scores.
    pub(super) fn score_up_to(&self, id: &str, end: u64) -> Result<(), EngineError> {
        let scorer = self.scorer()?;
        let own_scores = |head: &TrajectoryHead| head.scored >= end && head.scorer.as_ref() == Some(&scorer.name);
        if self.store.trajectory(id)?.as_ref().is_some_and(own_scores) {
            return Ok(());
        }
        self.with(id, |followed| self.follow(&scorer, followed, id, end, usize::MAX)).map(drop)
    }

    /// Scores the next stretch of a trajectory that has steps without scores.
    pub(super) fn score_stretch(&self, id: &str) -> Result<(), EngineError> {
        let scorer = self.scorer()?;
        self.with(id, |followed| self.follow(&scorer, followed, id, u64::MAX, 1)).map(drop)
    }

    /// Does something with a trajectory that is held; one at a time does.
    pub(super) fn with<T>(
        &self,
        id: &str,
        work: impl FnOnce(&mut Followed) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let held = lock(&self.held).get(id);
        let mut followed = lock(&held);
        let end = work(&mut followed);
        let bytes = followed.bytes;
        drop(followed);
        drop(held);
        lock(&self.held).weigh(id, bytes);
        end
    }

    /// Follows a trajectory until it has taken the steps before `end`, or all that there are, or has kept the scores of so many stretches; those
    /// that have no scores get them.
    pub(super) fn follow(
        &self,
        scorer: &Arc<Scorer>,
        followed: &mut Followed,
        id: &str,
        end: u64,
        stretches_max: usize,
    ) -> Result<(), EngineError> {
        let mut stretches = 0;
        loop {
            let Some(mut head) = self.store.trajectory(id)? else {
                *followed = Followed::default();
                return Err(EngineError::NoTrajectory { id: id.to_owned() });
            };
            if head.scorer.as_ref().is_some_and(|own| *own != scorer.name)
                && self.store.drop_scores(id, &scorer.name)?
            {
                head.scored = 0;
            }
            let other = followed.scorer.as_ref().is_none_or(|own| !Arc::ptr_eq(own, scorer));
            // One that came further than the scores that are kept failed to keep its own.
            if followed.work.is_none() || other || followed.taken > head.scored {
                *followed = Followed::default();
            }
            if followed.taken >= end.min(head.steps) || stretches >= stretches_max {
                return Ok(());
            }
            let steps = self.store.steps_to_score(id, followed.taken, BATCH_STEPS, STRETCH_BYTES)?;
            if steps.is_empty() {
                return Ok(());
            }
            let first_new = head.scored;
            stretches += usize::from(followed.taken + steps.len() as u64 > first_new);
            let scoring = self.push(scorer, followed, &head, steps).inspect_err(|error| {
                if matches!(error, EngineError::Store { .. }) {
                    self.renew_vectors(scorer);
                }
            })?;
            if !scoring.scores.is_empty() {
                // Where somebody else was first, what is held is as far as the scores that are kept, or is made anew.
                if let Err(failure) = self.store.keep_scores(scoring) {
                    *followed = Followed::default();
                    return Err(failure.into());
                }
                (self.changed)(id);
            }
        }
    }

    /// Scores the next steps on the pool. What is left where it fails is begun anew.
    fn push(
        &self,
        scorer: &Arc<Scorer>,
        followed: &mut Followed,
        head: &TrajectoryHead,
        steps: Vec<StoredStep>,
    ) -> Result<Scoring, EngineError> {
        let mut own = std::mem::take(followed);
        let mut work = own.work.take().unwrap_or_else(|| {
            let request = WatchRequest {
                aggregate: self.settings.aggregate,
                alert: scorer.alerting.clone(),
                intents: HashMap::new(),
                keep_steps: false,
                keep_texts: false,
            };
            Work::new(Arc::clone(&scorer.cached), request)
        });
        let first_new = head.scored;
        let (own, scoring) = try_on_pool(move || {
            let task_id: Arc<str> = Arc::from(head.id.as_str());
            let given: Vec<(u64, GivenStep)> = steps.into_iter().map(|step| given(&task_id, step)).collect();
            let batch: Vec<GivenStep> = given.iter().map(|(_, step)| step.clone()).collect();
            work.prepare(&batch)?;
            drop(batch);
            let mut scores = Vec::new();
            for (number, step) in given {
                let prompt = step.prompt.clone();
                own.bytes += own.weight(&step);
                let record = work.push(super::LOG_NAME, step)?;
                own.taken = number + 1;
                let score = own.score(number, prompt.as_deref(), record)?;
                if number >= first_new {
                    scores.push(score);
                }
            }
            work.forget_problems_beyond(PROBLEMS_MAX);
            let first = own.taken - scores.len() as u64;
            let due = own.taken >= head.of_steps + (head.of_steps / GROWTH).max(1);
            let summary = (due && !scores.is_empty()).then(|| summary(&work, own.taken));
            own.work = Some(work);
            let scoring = Scoring { trajectory: head.id.clone(), first, scores, scorer: scorer.name.clone(), summary };
            Ok((own, scoring))
        })?;
        *followed = Followed { scorer: Some(Arc::clone(scorer)), ..own };
        Ok(scoring)
    }
}

impl Followed {
    /// How much more is held with a step, in bytes, at most and roughly: nothing more of an agent that has said as much before.
    fn weight(&self, step: &GivenStep) -> usize {
        let texts = [step.prompt.as_deref(), step.initial_intent.as_deref()];
        let longest = texts.iter().flatten().map(|text| text.len()).max().unwrap_or(0);
        match self.goals.get(&step.agent.as_deref().map(str::to_owned)) {
            Some((_, goal)) => longest.saturating_sub(goal.len()) * TEXT_COPIES,
            None => AGENT_BYTES + longest * TEXT_COPIES,
        }
    }

    /// Scores as they are kept.
    fn score(&mut self, number: u64, prompt: Option<&str>, record: StepRecord) -> Result<StoredScore, EngineError> {
        let StepRecord { task_id: _, agent, scores } = record;
        self.bytes += scores.broken.iter().map(|it| it.quote.len() + it.ban.len() + size_of_val(it)).sum::<usize>();
        let (goal_from, goal) = match self.goals.get(&agent) {
            Some((from, goal)) if *goal == scores.goal => (*from, None),
            _ => {
                self.goals.insert(agent, (number, scores.goal.clone()));
                (number, Some(scores.goal.clone()).filter(|goal| prompt != Some(goal)))
            }
        };
        let json = to_json_line(&LiveScores::of(scores, goal_from)).map_err(of_json)?;
        Ok(StoredScore { scores: json.trim_end().to_owned(), goal })
    }
}

/// A stored step as `watch` takes it; its line is that on which it would stand in a file of steps.
fn given(task_id: &Arc<str>, step: StoredStep) -> (u64, GivenStep) {
    let StoredStep { id: _, number, given } = step;
    // What is kept of a text that is not kept whole is no text to score.
    let whole = |text: &String| !is_reduced(text);
    let step = GivenStep {
        task_id: Arc::clone(task_id),
        agent: given.agent.map(Into::into),
        step: given.step,
        prompt: given.prompt.filter(whole).map(Into::into),
        output: given.output.filter(whole),
        initial_intent: given.initial_intent.filter(whole).map(Into::into),
        parent: given.parent.map(Into::into),
        line: usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1),
        ..GivenStep::default()
    };
    (number, step)
}

/// What a trajectory came to: the worst of its agents.
pub(super) fn summary(work: &Work, of_steps: u64) -> LiveSummary {
    let mut all = LiveSummary { of_steps, ..LiveSummary::default() };
    let greater = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    for head in work.heads() {
        all.mean_ids = greater(all.mean_ids, head.mean_ids);
        all.max_ids = greater(all.max_ids, head.max_ids);
        all.onset = all.onset.or(head.onset);
        all.alerts += head.alerts.len() as u64;
    }
    all
}
