//! Time and randomness as the machine has them.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use steadfast_engine::chat::{Clock, Entropy, Sleeping};

/// The machine's clock. Waits need a runtime of tokio with time.
#[derive(Debug)]
pub struct SystemClock {
    begun: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { begun: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn unix_seconds(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    }

    fn sleep(&self, time: Duration) -> Sleeping<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// The system's randomness.
#[derive(Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn bytes(&self) -> [u8; 16] {
        steadfast_net::random().unwrap_or_else(|| {
            // The system gives none: what keys the hash tables of this process is the next best.
            let word = || RandomState::new().build_hasher().finish().to_be_bytes();
            let mut bytes = [0; 16];
            for (own, from) in bytes.iter_mut().zip(word().into_iter().chain(word())) {
                *own = from;
            }
            bytes
        })
    }
}

#[cfg(test)]
mod tests {
    use steadfast_engine::chat::Entropy;

    use super::SystemEntropy;

    #[test]
    fn no_two_draws_are_equal() {
        let drawn: std::collections::BTreeSet<[u8; 16]> = (0..1_000).map(|_| SystemEntropy.bytes()).collect();
        assert_eq!(drawn.len(), 1_000);
    }
}
