//! The best few of many scores.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A document and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The document's number.
    pub document: u32,
    /// Its score.
    pub score: f32,
}

/// The `k` best of all scores that it is shown. Of equal scores the smaller document number is the better one, so that the order in which
/// they are shown changes nothing. Time is `n log k` at most, and `n` where most scores are too low to enter.
#[derive(Debug)]
pub struct Top {
    k: usize,
    /// The keys of the best so far, the least first.
    heap: BinaryHeap<Reverse<u64>>,
    /// The least key that still enters.
    least: u64,
}

impl Top {
    /// For the `k` best.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::new(), least: if k == 0 { u64::MAX } else { 0 } }
    }

    /// Whether a score would be among the best so far. One that is no number never is.
    #[inline]
    #[must_use]
    pub fn admits(&self, document: u32, score: f32) -> bool {
        key(document, score) > self.least && !score.is_nan()
    }

    /// Shows a score.
    #[inline]
    pub fn push(&mut self, document: u32, score: f32) {
        if !self.admits(document, score) {
            return;
        }
        let key = key(document, score);
        if self.heap.len() == self.k {
            self.heap.pop();
        }
        self.heap.push(Reverse(key));
        if self.heap.len() == self.k {
            self.least = self.heap.peek().map_or(0, |least| least.0);
        }
    }

    /// The best, best first.
    #[must_use]
    pub fn into_hits(self) -> Vec<Hit> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(key)| hit(key)).collect()
    }
}

/// Grows with the score, and for equal scores with what is left above the document's number.
fn key(document: u32, score: f32) -> u64 {
    // −0 and 0 are one score.
    let bits = (score + 0.0).to_bits();
    let ordered = if bits >> 31 == 0 { bits | 0x8000_0000 } else { !bits };
    u64::from(ordered) << 32 | u64::from(u32::MAX - document)
}

fn hit(key: u64) -> Hit {
    let ordered = (key >> 32) as u32;
    let bits = if ordered >> 31 == 1 { ordered & 0x7fff_ffff } else { !ordered };
    Hit { document: u32::MAX - key as u32, score: f32::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Hit, Top};

    fn best(scores: &[f32], k: usize, order: impl Iterator<Item = usize>) -> Vec<Hit> {
        let mut top = Top::new(k);
        for at in order {
            top.push(at as u32, scores[at]);
        }
        top.into_hits()
    }

    #[test]
    fn equal_scores_stand_in_the_order_of_their_numbers() {
        let found = best(&[1.0, 2.0, 0.0, 2.0, -0.0, -1.0, f32::NAN], 9, 0..7);
        let numbers: Vec<u32> = found.iter().map(|hit| hit.document).collect();
        assert_eq!(numbers, [1, 3, 0, 2, 4, 5]);
        assert!(best(&[1.0], 0, 0..1).is_empty());
    }

    proptest! {
        #[test]
        fn it_is_the_beginning_of_the_sorted_scores(
            scores in prop::collection::vec((-4_i8..4).prop_map(|x| f32::from(x) / 3.0), 0..60), k in 0_usize..70,
        ) {
            let mut sorted: Vec<Hit> =
                scores.iter().enumerate().map(|(at, score)| Hit { document: at as u32, score: *score }).collect();
            sorted.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
            sorted.truncate(k);
            prop_assert_eq!(&best(&scores, k, 0..scores.len()), &sorted);
            prop_assert_eq!(&best(&scores, k, (0..scores.len()).rev()), &sorted);
        }
    }
}
