//! One agent on one task, followed step by step: what is held does not grow with the number of steps.

use steadfast_embed::Embedder;
use steadfast_text::repeated_share;

use crate::alert::{ALERTS_MAX, Alarm, Alert};
use crate::bans::{Bans, Broken};
use crate::deeds::{Deeds, Stuck};
use crate::distance::{Stems, goal_distance};
use crate::divergence::{Aggregate, Output, Vectored, goal_shift};
use crate::model::{Step, StepScore};
use crate::onset::{Onset, Series};
use crate::replay::{Replay, Thresholds};

/// How steps are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// What of a long output is compared.
    pub aggregate: Aggregate,
    /// The thresholds of intent replay; `None` where none are known for the embedder.
    pub thresholds: Option<Thresholds>,
    /// From which score on an alert is raised; `None` for no such alerts.
    pub alert: Option<f64>,
}

/// Follows one trajectory.
#[derive(Clone, Debug)]
pub struct Tracker {
    settings: Settings,
    anchor: Option<Vectored>,
    replay: Option<Replay>,
    /// The bans of the initial intent.
    lasting: Option<Bans>,
    /// The last instruction and its bans.
    current: Option<(String, Option<Bans>)>,
    broken: Vec<(i64, Broken)>,
    deeds: Deeds,
    steps: u64,
    scored: u64,
    last_scored: Option<i64>,
    /// Sum, count and maximum of the scores behind the first step.
    sum: f64,
    count: u64,
    max: Option<f64>,
    /// Goal distances, by which a change for good is found.
    series: Series,
    /// The goal whose stems were counted last, and they.
    stems: (String, Stems),
    alarm: Option<Alarm>,
    alerts: Vec<Alert>,
}

/// What a whole trajectory came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The initial intent; `None` where no step had an instruction.
    pub initial_intent: Option<String>,
    /// Steps in all.
    pub steps: u64,
    /// Steps that have a score.
    pub scored: u64,
    /// The number of the last step that has a score.
    pub last_scored: Option<i64>,
    /// The mean of the scores of all steps but the first; `None` where there are none.
    pub mean_ids: Option<f64>,
    /// Their maximum.
    pub max_ids: Option<f64>,
    /// How far the goal moved from the initial intent to the last goal; `None` where no goal is known.
    pub goal_shift: Option<f64>,
    /// The first step of a sustained change to the worse.
    pub onset: Option<Onset>,
    /// Stretches of scores that persist above the alert's threshold.
    pub alerts: Vec<Alert>,
    /// Bans that an output breaks, with the step's number.
    pub broken: Vec<(i64, Broken)>,
    /// Deeds that lead nowhere.
    pub stuck: Vec<Stuck>,
}

impl Tracker {
    /// Before the first step. Without an initial intent the first instruction is it.
    #[must_use]
    pub fn new(initial_intent: Option<&str>, settings: Settings, embedder: &dyn Embedder) -> Self {
        let anchor = initial_intent.map(|intent| Vectored::new(intent, embedder));
        Self {
            settings,
            replay: anchor.clone().map(|anchor| Replay::new(anchor, settings.thresholds)),
            anchor,
            lasting: initial_intent.and_then(Bans::read),
            current: None,
            broken: Vec::new(),
            deeds: Deeds::default(),
            steps: 0,
            scored: 0,
            last_scored: None,
            sum: 0.0,
            count: 0,
            max: None,
            series: Series::default(),
            stems: Default::default(),
            alarm: settings.alert.map(Alarm::new),
            alerts: Vec::new(),
        }
    }

    /// Scores the next step.
    pub fn push(&mut self, step: &Step, embedder: &dyn Embedder) -> StepScore {
        let instruction = step.instruction.as_deref();
        if self.anchor.is_none() {
            let anchor = instruction.map(|text| Vectored::new(text, embedder));
            self.replay = anchor.clone().map(|anchor| Replay::new(anchor, self.settings.thresholds));
            self.anchor = anchor;
            self.lasting = instruction.and_then(Bans::read);
        }
        let first = self.steps == 0;
        self.steps += 1;
        if let Some(instruction) = instruction {
            self.deeds.instructed(instruction);
        }
        step.calls.iter().for_each(|call| self.deeds.push(step.number, call));
        let update_type = self.replay.as_mut().and_then(|replay| replay.take(instruction, embedder));
        let goal = self.replay.as_ref().map(Replay::goal);
        let mut score = StepScore {
            number: step.number,
            ids: None,
            goal_distance: None,
            anchor_ids: None,
            echo: None,
            goal: goal.map_or_else(String::new, |goal| goal.text.clone()),
            update_type,
            truncated: false,
            no_text: step.output.is_none(),
            broken: Vec::new(),
        };
        let (Some(text), Some(goal), Some(anchor)) = (step.output.as_deref(), goal, self.anchor.as_ref()) else {
            return score;
        };
        let output = Output::new(text, self.settings.aggregate, embedder);
        let ids = output.divergence(goal);
        score.truncated = output.truncated;
        score.ids = Some(ids);
        if self.stems.0 != goal.text || self.steps == 1 {
            self.stems = (goal.text.clone(), Stems::new(&goal.text));
        }
        let distance = goal_distance(text, goal, &self.stems.1, embedder);
        score.goal_distance = Some(distance);
        score.anchor_ids = Some(output.divergence(anchor));
        score.echo = instruction.map(|instruction| repeated_share(text, instruction));
        if !step.aside {
            self.count_in(step.number, ids, distance, first);
        }
        score.broken = self.broken_by(step.number, instruction, text);
        score
    }

    fn broken_by(&mut self, step: i64, instruction: Option<&str>, output: &str) -> Vec<Broken> {
        if let Some(instruction) = instruction
            && self.current.as_ref().is_none_or(|(current, _)| current != instruction)
        {
            // The bans of the initial intent last, so they are not read twice.
            let is_anchor = self.anchor.as_ref().is_some_and(|anchor| anchor.text == instruction);
            let bans = if is_anchor { None } else { Bans::read(instruction) };
            self.current = Some((instruction.to_owned(), bans));
        }
        let current = self.current.as_ref().filter(|_| instruction.is_some()).and_then(|(_, bans)| bans.as_ref());
        let broken: Vec<Broken> = self.lasting.iter().chain(current).flat_map(|bans| bans.broken(output)).collect();
        let room = ALERTS_MAX.saturating_sub(self.broken.len());
        self.broken.extend(broken.iter().take(room).map(|broken| (step, broken.clone())));
        broken
    }

    fn count_in(&mut self, step: i64, ids: f64, distance: f64, first: bool) {
        self.scored += 1;
        self.last_scored = Some(step);
        self.series.push(step, distance);
        if !first {
            self.sum += ids;
            self.count += 1;
            self.max = Some(self.max.map_or(ids, |max| max.max(ids)));
        }
        if let Some(closed) = self.alarm.as_mut().and_then(|alarm| alarm.push(step, ids))
            && self.alerts.len() < ALERTS_MAX
        {
            self.alerts.push(closed);
        }
    }

    /// The alert that stands open.
    #[must_use]
    pub fn open_alert(&self) -> Option<Alert> {
        self.alarm.as_ref().and_then(Alarm::open)
    }

    /// What the trajectory came to so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mean = |sum: f64, count: u64| sum / count as f64;
        Summary {
            initial_intent: self.anchor.as_ref().map(|anchor| anchor.text.clone()),
            steps: self.steps,
            scored: self.scored,
            last_scored: self.last_scored,
            mean_ids: (self.count > 0).then(|| mean(self.sum, self.count)),
            max_ids: self.max,
            goal_shift: self.anchor.as_ref().zip(self.replay.as_ref()).map(|(a, b)| goal_shift(a, b.goal())),
            onset: self.series.onset(),
            alerts: self.alerts.iter().copied().chain(self.open_alert()).collect(),
            broken: self.broken.clone(),
            stuck: self.deeds.found().to_vec(),
        }
    }
}
