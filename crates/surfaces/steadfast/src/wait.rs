//! Waiting for the engine: the thread sleeps until the work is done, and something moves on the terminal meanwhile.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// What takes less shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two pictures of the progress.
const TICK: Duration = Duration::from_millis(100);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end on this thread. With `message`, a progress line says so on stderr after a second, if stderr is a
/// terminal.
pub(crate) fn wait<T>(future: impl Future<Output = T>, message: Option<String>) -> T {
    let progress = message.map(Progress::start);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    let result = loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(result) => break result,
            Poll::Pending => thread::park(),
        }
    };
    drop(progress);
    result
}

/// Does `work` on this thread, with the same progress line.
pub(crate) fn meanwhile<T>(message: String, work: impl FnOnce() -> T) -> T {
    let progress = Progress::start(message);
    let result = work();
    drop(progress);
    result
}

/// A progress line that appears after a second and goes away when dropped.
struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    fn start(message: String) -> Self {
        let (done, wait) = channel::<()>();
        let thread = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            // Hidden by indicatif where stderr is no terminal.
            let bar = ProgressBar::new_spinner().with_message(message);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Self { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.done = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
