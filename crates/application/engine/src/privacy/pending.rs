//! Texts of steps that wait for their scores, where they are not kept: in memory alone, until they have them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limits::LIVE_PENDING_BYTES_MAX;
use crate::store::{NewStep, StoreFailure, StoredStep};

/// How long is waited for texts of steps that are on the disk and whose receipt nobody has taken yet.
const RECEIPT_WAIT: Duration = Duration::from_secs(1);

/// Texts that wait.
#[derive(Default)]
pub(super) struct Pending {
    state: Mutex<State>,
    told: Condvar,
}

#[derive(Default)]
struct State {
    trajectories: HashMap<String, Waiting>,
    bytes: usize,
}

/// What waits of one trajectory.
#[derive(Default)]
struct Waiting {
    steps: BTreeMap<u64, NewStep>,
    /// Steps before this one have their scores.
    scored: u64,
    /// Requests whose steps may be on the disk already.
    under_way: usize,
}

fn bytes_of(step: &NewStep) -> usize {
    let texts = [&step.prompt, &step.output, &step.initial_intent];
    size_of::<NewStep>() + texts.into_iter().flatten().map(String::len).sum::<usize>()
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request with these steps is under way.
    pub(super) fn begin(&self, trajectory: &str, steps: &[NewStep]) -> Result<(), StoreFailure> {
        let bytes: usize = steps.iter().map(bytes_of).sum();
        let mut state = self.lock();
        if state.bytes.saturating_add(bytes) > LIVE_PENDING_BYTES_MAX {
            return Err(StoreFailure {
                what: format!(
                    "steps without scores hold more than {} MiB, and their texts are not kept on the disk",
                    LIVE_PENDING_BYTES_MAX >> 20
                ),
                hint: Some("send them again later; `capture = \"full\"` lets any number wait".to_owned()),
                full: false,
            });
        }
        state.bytes += bytes;
        state.trajectories.entry(trajectory.to_owned()).or_default().under_way += 1;
        Ok(())
    }

    /// A request has ended: its steps are kept from the number `first` on, or are not.
    pub(super) fn end(&self, trajectory: &str, steps: Vec<NewStep>, first: Option<u64>) {
        let mut state = self.lock();
        let mut freed: usize = 0;
        if let Some(waiting) = state.trajectories.get_mut(trajectory) {
            waiting.under_way = waiting.under_way.saturating_sub(1);
            for (place, step) in (0..).zip(steps) {
                match first.map(|first| first + place).filter(|number| *number >= waiting.scored) {
                    Some(number) => drop(waiting.steps.insert(number, step)),
                    None => freed += bytes_of(&step),
                }
            }
        }
        state.bytes = state.bytes.saturating_sub(freed);
        drop(state);
        self.told.notify_all();
    }

    /// Steps as they are kept, with their texts where these wait. What is not there yet, though its request is under way, is waited for.
    pub(super) fn with_texts(&self, trajectory: &str, mut kept: Vec<StoredStep>) -> Vec<StoredStep> {
        let misses = |state: &mut State| {
            state.trajectories.get(trajectory).is_some_and(|waiting| {
                let missing =
                    |own: &StoredStep| own.number >= waiting.scored && !waiting.steps.contains_key(&own.number);
                waiting.under_way > 0 && kept.iter().any(missing)
            })
        };
        let waited = self.told.wait_timeout_while(self.lock(), RECEIPT_WAIT, misses);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let waiting = state.trajectories.get(trajectory);
        for own in &mut kept {
            if let Some(step) = waiting.and_then(|waiting| waiting.steps.get(&own.number)) {
                own.given = step.clone();
            }
        }
        kept
    }

    /// Steps before `scored` have their scores: their texts go.
    pub(super) fn forget_before(&self, trajectory: &str, scored: u64) {
        let mut state = self.lock();
        let mut freed = 0;
        if let Some(waiting) = state.trajectories.get_mut(trajectory) {
            waiting.scored = waiting.scored.max(scored);
            let rest = waiting.steps.split_off(&scored);
            freed = std::mem::replace(&mut waiting.steps, rest).values().map(bytes_of).sum();
            if waiting.steps.is_empty() && waiting.under_way == 0 {
                state.trajectories.remove(trajectory);
            }
        }
        state.bytes = state.bytes.saturating_sub(freed);
    }

    /// A trajectory is gone.
    pub(super) fn forget(&self, trajectory: &str) {
        self.forget_before(trajectory, u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> NewStep {
        NewStep { output: Some(text.to_owned()), agent: Some("a".to_owned()), ..NewStep::default() }
    }

    fn kept(number: u64) -> StoredStep {
        StoredStep { id: String::new(), number, given: step("[not kept]") }
    }

    fn outputs(pending: &Pending, numbers: &[u64]) -> String {
        let steps = pending.with_texts("t", numbers.iter().map(|number| kept(*number)).collect());
        steps.into_iter().filter_map(|own| own.given.output).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_wait_until_their_steps_have_scores() {
        let pending = Pending::default();
        for (first, text) in [(0, "one"), (1, "two")] {
            assert_eq!(pending.begin("t", &[step(text)]), Ok(()));
            pending.end("t", vec![step(text)], Some(first));
        }
        assert_eq!(outputs(&pending, &[0, 1]), "one two");
        pending.forget_before("t", 1);
        assert_eq!(outputs(&pending, &[0, 1]), "[not kept] two");
        pending.forget("t");
        assert_eq!(outputs(&pending, &[0, 1]), "[not kept] [not kept]");
        assert_eq!(pending.lock().bytes, 0);
    }

    #[test]
    fn what_is_refused_or_done_before_holds_nothing() {
        let pending = Pending::default();
        assert_eq!(pending.begin("t", &[step("one")]), Ok(()));
        pending.end("t", vec![step("one")], None);
        assert_eq!((outputs(&pending, &[0]), pending.lock().bytes), ("[not kept]".to_owned(), 0));
    }

    #[test]
    fn no_more_waits_than_there_is_room_for() {
        let pending = Pending::default();
        let large = step(&"x".repeat(LIVE_PENDING_BYTES_MAX - size_of::<NewStep>()));
        assert_eq!(pending.begin("t", std::slice::from_ref(&large)), Ok(()));
        assert!(pending.begin("t", &[step("")]).is_err());
        pending.end("t", vec![large], None);
        assert_eq!(pending.begin("t", &[step("")]), Ok(()));
    }
}
