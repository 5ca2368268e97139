//! Numbers for places, and the ways between them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::matching::words;
use crate::model::{Notes, Rule};

/// Places by number: those of one name have one.
#[derive(Clone, Debug, Default)]
pub struct Places {
    numbers: BTreeMap<BTreeSet<String>, usize>,
}

impl Places {
    /// The number of a place.
    pub fn number(&mut self, place: &str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(words(place)).or_insert(next)
    }

    /// Minutes of every way of the notes; of several for one way the longest.
    pub fn ways(&mut self, notes: &Notes) -> HashMap<(usize, usize), i64> {
        let mut ways: HashMap<(usize, usize), i64> = HashMap::new();
        for constraint in notes.constraints.iter().filter(|constraint| constraint.hard) {
            if let Rule::Travel { from, to, minutes, both_ways } = &constraint.rule {
                let (from, to) = (self.number(from), self.number(to));
                let mut add = |way| {
                    let known = ways.entry(way).or_insert(*minutes);
                    *known = (*known).max(*minutes);
                };
                add((from, to));
                if *both_ways {
                    add((to, from));
                }
            }
        }
        ways
    }
}
