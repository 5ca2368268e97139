//! Reading samples from a store: whoever wrote them there, and whether a server ran then or not, they are looked at, once.

use steadfast_wire::alerts::{AlertNotice, AlertState};
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::live::LiveScores;
use steadfast_wire::review::Review;
use steadfast_wire::{from_json, to_json_line};

use super::{Metric, Rule, Sample, Streams};
use crate::EngineError;
use crate::error::of_json;
use crate::limits::{ALERT_BACK_HOURS_MAX, ALERT_LOOK_ROWS_MAX, ALERT_NOTICES_MAX};
use crate::store::{
    AlertDelivery, AlertStore, DeliveryState, Keep, Looked, NoticePage, Run, StoredNotice, StoredStream, StreamPage,
    micros, rfc3339, uuid_v7_ms,
};
use crate::summary::seen;

/// Rows that are read at a time.
const ROWS: usize = 256;

/// Scores that are read at a time, in bytes.
const SCORES_BYTES: u64 = 4 * 1024 * 1024;

/// An hour, in microseconds.
const HOUR_US: u64 = 60 * 60 * 1_000_000;

/// A notice that is to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// Its UUIDv7 in the store.
    pub id: String,
    /// What is told.
    pub notice: AlertNotice,
    /// Whom, by the names of webhooks and commands.
    pub to: Vec<String>,
}

/// What was stored and is too old to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Runs.
    pub runs: u64,
    /// Steps of trajectories.
    pub steps: u64,
}

/// What a look came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// What is to be told: it is kept until it was.
    pub tellings: Vec<Telling>,
    /// What is too old.
    pub left_out: LeftOut,
}

/// How rules begin to look.
pub struct Begun {
    /// They look; `None` where there are none.
    pub alerts: Option<Alerts>,
    /// When rules last found something new, before this server; `None` where they never looked.
    pub looked_at: Option<String>,
    /// What ended with its rule: it is kept until it was told.
    pub ended: Vec<Telling>,
}

/// Rules over a store. The first ones of a store look at what is stored from then on; later ones go on where those before them ended.
pub struct Alerts {
    streams: Streams,
    /// What came about before this moment is not looked at, in microseconds since 1970.
    since_us: u64,
}

impl Alerts {
    /// Takes up how rules stood. What stood under a rule that is gone, or says something else now, is forgotten; where it fired, it is told once
    /// that this is over, to whom it was told that it fires.
    ///
    /// # Errors
    /// [`EngineError::Store`] where the store cannot be read or written.
    pub fn begin(store: &dyn Keep, rules: Vec<Rule>) -> Result<Begun, EngineError> {
        let (now, looked_at, has_rules) = (store.stamp()?.at, store.alerts_looked()?, !rules.is_empty());
        if has_rules {
            store.begin_alerts(&now)?;
        } else if looked_at.is_none() {
            return Ok(Begun { alerts: None, looked_at, ended: Vec::new() });
        }
        let back_us = micros(&now).unwrap_or_default().saturating_sub(ALERT_BACK_HOURS_MAX * HOUR_US);
        let mut streams = Streams::new(rules);
        let mut looked = Looked { at: now, notices_max: ALERT_NOTICES_MAX, ..Looked::default() };
        let mut ended = Vec::new();
        let mut page = StreamPage { limit: ROWS, ..StreamPage::default() };
        loop {
            let found = store.alert_streams(&page)?;
            let Some(last) = found.last() else { break };
            page.after = Some(last.number);
            for stored in found.into_iter().filter(|stored| !streams.take_up(stored)) {
                if stored.firing {
                    ended.extend(end_of(store, &stored, &mut looked)?);
                }
                looked.dropped.push((stored.rule, stored.agent));
            }
        }
        if !looked.dropped.is_empty() {
            looked.at = looked_at.clone().unwrap_or(looked.at);
            store.keep_looked(looked)?;
        }
        if !has_rules {
            store.end_alerts()?;
        }
        let since_us = if looked_at.is_some() { back_us } else { 0 };
        Ok(Begun { alerts: has_rules.then_some(Self { streams, since_us }), looked_at, ended })
    }

    /// Looks at what is new, at most [`ALERT_LOOK_ROWS_MAX`] runs and as many trajectories at a time, and tells what changed by it. What was looked
    /// at, how rules stand and what is to be told is on the disk when this returns.
    ///
    /// # Errors
    /// [`EngineError::Store`] where the store cannot be read or written: what was not looked at is looked at the next time.
    pub fn look(&mut self, store: &dyn Keep) -> Result<Look, EngineError> {
        let looked = self.look_at_all(store);
        match looked {
            Ok(_) => self.streams.kept(),
            Err(_) => self.streams.undo(),
        }
        looked
    }

    fn look_at_all(&mut self, store: &dyn Keep) -> Result<Look, EngineError> {
        let (mut look, mut notices) = (Look::default(), Vec::new());
        let at = store.stamp()?.at;
        let mut looked = Looked { notices_max: ALERT_NOTICES_MAX, at, ..Looked::default() };
        for id in store.unlooked_runs(ALERT_LOOK_ROWS_MAX)? {
            let run = store.run(&id)?;
            look.left_out.runs += u64::from(run.as_ref().is_some_and(|run| moment(run) < self.since_us));
            for sample in run.iter().filter(|run| moment(run) >= self.since_us).flat_map(samples) {
                notices.extend(self.streams.push(&sample));
            }
            looked.runs.push(id);
        }
        for (id, next) in store.unlooked_trajectories(ALERT_LOOK_ROWS_MAX)? {
            let next = self.look_at_trajectory(store, &id, next, &mut look.left_out, &mut notices)?;
            looked.trajectories.push((id, next));
        }
        if looked.runs.is_empty() && looked.trajectories.is_empty() {
            return Ok(look);
        }
        for notice in notices {
            let to = self.streams.rule(&notice.rule).map(|rule| rule.to.clone()).unwrap_or_default();
            look.tellings.push(tell(store, notice, to, &mut looked)?);
        }
        looked.dropped = self.streams.make_room(micros(&looked.at).unwrap_or_default());
        looked.streams = self.streams.changed();
        store.keep_looked(looked)?;
        Ok(look)
    }

    /// Looks at the steps of a trajectory from one on, as far as they have scores; gives the first one that was not looked at.
    fn look_at_trajectory(
        &mut self,
        store: &dyn Keep,
        id: &str,
        first: u64,
        left_out: &mut LeftOut,
        notices: &mut Vec<AlertNotice>,
    ) -> Result<u64, EngineError> {
        let Some(head) = store.trajectory(id)? else { return Ok(first) };
        let mut next = first;
        while next < head.scored {
            let steps = store.scored_steps(id, next, ROWS, SCORES_BYTES)?;
            let Some(last) = steps.last() else { break };
            next = last.number + 1;
            for step in steps {
                let at_us = uuid_v7_ms(&step.id).saturating_mul(1_000);
                let Some(scores) = step.scores else { continue };
                if at_us < self.since_us {
                    left_out.steps += 1;
                    continue;
                }
                let scores: LiveScores = from_json(&scores).map_err(of_json)?;
                let is_changed = head.onset.is_some_and(|onset| scores.step >= onset);
                let values = [
                    (Metric::Ids, scores.ids),
                    (Metric::AnchorIds, scores.anchor_ids),
                    (Metric::BrokenBans, Some(scores.broken.len() as f64)),
                    (Metric::Onset, Some(f64::from(u8::from(is_changed)))),
                ];
                for (metric, value) in values {
                    let (agent, subject) = (named(step.agent.clone()), id.to_owned());
                    let sample = value.map(|value| Sample { metric, agent, at_us, value, subject });
                    notices.extend(sample.into_iter().flat_map(|sample| self.streams.push(&sample)));
                }
            }
        }
        // What has no scores that can be read is not waited for.
        Ok(next.max(head.scored))
    }
}

/// What waits to be told, the oldest first: an earlier server ended before it was.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn untold(store: &dyn AlertStore) -> Result<Vec<Telling>, EngineError> {
    let mut page = NoticePage { waiting: true, limit: ROWS, ..NoticePage::default() };
    let mut all = Vec::new();
    loop {
        let found = store.alert_notices(&page)?;
        let Some(last) = found.last() else { return Ok(all) };
        page.after = Some(last.id.clone());
        for own in found {
            let to = own.deliveries.into_iter().filter(|to| to.state == DeliveryState::Waiting);
            let to = to.map(|to| to.to).collect();
            all.push(Telling { id: own.id, notice: from_json(&own.notice).map_err(of_json)?, to });
        }
    }
}

/// A notice as it is kept and told.
fn tell(
    store: &dyn AlertStore,
    notice: AlertNotice,
    to: Vec<String>,
    looked: &mut Looked,
) -> Result<Telling, EngineError> {
    let stamp = store.stamp()?;
    let waiting = |target: &String| AlertDelivery {
        to: target.clone(),
        state: DeliveryState::Waiting,
        attempts: 0,
        at: stamp.at.clone(),
        error: None,
    };
    looked.notices.push(StoredNotice {
        id: stamp.id.clone(),
        rule: notice.rule.clone(),
        agent: notice.agent.clone(),
        created_at: stamp.at.clone(),
        notice: to_json_line(&notice).map_err(of_json)?.trim_end().to_owned(),
        deliveries: to.iter().map(waiting).collect(),
    });
    Ok(Telling { id: stamp.id, notice, to })
}

/// That what fired under a rule is over, since the rule is gone or another. No value is counted for that.
fn end_of(store: &dyn AlertStore, stored: &StoredStream, looked: &mut Looked) -> Result<Option<Telling>, EngineError> {
    let agent = Some(stored.agent.clone().unwrap_or_default());
    let page = NoticePage { rule: Some(stored.rule.clone()), agent, limit: 1, ..NoticePage::default() };
    let Some(last) = store.alert_notices(&page)?.pop() else { return Ok(None) };
    let fired: AlertNotice = from_json(&last.notice).map_err(of_json)?;
    let notice = AlertNotice {
        state: AlertState::Resolved,
        value: stored.value,
        counted: 0,
        of: 0,
        subject: stored.subject.clone(),
        at: rfc3339(stored.at_us),
        ..fired
    };
    let to = last.deliveries.into_iter().map(|to| to.to).collect();
    tell(store, notice, to, looked).map(Some)
}

/// No agent has an empty name.
fn named(agent: Option<String>) -> Option<String> {
    agent.filter(|agent| !agent.is_empty())
}

/// When a run began, in microseconds since 1970.
fn moment(run: &Run) -> u64 {
    micros(&run.head.created_at).unwrap_or_default()
}

/// What is measured of a stored run; nothing of one that this version does not read.
fn samples(run: &Run) -> Vec<Sample> {
    let sample = |metric, agent, value| Sample {
        metric,
        agent: named(agent),
        at_us: moment(run),
        value,
        subject: run.head.id.clone(),
    };
    let agent = || run.head.agent.clone();
    let broken = seen(run).unwrap_or_default();
    let mut all: Vec<Sample> =
        broken.into_iter().map(|own| sample(Metric::BrokenObligations, own.agent, own.checks.len() as f64)).collect();
    match run.head.verb.as_str() {
        "audit" => {
            if let Ok(own) = from_json::<DriftEvaluation>(&run.result) {
                all.push(sample(Metric::Fidelity, agent(), own.overall_fidelity_score));
                all.push(sample(Metric::AuditRisk, agent(), f64::from(own.overall_drift_risk as u8)));
            }
        }
        "review" => {
            let own = from_json::<Review>(&run.result).ok();
            if let Some((score, own)) = own.and_then(|own| Some((own.score?, own))) {
                all.push(sample(Metric::ReviewScore, agent(), score));
                all.push(sample(Metric::ReviewRecommendation, agent(), f64::from(own.recommendation as u8)));
            }
        }
        _ => {}
    }
    all
}
