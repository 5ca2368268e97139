//! Reading samples from a store: whoever wrote them there, they are looked at.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_wire::alerts::AlertNotice;
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::from_json;
use steadfast_wire::live::LiveScores;
use steadfast_wire::review::Review;

use super::{Metric, Rule, Sample, Streams};
use crate::EngineError;
use crate::limits::ALERT_TRAJECTORIES_MAX;
use crate::runs::of_json;
use crate::store::{Keep, Run, RunPage, TrajectoryPage, micros, rfc3339, uuid_v7, uuid_v7_ms};
use crate::summary::seen;

/// Runs, trajectories and steps that are read at a time.
const ROWS: usize = 256;

/// Scores that are read at a time, in bytes.
const SCORES_BYTES: u64 = 4 * 1024 * 1024;

/// How far back runs are looked for, in microseconds: one that took long is stored behind others that began after it.
const RUNS_BACK_US: u64 = 10 * 60 * 1_000_000;

/// Rules over a store, from the moment on at which they were made: what was there before is not looked at.
pub struct Alerts {
    streams: Streams,
    /// Runs that were looked at, or were there before, as far back as runs are looked for.
    runs: BTreeSet<String>,
    /// Steps that were kept before this moment were looked at, or are none of ours: in milliseconds since 1970.
    since_ms: u64,
    /// Trajectories that changed at this moment or later are looked at: RFC 3339 in UTC.
    changed: String,
    /// How many steps of a trajectory were looked at.
    looked_at: BTreeMap<String, u64>,
    /// Trajectories that had steps without scores when they were looked at.
    behind: BTreeSet<String>,
}

impl Alerts {
    /// Nothing was looked at yet.
    ///
    /// # Errors
    /// [`EngineError::Store`] where the store cannot be read.
    pub fn new(store: &dyn Keep, rules: Vec<Rule>) -> Result<Self, EngineError> {
        let changed = store.stamp()?.at;
        let now_us = micros(&changed).unwrap_or_default();
        let mut own = Self {
            streams: Streams::new(rules),
            runs: runs_since(store, now_us.saturating_sub(RUNS_BACK_US))?.into_iter().collect(),
            since_ms: now_us / 1_000,
            changed,
            looked_at: BTreeMap::new(),
            behind: BTreeSet::new(),
        };
        // What an earlier server left without scores gets them now, and is looked at.
        let page = TrajectoryPage { limit: ALERT_TRAJECTORIES_MAX, ..TrajectoryPage::default() };
        for head in store.trajectories(&page)?.into_iter().filter(|head| head.scored < head.steps) {
            own.looked_at.insert(head.id.clone(), head.scored);
            own.behind.insert(head.id);
        }
        Ok(own)
    }

    /// Looks at all that is new, and tells what changed by it.
    ///
    /// # Errors
    /// [`EngineError::Store`] where the store cannot be read: what was not looked at is looked at the next time.
    pub fn look(&mut self, store: &dyn Keep) -> Result<Vec<AlertNotice>, EngineError> {
        let mut notices = Vec::new();
        self.look_at_runs(store, &mut notices)?;
        self.look_at_steps(store, &mut notices)?;
        Ok(notices)
    }

    fn look_at_runs(&mut self, store: &dyn Keep, notices: &mut Vec<AlertNotice>) -> Result<(), EngineError> {
        let back_us = micros(&store.stamp()?.at).unwrap_or_default().saturating_sub(RUNS_BACK_US);
        for id in runs_since(store, back_us)? {
            if self.runs.contains(&id) {
                continue;
            }
            for sample in store.run(&id)?.iter().flat_map(samples) {
                notices.extend(self.streams.push(&sample));
            }
            self.runs.insert(id);
        }
        self.runs = self.runs.split_off(&uuid_v7(back_us, 0));
        Ok(())
    }

    fn look_at_steps(&mut self, store: &dyn Keep, notices: &mut Vec<AlertNotice>) -> Result<(), EngineError> {
        let now = store.stamp()?.at;
        let mut wanted = std::mem::take(&mut self.behind);
        let mut page = TrajectoryPage { limit: ROWS, ..TrajectoryPage::default() };
        loop {
            let heads = store.trajectories(&page)?;
            let Some(last) = heads.last() else { break };
            page.after = Some((last.updated_at.clone(), last.id.clone()));
            let is_old = last.updated_at < self.changed;
            wanted.extend(heads.into_iter().filter(|head| head.updated_at >= self.changed).map(|head| head.id));
            if is_old {
                break;
            }
        }
        for id in wanted {
            self.look_at_trajectory(store, &id, notices)?;
        }
        self.changed = now;
        if self.looked_at.len() > ALERT_TRAJECTORIES_MAX {
            // Of those that are forgotten only what comes from now on is looked at.
            self.looked_at.retain(|id, _| self.behind.contains(id));
            self.since_ms = micros(&self.changed).unwrap_or_default() / 1_000;
        }
        Ok(())
    }

    fn look_at_trajectory(
        &mut self,
        store: &dyn Keep,
        id: &str,
        notices: &mut Vec<AlertNotice>,
    ) -> Result<(), EngineError> {
        let Some(head) = store.trajectory(id)? else { return Ok(()) };
        let known = self.looked_at.get(id).copied();
        let mut next = known.unwrap_or(0);
        while next < head.scored {
            let steps = store.scored_steps(id, next, ROWS, SCORES_BYTES)?;
            let Some(last) = steps.last() else { break };
            next = last.number + 1;
            for step in steps {
                let at_ms = uuid_v7_ms(&step.id);
                let Some(scores) = step.scores.filter(|_| known.is_some() || at_ms >= self.since_ms) else { continue };
                let scores: LiveScores = from_json(&scores).map_err(of_json)?;
                let values = [
                    (Metric::Ids, scores.ids),
                    (Metric::AnchorIds, scores.anchor_ids),
                    (Metric::BrokenBans, Some(scores.broken.len() as f64)),
                ];
                for (metric, value) in values {
                    let (agent, at_us, subject) = (step.agent.clone(), at_ms.saturating_mul(1_000), id.to_owned());
                    let sample = value.map(|value| Sample { metric, agent, at_us, value, subject });
                    notices.extend(sample.into_iter().flat_map(|sample| self.streams.push(&sample)));
                }
            }
        }
        self.looked_at.insert(id.to_owned(), next);
        if next < head.steps {
            self.behind.insert(id.to_owned());
        }
        Ok(())
    }
}

/// The ids of runs that began since a moment, in their order.
fn runs_since(store: &dyn Keep, since_us: u64) -> Result<Vec<String>, EngineError> {
    let mut page = RunPage { since: Some(rfc3339(since_us)), limit: ROWS, ..RunPage::default() };
    let mut ids = Vec::new();
    loop {
        let heads = store.runs(&page)?;
        let Some(last) = heads.last() else { return Ok(ids) };
        page.after = Some(last.id.clone());
        ids.extend(heads.into_iter().map(|head| head.id));
    }
}

/// What is measured of a stored run; nothing of one that this version does not read.
fn samples(run: &Run) -> Vec<Sample> {
    let sample = |metric, agent, value| Sample {
        metric,
        agent,
        at_us: micros(&run.head.created_at).unwrap_or_default(),
        value,
        subject: run.head.id.clone(),
    };
    let broken = seen(&run.head.verb, &run.result).unwrap_or_default();
    let mut all: Vec<Sample> =
        broken.into_iter().map(|own| sample(Metric::BrokenObligations, own.agent, own.checks.len() as f64)).collect();
    match run.head.verb.as_str() {
        "audit" => {
            let own = from_json::<DriftEvaluation>(&run.result).ok();
            all.extend(own.map(|own| sample(Metric::Fidelity, None, own.overall_fidelity_score)));
        }
        "review" => {
            let score = from_json::<Review>(&run.result).ok().and_then(|own| own.score);
            all.extend(score.map(|score| sample(Metric::ReviewScore, None, score)));
        }
        _ => {}
    }
    all
}
