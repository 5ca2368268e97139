//! A run while it is under way.

use std::sync::Arc;

use steadfast_wire::Run;

use super::stopwatch::{Stopwatch, Timing};
use super::{Asked, Outcome, record_run};
use crate::EngineError;
use crate::store::{Keep, Stamps};

/// A run that is under way and will be stored, or only timed.
pub struct Recorder {
    store: Option<Arc<dyn Keep>>,
    watch: Stopwatch,
}

impl Recorder {
    /// Begins a run that will be stored. The store is neither read nor written.
    ///
    /// # Errors
    /// [`EngineError::Store`] where it can give no identity.
    pub fn begin(store: Arc<dyn Keep>) -> Result<Self, EngineError> {
        let watch = Stopwatch::start(Arc::<dyn Keep>::clone(&store))?;
        Ok(Self { store: Some(store), watch })
    }

    /// Begins a run that is timed and stored nowhere.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn timed(clock: Arc<dyn Stamps>) -> Result<Self, EngineError> {
        Ok(Self { store: None, watch: Stopwatch::start(clock)? })
    }

    /// The store, where the run will be stored.
    #[must_use]
    pub fn store(&self) -> Option<Arc<dyn Keep>> {
        self.store.clone()
    }

    /// What was done since the last call took this part of the time.
    pub fn mark(&mut self, span: &str) {
        self.watch.mark(span);
    }

    /// Ends the timing, the first time that it is called, and says how long everything took.
    pub fn stop(&mut self) -> Timing {
        self.watch.stop()
    }

    /// Stores the run, and the output that it was about with its task, where there is one: both are on the disk when this returns. What
    /// it gives stands in the answer as `run`; `None` where it is stored nowhere. `exit_status` is that of the command of the same name.
    ///
    /// # Errors
    /// [`EngineError::ResultTooLarge`], or [`EngineError::Store`] where it is not on the disk.
    pub fn end(mut self, asked: &Asked, outcome: Outcome, exit_status: u8) -> Result<Option<Run>, EngineError> {
        let Some(store) = &self.store else { return Ok(None) };
        let timing = self.watch.stop();
        let ms = timing.ms();
        record_run(&**store, timing.stamp, ms, asked, outcome, exit_status).map(Some)
    }
}
