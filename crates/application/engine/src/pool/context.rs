//! For whom work is done, without a parameter for it in everything that is called.

use std::cell::RefCell;
use std::pin::Pin;
use std::task::{self, Poll};

use steadfast_steps::Flag;

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
}

impl Context {
    /// For a caller and a request of so many bytes, until `stopped` says that nobody waits any more.
    #[must_use]
    pub const fn new(client: u64, bytes: usize, stopped: Flag) -> Self {
        Self { client, bytes, stopped }
    }

    /// The one that is in force on this thread.
    pub(super) fn current() -> Self {
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
