//! What one thread waits for and another one makes.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// What is waited for.
pub(crate) struct Slot<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

impl<T: Send + 'static> Slot<T> {
    /// The two ends of a slot. Where the work panics, or never begins, what is waited for is `failed` of the reason.
    pub(crate) fn pair(failed: fn(String) -> T) -> (Fill<T>, Filled<T>) {
        let slot = Arc::new(Mutex::new(Self { value: None, waker: None }));
        (Fill { slot: Arc::clone(&slot), failed }, Filled(slot))
    }
}

/// The end of a slot that fills it.
pub(crate) struct Fill<T: Send + 'static> {
    slot: Arc<Mutex<Slot<T>>>,
    failed: fn(String) -> T,
}

impl<T: Send + 'static> Fill<T> {
    /// Fills it with what `work` gives.
    pub(crate) fn with(self, work: impl FnOnce() -> T) {
        self.put(caught(work).unwrap_or_else(self.failed));
    }

    fn put(&self, value: T) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.value = Some(value);
        if let Some(waker) = slot.waker.take() {
            waker.wake();
        }
    }
}

impl<T: Send + 'static> Drop for Fill<T> {
    fn drop(&mut self) {
        // Whoever waits is the other holder, until the value was taken.
        let is_empty = self.slot.lock().unwrap_or_else(PoisonError::into_inner).value.is_none();
        if is_empty && Arc::strong_count(&self.slot) > 1 {
            self.put((self.failed)("it never began".to_owned()));
        }
    }
}

/// The end of a slot that waits for it.
pub(crate) struct Filled<T>(Arc<Mutex<Slot<T>>>);

impl<T> Future for Filled<T> {
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

/// What `work` gives, or what its panic said.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| said(&*panic))
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words").to_owned()
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// What comes out of a slot once something was done with its other end.
    fn told(done: impl FnOnce(Fill<String>)) -> Option<String> {
        let (fill, filled) = Slot::pair(|what| format!("failed: {what}"));
        let mut filled = pin!(filled);
        let mut context = Context::from_waker(Waker::noop());
        assert!(filled.as_mut().poll(&mut context).is_pending());
        done(fill);
        match filled.as_mut().poll(&mut context) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn whoever_waits_hears_of_every_end() {
        assert_eq!(told(|fill| fill.with(|| "done".to_owned())).as_deref(), Some("done"));
        assert_eq!(told(|fill| fill.with(|| panic!("oh"))).as_deref(), Some("failed: oh"));
        assert_eq!(told(drop).as_deref(), Some("failed: it never began"));
    }
}
