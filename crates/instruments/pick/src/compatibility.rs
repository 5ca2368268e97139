//! How prompts go together: what one gives and the next needs, and how much they say the same.

use std::collections::{BTreeSet, HashMap};

use crate::record::Records;
use crate::retrieve::terms::{each_word, term};

/// Pairs that are kept at most; what comes beside them is computed each time.
pub const CACHE_PAIRS_MAX: usize = 10_000;

/// What a pair has where one of the two does not say what it gives or needs.
pub const UNKNOWN: f64 = 0.5;

/// The terms of a short text.
#[must_use]
pub fn terms_of(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    each_word(text, |word| out.extend(term(word)));
    out
}

/// How one prompt follows another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// How far what the first gives is what the second needs: the share of the terms of the need that the gift has; [`UNKNOWN`] where
    /// either is not said.
    pub handover: f64,
    /// The cosine of their texts.
    pub likeness: f64,
}

/// How like two prompts of a vault are, by their places in it: the cosine of their texts.
pub trait Likeness {
    /// The cosine, −1 to 1; the same both ways.
    fn cosine(&self, a: usize, b: usize) -> f64;
}

/// Pairs that were computed, by places in one state of one vault. A value does not depend on what was asked before.
#[derive(Clone, Debug, Default)]
pub struct Compatibility {
    pairs: HashMap<(usize, usize), Pair>,
    needs: HashMap<usize, (BTreeSet<String>, BTreeSet<String>)>,
}

impl Compatibility {
    /// How `next` follows `first`.
    pub fn pair(&mut self, records: &dyn Records, likeness: &dyn Likeness, first: usize, next: usize) -> Pair {
        if let Some(found) = self.pairs.get(&(first, next)) {
            return *found;
        }
        let gives = self.phrases(records, first).1.clone();
        let (needs, _) = self.phrases(records, next);
        let handover = if gives.is_empty() || needs.is_empty() { UNKNOWN } else { share(needs, &gives) };
        let found = Pair { handover, likeness: likeness.cosine(first, next) };
        if self.pairs.len() < CACHE_PAIRS_MAX {
            self.pairs.insert((first, next), found);
        }
        found
    }

    /// The terms of what a prompt needs, and of what it gives.
    pub fn phrases(&mut self, records: &dyn Records, record: usize) -> &(BTreeSet<String>, BTreeSet<String>) {
        if self.needs.len() > CACHE_PAIRS_MAX {
            self.needs.clear();
        }
        self.needs.entry(record).or_insert_with(|| {
            let own = records.get(record);
            let of = |text: Option<&String>| text.map(|text| terms_of(text)).unwrap_or_default();
            (of(own.and_then(|own| own.expected_input.as_ref())), of(own.and_then(|own| own.expected_output.as_ref())))
        })
    }

    /// Pairs that are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The share of `wanted` that `given` has, 0 to 1.
#[must_use]
pub fn share(wanted: &BTreeSet<String>, given: &BTreeSet<String>) -> f64 {
    if wanted.is_empty() {
        return 1.0;
    }
    wanted.intersection(given).count() as f64 / wanted.len() as f64
}
