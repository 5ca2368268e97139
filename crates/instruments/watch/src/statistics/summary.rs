//! Mean and standard deviation.

use super::Undefined;

/// Differences from the mean that are smaller than this share of it are rounding: ten times the spacing of doubles at 1, the
/// bound below which scipy warns that a test of nearly identical data is unreliable (`scipy.stats._stats_py._demean`).
const ROUNDING: f64 = 10.0 * f64::EPSILON;

/// Mean and spread of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation with `n − 1`; `None` for a single number.
    pub sd: Option<f64>,
    /// Whether they differ by more than rounding; false for a single number.
    pub varies: bool,
}

/// Mean and standard deviation, in two passes with compensated sums (Neumaier 1974).
///
/// # Errors
/// [`Undefined::NoPairs`] where there is no number, [`Undefined::NotFinite`] where one is not finite or their squares exceed
/// what a double holds.
///
/// ```
/// use steadfast_watch::statistics::summary;
/// let it = summary(&[1.0, 2.0, 3.0, 4.0]).unwrap();
/// assert_eq!((it.mean, it.sd), (2.5, Some((5.0_f64 / 3.0).sqrt())));
/// ```
pub fn summary(values: &[f64]) -> Result<Summary, Undefined> {
    if values.is_empty() {
        return Err(Undefined::NoPairs);
    }
    if values.iter().any(|it| !it.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    let n = values.len();
    let mean = sum(values.iter().copied()) / n as f64;
    let squares = sum(values.iter().map(|it| (it - mean) * (it - mean)));
    if !mean.is_finite() || !squares.is_finite() {
        return Err(Undefined::NotFinite);
    }
    let farthest = values.iter().map(|it| (it - mean).abs()).fold(0.0, f64::max);
    let varies = n > 1 && squares > 0.0 && farthest >= ROUNDING * mean.abs();
    Ok(Summary { n, mean, sd: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()), varies })
}

/// The summary and the spread of what has one.
pub(super) fn spread(differences: &[f64]) -> Result<(Summary, f64), Undefined> {
    let it = summary(differences)?;
    match it.sd {
        None => Err(Undefined::OnePair),
        Some(sd) if it.varies => Ok((it, sd)),
        Some(_) => Err(Undefined::NoVariance),
    }
}

/// The compensated sum of Neumaier: what rounding took from each addition is added at the end.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + lost
}
