//! What is made anew only when it is old: whoever asks often costs no more than whoever asks now and then.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// A value, and when it was made.
pub(crate) struct TtlCache<T>(Mutex<Option<(Instant, T)>>);

impl<T> Default for TtlCache<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> TtlCache<T> {
    /// The value, made anew where it is older than this. Who comes while it is being made waits for it.
    pub(crate) async fn get(&self, age_max: Duration, make: impl Future<Output = T>) -> T {
        let mut kept = self.0.lock().await;
        if let Some((_, value)) = kept.as_ref().filter(|(made, _)| made.elapsed() < age_max) {
            return value.clone();
        }
        let value = make.await;
        *kept = Some((Instant::now(), value.clone()));
        value
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::TtlCache;

    #[tokio::test]
    async fn a_value_is_made_anew_when_it_is_old() {
        let fresh = TtlCache::default();
        assert_eq!(fresh.get(Duration::MAX, async { 1 }).await, 1);
        assert_eq!(fresh.get(Duration::MAX, async { 2 }).await, 1);
        assert_eq!(fresh.get(Duration::ZERO, async { 3 }).await, 3);
    }
}
