//! Threads that are started when they are needed, and kept.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use super::STACK_BYTES;
use crate::EngineError;

/// Threads at most. Most of them wait for a place in the long lane, or for a model.
const THREADS_MAX: usize = 256;

type Job = Box<dyn FnOnce() + Send>;

struct Crew {
    state: Mutex<State>,
    came: Condvar,
}

struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

static CREW: Crew =
    Crew { state: Mutex::new(State { jobs: VecDeque::new(), threads: 0, idle: 0 }), came: Condvar::new() };

fn state() -> MutexGuard<'static, State> {
    CREW.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a thread do the job: an idle one, else a new one, else the next that is idle. A job must not panic.
pub(super) fn spawn(job: impl FnOnce() + Send + 'static) -> Result<(), EngineError> {
    let mut own = state();
    own.jobs.push_back(Box::new(job));
    if own.idle < own.jobs.len() && own.threads < THREADS_MAX {
        let name = format!("steadfast-{}", own.threads);
        match Builder::new().name(name).stack_size(STACK_BYTES).spawn(work) {
            Ok(_) => own.threads += 1,
            // The others will do it.
            Err(_) if own.threads > 0 => {}
            Err(error) => {
                own.jobs.clear();
                return Err(EngineError::Internal { what: error.to_string() });
            }
        }
    }
    drop(own);
    CREW.came.notify_one();
    Ok(())
}

fn work() {
    let mut own = state();
    loop {
        while let Some(job) = own.jobs.pop_front() {
            drop(own);
            job();
            own = state();
        }
        own.idle += 1;
        own = CREW.came.wait(own).unwrap_or_else(PoisonError::into_inner);
        own.idle -= 1;
    }
}
