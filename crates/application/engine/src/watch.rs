//! The use cases of following agents: score steps as they come, and compare two arms.

mod alerting;
mod compare;
mod follow;
mod publish;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use steadfast_embed::Embedder;
use steadfast_watch::distance::counted_sentences;
use steadfast_watch::divergence::{is_empty, pieces};
use steadfast_watch::{Settings, Thresholds, Tracker};
use steadfast_wire::watch::{Aggregate, Alerting, Duplicate, GivenStep, Problem, Step, StepRecord, Watch};

use crate::EngineError;
use crate::cache::Cached;
use crate::pool::on_pool;
use crate::store::EmbeddingStore;

pub use crate::cache::CACHE_TEXTS_MAX;
pub use alerting::alerting;
pub use compare::{Arm, compare};

/// Steps that are taken in at a time: their texts are embedded together.
pub const BATCH_STEPS: usize = 256;

/// Trajectories that may be open at once.
pub const TRAJECTORIES_MAX: usize = 100_000;

/// How steps are followed.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// What of a long output is compared.
    pub aggregate: Aggregate,
    /// From which score on an alert is raised, and what that rests on.
    pub alert: Alerting,
    /// Initial intents by task; they come before what the steps themselves say.
    pub intents: HashMap<String, String>,
    /// Whether the scores of steps are kept for the report. Where they are not, memory does not grow with the number of steps.
    pub keep_steps: bool,
}

/// Follows agents, step by step.
pub struct Watcher {
    work: Option<Work>,
}

/// What a piece of work on the pool takes along.
struct Work {
    request: WatchRequest,
    settings: Settings,
    embedder: Cached,
    index: HashMap<Key, usize>,
    open: Vec<Open>,
    problems: Vec<Problem>,
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
}

impl Watcher {
    /// Follows agents with `embedder`. What `store` holds of earlier runs is not embedded again; the result is the same without it.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>, store: Option<Arc<dyn EmbeddingStore>>, request: WatchRequest) -> Self {
        let settings = Settings {
            aggregate: publish::own_aggregate(request.aggregate),
            thresholds: Thresholds::of(embedder.name()),
            alert: request.alert.threshold,
        };
        let embedder = Cached::new(embedder, store);
        let work = Work { request, settings, embedder, index: HashMap::new(), open: Vec::new(), problems: Vec::new() };
        Self { work: Some(work) }
    }

    /// Notes what could not be read.
    pub fn problem(&mut self, problem: Problem) {
        if let Some(work) = &mut self.work {
            work.problems.push(problem);
        }
    }

    /// Scores the next steps of a file, in their order. At most [`BATCH_STEPS`] are embedded at a time.
    ///
    /// # Errors
    /// [`EngineError::TooManyTrajectories`], [`EngineError::Store`], and [`EngineError::Internal`] where the work fails.
    pub async fn push(&mut self, file: &str, steps: Vec<GivenStep>) -> Result<Vec<StepRecord>, EngineError> {
        let Some(mut work) = self.work.take() else {
            return Err(EngineError::Internal { what: "the watcher stopped at an error".to_owned() });
        };
        let file = file.to_owned();
        let (work, records) = on_pool(move || {
            let mut records = Vec::with_capacity(steps.len());
            let mut steps = steps.into_iter();
            loop {
                let batch: Vec<GivenStep> = steps.by_ref().take(BATCH_STEPS).collect();
                if batch.is_empty() {
                    return Ok((work, records));
                }
                work.prepare(&batch)?;
                for step in batch {
                    records.push(work.push(&file, step)?);
                }
            }
        })
        .await?;
        self.work = Some(work);
        Ok(records)
    }

    /// Tasks that an initial intent was given for and of which no step came, in the order of their names.
    #[must_use]
    pub fn intents_unused(&self) -> Vec<&str> {
        let Some(work) = &self.work else { return Vec::new() };
        let used: HashSet<&str> = work.open.iter().map(|open| open.task_id.as_str()).collect();
        let mut unused: Vec<&str> = work.request.intents.keys().map(String::as_str).collect();
        unused.retain(|task| !used.contains(task));
        unused.sort_unstable();
        unused
    }

    /// What came of it. It waits until all that was embedded is in the store.
    ///
    /// # Errors
    /// [`EngineError::NotEvaluable`] where there is no step, or none with text; [`EngineError::Store`].
    pub fn finish(self, input: &str) -> Result<Watch, EngineError> {
        let Some(work) = self.work else {
            return Err(EngineError::Internal { what: "the watcher stopped at an error".to_owned() });
        };
        work.embedder.settle()?;
        work.finish(input)
    }
}

impl Work {
    /// Embeds at once what the steps will need.
    fn prepare(&self, batch: &[GivenStep]) -> Result<(), EngineError> {
        let mut texts: Vec<&str> = Vec::new();
        for step in batch {
            texts.extend(step.prompt.as_deref());
            texts.extend(step.initial_intent.as_deref());
            texts.extend(self.request.intents.get(&*step.task_id).map(String::as_str));
            if let Some(output) = step.output.as_deref().filter(|output| !is_empty(output)) {
                let (ranges, _) = pieces(output, self.settings.aggregate, &self.embedder);
                texts.extend(ranges.into_iter().map(|range| &output[range]));
                texts.push(output);
                texts.extend(counted_sentences(output).into_iter().map(|range| &output[range]));
            }
        }
        Ok(self.embedder.prepare(&texts)?)
    }

    fn push(&mut self, file: &str, given: GivenStep) -> Result<StepRecord, EngineError> {
        let GivenStep { task_id, agent, step, prompt, output, initial_intent, parent, line } = given;
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
        let own = steadfast_watch::Step { number, instruction: prompt.as_deref().map(str::to_owned), output };
        let scores = publish::step(open.tracker.push(&own, &self.embedder));
        if self.request.keep_steps {
            open.steps.push(scores.clone());
        }
        Ok(StepRecord { task_id: open.task_id.clone(), agent: open.agent.clone(), scores })
    }

    fn finish(self, input: &str) -> Result<Watch, EngineError> {
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
        let aggregate = self.request.aggregate;
        let mut watch = Watch::new(self.embedder.name(), self.embedder.version(), aggregate, self.request.alert);
        watch.problems = self.problems;
        let mut seen: HashMap<(Option<String>, [u8; 32]), String> = HashMap::new();
        for open in self.open {
            let summary = open.tracker.summary();
            let key = (open.agent.clone(), open.digest.finalize().into());
            match seen.get(&key) {
                Some(same_as) => watch.duplicates.push(Duplicate {
                    task_id: open.task_id,
                    agent: open.agent,
                    same_as: same_as.clone(),
                }),
                None => {
                    seen.insert(key, open.task_id.clone());
                    watch.trajectories.push(publish::trajectory(
                        (open.task_id, open.agent, open.parent),
                        open.steps,
                        summary,
                    ));
                }
            }
        }
        Ok(watch)
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
        }
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
