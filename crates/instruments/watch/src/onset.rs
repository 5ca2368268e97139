//! Onset: the first step of a sustained change of the scores to the worse.
//!
//! Pettitt's change-point test ("A non-parametric approach to the change-point problem", Applied Statistics 28, 1979), one-sided:
//! with the ranks `R` of `n` scores, `U_t = t·(n + 1) − 2·(R_1 + … + R_t)` grows where the scores after `t` are higher than
//! those up to `t`; the change lies after the `t` with the greatest `U_t`, `K`. Ranks make it blind to the scale of the scores,
//! so it needs no threshold on them.
//!
//! How likely so great a `K` is without any change: for up to [`EXACT_STEPS_MAX`] scores the share of
//! [`SHUFFLES`] shuffles of the same scores (with a fixed seed, the observed order counted among them) whose `K` is as great;
//! beyond, `exp(−6·K² / (n³ + n²))`. Where the order means nothing, a share of at most [`LEVEL`] of trajectories raises an
//! onset; that share is the false-alarm rate.

use crate::statistics::SplitMix64;

/// From which probability on a change counts: the false-alarm rate.
pub const LEVEL: f64 = 0.05;
/// Scores on either side of a change: fewer are no sustained change.
pub const SIDE_STEPS_MIN: usize = 2;
/// Shuffles that the probability rests on.
pub const SHUFFLES: u32 = 1_999;
/// Scores up to which shuffles are made.
pub const EXACT_STEPS_MAX: usize = 128;
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
    let (at, k) = greatest(&ranks)?;
    let n = scores.len() as f64;
    if scores.len() > EXACT_STEPS_MAX {
        // Ranks are doubled, and so is K.
        let k = k as f64 / 2.0;
        return Some((at, (-6.0 * k * k / (n * n * n + n * n)).exp()));
    }
    let mut random = SplitMix64::new(0);
    let mut as_great = 1_u32;
    for _ in 0..SHUFFLES {
        for last in (1..ranks.len()).rev() {
            ranks.swap(last, random.below(last + 1));
        }
        as_great += u32::from(greatest(&ranks).is_some_and(|(_, other)| other >= k));
    }
    Some((at, f64::from(as_great) / f64::from(SHUFFLES + 1)))
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

/// Where the doubled `U_t` is greatest, and how great; the first of equals.
fn greatest(doubled_ranks: &[i64]) -> Option<(usize, i64)> {
    let n = doubled_ranks.len();
    let mut best: Option<(usize, i64)> = None;
    let mut u = 0;
    for (index, rank) in doubled_ranks.iter().enumerate().take(n - SIDE_STEPS_MIN) {
        u += 2 * (n as i64 + 1) - 2 * rank;
        if index + 1 >= SIDE_STEPS_MIN && best.is_none_or(|(_, most)| u > most) {
            best = Some((index + 1, u));
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
            let n = 6 + trial as usize % 25;
            let scores: Vec<f64> = (0..n).map(|_| random.below(1_000) as f64 / 1_000.0).collect();
            raised += u32::from(series(&scores).onset().is_some());
        }
        let rate = f64::from(raised) / f64::from(trials);
        assert!((0.02..=0.06).contains(&rate), "{rate}");
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
