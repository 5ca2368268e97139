//! The bootstrap interval of the mean difference.

use super::{Undefined, summary};

/// Resamples of the bootstrap.
pub const BOOTSTRAP_RESAMPLES: usize = 10_000;
/// The seed of its generator.
pub const BOOTSTRAP_SEED: u64 = 0x5EED;
/// Draws that are made at most, in all resamples together: some seconds.
pub const BOOTSTRAP_DRAWS_MAX: usize = 1_000_000_000;
/// The 95 % interval leaves out this share on either side.
const TAIL: f64 = 0.025;

/// An interval, with its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

/// The 95 % percentile interval of the mean difference (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter
/// 13): the means of [`BOOTSTRAP_RESAMPLES`] resamples with replacement, drawn by [`SplitMix64`] from [`BOOTSTRAP_SEED`], and of
/// those the 2.5th and 97.5th percentile, interpolated linearly as `numpy.percentile` does. The same differences in the
/// same order give the same bits.
///
/// # Errors
/// [`Undefined`] where there are fewer than two differences, where one is not finite, or where there are more than
/// [`BOOTSTRAP_DRAWS_MAX`] / [`BOOTSTRAP_RESAMPLES`]. Differences that are all the same have an interval: that number.
pub fn bootstrap_mean(differences: &[f64]) -> Result<Interval, Undefined> {
    let summary = summary(differences)?;
    if summary.n < 2 {
        return Err(Undefined::OnePair);
    }
    if summary.n > BOOTSTRAP_DRAWS_MAX / BOOTSTRAP_RESAMPLES {
        return Err(Undefined::TooManyPairs);
    }
    let n = summary.n as f64;
    if differences.iter().all(|it| *it == differences[0]) {
        return Ok(Interval { lo: differences[0], hi: differences[0] });
    }
    let mut random = SplitMix64::new(BOOTSTRAP_SEED);
    let mut means: Vec<f64> = (0..BOOTSTRAP_RESAMPLES)
        .map(|_| (0..summary.n).map(|_| differences[random.below(summary.n)]).sum::<f64>() / n)
        .collect();
    if means.iter().any(|it| !it.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    means.sort_by(f64::total_cmp);
    Ok(Interval { lo: quantile(&means, TAIL), hi: quantile(&means, 1.0 - TAIL) })
}

/// The quantile of sorted numbers, interpolated linearly between neighbours (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// `SplitMix64` (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014): small, and the same everywhere.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The same seed gives the same numbers.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, 0 for a bound of 0: the upper half of the product of 64 bits and the bound (Lemire 2019, without
    /// rejection: no number is likelier than another by more than `bound` / 2^64).
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }
}
