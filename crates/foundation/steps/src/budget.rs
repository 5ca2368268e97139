//! Budgets of steps, one per thread at a time.

use std::cell::{Cell, RefCell};
use std::num::NonZeroU64;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps after which it is asked whether anybody still waits: a fraction of a millisecond.
const PORTION: u64 = 64 * 1024;

/// Whoever watches over work: it is asked before each portion of some ten thousand steps.
pub trait Watch: Send + Sync {
    /// Whether the work may go on and spend a portion. It may wait before it says so.
    fn goes_on(&self, portion: u64) -> bool;
}

/// Whether anybody still waits for the work. Its clones are one flag.
#[derive(Clone, Debug, Default)]
pub struct Flag(Arc<AtomicBool>);

impl Flag {
    /// Nobody waits any more.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for Flag {
    fn goes_on(&self, _: u64) -> bool {
        !self.is_stopped()
    }
}

/// How much work may be done, and who may break it off.
#[derive(Clone)]
pub struct Budget {
    steps: u64,
    watch: Option<Arc<dyn Watch>>,
}

impl Budget {
    /// So many steps.
    #[must_use]
    pub const fn of(steps: u64) -> Self {
        Self { steps, watch: None }
    }

    /// One of so many equal parts of it.
    #[must_use]
    pub fn part(self, of: NonZeroU64) -> Self {
        Self { steps: self.steps / of.get(), watch: self.watch }
    }

    /// The same, that ends when `watch` says so.
    #[must_use]
    pub fn watched(self, watch: Arc<dyn Watch>) -> Self {
        Self { watch: Some(watch), ..self }
    }
}

/// Why work ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It would have spent more steps than it might.
    Spent {
        /// How many it might spend.
        steps: u64,
    },
    /// Nobody waits for it any more.
    Stopped,
}

/// What a thread may still spend.
struct Account {
    /// Steps of the budget.
    steps: u64,
    /// Those that are neither spent nor handed out as the portion in `LEFT`.
    kept: u64,
    watch: Option<Arc<dyn Watch>>,
}

impl Account {
    const fn open(steps: u64, watch: Option<Arc<dyn Watch>>) -> Self {
        Self { steps, kept: steps, watch }
    }
}

thread_local! {
    /// The rest of the portion that is spent without a look at the account.
    static LEFT: Cell<u64> = const { Cell::new(0) };
    static ACCOUNT: RefCell<Account> = const { RefCell::new(Account::open(u64::MAX, None)) };
}

/// Counts steps.
///
/// Where a budget has not so many left, or whoever watches ends the work, this unwinds to the [`within`] that set the budget: what is
/// half done is dropped. So what a process makes once, on first use, must spend nothing: make it [`flat`].
#[inline]
pub fn spend(steps: usize) {
    let steps = steps as u64;
    let left = LEFT.get();
    if steps <= left {
        LEFT.set(left - steps);
    } else {
        take(steps);
    }
}

/// Spends beyond the portion.
#[cold]
fn take(steps: u64) {
    let watch = ACCOUNT.with_borrow(|account| account.watch.clone());
    let goes_on = watch.is_none_or(|watch| watch.goes_on(steps.saturating_add(PORTION)));
    let ended = ACCOUNT.with_borrow_mut(|account| {
        if !goes_on {
            return Some(Ended::Stopped);
        }
        let all = account.kept.saturating_add(LEFT.get());
        let Some(rest) = all.checked_sub(steps) else {
            return Some(Ended::Spent { steps: account.steps });
        };
        let portion = rest.min(PORTION);
        LEFT.set(portion);
        account.kept = rest - portion;
        None
    });
    if let Some(ended) = ended {
        // Without a word on stderr: no panic, only the way back.
        resume_unwind(Box::new(ended));
    }
}

/// What this thread may still spend, and who watches: for parts of the work that other threads do, each [`within`] it.
#[must_use]
pub fn current() -> Budget {
    ACCOUNT
        .with_borrow(|account| Budget { steps: account.kept.saturating_add(LEFT.get()), watch: account.watch.clone() })
}

/// Opens an account when made, and the one before it again when dropped, whatever happened in between.
struct Opened {
    before: Option<Account>,
    left: u64,
}

impl Opened {
    fn of(steps: u64, watch: Option<Arc<dyn Watch>>) -> Self {
        let before = ACCOUNT.replace(Account::open(steps, watch));
        Self { before: Some(before), left: LEFT.replace(0) }
    }

    /// Steps that were spent since.
    fn spent() -> u64 {
        ACCOUNT.with_borrow(|account| account.steps.saturating_sub(account.kept.saturating_add(LEFT.get())))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            ACCOUNT.set(before);
            LEFT.set(self.left);
        }
    }
}

/// Does work within a budget, and within what is left of the one around it, which is charged for it. Whoever watches the one around it
/// watches this one too, where it has nobody of its own; where they end the work, all of it ends.
///
/// # Errors
/// [`Ended::Spent`] where the work would have spent more; [`Ended::Stopped`] where whoever watches this budget itself ended it.
pub fn within<T>(budget: &Budget, work: impl FnOnce() -> T) -> Result<T, Ended> {
    let around = current();
    let steps = budget.steps.min(around.steps);
    let own = budget.watch.is_some();
    let opened = Opened::of(steps, budget.watch.clone().or(around.watch));
    let done = catch_unwind(AssertUnwindSafe(work));
    let spent = Opened::spent();
    drop(opened);
    match done {
        Ok(value) => {
            spend(usize::try_from(spent).unwrap_or(usize::MAX));
            Ok(value)
        }
        Err(unwound) => match unwound.downcast::<Ended>() {
            Ok(ended) if *ended == Ended::Stopped && !own => resume_unwind(ended),
            Ok(ended) => {
                // Work that ended for want of steps has spent all of them.
                let spent = if matches!(*ended, Ended::Spent { .. }) { steps } else { spent };
                spend(usize::try_from(spent).unwrap_or(usize::MAX));
                Err(*ended)
            }
            Err(panic) => resume_unwind(panic),
        },
    }
}

/// Does work, and says how many steps it spent.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let around = current();
    let opened = Opened::of(around.steps, around.watch);
    let value = work();
    let spent = Opened::spent();
    drop(opened);
    spend(usize::try_from(spent).unwrap_or(usize::MAX));
    (value, spent)
}

/// Does work that is done once and remembered, and spends as many steps as are said, whether or not it was remembered: what a budget allows
/// must not depend on what was asked before.
pub fn flat<T>(steps: usize, work: impl FnOnce() -> T) -> T {
    spend(steps);
    let opened = Opened::of(u64::MAX, None);
    let value = work();
    drop(opened);
    value
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::{Budget, Ended, Flag, PORTION, counted, current, flat, spend, within};

    #[test]
    fn the_last_step_counts() {
        for steps in [1, 7, PORTION, PORTION + 1, 10 * PORTION + 3] {
            let by_one = |count: u64| (0..count).for_each(|_| spend(1));
            assert_eq!(within(&Budget::of(steps), || by_one(steps)), Ok(()), "{steps}");
            assert_eq!(within(&Budget::of(steps), || by_one(steps + 1)), Err(Ended::Spent { steps }), "{steps}");
            let whole = usize::try_from(steps).unwrap();
            assert_eq!(within(&Budget::of(steps), || spend(whole)), Ok(()), "{steps}");
            assert_eq!(within(&Budget::of(steps), || spend(whole + 1)), Err(Ended::Spent { steps }), "{steps}");
        }
    }

    #[test]
    fn a_part_is_charged_to_the_whole() {
        let part = || {
            let _ = within(&Budget::of(4), || spend(9));
        };
        let parts = |count: usize| within(&Budget::of(12), || (0..count).for_each(|_| part()));
        assert_eq!(parts(3), Ok(()));
        assert_eq!(
            within(&Budget::of(12), || within(&Budget::of(100), || spend(13))),
            Ok(Err(Ended::Spent { steps: 12 }))
        );
        let after = || {
            part();
            part();
            part();
            spend(1);
        };
        assert_eq!(within(&Budget::of(12), after), Err(Ended::Spent { steps: 12 }));
    }

    #[test]
    fn without_a_budget_nothing_ends_and_all_is_counted() {
        let ((), spent) = counted(|| {
            spend(5);
            assert_eq!(within(&Budget::of(10), || spend(7)), Ok(()));
        });
        assert_eq!(spent, 12);
        assert!(current().steps > u64::MAX / 2);
    }

    #[test]
    fn what_is_remembered_costs_the_same() {
        let cost = |within: usize| counted(|| flat(7, || spend(within))).1;
        assert_eq!((cost(0), cost(1_000_000)), (7, 7));
    }

    #[test]
    fn a_flag_ends_work_soon() {
        let flag = Flag::default();
        let mut done = 0_u64;
        let ended = within(&Budget::of(u64::MAX).watched(Arc::new(flag.clone())), || {
            loop {
                done += 1;
                if done == 10 {
                    flag.stop();
                }
                spend(1);
            }
        });
        assert_eq!(ended, Err::<(), _>(Ended::Stopped));
        assert!(done <= 10 + 2 * PORTION, "{done}");
    }

    #[test]
    fn whoever_watches_the_whole_watches_a_part() {
        let flag = Flag::default();
        flag.stop();
        let whole = Budget::of(u64::MAX).watched(Arc::new(flag));
        assert_eq!(within(&whole, || within(&Budget::of(u64::MAX), || spend(1))), Err(Ended::Stopped));
    }

    #[test]
    fn a_panic_stays_one_and_leaves_the_account_as_it_was() {
        let before = current().steps;
        let caught = catch_unwind(AssertUnwindSafe(|| within(&Budget::of(5), || panic!("oh"))));
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"oh"));
        assert_eq!(current().steps, before);
    }
}
