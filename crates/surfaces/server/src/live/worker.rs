//! The thread that scores what nobody waits for.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use steadfast_engine::live::Live;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::Host;

/// Seconds until it tries again after the first error; then twice as long each time.
const PAUSE_SECONDS: u64 = 1;

/// Seconds between tries at most.
const PAUSE_SECONDS_MAX: u64 = 60;

/// Seconds that a server that stops waits for what is being scored.
const STOP_SECONDS_MAX: u64 = 10;

/// The thread, as others see it.
pub(super) struct Worker {
    stop: Mutex<Option<Sender<()>>>,
    ended: watch::Receiver<bool>,
}

impl Worker {
    pub(super) fn start(live: &Arc<Live>, host: Arc<dyn Host>) -> Self {
        let (stop, stopped) = channel();
        let (end, ended) = watch::channel(false);
        let live = Arc::clone(live);
        let begun = thread::Builder::new().name("steadfast-scores".to_owned()).spawn({
            let host = Arc::clone(&host);
            move || {
                run(&live, &*host, &stopped);
                // The store is free before it is said.
                drop(live);
                end.send_replace(true);
            }
        });
        if let Err(error) = begun {
            host.note(&format!("steps are not scored in the background: no thread: {error}"));
        }
        Self { stop: Mutex::new(Some(stop)), ended }
    }

    /// Has it end, also where it waits to try again.
    pub(super) fn stop(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    #[cfg(test)]
    pub(super) fn is_ended(&self) -> bool {
        *self.ended.borrow()
    }

    /// Waits a while until it has ended.
    pub(super) async fn ended(&self) {
        let mut ended = self.ended.clone();
        drop(timeout(Duration::from_secs(STOP_SECONDS_MAX), ended.wait_for(|ended| *ended)).await);
    }
}

/// Scores until it is stopped. What goes wrong is said once, not each time that it is tried again.
fn run(live: &Live, host: &dyn Host, stopped: &Receiver<()>) {
    let (mut said, mut pause) = (String::new(), PAUSE_SECONDS);
    while let Err(error) = live.work_off() {
        let message = error.to_string();
        if message == said {
            pause = (pause * 2).min(PAUSE_SECONDS_MAX);
        } else {
            let hint = error.hint().map_or_else(String::new, |hint| format!(" ({hint})"));
            host.note(&format!("steps of trajectories wait for their scores: {message}{hint}"));
            (said, pause) = (message, PAUSE_SECONDS);
        }
        if stopped.recv_timeout(Duration::from_secs(pause)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}
