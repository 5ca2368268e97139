//! The machine of one rule and one agent.

use std::collections::VecDeque;

use super::Rule;

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// So many of the last samples were wrong: it fires.
    Fires {
        /// How many.
        wrong: usize,
    },
    /// So many of the last samples were right: it is over.
    Resolves {
        /// How many.
        right: usize,
    },
}

/// The samples of one agent under one rule, as far as they count. Whenever something changed the count begins anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// When each came about, and whether it was wrong; the newest last.
    pub(super) last: VecDeque<(u64, bool)>,
    pub(super) now_us: u64,
    pub(super) fired_us: Option<u64>,
    pub(super) firing: bool,
}

impl Stream {
    /// Takes a sample; what changed by it. One that is older than the last counts as if it had come with that.
    pub fn push(&mut self, rule: &Rule, at_us: u64, value: f64) -> Option<Change> {
        self.now_us = self.now_us.max(at_us);
        self.last.push_back((self.now_us, rule.bound.is_broken_by(value)));
        let share = if self.firing { rule.resolves } else { rule.fires };
        let oldest = rule.window_us.map_or(0, |window| self.now_us.saturating_sub(window));
        while self.last.len() > share.n || self.last.front().is_some_and(|(at, _)| *at < oldest) {
            self.last.pop_front();
        }
        // While it fires what is right is counted, else what is wrong.
        let counted = self.last.iter().filter(|(_, wrong)| *wrong != self.firing).count();
        let is_silent = !self.firing && self.fired_us.is_some_and(|fired| self.now_us - fired < rule.cooldown_us);
        if counted < share.k || is_silent {
            return None;
        }
        self.last.clear();
        self.firing = !self.firing;
        if self.firing {
            self.fired_us = Some(self.now_us);
            Some(Change::Fires { wrong: counted })
        } else {
            Some(Change::Resolves { right: counted })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Bound, Metric, Share};
    use super::*;

    fn rule(fires: (usize, usize), resolves: (usize, usize), window_us: Option<u64>, cooldown_us: u64) -> Rule {
        Rule {
            name: "rule".to_owned(),
            metric: Metric::Ids,
            bound: Bound::Above(0.5),
            fires: Share { k: fires.0, n: fires.1 },
            resolves: Share { k: resolves.0, n: resolves.1 },
            window_us,
            cooldown_us,
            agent: "*".to_owned(),
            to: Vec::new(),
        }
    }

    /// A letter for each sample, `x` for a wrong one: what changed by each.
    fn told(rule: &Rule, samples: &str) -> String {
        let mut stream = Stream::default();
        let change = |(at, own): (u64, char)| match stream.push(rule, at, if own == 'x' { 1.0 } else { 0.0 }) {
            Some(Change::Fires { .. }) => 'F',
            Some(Change::Resolves { .. }) => 'R',
            None => '.',
        };
        (0..).zip(samples.chars()).map(change).collect()
    }

    #[test]
    fn it_fires_once_k_of_n_are_wrong_and_is_resolved_once_as_many_as_asked_for_are_right() {
        assert_eq!(told(&rule((2, 3), (2, 2), None, 0), "x-x--x"), "..F.R.");
        assert_eq!(told(&rule((2, 3), (2, 2), None, 0), "x--x-x"), ".....F");
        assert_eq!(told(&rule((2, 3), (3, 3), None, 0), "xxxx-x---"), ".F......R");
        assert_eq!(told(&rule((1, 1), (1, 1), None, 0), "x-x-"), "FRFR");
    }

    #[test]
    fn a_window_forgets_and_a_cooldown_keeps_silent() {
        assert_eq!(told(&rule((2, 5), (1, 1), Some(2), 0), "x--xx"), "....F");
        assert_eq!(told(&rule((2, 5), (1, 1), Some(3), 0), "x--x"), "...F");
        // It fires at 0, so not before 5 again; what was wrong meanwhile counts.
        assert_eq!(told(&rule((1, 1), (1, 1), None, 5), "x-xxxx"), "FR...F");
    }

    #[test]
    fn values_at_the_bound_are_right() {
        assert!(!Bound::Above(0.5).is_broken_by(0.5) && !Bound::Below(0.5).is_broken_by(0.5));
        assert!(!Bound::Above(0.5).is_broken_by(f64::NAN));
    }

    proptest! {
        #[test]
        fn changes_take_turns_and_each_rests_on_enough_samples_since_the_last(
            samples in prop::collection::vec((0_u64..20, any::<bool>()), 0..200),
            (k, more) in (1_usize..5, 0_usize..5),
            (well, rest) in (1_usize..5, 0_usize..5),
            window in prop::option::of(1_u64..100),
            cooldown in 0_u64..100,
        ) {
            let rule = rule((k, k + more), (well, well + rest), window, cooldown);
            let mut stream = Stream::default();
            let (mut at, mut fired, mut firing, mut wrong, mut right) = (0, None, false, 0, 0);
            for (step, is_wrong) in samples {
                at += step;
                let (kept, before) = (stream.clone(), stream.firing);
                let change = stream.push(&rule, at, if is_wrong { 1.0 } else { 0.0 });
                prop_assert_eq!(kept.clone().push(&rule, at, if is_wrong { 1.0 } else { 0.0 }), change, "the same again");
                if is_wrong { wrong += 1 } else { right += 1 }
                match change {
                    Some(Change::Fires { wrong: counted }) => {
                        prop_assert!(!before && is_wrong || cooldown > 0, "a sample that is right fires nothing by itself");
                        prop_assert!(counted >= k && counted <= wrong);
                        prop_assert!(fired.is_none_or(|fired| at - fired >= cooldown));
                        (fired, firing, wrong, right) = (Some(at), true, 0, 0);
                    }
                    Some(Change::Resolves { right: counted }) => {
                        prop_assert!(before && !is_wrong);
                        prop_assert!(counted >= well && counted <= right);
                        (firing, wrong, right) = (false, 0, 0);
                    }
                    None => {}
                }
                prop_assert_eq!(stream.firing, firing);
                prop_assert!(stream.last.len() <= rule.fires.n.max(rule.resolves.n));
            }
        }
    }
}
