//! The use cases of trajectories that are under way: take their steps, score them, tell of it.
//!
//! A step is on the disk before it is answered. What scores the next one is held in memory for some trajectories and made again from the
//! stored steps for the others, so nothing depends on memory: whoever is killed goes on where he was. Steps that nobody waits for are scored
//! in the background, by [`Live::work_off`] on a thread of the caller's: what waits is on the disk, not in memory. The scores are those
//! that [`Watcher`](crate::watch::Watcher) gives for the same steps in the same order.
//!
//! All of it waits for the disk on the thread that calls.

mod follow;
mod show;
mod take;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use steadfast_embed::Embedder;
use steadfast_wire::watch::{Aggregate, Alerting};

use crate::EngineError;
use crate::cache::Cached;
use crate::limits::{LIVE_AGENTS_HOURS, LIVE_AGENTS_TOLD_MAX};
use crate::store::{AgentCount, Keep, micros, rfc3339};
use crate::watch::alerting;
use follow::Held;

pub(crate) use show::export_trajectories;
pub use show::{LOG_NAME, TrajectoryFilter};
pub use take::{NewSteps, Taking};

/// How steps are scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveSettings {
    /// What of a long output is compared.
    pub aggregate: Aggregate,
    /// From which score on an alert is raised; `None` for onsets and bans alone.
    pub alert: Option<f64>,
    /// Whether vectors of texts are kept in the store, so that a trajectory can be taken up again without embedding them again. Worth it for
    /// an embedder that is slow.
    pub keep_vectors: bool,
}

impl Default for LiveSettings {
    fn default() -> Self {
        Self { aggregate: Aggregate::Whole, alert: None, keep_vectors: false }
    }
}

/// Gives the embedder, the first time that one is needed.
pub type Load = Box<dyn Fn() -> Result<Arc<dyn Embedder>, EngineError> + Send + Sync>;

/// Is called with the name of a trajectory whenever steps of it were taken or scored. It must not wait.
pub type Changed = Box<dyn Fn(&str) + Send + Sync>;

/// What scores steps.
struct Scorer {
    embedder: Arc<dyn Embedder>,
    cached: Arc<Cached>,
    alerting: Alerting,
    /// What it is called where scores are kept: scores that something else made are made anew.
    name: String,
}

/// Trajectories that are under way.
pub struct Live {
    store: Arc<dyn Keep>,
    settings: LiveSettings,
    load: Load,
    changed: Changed,
    scorer: Mutex<Option<Arc<Scorer>>>,
    held: Mutex<Held>,
    waiting: Mutex<Waiting>,
    wake: Condvar,
}

/// What the thread that scores in the background waits for.
#[derive(Default)]
struct Waiting {
    /// Whether steps came since it looked.
    steps: bool,
    stopped: bool,
    /// The trajectory that it scored last: the next one is the one after it.
    last: Option<String>,
}

impl Live {
    /// Trajectories of a store. The embedder is loaded when it is needed.
    #[must_use]
    pub fn new(store: Arc<dyn Keep>, settings: LiveSettings, load: Load, changed: Changed) -> Self {
        Self {
            store,
            settings,
            load,
            changed,
            scorer: Mutex::default(),
            held: Mutex::default(),
            waiting: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// What scores steps; whoever comes while it is loaded waits for it, rather than load it twice.
    fn scorer(&self) -> Result<Arc<Scorer>, EngineError> {
        let mut kept = lock(&self.scorer);
        if let Some(scorer) = &*kept {
            return Ok(Arc::clone(scorer));
        }
        let embedder = (self.load)()?;
        let scorer = Arc::new(self.scorer_of(embedder)?);
        *kept = Some(Arc::clone(&scorer));
        Ok(scorer)
    }

    fn scorer_of(&self, embedder: Arc<dyn Embedder>) -> Result<Scorer, EngineError> {
        let LiveSettings { aggregate, alert, keep_vectors } = self.settings;
        let alerting = alerting(alert, None, (embedder.name(), embedder.version()), aggregate)?;
        let threshold = alert.map_or_else(String::new, |alert| format!(", alert {alert}"));
        let name = format!("{} ({}), {}{threshold}", embedder.name(), embedder.version(), aggregate.name());
        let vectors = keep_vectors.then(|| -> Arc<dyn crate::store::EmbeddingStore> { Arc::clone(&self.store) as _ });
        let cached = Arc::new(Cached::new(Arc::clone(&embedder), vectors));
        Ok(Scorer { embedder, cached, alerting, name })
    }

    /// Begins with the vectors anew where the store failed: what remembers them leaves a store alone that failed once, and a server goes on.
    fn renew_vectors(&self, failed: &Arc<Scorer>) {
        let mut kept = lock(&self.scorer);
        if kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, failed)) {
            *kept = self.scorer_of(Arc::clone(&failed.embedder)).ok().map(Arc::new);
        }
        lock(&self.held).forget_all();
    }

    /// How many steps have no scores yet.
    ///
    /// # Errors
    /// [`EngineError::Store`] where that cannot be read.
    pub fn backlog(&self) -> Result<u64, EngineError> {
        Ok(self.store.unscored_steps()?)
    }

    /// What the trajectories came to that a step was added to in the last [`LIVE_AGENTS_HOURS`] hours, by the agent that began them: the
    /// [`LIVE_AGENTS_TOLD_MAX`] that have most, and all others together.
    ///
    /// # Errors
    /// [`EngineError::Store`] where that cannot be read.
    pub fn agents(&self) -> Result<Vec<AgentCount>, EngineError> {
        let now_us = micros(&self.store.stamp()?.at).unwrap_or_default();
        let since = rfc3339(now_us.saturating_sub(LIVE_AGENTS_HOURS * 60 * 60 * 1_000_000));
        Ok(self.store.agent_counts(&since, LIVE_AGENTS_TOLD_MAX)?)
    }

    /// Scores steps that nobody waits for, a stretch of each trajectory in turn, and waits for more, until [`stop`](Self::stop) is called.
    /// For a thread of the caller's, which calls it again after an error: that is told once, and the next trajectory has its turn.
    ///
    /// # Errors
    /// Those of the embedder, or [`EngineError::Store`].
    pub fn work_off(&self) -> Result<(), EngineError> {
        loop {
            let last = {
                let mut waiting = lock(&self.waiting);
                if waiting.stopped {
                    return Ok(());
                }
                waiting.steps = false;
                waiting.last.clone()
            };
            match self.store.unscored_trajectory(last.as_deref())? {
                Some(id) => {
                    lock(&self.waiting).last = Some(id.clone());
                    self.score_stretch(&id)?;
                }
                None => {
                    let waiting = lock(&self.waiting);
                    let woken = |waiting: &mut Waiting| !(waiting.steps || waiting.stopped);
                    drop(self.wake.wait_while(waiting, woken).unwrap_or_else(PoisonError::into_inner));
                }
            }
        }
    }

    /// Ends [`work_off`](Self::work_off) after the stretch that it is at.
    pub fn stop(&self) {
        lock(&self.waiting).stopped = true;
        self.wake.notify_all();
    }

    /// Tells whoever scores in the background that there is something to do.
    fn wake(&self) {
        lock(&self.waiting).steps = true;
        self.wake.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
