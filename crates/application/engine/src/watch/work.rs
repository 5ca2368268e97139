//! Trajectories that are followed, and what came of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use steadfast_embed::Embedder;
use steadfast_evidence::RULES_VERSION;
use steadfast_watch::distance::counted_sentences;
use steadfast_watch::divergence::{is_empty, pieces};
use steadfast_watch::texts::Texts;
use steadfast_watch::{Settings, Summary, Thresholds, Tracker};
use steadfast_wire::watch::{Duplicate, GivenStep, Problem, Step, StepRecord, Trajectory, Watch};

use super::chat::TextsByTrajectory;
use super::{TRAJECTORIES_MAX, WatchRequest, publish};
use crate::EngineError;
use crate::cache::Cached;

/// What a piece of work on the pool takes along.
pub(crate) struct Work {
    request: WatchRequest,
    settings: Settings,
    embedder: Arc<Cached>,
    index: HashMap<Key, usize>,
    open: Vec<Open>,
    problems: Vec<Problem>,
    /// Bytes of what steps said that are kept.
    texts_bytes: usize,
}

/// Task and agent.
type Key = (Arc<str>, Option<Arc<str>>);

/// One trajectory.
struct Open {
    task_id: String,
    agent: Option<String>,
    parent: Option<String>,
    tracker: Tracker,
    /// Over instructions and outputs.
    digest: Sha256,
    last: Option<i64>,
    steps: Vec<Step>,
    any_text: bool,
    /// What its steps said, where that is kept.
    texts: Texts,
}

impl Work {
    /// Nothing was followed yet.
    pub(crate) fn new(embedder: Arc<Cached>, request: WatchRequest) -> Self {
        let settings = Settings {
            aggregate: publish::own_aggregate(request.aggregate),
            thresholds: Thresholds::of(embedder.name()),
            alert: request.alert.threshold,
        };
        Self {
            request,
            settings,
            embedder,
            index: HashMap::new(),
            open: Vec::new(),
            problems: Vec::new(),
            texts_bytes: 0,
        }
    }

    /// Notes what could not be read.
    pub(crate) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Leaves of the problems the first ones alone.
    pub(crate) fn forget_problems_beyond(&mut self, most: usize) {
        self.problems.truncate(most);
    }

    /// Waits until what was embedded is in the store.
    pub(crate) fn settle(&self) -> Result<(), EngineError> {
        Ok(self.embedder.settle()?)
    }

    /// Tasks that an initial intent was given for and of which no step came, in the order of their names.
    pub(crate) fn intents_unused(&self) -> Vec<&str> {
        let used: HashSet<&str> = self.open.iter().map(|open| open.task_id.as_str()).collect();
        let mut unused: Vec<&str> = self.request.intents.keys().map(String::as_str).collect();
        unused.retain(|task| !used.contains(task));
        unused.sort_unstable();
        unused
    }

    /// Embeds at once what the steps will need.
    pub(crate) fn prepare(&self, batch: &[GivenStep]) -> Result<(), EngineError> {
        let mut texts: Vec<&str> = Vec::new();
        for step in batch {
            texts.extend(step.prompt.as_deref());
            texts.extend(step.initial_intent.as_deref());
            texts.extend(self.request.intents.get(&*step.task_id).map(String::as_str));
            if let Some(output) = step.output.as_deref().filter(|output| !is_empty(output)) {
                let (ranges, _) = pieces(output, self.settings.aggregate, &*self.embedder);
                texts.extend(ranges.into_iter().map(|range| &output[range]));
                texts.push(output);
                texts.extend(counted_sentences(output).into_iter().map(|range| &output[range]));
            }
        }
        Ok(self.embedder.prepare(&texts)?)
    }

    /// Scores a step.
    pub(crate) fn push(&mut self, file: &str, given: GivenStep) -> Result<StepRecord, EngineError> {
        let GivenStep { task_id, agent, step, prompt, output, initial_intent, parent, calls, aside, line } = given;
        let key = (task_id, agent);
        let at = match self.index.get(&key) {
            Some(at) => *at,
            None => {
                if self.open.len() >= TRAJECTORIES_MAX {
                    return Err(EngineError::TooManyTrajectories { file: file.to_owned(), limit: TRAJECTORIES_MAX });
                }
                let intent = self.request.intents.get(&*key.0).map(String::as_str).or(initial_intent.as_deref());
                self.open.push(Open::new(&key, parent.as_deref(), intent, self.settings, &self.embedder));
                self.index.insert(key, self.open.len() - 1);
                self.open.len() - 1
            }
        };
        let open = &mut self.open[at];
        let number = step.unwrap_or_else(|| open.last.map_or(0, |last| last.saturating_add(1)));
        if let Some(last) = open.last.filter(|last| number <= *last) {
            let message = format!(
                "step {number} of `{}` comes after its step {last}: steps are scored in the order of the lines",
                open.task_id
            );
            self.problems.push(Problem { file: file.to_owned(), line: line as u64, column: 1, message });
        }
        open.last = Some(number);
        digest(&mut open.digest, prompt.as_deref());
        digest(&mut open.digest, output.as_deref());
        open.any_text |= output.is_some();
        let instruction = prompt.as_deref().map(str::to_owned);
        let own = steadfast_watch::Step { number, instruction, output, calls, aside };
        let score = open.tracker.push(&own, &*self.embedder);
        if self.request.keep_texts {
            open.texts.push(&own, &score, &mut self.texts_bytes);
        }
        let scores = publish::step(score);
        if self.request.keep_steps {
            open.steps.push(scores.clone());
        }
        Ok(StepRecord { task_id: open.task_id.clone(), agent: open.agent.clone(), scores })
    }

    /// What steps said, as far as it was kept.
    pub(super) fn take_texts(&mut self) -> TextsByTrajectory {
        let own = self.open.iter_mut();
        own.map(|open| ((open.task_id.clone(), open.agent.clone()), std::mem::take(&mut open.texts))).collect()
    }

    /// What came of it, with the steps that were kept.
    pub(crate) fn finish(mut self, input: &str) -> Result<Watch, EngineError> {
        let steps = self.open.iter_mut().map(|open| std::mem::take(&mut open.steps)).collect();
        self.document(input, steps)
    }

    /// What came of it so far; `steps` are those of the trajectories, in the order in which these began.
    pub(crate) fn document(&self, input: &str, steps: Vec<Vec<Step>>) -> Result<Watch, EngineError> {
        if self.open.is_empty() {
            let what = match self.problems.first() {
                Some(first) => format!("no line holds a step; line {}: {}", first.line, first.message),
                None => "holds no step".to_owned(),
            };
            return Err(EngineError::not_evaluable(input, &what));
        }
        if !self.open.iter().any(|open| open.any_text) {
            return Err(EngineError::not_evaluable(input, NO_TEXT));
        }
        let (aggregate, alert) = (self.request.aggregate, self.request.alert.clone());
        let mut watch = Watch::new(self.embedder.name(), self.embedder.version(), aggregate, alert);
        watch.rules_version = Some(RULES_VERSION.to_owned());
        watch.problems.clone_from(&self.problems);
        let mut seen: HashMap<(Option<String>, [u8; 32]), String> = HashMap::new();
        for (open, steps) in self.open.iter().zip(steps) {
            let key = (open.agent.clone(), open.digest.clone().finalize().into());
            match seen.get(&key) {
                Some(same_as) => watch.duplicates.push(Duplicate {
                    task_id: open.task_id.clone(),
                    agent: open.agent.clone(),
                    same_as: same_as.clone(),
                }),
                None => {
                    seen.insert(key, open.task_id.clone());
                    watch.trajectories.push(open.published(steps));
                }
            }
        }
        Ok(watch)
    }

    /// The agents of the trajectories, in the order in which these began.
    pub(crate) fn agents(&self) -> impl Iterator<Item = Option<&str>> {
        self.open.iter().map(|open| open.agent.as_deref())
    }

    /// The trajectories without their steps, in the order in which they began.
    pub(crate) fn heads(&self) -> impl Iterator<Item = Trajectory> {
        self.open.iter().map(|open| open.published(Vec::new()))
    }
}

const NO_TEXT: &str = "no step has any text: the outputs were not captured. hint: with OpenTelemetry, set \
                       OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true where the agent runs";

impl Open {
    fn new(key: &Key, parent: Option<&str>, intent: Option<&str>, settings: Settings, embedder: &Cached) -> Self {
        Self {
            task_id: key.0.to_string(),
            agent: key.1.as_deref().map(str::to_owned),
            parent: parent.map(str::to_owned),
            tracker: Tracker::new(intent, settings, embedder),
            digest: Sha256::new(),
            last: None,
            steps: Vec::new(),
            any_text: false,
            texts: Texts::default(),
        }
    }

    fn published(&self, steps: Vec<Step>) -> Trajectory {
        let summary: Summary = self.tracker.summary();
        publish::trajectory((self.task_id.clone(), self.agent.clone(), self.parent.clone()), steps, summary)
    }
}

/// Adds a text, or that there is none, so that no two sequences of texts look alike.
fn digest(digest: &mut Sha256, text: Option<&str>) {
    match text {
        Some(text) => {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        None => digest.update(u64::MAX.to_le_bytes()),
    }
}
