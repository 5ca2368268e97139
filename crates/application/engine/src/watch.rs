//! The use cases of following agents: score steps as they come, and compare two arms.

mod alerting;
mod chat;
mod compare;
mod follow;
mod publish;
mod work;

use std::collections::HashMap;
use std::sync::Arc;

use steadfast_embed::Embedder;
use steadfast_wire::audit::Judge;
use steadfast_wire::watch::{Aggregate, Alerting, GivenStep, Problem, StepRecord, Watch};

use crate::EngineError;
use crate::cache::Cached;
use crate::chat::ChatModels;
use crate::pool::on_pool;
use crate::store::EmbeddingStore;

pub use crate::cache::CACHE_TEXTS_MAX;
pub use alerting::alerting;
pub use compare::{Arm, compare};
pub(crate) use work::Work;

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
    /// Whether what steps said is kept, within bounds, so that a chat model can be asked about some of them.
    pub keep_texts: bool,
}

/// Follows agents, step by step.
pub struct Watcher {
    work: Option<Work>,
}

impl Watcher {
    /// Follows agents with `embedder`. What `store` holds of earlier runs is not embedded again; the result is the same without it.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>, store: Option<Arc<dyn EmbeddingStore>>, request: WatchRequest) -> Self {
        Self { work: Some(Work::new(Arc::new(Cached::new(embedder, store)), request)) }
    }

    /// Notes what could not be read.
    pub fn problem(&mut self, problem: Problem) {
        if let Some(work) = &mut self.work {
            work.problem(problem);
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
        self.work.as_ref().map(Work::intents_unused).unwrap_or_default()
    }

    /// What came of it. It waits until all that was embedded is in the store.
    ///
    /// # Errors
    /// [`EngineError::NotEvaluable`] where there is no step, or none with text; [`EngineError::Store`].
    pub fn finish(self, input: &str) -> Result<Watch, EngineError> {
        Ok(self.end(input)?.0)
    }

    /// The same with what a chat model says of the steps that signals single out, where one is to be asked: what steps said must have been kept. That a call fails is no error.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish); [`EngineError::NoModel`] and [`EngineError::NoChatModel`].
    pub async fn finish_by(self, judge: Judge, input: &str, desk: Option<&ChatModels>) -> Result<Watch, EngineError> {
        let (watch, texts) = self.end(input)?;
        match judge {
            Judge::Rules => Ok(watch),
            Judge::Both => chat::ask(watch, texts, desk.ok_or(EngineError::NoModel)?).await,
        }
    }

    fn end(self, input: &str) -> Result<(Watch, chat::TextsByTrajectory), EngineError> {
        let Some(mut work) = self.work else {
            return Err(EngineError::Internal { what: "the watcher stopped at an error".to_owned() });
        };
        work.settle()?;
        let texts = work.take_texts();
        Ok((work.finish(input)?, texts))
    }
}
