//! The two lanes: cheap work goes on, dear work waits for a place, by turns of its callers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{ThreadId, available_parallelism, current};
use std::time::Duration;

use steadfast_steps::{Flag, Watch};

use super::{Context, MemoryBound};

/// Steps that a piece of work may spend in the short lane: some milliseconds, and more than a day plan or a review mostly takes.
const SHORT_STEPS: u64 = 500_000;

/// What it may read there, in bytes.
pub const SHORT_BYTES: usize = 64 * 1024;

/// How often work that waits looks whether its caller has gone, in milliseconds.
const LOOK_MILLISECONDS: u64 = 20;

/// The long lane.
#[derive(Default)]
struct Long {
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    /// Places that are taken.
    taken: usize,
    /// The number of the next that comes.
    next: u64,
    /// Who waits: number and caller, in the order in which they came.
    waiting: Vec<(u64, u64)>,
    /// How often each caller that is here has had a place since it came.
    turns: HashMap<u64, Turns>,
}

#[derive(Default)]
struct Turns {
    had: u64,
    /// Of its work, what waits or has a place.
    here: usize,
}

impl State {
    /// Who is next: of those whose caller has had the fewest turns the one that came first.
    fn first(&self) -> Option<u64> {
        let had = |client: &u64| self.turns.get(client).map_or(0, |turns| turns.had);
        self.waiting.iter().min_by_key(|(number, client)| (had(client), *number)).map(|(number, _)| *number)
    }

    fn come(&mut self, client: u64) {
        // Who comes anew begins where the others are, and not before them for all that they had.
        let least = self.turns.values().map(|turns| turns.had).min().unwrap_or(0);
        self.turns.entry(client).or_insert(Turns { had: least, here: 0 }).here += 1;
    }

    fn go(&mut self, client: u64) {
        if let Some(turns) = self.turns.get_mut(&client) {
            turns.here -= 1;
            if turns.here == 0 {
                self.turns.remove(&client);
            }
        }
    }
}

static LONG: LazyLock<Long> = LazyLock::new(Long::default);

/// Places of the long lane: as many as there are cores.
static PLACES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

fn state() -> MutexGuard<'static, State> {
    LONG.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a piece of work has spent, and in which lane it is.
pub(super) struct Pass {
    client: u64,
    stopped: Flag,
    /// Whether what it makes is no longer waited for.
    left: Flag,
    /// Whether it has a place in the long lane.
    long: AtomicBool,
    spent: AtomicU64,
    /// The bytes that it might hold, once the process held more.
    over_bytes: OnceLock<u64>,
    /// Its thread. Its parts run on others, which never wait here.
    thread: Mutex<Option<ThreadId>>,
}

impl Pass {
    /// The pass of work that begins.
    pub(super) fn of(context: &Context) -> Arc<Self> {
        // What is too large for the short lane has spent all that it may there.
        let spent = if context.bytes > SHORT_BYTES { SHORT_STEPS } else { 0 };
        Arc::new(Self {
            client: context.client,
            stopped: context.stopped.clone(),
            left: Flag::default(),
            long: AtomicBool::new(false),
            spent: AtomicU64::new(spent),
            over_bytes: OnceLock::new(),
            thread: Mutex::new(None),
        })
    }

    /// The work begins on this thread, and ends when what this gives is dropped.
    pub(super) fn enter(&self) -> Entered<'_> {
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(current().id());
        Entered(self)
    }

    /// Whether nobody waits for the work any more.
    fn is_left(&self) -> bool {
        self.stopped.is_stopped() || self.left.is_stopped()
    }

    /// The bytes that it might hold, where it ended because the process held more.
    pub(super) fn over_bytes(&self) -> Option<u64> {
        self.over_bytes.get().copied()
    }

    fn is_here(&self) -> bool {
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) == Some(current().id())
    }

    /// Waits for a place in the long lane. `false` where its caller goes away meanwhile.
    fn wait(&self) -> bool {
        let mut own = state();
        let number = own.next;
        own.next += 1;
        own.waiting.push((number, self.client));
        own.come(self.client);
        loop {
            let stopped = self.is_left();
            let turn = own.taken < *PLACES && own.first() == Some(number);
            if stopped || turn {
                own.waiting.retain(|(other, _)| *other != number);
                if stopped {
                    own.go(self.client);
                } else {
                    own.taken += 1;
                    if let Some(turns) = own.turns.get_mut(&self.client) {
                        turns.had += 1;
                    }
                    self.long.store(true, Ordering::Relaxed);
                }
                drop(own);
                // There may be a place for the next one as well.
                LONG.left.notify_all();
                return !stopped;
            }
            let look = Duration::from_millis(LOOK_MILLISECONDS);
            own = LONG.left.wait_timeout(own, look).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Work that has begun.
pub(super) struct Entered<'a>(&'a Pass);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if self.0.long.swap(false, Ordering::Relaxed) {
            let mut own = state();
            own.taken -= 1;
            own.go(self.0.client);
            drop(own);
            LONG.left.notify_all();
        }
    }
}

/// Says, once it is dropped, that what the work makes is no longer waited for.
pub(super) struct Waits(pub(super) Arc<Pass>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.left.stop();
    }
}

impl Watch for Pass {
    fn goes_on(&self, portion: u64) -> bool {
        if self.is_left() {
            return false;
        }
        if let Some(bytes_max) = MemoryBound::exceeded() {
            let _first = self.over_bytes.set(bytes_max);
            return false;
        }
        let spent = self.spent.fetch_add(portion, Ordering::Relaxed).saturating_add(portion);
        if spent <= SHORT_STEPS || self.long.load(Ordering::Relaxed) || !self.is_here() {
            return true;
        }
        self.wait()
    }
}
