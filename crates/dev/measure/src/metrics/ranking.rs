//! Metrics of rankings, as `trec_eval` has them.
//!
//! What is ranked is judged by a grade; a document is relevant where its grade is at least 1, and one that nobody judged is not. Where
//! nothing is relevant, no metric is defined: there is no [`Ranking`]. A ranking is taken in the order in which it is given: whoever
//! ranks settles equal scores, here by the ids in ascending order. (`trec_eval` takes them in descending order, whatever order a run is
//! given in: to compare, give it scores without ties.) Time is `n log n` in what is ranked and judged.

use std::collections::{BTreeMap, BTreeSet};

/// One query's ranking, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The grades of what was ranked, in its order; 0 is not relevant.
    grades: Vec<u32>,
    /// The grades of all that is relevant, the highest first.
    ideal: Vec<u32>,
}

impl Ranking {
    /// The ranking, best first, with the grades of what was judged. What stands in it twice counts where it stands first. `None`
    /// where nothing is relevant.
    #[must_use]
    pub fn new<I: Ord>(ranked: &[I], judged: &BTreeMap<I, u32>) -> Option<Self> {
        let mut ideal: Vec<u32> = judged.values().copied().filter(|grade| *grade > 0).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let mut seen = BTreeSet::new();
        let once = ranked.iter().filter(|id| seen.insert(*id));
        let grades = once.map(|id| judged.get(id).copied().unwrap_or_default()).collect();
        (!ideal.is_empty()).then_some(Self { grades, ideal })
    }

    /// The relevant among the first `k`.
    fn found(&self, k: usize) -> f64 {
        self.grades.iter().take(k).filter(|grade| **grade > 0).count() as f64
    }

    /// P@k: the share of the first `k` places that hold something relevant. Places that hold nothing count as well; at 0 it is 0.
    #[must_use]
    pub fn precision_at(&self, k: usize) -> f64 {
        if k == 0 { 0.0 } else { self.found(k) / k as f64 }
    }

    /// R@k: the share of what is relevant that stands in the first `k` places.
    #[must_use]
    pub fn recall_at(&self, k: usize) -> f64 {
        self.found(k) / self.ideal.len() as f64
    }

    /// hit@k: 1 where something relevant stands in the first `k` places, else 0.
    #[must_use]
    pub fn hit_at(&self, k: usize) -> f64 {
        self.found(k).min(1.0)
    }

    /// One over the place of the first that is relevant; 0 where none was found. Its mean is MRR.
    #[must_use]
    pub fn reciprocal_rank(&self) -> f64 {
        self.grades.iter().position(|grade| *grade > 0).map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
    }

    /// The mean over all that is relevant of the precision at its place, 0 for what was not found. Its mean is MAP.
    #[must_use]
    pub fn average_precision(&self) -> f64 {
        let relevant = self.grades.iter().enumerate().filter(|(_, grade)| **grade > 0);
        let precisions = relevant.zip(1..).map(|((at, _), found)| f64::from(found) / (at as f64 + 1.0));
        precisions.sum::<f64>() / self.ideal.len() as f64
    }

    /// nDCG@k: the sum over the first `k` places of grade / log₂(place + 1), over that of the best ranking of all that is relevant, cut at `k`
    /// as well (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with the discount of
    /// Burges et al. 2005). The gain is the grade itself, not a power of it. At 0 it is 0.
    #[must_use]
    pub fn ndcg_at(&self, k: usize) -> f64 {
        let cumulated = |grades: &[u32]| {
            let places = (2_u32..).zip(grades.iter().take(k));
            places.map(|(place, grade)| f64::from(*grade) / f64::from(place).log2()).sum::<f64>()
        };
        if k == 0 { 0.0 } else { cumulated(&self.grades) / cumulated(&self.ideal) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Ranking;

    fn ranking(ranked: &[u32], judged: &[(u32, u32)]) -> Option<Ranking> {
        Ranking::new(ranked, &judged.iter().copied().collect::<BTreeMap<_, _>>())
    }

    #[track_caller]
    fn check(found: f64, expect: f64) {
        assert!((found - expect).abs() < 1e-15, "{found}, not {expect}");
    }

    #[test]
    fn by_hand() {
        // Places 1 and 3 of four, one relevant document not found.
        let it = ranking(&[7, 1, 8, 2], &[(7, 1), (8, 3), (9, 2), (1, 0)]).unwrap();
        check(it.precision_at(1), 1.0);
        check(it.precision_at(4), 0.5);
        check(it.precision_at(10), 0.2);
        check(it.recall_at(1), 1.0 / 3.0);
        check(it.recall_at(3), 2.0 / 3.0);
        check(it.hit_at(1), 1.0);
        check(it.reciprocal_rank(), 1.0);
        check(it.average_precision(), (1.0 + 2.0 / 3.0) / 3.0);
        check(it.ndcg_at(3), (1.0 + 3.0 / 2.0) / (3.0 + 2.0 / 3.0_f64.log2() + 0.5));
        check(it.ndcg_at(1), 1.0 / 3.0);
    }

    #[test]
    fn nothing_relevant_is_no_ranking_and_nothing_found_is_nought() {
        assert_eq!(ranking(&[1], &[(1, 0)]), None);
        assert_eq!(ranking(&[1], &[]), None);
        let it = ranking(&[], &[(1, 1)]).unwrap();
        for found in
            [it.precision_at(0), it.precision_at(5), it.recall_at(5), it.hit_at(5), it.ndcg_at(5), it.ndcg_at(0)]
        {
            check(found, 0.0);
        }
        check(it.reciprocal_rank() + it.average_precision(), 0.0);
    }

    #[test]
    fn what_stands_twice_counts_once() {
        assert_eq!(ranking(&[1, 1, 2], &[(1, 1), (2, 1)]), ranking(&[1, 2, 1, 2], &[(1, 1), (2, 1)]));
    }
}
