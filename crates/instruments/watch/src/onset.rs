//! Onset: the first step of a sustained change of the scores to the worse.
//!
//! The maximally selected standardised Wilcoxon statistic, one-sided (Pettitt, "A non-parametric approach to the change-point problem",
//! Applied Statistics 28, 1979, whose `U` is standardised at each split as in Lausen and Schumacher, "Maximally selected rank
//! statistics", Biometrics 48, 1992): with the ranks `R` of `n` scores, equal ones sharing their mean rank,
//!
//! ```text
//! U_t = t·(n + 1) − 2·(R_1 + … + R_t)          grows where the scores behind t are higher than those up to t
//! Z_t = U_t / √(t·(n − t)·(n + 1) / 3)
//! ```
//!
//! and the change lies behind the `t` with the greatest `Z_t`, at least [`SIDE_STEPS_MIN`] scores from either end. Ranks make it
//! blind to the scale of the scores, so it needs no threshold on them.
//!
//! How likely so great a `Z` is without any change: the share of [`SHUFFLES`] shuffles of the same scores (with a fixed seed, the
//! observed order counted among them) whose `Z` is as great. Where the order means nothing, a share of at most [`LEVEL`] of
//! trajectories raises an onset; that is the false-alarm rate, for one look at a finished trajectory.

use crate::statistics::SplitMix64;

/// From which probability on a change counts: the false-alarm rate.
pub const LEVEL: f64 = 0.045;
/// Scores on either side of a change: fewer are no sustained change.
pub const SIDE_STEPS_MIN: usize = 3;
/// Shuffles that the probability rests on.
pub const SHUFFLES: u32 = 1_999;
/// Stretches of a trajectory that are held: beyond, neighbours are merged two by two, and the onset is known to the stretch.
pub const STRETCHES_MAX: usize = 2_048;

/// Where a sustained change begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// The number of the first step of the change.
    pub step: i64,
    /// How likely a change as great is where there is none.
    pub p: f64,
    /// The mean score before it.
    pub before: f64,
    /// The mean score from it on.
    pub after: f64,
}

/// The scores of one trajectory, in memory that does not grow beyond [`STRETCHES_MAX`] stretches.
#[derive(Clone, Debug)]
pub struct Series {
    stretches: Vec<Stretch>,
    /// Scores in one full stretch, a power of two.
    width: u64,
}

/// Scores in a row.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first_step: i64,
    sum: f64,
    count: u64,
}

impl Stretch {
    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

impl Default for Series {
    fn default() -> Self {
        Self { stretches: Vec::new(), width: 1 }
    }
}

impl Series {
    /// Takes the score of the next step.
    pub fn push(&mut self, step: i64, score: f64) {
        if let Some(last) = self.stretches.last_mut().filter(|last| last.count < self.width) {
            last.sum += score;
            last.count += 1;
            return;
        }
        if self.stretches.len() == STRETCHES_MAX {
            self.merge();
        }
        self.stretches.push(Stretch { first_step: step, sum: score, count: 1 });
    }

    fn merge(&mut self) {
        self.stretches = self
            .stretches
            .chunks(2)
            .map(|pair| Stretch {
                first_step: pair[0].first_step,
                sum: pair.iter().map(|one| one.sum).sum(),
                count: pair.iter().map(|one| one.count).sum(),
            })
            .collect();
        self.width *= 2;
    }

    /// The first step of a sustained change to higher scores; `None` where none is likely enough.
    #[must_use]
    pub fn onset(&self) -> Option<Onset> {
        // A stretch that is not full yet is no mean of as many scores as the others.
        let full =
            self.stretches.len() - usize::from(self.stretches.last().is_some_and(|last| last.count < self.width));
        let scores: Vec<f64> = self.stretches[..full].iter().map(Stretch::mean).collect();
        let (at, p) = change_point(&scores)?;
        if p > LEVEL {
            return None;
        }
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        Some(Onset { step: self.stretches[at].first_step, p, before: mean(&scores[..at]), after: mean(&scores[at..]) })
    }
}

/// The index of the first score behind the likeliest change to higher scores, and how likely so great a change is without
/// any. `None` where there are too few scores.
#[must_use]
pub fn change_point(scores: &[f64]) -> Option<(usize, f64)> {
    if scores.len() < 2 * SIDE_STEPS_MIN {
        return None;
    }
    let mut ranks = doubled_ranks(scores);
    let scales = scales(ranks.len());
    let (at, greatest_z) = greatest(&ranks, &scales)?;
    let mut random = SplitMix64::new(0);
    let mut as_great = 1_u32;
    for shuffle in 1..=SHUFFLES {
        for last in (1..ranks.len()).rev() {
            ranks.swap(last, random.below(last + 1));
        }
        // A relative billionth: sums of the same ranks in another order are the same.
        as_great += u32::from(greatest(&ranks, &scales).is_some_and(|(_, z)| z >= greatest_z - 1e-9));
        if f64::from(as_great) > f64::from(SHUFFLES + 1) * LEVEL {
            // However the rest falls, it is more than the level: what is told is then what was seen so far.
            return Some((at, f64::from(as_great) / f64::from(shuffle + 1)));
        }
    }
    Some((at, f64::from(as_great) / f64::from(SHUFFLES + 1)))
}

/// What `U_t` is divided by, for each `t` from [`SIDE_STEPS_MIN`] to `n` less as many.
fn scales(n: usize) -> Vec<f64> {
    let sides = SIDE_STEPS_MIN..=n - SIDE_STEPS_MIN;
    sides.map(|t| (t as f64 * (n - t) as f64 * (n as f64 + 1.0) / 3.0).sqrt()).collect()
}

/// Twice the rank of each score, from 2; equal scores share the mean of their ranks.
fn doubled_ranks(scores: &[f64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    let mut ranks = vec![0; scores.len()];
    let mut start = 0;
    for group in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        let end = start + group.len();
        for index in group {
            ranks[*index] = (start + 1 + end) as i64;
        }
        start = end;
    }
    ranks
}

/// Where `Z_t` is greatest, and how great; the first of equals.
fn greatest(doubled_ranks: &[i64], scales: &[f64]) -> Option<(usize, f64)> {
    let n = doubled_ranks.len() as i64;
    let mut best: Option<(usize, f64)> = None;
    let mut u = 0;
    for (index, rank) in doubled_ranks.iter().enumerate().take(SIDE_STEPS_MIN - 1 + scales.len()) {
        u += n + 1 - rank;
        let Some(scale) = (index + 1).checked_sub(SIDE_STEPS_MIN).and_then(|at| scales.get(at)) else { continue };
        let z = u as f64 / scale;
        if best.is_none_or(|(_, most)| z > most) {
            best = Some((index + 1, z));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(scores: &[f64]) -> Series {
        let mut series = Series::default();
        for (step, score) in scores.iter().enumerate() {
            series.push(step as i64, *score);
        }
        series
    }

    #[track_caller]
    fn check(scores: &[f64], expect: Option<i64>) {
        assert_eq!(series(scores).onset().map(|onset| onset.step), expect, "{scores:?}");
    }

    #[test]
    fn a_sustained_change_is_found_at_its_first_step() {
        check(&[0.1, 0.2, 0.15, 0.12, 0.8, 0.9, 0.85, 0.7], Some(4));
        check(&[0.1, 0.2, 0.15, 0.12, 0.22, 0.13, 0.9, 0.8, 0.85], Some(6));
        check(&[0.1, 0.2, 0.15, 0.12, 0.22, 0.13, 0.9, 0.8], None);
    }

    #[test]
    fn what_is_no_sustained_change_is_none() {
        check(&[], None);
        check(&[0.9], None);
        check(&[0.1, 0.9, 0.9], None);
        check(&[0.5; 20], None);
        check(&[0.1, 0.2, 0.1, 0.9, 0.1, 0.2, 0.1, 0.2], None);
        check(&[0.8, 0.9, 0.85, 0.7, 0.1, 0.2, 0.15, 0.12], None);
    }

    #[test]
    fn shuffles_raise_an_onset_as_rarely_as_the_level_says() {
        let mut random = SplitMix64::new(7);
        let (mut raised, trials) = (0_u32, 2_000);
        for trial in 0..trials {
            let n = 7 + trial as usize % 25;
            let scores: Vec<f64> = (0..n).map(|_| random.below(1_000) as f64 / 1_000.0).collect();
            raised += u32::from(series(&scores).onset().is_some());
        }
        let rate = f64::from(raised) / f64::from(trials);
        assert!((0.02..=0.05).contains(&rate), "{rate}");
    }

    #[test]
    fn a_long_trajectory_is_held_in_stretches() {
        let mut series = Series::default();
        for step in 0..100_000_i64 {
            series.push(step, if step < 60_000 { 0.3 } else { 0.5 } + (step % 7) as f64 / 100.0);
        }
        assert!(series.stretches.len() <= STRETCHES_MAX);
        let onset = series.onset().map(|onset| onset.step).unwrap_or_default();
        assert!(onset.abs_diff(60_000) <= 2 * series.width, "{onset}");
    }

    #[test]
    fn equal_scores_share_a_rank() {
        assert_eq!(doubled_ranks(&[0.3, 0.1, 0.3, 0.2]), [7, 2, 7, 4]);
    }
}
