//! Waiting for the engine: the thread sleeps until the work is done, and something moves on the terminal meanwhile.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tokio::runtime;

use crate::exit::Failure;

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
pub fn wait<T>(future: impl Future<Output = T>, message: Option<String>) -> T {
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

/// As [`wait`], for work that goes over the network: it needs the runtime.
pub fn online<T>(future: impl Future<Output = T>, message: Option<String>) -> Result<T, Failure> {
    let progress = message.map(Progress::start);
    let broken = |error: io::Error| Failure::external(format!("no runtime can be started: {error}"));
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(broken)?;
    let result = runtime.block_on(future);
    drop(progress);
    Ok(result)
}

/// Does `work` on this thread, with the same progress line.
pub fn meanwhile<T>(message: String, work: impl FnOnce() -> T) -> T {
    let progress = Progress::start(message);
    let result = work();
    drop(progress);
    result
}

/// Does `work` on this thread; what it says of how far it is shows in the same progress line.
pub fn telling<T>(message: String, work: impl FnOnce(&dyn Fn(String)) -> T) -> T {
    let progress = Progress::start(message);
    let tell = |message: String| {
        if let Some(told) = &progress.told {
            // The line has ended before the work at most where nobody sees it.
            drop(told.send(message));
        }
    };
    let result = work(&tell);
    drop(progress);
    result
}

/// A progress line that appears after a second and goes away when dropped.
struct Progress {
    told: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    fn start(message: String) -> Self {
        let (told, wait) = channel::<String>();
        let thread = thread::spawn(move || {
            let (begun, mut message) = (Instant::now(), message);
            while let Some(left) = PATIENCE.checked_sub(begun.elapsed()) {
                match wait.recv_timeout(left) {
                    Ok(next) => message = next,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            // Hidden by indicatif where stderr is no terminal.
            let bar = ProgressBar::new_spinner().with_message(message);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            loop {
                match wait.recv_timeout(TICK) {
                    Ok(next) => bar.set_message(next),
                    Err(RecvTimeoutError::Timeout) => bar.tick(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            bar.finish_and_clear();
        });
        Self { told: Some(told), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.told = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
