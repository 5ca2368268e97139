//! Steps on their way to the disk: a few threads wait for the receipts of all callers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use steadfast_engine::EngineError;
use steadfast_engine::live::{Live, NewSteps};
use steadfast_wire::live::StepsTaken;
use tokio::sync::oneshot;

use super::problem;
use crate::problem::kinds::BUSY;
use crate::problem::{Problem, RETRY_SECONDS};

/// Requests whose steps wait to be queued.
const WAITING_MAX: usize = 1_024;

/// Requests whose receipts a thread waits for at a time.
const TOGETHER_MAX: usize = 64;

/// Threads that queue and wait: while one waits for the disk the other gathers what comes.
const THREADS: usize = 2;

type Reply = oneshot::Sender<Result<StepsTaken, EngineError>>;

struct Wanted {
    steps: NewSteps,
    score_later: bool,
    reply: Reply,
}

/// The way to the threads. Once it is dropped they end, and all that came is done.
pub(super) struct Intake {
    way: Option<SyncSender<Wanted>>,
    threads: Vec<JoinHandle<()>>,
    taken: Arc<AtomicU64>,
}

impl Intake {
    pub(super) fn start(live: &Arc<Live>) -> Self {
        let (send, wanted) = sync_channel(WAITING_MAX);
        let (wanted, taken) = (Arc::new(Mutex::new(wanted)), Arc::<AtomicU64>::default());
        let begin = |_| {
            let (live, wanted, taken) = (Arc::clone(live), Arc::clone(&wanted), Arc::clone(&taken));
            thread::Builder::new().name("steadfast-intake".to_owned()).spawn(move || run(&live, &wanted, &taken))
        };
        // Where no thread can be had, requests are told that nobody takes their steps.
        let threads = (0..THREADS).map(begin).filter_map(Result::ok).collect();
        Self { way: Some(send), threads, taken }
    }

    /// Steps that were acknowledged.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Takes steps; they are on the disk when this is done.
    pub(super) async fn take(&self, steps: NewSteps, score_later: bool) -> Result<StepsTaken, Problem> {
        answer(self.queue(steps, score_later)?).await
    }

    /// Hands steps over. What comes of it is told by [`answer`].
    pub(super) fn queue(&self, steps: NewSteps, score_later: bool) -> Result<oneshot::Receiver<Told>, Problem> {
        let (reply, told) = oneshot::channel();
        if self.way.as_ref().is_some_and(|way| way.try_send(Wanted { steps, score_later, reply }).is_ok()) {
            return Ok(told);
        }
        Err(Problem::of(&BUSY, "the steps of as many requests wait to be written as may").retry(RETRY_SECONDS))
    }
}

impl Drop for Intake {
    fn drop(&mut self) {
        self.way = None;
        for thread in self.threads.drain(..) {
            // One that failed has told those who waited for it.
            drop(thread.join());
        }
    }
}

/// What came of steps.
pub(super) type Told = Result<StepsTaken, EngineError>;

/// Waits until steps are on the disk.
pub(super) async fn answer(told: oneshot::Receiver<Told>) -> Result<StepsTaken, Problem> {
    told.await.map_err(|_| Problem::fault("nobody takes steps any more"))?.map_err(problem)
}

fn run(live: &Live, wanted: &Mutex<Receiver<Wanted>>, taken: &AtomicU64) {
    loop {
        let together: Vec<Wanted> = {
            let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(first) = wanted.recv() else { return };
            std::iter::once(first).chain(wanted.try_iter().take(TOGETHER_MAX - 1)).collect()
        };
        let queued: Vec<_> =
            together.into_iter().map(|own| (live.begin(own.steps, own.score_later), own.reply)).collect();
        for (taking, reply) in queued {
            let told = live.taken(taking);
            taken.fetch_add(told.as_ref().map_or(0, |told| told.steps.len() as u64), Ordering::Relaxed);
            // Nobody need wait: what is kept is kept.
            drop(reply.send(told));
        }
    }
}
