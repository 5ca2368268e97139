//! The paired t test.

use super::Undefined;
use super::special::{beta_tail_half, erfc};
use super::summary::spread;

/// Degrees of freedom from which Hill's expansion is used: the continued fraction loses digits with their number.
const DF_LARGE: usize = 20_000;
/// The square of a normal deviate from which its tail is below the smallest double.
const SQUARE_MAX: f64 = 10_000.0;

/// The two-sided paired t test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedT {
    /// `mean(differences) / (sd(differences) / √n)`.
    pub t: f64,
    /// The probability of a `t` at least that far from nought where the mean difference is nought.
    pub p: f64,
    /// Degrees of freedom, `n − 1`.
    pub df: usize,
}

/// The paired t test of Student (1908), two-sided: `scipy.stats.ttest_rel(a, b)` for the differences `a − b`.
///
/// # Errors
/// [`Undefined`] where there are fewer than two differences, where they do not vary (t would be 0/0, or infinite for a
/// difference that is everywhere the same), or where one is not finite.
///
/// ```
/// use steadfast_watch::statistics::paired_t;
/// let it = paired_t(&[1.0, 2.0, 3.0]).unwrap();
/// assert!((it.t - 12.0_f64.sqrt()).abs() < 1e-12);
/// assert_eq!(it.df, 2);
/// ```
pub fn paired_t(differences: &[f64]) -> Result<PairedT, Undefined> {
    let (summary, sd) = spread(differences)?;
    let df = summary.n - 1;
    let t = summary.mean / (sd / (summary.n as f64).sqrt());
    Ok(PairedT { t, p: student_t_two_sided(t, df), df })
}

/// `P(|T| ≥ |t|)` for Student's t with `df` ≥ 1 degrees of freedom: the regularised incomplete beta function
/// `I(df / (df + t²); df/2, 1/2)` (Abramowitz and Stegun, 26.7.1), from 20,000 degrees of freedom by Hill's expansion. NaN for `df` 0 or where `t` is NaN.
#[must_use]
pub fn student_t_two_sided(t: f64, df: usize) -> f64 {
    if df == 0 || t.is_nan() {
        return f64::NAN;
    }
    if df >= DF_LARGE {
        return erfc(hill(t.abs(), df as f64) / std::f64::consts::SQRT_2);
    }
    beta_tail_half(t.abs() / (df as f64).sqrt(), df)
}

/// The standard normal deviate that has the tail of Student's t (Hill 1970, Algorithm 395, whose error falls with the square of
/// the degrees of freedom's square).
fn hill(t: f64, df: f64) -> f64 {
    let a = df - 0.5;
    let b = 48.0 * a * a;
    let square = a * (t * (t / df)).ln_1p();
    if square > SQUARE_MAX {
        return f64::INFINITY;
    }
    let inner = ((-0.4 * square - 3.3) * square - 24.0) * square - 85.5;
    square.sqrt() * (1.0 + (inner / (0.8 * square * square + 100.0 + b) + square + 3.0) / b)
}

/// `P(T ≤ t)` for Student's t with `df` ≥ 1 degrees of freedom; the lower tail keeps its relative precision. NaN for `df` 0 or
/// where `t` is NaN.
#[must_use]
pub fn student_t_cdf(t: f64, df: usize) -> f64 {
    let tail = student_t_two_sided(t, df) / 2.0;
    if t > 0.0 { 1.0 - tail } else { tail }
}
