//! For whom work is done, without a parameter for it in everything that is called.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{self, Poll};

use steadfast_steps::Flag;

use crate::store::{Stamp, uuid_v7_after};

thread_local! {
    static CURRENT: RefCell<Context> = RefCell::default();
}

/// For whom work is done, how much there is to read, and whether anybody still waits.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Who asks, as a number: dear work is taken up by turns of them.
    pub(super) client: u64,
    /// What is to be read, in bytes.
    pub(super) bytes: usize,
    pub(super) stopped: Flag,
    /// The id of the first run of a request, and how many runs have begun; `None` where the store gives ids.
    runs: Option<Arc<(String, AtomicU64)>>,
}

impl Context {
    /// For a caller and a request of so many bytes, until `stopped` says that nobody waits any more. Runs have the ids that they have in `self`.
    #[must_use]
    pub fn request(self, client: u64, bytes: usize, stopped: Flag) -> Self {
        Self { client, bytes, stopped, ..self }
    }

    /// For a request whose first run has this UUIDv7; those after it have the ids that follow. A request that is retried with the same
    /// id has runs with the same ids, and a store keeps each once.
    #[must_use]
    pub fn with_run_id(self, id: &str) -> Self {
        Self { runs: Some(Arc::new((id.to_owned(), AtomicU64::new(0)))), ..self }
    }

    /// The stamp of the next run; `None` where the store gives it.
    pub(crate) fn next_run(&self) -> Option<Stamp> {
        let (first, begun) = &**self.runs.as_ref()?;
        uuid_v7_after(first, begun.fetch_add(1, Ordering::Relaxed))
    }

    /// The one that is in force on this thread.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.with_borrow(Clone::clone)
    }

    /// A future for which this context is in force.
    pub fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        Scoped { context: self, future: Box::pin(future) }
    }
}

struct Scoped<F> {
    context: Context,
    future: Pin<Box<F>>,
}

/// Puts back what was in force before.
struct Before(Context);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, waker: &mut task::Context<'_>) -> Poll<F::Output> {
        let _before = Before(CURRENT.replace(self.context.clone()));
        self.future.as_mut().poll(waker)
    }
}
