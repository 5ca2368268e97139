//! Admission: a small number of requests works at a time, a bounded number waits, the rest is refused.
//!
//! A request takes its turn once its body is here, so that nobody who sends slowly keeps others waiting. What it weighs is what its body
//! holds: many small ones run side by side, few large ones. Small ones have places of their own, so that they never wait for large ones;
//! which of the admitted ones the processor works on, the engine decides by what they spend.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use steadfast_engine::calls::{Context, SHORT_BYTES, Stopped};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::app::App;
use crate::body::MemoryPermit;
use crate::problem::kinds::{BUSY, TIMEOUT};
use crate::problem::{Problem, RETRY_SECONDS};
use crate::routes::{Answer, Incoming};

/// Places of large requests that work.
const LARGE_MAX: usize = 32;

/// Places of small requests that work.
const SMALL_MAX: usize = 128;

/// Requests that wait for their turn.
const WAITING_MAX: usize = 512;

/// Bytes of a body that take a place more.
const PLACE_BYTES: usize = 256 * 1024;

/// Seconds that a request waits for its turn.
const WAIT_SECONDS_MAX: u64 = 10;

/// Seconds that the work of a request may take.
const WORK_SECONDS_MAX: u64 = 120;

/// Who works and who waits.
pub(crate) struct Admission {
    large: Arc<Semaphore>,
    small: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Default for Admission {
    fn default() -> Self {
        let places = |most: usize| Arc::new(Semaphore::new(most));
        Self { large: places(LARGE_MAX), small: places(SMALL_MAX), waiting: places(WAITING_MAX) }
    }
}

impl Admission {
    /// Places that are taken, and requests that wait for one.
    pub(crate) fn taken(&self) -> (usize, usize) {
        let taken = |most: usize, all: &Semaphore| most.saturating_sub(all.available_permits());
        (taken(LARGE_MAX, &self.large) + taken(SMALL_MAX, &self.small), taken(WAITING_MAX, &self.waiting))
    }

    /// Where a request with a body of so many bytes has its places, and how many.
    fn places(&self, bytes: usize) -> (&Arc<Semaphore>, u32) {
        if bytes <= SHORT_BYTES {
            return (&self.small, 1);
        }
        (&self.large, u32::try_from((1 + bytes / PLACE_BYTES).min(LARGE_MAX)).unwrap_or(1))
    }
}

/// A caller as a number.
fn client(asker: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    asker.hash(&mut hash);
    hash.finish()
}

/// Says, once it is dropped, that nobody waits for the answer any more.
struct Left(Stopped);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Has a request work when its turn comes. When its client goes away, or the time is over, what reads and judges ends soon; the rest goes
/// on and keeps its place until it is done.
pub(crate) async fn within(
    app: &App,
    mut incoming: Incoming,
    room: MemoryPermit,
    handler: fn(Incoming) -> Answer,
) -> Result<Response, Problem> {
    let busy = |what: &str| Problem::of(&BUSY, what).retry(RETRY_SECONDS);
    let bytes = incoming.body.len();
    let (running, places) = app.turns.places(bytes);
    let place = match Arc::clone(running).try_acquire_many_owned(places) {
        Ok(place) => place,
        Err(_) => {
            let _waiting = app.turns.waiting.try_acquire().map_err(|_| busy("as many requests wait as may"))?;
            let turn =
                timeout(Duration::from_secs(WAIT_SECONDS_MAX), Arc::clone(running).acquire_many_owned(places)).await;
            turn.ok().and_then(Result::ok).ok_or_else(|| busy("no turn came in time"))?
        }
    };
    let stopped = Stopped::default();
    incoming.stopped = stopped.clone();
    let context = Context::current().request(client(&incoming.asker), bytes, stopped.clone());
    let _left = Left(stopped);
    let work = tokio::spawn(context.scope(async move {
        let _held = (place, room);
        handler(incoming).await
    }));
    match timeout(Duration::from_secs(WORK_SECONDS_MAX), work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => Err(Problem::fault(error.to_string())),
        Err(_) => {
            let what = format!("the work took more than {WORK_SECONDS_MAX} seconds");
            Err(Problem::of(&TIMEOUT, what).retry(RETRY_SECONDS))
        }
    }
}
