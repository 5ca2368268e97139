//! How long the parts of a run take.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::EngineError;
use crate::pool::Context;
use crate::store::{Stamp, Stamps};

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What was done.
    pub name: String,
    /// When it began, in milliseconds from the beginning of the run.
    pub start_ms: u64,
    /// How long it took.
    pub ms: u64,
}

/// When a run began, and how long its parts took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The run's identity, and when it began.
    pub stamp: Stamp,
    /// Its parts, in their order.
    pub parts: Vec<Part>,
    /// How long all of it took.
    pub total_ms: u64,
}

impl Timing {
    /// The milliseconds of each part by its name, and of all as `total`.
    #[must_use]
    pub fn ms(&self) -> BTreeMap<String, u64> {
        let parts = self.parts.iter().map(|part| (part.name.clone(), part.ms));
        parts.chain([("total".to_owned(), self.total_ms)]).collect()
    }

    /// A part by its name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

/// Times a run.
pub struct Stopwatch {
    clock: Arc<dyn Stamps>,
    stamp: Stamp,
    began_ms: u64,
    last_ms: u64,
    parts: Vec<Part>,
    total_ms: Option<u64>,
}

impl Stopwatch {
    /// Begins a run: it has its identity from now on, that of its request where it has one ([`Context::with_run_id`]).
    ///
    /// # Errors
    /// [`EngineError::Store`] where it can have none.
    pub fn start(clock: Arc<dyn Stamps>) -> Result<Self, EngineError> {
        let stamp = Context::current().next_run().map_or_else(|| clock.stamp(), Ok)?;
        let now_ms = clock.ticks_ms();
        Ok(Self { clock, stamp, began_ms: now_ms, last_ms: now_ms, parts: Vec::new(), total_ms: None })
    }

    /// What was done since the last call took this part of the time.
    pub fn mark(&mut self, name: &str) {
        let now_ms = self.clock.ticks_ms();
        let start_ms = self.last_ms.saturating_sub(self.began_ms);
        self.parts.retain(|part| part.name != name);
        self.parts.push(Part { name: name.to_owned(), start_ms, ms: now_ms.saturating_sub(self.last_ms) });
        self.last_ms = now_ms;
    }

    /// Ends the run, the first time that it is called, and says how long everything took.
    pub fn stop(&mut self) -> Timing {
        let now = || self.clock.ticks_ms().saturating_sub(self.began_ms);
        let total_ms = *self.total_ms.get_or_insert_with(now);
        Timing { stamp: self.stamp.clone(), parts: self.parts.clone(), total_ms }
    }
}
