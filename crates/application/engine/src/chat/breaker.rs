//! A server that fails again and again is left alone for a while.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Failures in a row after which a server is left alone: two calls of three attempts.
pub const BREAKER_FAILURES: u32 = 6;

/// How long it is left alone.
pub const BREAKER_OPEN: Duration = Duration::from_secs(30);

/// What is known of a server's failures. One for each server; all models there share it.
#[derive(Debug)]
pub struct Breaker {
    failures_max: u32,
    open_for: Duration,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    failures: u32,
    /// When it opened, or when somebody was last let through to see.
    since: Option<Duration>,
}

impl Default for Breaker {
    /// [`BREAKER_FAILURES`] and [`BREAKER_OPEN`].
    fn default() -> Self {
        Self::new(BREAKER_FAILURES, BREAKER_OPEN)
    }
}

impl Breaker {
    /// A breaker that opens after so many failures in a row, for so long.
    #[must_use]
    pub fn new(failures_max: u32, open_for: Duration) -> Self {
        Self { failures_max, open_for, state: Mutex::default() }
    }

    /// Whether the server may be asked at `now`. Once it has been left alone for long enough, one attempt is let through to see; the
    /// others wait for what comes of it, or for as long again.
    ///
    /// # Errors
    /// For how long it is left alone still.
    pub fn pass(&self, now: Duration) -> Result<(), Duration> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(since) = state.since else { return Ok(()) };
        let until = since.saturating_add(self.open_for);
        if now < until {
            return Err(until.saturating_sub(now));
        }
        state.since = Some(now);
        Ok(())
    }

    /// The server answered.
    pub fn answered(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// The server failed at `now`.
    pub fn failed(&self, now: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        if state.failures >= self.failures_max {
            state.since = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Breaker;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn it_opens_after_failures_in_a_row_and_lets_one_through_after_a_while() {
        let breaker = Breaker::new(3, at(30));
        breaker.failed(at(1));
        breaker.failed(at(2));
        breaker.answered();
        breaker.failed(at(3));
        breaker.failed(at(4));
        assert_eq!(breaker.pass(at(5)), Ok(()));
        breaker.failed(at(6));
        assert_eq!(breaker.pass(at(6)), Err(at(30)));
        assert_eq!(breaker.pass(at(35)), Err(at(1)));
        assert_eq!(breaker.pass(at(36)), Ok(()));
        // One is enough to see.
        assert_eq!(breaker.pass(at(37)), Err(at(29)));
        breaker.failed(at(40));
        assert_eq!(breaker.pass(at(69)), Err(at(1)));
        assert_eq!(breaker.pass(at(70)), Ok(()));
        breaker.answered();
        assert_eq!((breaker.pass(at(71)), breaker.pass(at(71))), (Ok(()), Ok(())));
    }

    #[test]
    fn one_who_was_let_through_and_never_came_back_does_not_close_it_for_ever() {
        let breaker = Breaker::new(1, at(30));
        breaker.failed(at(0));
        assert_eq!(breaker.pass(at(30)), Ok(()));
        assert_eq!(breaker.pass(at(60)), Ok(()));
    }
}
