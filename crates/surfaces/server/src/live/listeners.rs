//! Whoever follows trajectories, or jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::problem::kinds::BUSY;
use crate::problem::{Problem, RETRY_SECONDS};

/// Requests that follow trajectories at a time.
pub(crate) const LISTENERS_MAX: usize = 128;

/// All of them, by the trajectory that they follow. A trajectory that nobody follows has no place here.
pub(crate) struct Listeners {
    followed: Mutex<HashMap<String, watch::Sender<()>>>,
    places: Arc<Semaphore>,
}

impl Default for Listeners {
    fn default() -> Self {
        Self { followed: Mutex::default(), places: Arc::new(Semaphore::new(LISTENERS_MAX)) }
    }
}

impl Listeners {
    fn followed(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<()>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever follows a trajectory.
    pub(crate) fn changed(&self, id: &str) {
        if let Some(told) = self.followed().get(id) {
            told.send_replace(());
        }
    }

    /// One more that follows a trajectory.
    pub(crate) fn listen(self: &Arc<Self>, id: &str) -> Result<Listener, Problem> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| {
            Problem::of(&BUSY, format!("{LISTENERS_MAX} requests follow already what they follow")).retry(RETRY_SECONDS)
        })?;
        let mut followed = self.followed();
        let changed = followed.entry(id.to_owned()).or_insert_with(|| watch::Sender::new(())).subscribe();
        Ok(Listener { changed, id: id.to_owned(), of: Arc::clone(self), _place: place })
    }
}

/// One that follows a trajectory; its place is free again once this is dropped.
pub(crate) struct Listener {
    changed: watch::Receiver<()>,
    id: String,
    of: Arc<Listeners>,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whatever changed so far is looked at now.
    pub(crate) fn looks(&mut self) {
        self.changed.mark_unchanged();
    }

    /// Waits until something changed since it looked.
    pub(crate) async fn changed(&mut self) {
        if self.changed.changed().await.is_err() {
            // Nobody can tell any more.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut followed = self.of.followed();
        // It is still one of them itself.
        if followed.get(&self.id).is_some_and(|told| told.receiver_count() <= 1) {
            followed.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{LISTENERS_MAX, Listeners};

    #[test]
    fn places_are_limited_and_free_again() {
        let all = Arc::new(Listeners::default());
        let mut held: Vec<_> =
            (0..LISTENERS_MAX).map(|at| all.listen(if at % 2 == 0 { "a" } else { "b" }).unwrap()).collect();
        assert_eq!(all.listen("a").err().unwrap().kind.name, "busy");
        assert_eq!(all.followed().len(), 2);
        held.pop();
        drop(all.listen("c").unwrap());
        assert_eq!(all.followed().len(), 2);
        held.clear();
        assert!(all.followed().is_empty());
    }

    #[tokio::test]
    async fn a_change_between_looking_and_waiting_is_not_missed() {
        let all = Arc::new(Listeners::default());
        let mut own = all.listen("a").unwrap();
        own.looks();
        all.changed("b");
        all.changed("a");
        own.changed().await;
        own.looks();
        let waits = tokio::time::timeout(std::time::Duration::from_millis(1), own.changed());
        assert!(waits.await.is_err());
    }
}
