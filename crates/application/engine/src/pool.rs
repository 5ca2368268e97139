//! CPU work on as many threads as there are cores, never on the thread that awaits.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::EngineError;

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
    let slot = Arc::new(Mutex::new(Slot { value: None, waker: None }));
    let filled = Arc::clone(&slot);
    pool.spawn(move || {
        let value = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(EngineError::Internal { what: said(&*panic) }));
        let mut slot = filled.lock().unwrap_or_else(PoisonError::into_inner);
        slot.value = Some(value);
        if let Some(waker) = slot.waker.take() {
            waker.wake();
        }
    });
    Job(slot).await
}

/// Runs `work` on the pool, and waits for it on this thread. Where the pool cannot be started, `work` runs here.
pub(crate) fn on_pool_meanwhile<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match POOL.as_ref() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words").to_owned()
}

struct Slot<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

/// Work that was handed to the pool.
struct Job<T>(Arc<Mutex<Slot<T>>>);

impl<T> Future for Job<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match slot.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
