//! CPU work on as many threads as there are cores, never on the thread that awaits.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::EngineError;
use crate::slot::{Slot, caught};

/// Stack of a worker: documents nest, and the limit on nesting is theirs, not the platform's.
const STACK_BYTES: usize = 8 * 1024 * 1024;

static POOL: LazyLock<Result<ThreadPool, ThreadPoolBuildError>> = LazyLock::new(|| {
    ThreadPoolBuilder::new().stack_size(STACK_BYTES).thread_name(|index| format!("steadfast-{index}")).build()
});

/// Runs `work` on the pool. Within it, rayon's iterators use the same threads.
///
/// # Errors
/// [`EngineError::Internal`] when the pool cannot be started or `work` panics; else what `work` gives.
pub(crate) async fn on_pool<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    let pool = POOL.as_ref().map_err(|error| EngineError::Internal { what: error.to_string() })?;
    let (fill, filled) = Slot::pair(|what| Err(EngineError::Internal { what }));
    pool.spawn(move || fill.with(work));
    filled.await
}

/// Runs `work` on the pool, and waits for it on this thread. Where the pool cannot be started, `work` runs here.
pub(crate) fn on_pool_meanwhile<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match POOL.as_ref() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// The same for work that can fail; a panic is an error.
///
/// # Errors
/// What `work` gives, or [`EngineError::Internal`] where it panics.
pub(crate) fn try_on_pool<T: Send>(work: impl FnOnce() -> Result<T, EngineError> + Send) -> Result<T, EngineError> {
    caught(|| on_pool_meanwhile(work)).unwrap_or_else(|what| Err(EngineError::Internal { what }))
}
