//! A run while it is under way.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_wire::Run;

use super::{Asked, Outcome, record_run};
use crate::EngineError;
use crate::store::{Keep, Stamp};

/// A run that is under way and will be stored.
pub struct Recorder {
    store: Arc<dyn Keep>,
    stamp: Stamp,
    began_ms: u64,
    last_ms: u64,
    ms: BTreeMap<String, u64>,
}

impl Recorder {
    /// Begins a run. The store is neither read nor written.
    ///
    /// # Errors
    /// [`EngineError::Store`] where it can give no identity.
    pub fn begin(store: Arc<dyn Keep>) -> Result<Self, EngineError> {
        let (stamp, now_ms) = (store.stamp()?, store.ticks_ms());
        Ok(Self { store, stamp, began_ms: now_ms, last_ms: now_ms, ms: BTreeMap::new() })
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> Arc<dyn Keep> {
        Arc::clone(&self.store)
    }

    /// What was done since the last call took this part of the time.
    pub fn mark(&mut self, span: &str) {
        let now_ms = self.store.ticks_ms();
        self.ms.insert(span.to_owned(), now_ms.saturating_sub(self.last_ms));
        self.last_ms = now_ms;
    }

    /// Stores the run, and the output that it was about with its task, where there is one: both are on the disk when this returns. What
    /// it gives stands in the answer as `run`. `exit_status` is that of the command of the same name.
    ///
    /// # Errors
    /// [`EngineError::ResultTooLarge`], or [`EngineError::Store`] where it is not on the disk.
    pub fn end(mut self, asked: &Asked, outcome: Outcome, exit_status: u8) -> Result<Run, EngineError> {
        self.ms.insert("total".to_owned(), self.store.ticks_ms().saturating_sub(self.began_ms));
        record_run(&*self.store, self.stamp, self.ms, asked, outcome, exit_status)
    }
}
