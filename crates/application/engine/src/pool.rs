//! CPU work apart from the threads that await: each piece on a thread of its own, in two lanes.
//!
//! Work begins in the short lane, where nobody waits. What spends more than [`SHORT_STEPS`], or reads more than [`SHORT_BYTES`], waits for
//! one of as many places as there are cores, by turns of its callers. So cheap work never stands behind dear work. Work whose caller has
//! gone ends at its next portion of steps, wherever it is.

mod context;
mod crew;
mod lanes;
mod memory;

use std::sync::{Arc, LazyLock};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use steadfast_steps::{Budget, current, within};

use crate::EngineError;
use crate::limits::steps_max;
use crate::slot::{Slot, caught};

pub use context::Context;
pub use lanes::SHORT_BYTES;
pub use memory::MemoryBound;

/// Stack of a thread that works: documents nest, and the limit on nesting is theirs, not the platform's.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Threads for the parts of one piece of work. Whole pieces never run here: a thread that waits for a part takes up others meanwhile.
static PARTS: LazyLock<Result<ThreadPool, ThreadPoolBuildError>> = LazyLock::new(|| {
    ThreadPoolBuilder::new().stack_size(STACK_BYTES).thread_name(|index| format!("steadfast-part-{index}")).build()
});

/// Runs `work` apart, for whoever the [`Context`] around says, within as many steps as may still be spent.
///
/// # Errors
/// [`EngineError::Internal`] when no thread can be had or `work` panics, [`EngineError::Stopped`] where nobody waits any more,
/// [`EngineError::TooMuchMemory`] where a [`MemoryBound`] is exceeded; else what `work` gives.
pub(crate) async fn on_pool<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    let (fill, filled) = Slot::pair(|what| Err(EngineError::Internal { what }));
    let pass = lanes::Pass::of(&Context::current());
    let _waits = lanes::Waits(Arc::clone(&pass));
    let budget = current().watched(Arc::clone(&pass) as _);
    crew::spawn(move || {
        fill.with(|| {
            let _entered = pass.enter();
            let done = within(&budget, work).unwrap_or_else(|ended| Err(ended.into()));
            match (done, pass.over_bytes()) {
                (Err(EngineError::Stopped), Some(bytes_max)) => Err(EngineError::TooMuchMemory { bytes_max }),
                (done, _) => done,
            }
        });
    })?;
    filled.await
}

/// The same for work that reads or judges texts of so many bytes together: what would spend far more steps on them than readers do that
/// are linear in what they read is refused, at every door alike.
///
/// # Errors
/// As [`on_pool`], and [`EngineError::TooMuchWork`].
pub(crate) async fn judging<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    let budget = Budget::of(steps_max(bytes));
    on_pool(move || within(&budget, work).unwrap_or_else(|ended| Err(ended.into()))).await
}

/// Runs `work` on the threads for parts, where rayon's iterators use all of them, and waits for it on this thread. Where they cannot be
/// started, `work` runs here. What it spends is bounded as here, and charged here.
pub(crate) fn on_pool_meanwhile<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match PARTS.as_ref() {
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

/// Does the parts of a piece of work on all threads, each within what may still be spent, and gives what they make in their order. What
/// they spend together is charged to the piece, so that what a budget allows does not depend on which part came first.
pub(crate) fn in_parts<P: Sync, T: Send>(parts: &[P], work: impl Fn(&P) -> T + Sync) -> Result<Vec<T>, EngineError> {
    use rayon::prelude::*;
    use steadfast_steps::{counted, spend};

    let budget = current();
    let made: Result<Vec<(T, u64)>, _> =
        on_pool_meanwhile(|| parts.par_iter().map(|part| within(&budget, || counted(|| work(part)))).collect());
    let (made, spent): (Vec<T>, Vec<u64>) = made?.into_iter().unzip();
    spend(usize::try_from(spent.iter().sum::<u64>()).unwrap_or(usize::MAX));
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use steadfast_steps::spend;
    use steadfast_testkit::wait;

    use super::context::Context;
    use super::on_pool;
    use crate::EngineError;
    use crate::calls::Stopped;

    fn endless() -> Result<(), EngineError> {
        loop {
            spend(1);
        }
    }

    #[test]
    fn work_ends_when_its_caller_has_gone() {
        let stopped = Stopped::default();
        let context = Context::default().request(1, 10, stopped.clone());
        let work = std::thread::spawn(move || wait(context.scope(on_pool(endless))));
        std::thread::yield_now();
        stopped.stop();
        assert!(matches!(work.join().unwrap(), Err(EngineError::Stopped)));
    }

    #[test]
    fn cheap_work_does_not_stand_behind_dear_work() {
        let stopped = Stopped::default();
        let dear: Vec<_> = (0..50)
            .map(|client| {
                let context = Context::default().request(client, 10, stopped.clone());
                std::thread::spawn(move || wait(context.scope(on_pool(endless))))
            })
            .collect();
        let began = Instant::now();
        for _ in 0..20 {
            let cheap = Context::default().request(1, 10, Stopped::default());
            let made = wait(cheap.scope(on_pool(|| {
                spend(1_000);
                Ok(7)
            })));
            assert_eq!(made.unwrap(), 7);
        }
        let took = began.elapsed();
        stopped.stop();
        for work in dear {
            assert!(matches!(work.join().unwrap(), Err(EngineError::Stopped)));
        }
        // Without lanes none of them would ever be done.
        assert!(took < Duration::from_secs(60), "{took:?}");
    }
}
