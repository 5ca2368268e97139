//! Jobs: many audits that are asked for at once and done one after the other in the background, each kept as a run.
//!
//! What a job is to do is held in memory, within limits on the number of jobs and on their bytes; how it stands is in the store. One job
//! is done at a time, the others wait in the order in which they came. What a server leaves undone is `interrupted`: its texts are gone.
//! Several servers may share a store: each does its own jobs, and the others see how they stand.

mod events;
mod input;
mod part;
mod routes;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::store::{JobStore, Keep, Whose};
use steadfast_engine::{EngineError, jobs};
use steadfast_wire::jobs::{Job, JobRecord, JobState};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use crate::live::listeners::Listeners;
use crate::live::{off, problem};
use crate::problem::kinds::BUSY;
use crate::problem::{Problem, RETRY_SECONDS};
use crate::workers::Workers;
use input::Order;

pub(crate) use part::Part;
pub(crate) use routes::ROUTES;

/// Jobs that wait or are under way.
const JOBS_MAX: usize = 32;

/// Bytes that the bodies of all of them hold.
const JOBS_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Bytes of one place of that room.
const ROOM_BYTES: usize = 1024;

/// Seconds that one audit of a job may take.
const PART_SECONDS_MAX: u64 = 600;

/// Seconds that the audit which is under way has to end when the server stops.
const PART_STOP_SECONDS_MAX: u64 = 5;

/// Seconds between two looks whether other servers with this store have ended and left jobs.
const LOOK_SECONDS: u64 = 5;

/// Seconds that a server that stops waits for the job that is under way.
const STOP_SECONDS_MAX: u64 = 10;

/// What the server does jobs with.
pub(crate) struct Jobs {
    host: Arc<dyn Host>,
    /// Who judges; `None` where this process does.
    workers: Option<Arc<Workers>>,
    store: Arc<dyn Keep>,
    listeners: Arc<Listeners>,
    /// Jobs that wait for their turn, and hear that they are cancelled.
    waiting: Arc<Listeners>,
    /// The place of the one that is under way; those that wait get it in their order.
    turn: Arc<Semaphore>,
    places: Arc<Semaphore>,
    room: Arc<Semaphore>,
    /// When it was last looked whether other servers left jobs.
    looked: Mutex<Option<Instant>>,
    closing: watch::Sender<bool>,
}

/// The places that a job takes until it has ended.
struct Held {
    _place: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

impl Jobs {
    /// `None` where the server keeps nothing.
    pub(crate) fn open(host: &Arc<dyn Host>, workers: Option<Arc<Workers>>) -> Option<Arc<Self>> {
        let own = Arc::new(Self {
            store: host.store()?,
            host: Arc::clone(host),
            workers,
            listeners: Arc::default(),
            waiting: Arc::default(),
            turn: Arc::new(Semaphore::new(1)),
            places: Arc::new(Semaphore::new(JOBS_MAX)),
            room: Arc::new(Semaphore::new(JOBS_BYTES_MAX / ROOM_BYTES)),
            looked: Mutex::new(None),
            closing: watch::Sender::new(false),
        });
        let begun = Arc::clone(&own);
        host.spawn(Box::new(move || {
            if let Err(error) = begun.books() {
                begun.host.note(&format!("jobs of an earlier server stand as they stood: {error}"));
            }
        }));
        Some(own)
    }

    /// The books of jobs. Before anybody looks into them, those that a server left which has ended are ended.
    fn books(&self) -> Result<&dyn JobStore, EngineError> {
        let store: &dyn JobStore = &*self.store;
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.is_none_or(|at| at.elapsed() >= Duration::from_secs(LOOK_SECONDS)) {
            jobs::interrupt(store, Whose::Ended)?;
            *looked = Some(Instant::now());
        }
        Ok(store)
    }

    /// Looks into the books, on a thread that may wait for the disk.
    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&dyn JobStore) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let own = Arc::clone(self);
        off(move || own.books().and_then(work).map_err(problem)).await
    }

    /// Takes a job in: it is in the books when this returns, and done when its turn comes.
    async fn take(self: &Arc<Self>, order: Order) -> Result<JobRecord, Problem> {
        let busy = |what: String| Problem::of(&BUSY, what).retry(RETRY_SECONDS);
        let places = Arc::clone(&self.places).try_acquire_owned();
        let place = places.map_err(|_| busy(format!("{JOBS_MAX} jobs wait or are under way already")))?;
        let bytes = u32::try_from(order.bytes().div_ceil(ROOM_BYTES)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).try_acquire_many_owned(bytes);
        let room = room.map_err(|_| busy("other jobs hold all the room that there is".to_owned()))?;
        let total = order.len() as u64;
        let record = self.work(move |books| {
            let job = jobs::create(books, "audit", total)?;
            jobs::show(books, &job.id, None, 1)
        });
        let record = record.await?;
        let (own, id) = (Arc::clone(self), record.job.id.clone());
        tokio::spawn(async move {
            let _held = Held { _place: place, _room: room };
            if let Err(problem) = own.does(&id, order).await {
                own.failed(id, problem).await;
            }
        });
        Ok(record)
    }

    /// Does a job when its turn comes. It ends early where it was cancelled, or the server stops.
    async fn does(self: &Arc<Self>, id: &str, order: Order) -> Result<(), Problem> {
        let mut closing = self.closing.subscribe();
        let mut cancelled = self.waiting.listen(id)?;
        let turn = Arc::clone(&self.turn).acquire_owned();
        let mut turn = std::pin::pin!(turn);
        let _turn = loop {
            cancelled.looks();
            tokio::select! {
                turn = &mut turn => match turn {
                    Ok(turn) => break turn,
                    Err(_) => return Ok(()),
                },
                () = cancelled.changed() => {
                    let own = id.to_owned();
                    if self.work(move |books| jobs::show(books, &own, None, 1)).await?.job.state.has_ended() {
                        return Ok(());
                    }
                }
                // What is waited for holds a lock, which is not to be held while others are.
                () = async { drop(closing.wait_for(|closing| *closing).await) } => return Ok(()),
            }
        };
        drop(cancelled);
        let own = id.to_owned();
        let mut state = self.change(move |books| jobs::start(books, &own)).await?;
        let judge = order.judge;
        let mut parts = off(move || order.parts()).await?;
        for number in 0.. {
            if state != JobState::Running || *closing.borrow() {
                return Ok(());
            }
            let next = off(move || Ok((parts.next().transpose()?, parts))).await?;
            let Some(part) = next.0 else { break };
            parts = next.1;
            let name = part.name.clone();
            let part = Part { judge, ..part };
            let Some(outcome) = self.audit(part, &mut closing).await else { return Ok(()) };
            let own = id.to_owned();
            state = self.change(move |books| jobs::item_done(books, &own, number, &name, outcome)).await?;
        }
        if state == JobState::Running {
            let own = id.to_owned();
            self.change(move |books| jobs::finish(books, &own)).await?;
        }
        Ok(())
    }

    /// The run that an audit was kept as, or why there is none; `None` where the server stops.
    async fn audit(&self, part: Part, closing: &mut watch::Receiver<bool>) -> Option<Result<String, String>> {
        let (host, workers) = (Arc::clone(&self.host), self.workers.clone());
        // A task of its own, so that what fails in it fails this part alone.
        let mut work = tokio::spawn(async move {
            match workers {
                Some(workers) => workers.part(&part).await,
                None => part.audited(&host).await,
            }
        });
        let stopped = async {
            drop(closing.wait_for(|closing| *closing).await);
            tokio::time::sleep(Duration::from_secs(PART_STOP_SECONDS_MAX)).await;
        };
        let done = tokio::select! {
            done = timeout(Duration::from_secs(PART_SECONDS_MAX), &mut work) => done,
            () = stopped => {
                work.abort();
                return None;
            }
        };
        Some(match done {
            Ok(Ok(Ok(run))) => Ok(run),
            Ok(Ok(Err(Refusal { message, hint, .. }))) => Err(match hint {
                Some(hint) => format!("{message} ({hint})"),
                None => message,
            }),
            Ok(Err(error)) => {
                self.host.note(&format!("a part of a job failed: {error}"));
                Err("the server failed; what it wrote on its stderr says more".to_owned())
            }
            Err(_) => {
                work.abort();
                Err(format!("the work took more than {PART_SECONDS_MAX} seconds"))
            }
        })
    }

    /// Changes a job and wakes whoever follows it; how it stands then.
    async fn change(
        self: &Arc<Self>,
        change: impl FnOnce(&dyn JobStore) -> Result<Job, EngineError> + Send + 'static,
    ) -> Result<JobState, Problem> {
        let job = self.work(change).await?;
        self.listeners.changed(&job.id);
        self.waiting.changed(&job.id);
        Ok(job.state)
    }

    /// Ends a job that cannot go on.
    async fn failed(self: &Arc<Self>, id: String, problem: Problem) {
        let inner = problem.more().inner.unwrap_or_default();
        self.host.note(&format!("job {id} failed: {} {inner}", problem.detail));
        if let Err(again) = self.change(move |books| jobs::fail(books, &id, &problem.detail)).await {
            self.host.note(&format!("that it failed could not be kept: {}", again.detail));
        }
    }

    /// Takes nothing up any more, and ends answers that go on.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits a while for the audit that is under way, then ends all jobs.
    pub(crate) async fn closed(self: &Arc<Self>) {
        drop(timeout(Duration::from_secs(STOP_SECONDS_MAX), self.turn.acquire()).await);
        if let Err(problem) = self.work(|books| jobs::interrupt(books, Whose::Own)).await {
            self.host.note(&format!("jobs are left for the next server to end: {}", problem.detail));
        }
    }
}
