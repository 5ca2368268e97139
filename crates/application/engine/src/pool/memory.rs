//! How much memory the process may hold while it judges.

use std::sync::OnceLock;

/// How much memory a process may hold beside what it held when the bound was set.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBound {
    /// Says how much it holds now, in bytes. It is asked at every portion of steps, so it must cost little.
    pub held: fn() -> u64,
    /// How much it may hold, in bytes.
    pub held_max: u64,
    /// How much of that is for requests, in bytes: what a refusal names.
    pub bytes_max: u64,
}

static BOUND: OnceLock<MemoryBound> = OnceLock::new();

impl MemoryBound {
    /// A bound of `bytes_max` beside what is held now.
    #[must_use]
    pub fn beside_now(held: fn() -> u64, bytes_max: u64) -> Self {
        Self { held, held_max: held().saturating_add(bytes_max), bytes_max }
    }

    /// Puts the bound in force for the whole process, once: work that goes on while more is held ends as
    /// [`TooMuchMemory`](crate::EngineError::TooMuchMemory). Where one is in force already, that one stays.
    pub fn enforce(self) {
        let _first = BOUND.set(self);
    }

    /// The bytes that requests may hold, where the process holds more.
    pub(super) fn exceeded() -> Option<u64> {
        let own = BOUND.get()?;
        ((own.held)() > own.held_max).then_some(own.bytes_max)
    }
}
