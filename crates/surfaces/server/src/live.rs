//! Trajectories that are followed while they go on: steps come in, their scores go out.
//!
//! Steps of many callers are queued by a few threads (`intake`) and go to the disk together: no request holds a thread while it waits for the
//! disk. Those that nobody waits for are scored by a thread of their own (`worker`). Whoever follows a trajectory (`events`) is woken
//! when it changed and reads from the store what is new, so that nothing is told twice and nothing left out. Spans that exporters of
//! OpenTelemetry send (`otlp`) become steps like any others.

pub(crate) mod events;
mod intake;
pub(crate) mod listeners;
mod otlp;
mod routes;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use steadfast_engine::EngineError;
use steadfast_engine::calls::Refusal;
use steadfast_engine::live::{Live, LiveSettings};
use steadfast_wire::request::EmbedderChoice;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use crate::Host;
use crate::problem::kinds::{BUSY, IDEMPOTENCY, TOO_LARGE};
use crate::problem::{Problem, RETRY_SECONDS};
use crate::query::{Kind, Parameter};
use intake::Intake;
use listeners::Listeners;
use worker::Worker;

pub(crate) use routes::{ROUTES, after};

/// Requests that score, read much, or make a whole document at a time.
const WORKING_MAX: usize = 16;

/// Requests that wait for their turn to do so.
const WAITING_MAX: usize = 512;

/// Seconds that they wait.
const WAIT_SECONDS_MAX: u64 = 10;

/// A body that is larger is not read on a thread that others wait for, in bytes.
const READ_AT_ONCE_BYTES: usize = 64 * 1024;

/// Headers that routes read, by the names of the routes.
pub(crate) static HEADERS: &[(&str, Parameter)] = &[
    (
        "postSteps",
        Parameter {
            name: "Idempotency-Key",
            kind: Kind::Text(steadfast_engine::limits::IDEMPOTENCY_KEY_BYTES_MAX),
            about: "A name for the request, printable and without spaces: sent again under it, it is done once.",
            many: false,
            required: false,
        },
    ),
    (
        "trajectoryEvents",
        Parameter {
            name: "Last-Event-ID",
            kind: Kind::Count(0, steadfast_engine::limits::LIVE_TRAJECTORY_STEPS_MAX),
            about: "The id of the last event that arrived: what comes after it is told. It goes before `after`.",
            many: false,
            required: false,
        },
    ),
    (
        "jobEvents",
        Parameter {
            name: "Last-Event-ID",
            kind: Kind::Count(0, steadfast_engine::limits::JOB_ITEMS_MAX),
            about: "The id of the last event that arrived: what comes after it is told. It goes before `after`.",
            many: false,
            required: false,
        },
    ),
];

/// What the server follows trajectories with.
pub(crate) struct LiveService {
    live: Arc<Live>,
    intake: Intake,
    listeners: Arc<Listeners>,
    worker: Worker,
    working: Arc<Semaphore>,
    waiting: Semaphore,
    /// Whether the server stops.
    closing: watch::Sender<bool>,
}

impl LiveService {
    /// `None` where the server keeps nothing.
    pub(crate) fn open(host: &Arc<dyn Host>, embedder: EmbedderChoice) -> Option<Self> {
        let store = host.store()?;
        let listeners = Arc::new(Listeners::default());
        let (loading, told) = (Arc::clone(host), Arc::clone(&listeners));
        let load = move || {
            loading.embedder(embedder).map_err(|refusal| {
                let Refusal { message, hint, .. } = refusal;
                EngineError::NoEmbedder { what: message, hint }
            })
        };
        let settings = LiveSettings { keep_vectors: embedder == EmbedderChoice::Minilm, ..LiveSettings::default() };
        let live = Arc::new(Live::new(store, settings, Box::new(load), Box::new(move |id| told.changed(id))));
        Some(Self {
            intake: Intake::start(&live),
            worker: Worker::start(&live, Arc::clone(host)),
            live,
            listeners,
            working: Arc::new(Semaphore::new(WORKING_MAX)),
            waiting: Semaphore::new(WAITING_MAX),
            closing: watch::Sender::new(false),
        })
    }

    /// Ends what goes on for ever: whoever follows trajectories, and scoring in the background.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.live.stop();
        self.worker.stop();
    }

    /// Waits a while until nothing is scored in the background any more. What is not done by then is done by the next server.
    pub(crate) async fn closed(&self) {
        self.worker.ended().await;
    }

    /// Reads trajectories, for a page.
    ///
    /// # Errors
    /// [`Problem`]: what is asked for is not there, or cannot be read.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Live) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work(None, read).await
    }

    /// Steps that were acknowledged.
    pub(crate) fn steps_taken(&self) -> u64 {
        self.intake.taken()
    }

    /// A place for work.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy = |what: &str| Problem::of(&BUSY, what).retry(RETRY_SECONDS);
        let working = Arc::clone(&self.working);
        if let Ok(place) = Arc::clone(&working).try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| busy("as many requests wait as may"))?;
        let turn = timeout(Duration::from_secs(WAIT_SECONDS_MAX), working.acquire_owned()).await;
        turn.ok().and_then(Result::ok).ok_or_else(|| busy("no turn came in time"))
    }

    /// Does work on a thread that may wait for the disk, in a place that is held until it is done, whoever goes away meanwhile.
    async fn work<T: Send + 'static>(
        &self,
        place: Option<OwnedSemaphorePermit>,
        work: impl FnOnce(&Live) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let live = Arc::clone(&self.live);
        off(move || {
            let done = work(&live);
            drop(place);
            done.map_err(problem)
        })
        .await
    }
}

impl Drop for LiveService {
    fn drop(&mut self) {
        self.close();
    }
}

/// Does work on a thread that may wait.
pub(crate) async fn off<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem::fault(error.to_string()))?
}

/// What is said of an error.
pub(crate) fn problem(error: EngineError) -> Problem {
    let kind = match &error {
        EngineError::KeyReused { .. } => &IDEMPOTENCY,
        EngineError::StepsTooLarge { .. } => &TOO_LARGE,
        _ => return Problem::from(Refusal::from(error)),
    };
    let problem = Problem::of(kind, error.to_string());
    match error.hint() {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}
