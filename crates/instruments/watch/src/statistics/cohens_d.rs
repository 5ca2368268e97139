//! Cohen's d for pairs.

use super::Undefined;
use super::summary::spread;

/// Cohen's d for paired data, `d_z = mean(differences) / sd(differences)`, with `n − 1` in the standard deviation (Cohen,
/// Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.3.5; Lakens 2013, equation 6). It is `t / √n` of
/// the paired t test.
///
/// It is not the *pooled* d of two independent groups, `mean(differences) / √((sd_a² + sd_b²) / 2)` (Lakens's `d_av` is its
/// like), which leaves out how far the arms agree: with a correlation `r` between arms of equal spread,
/// `d_z = d_pooled / √(2 (1 − r))`. So where both arms find the same tasks hard, `d_z` is the larger; the two are not to be
/// compared with each other.
///
/// # Errors
/// [`Undefined`] where there are fewer than two differences, where they do not vary, or where one is not finite.
///
/// ```
/// use steadfast_watch::statistics::{Undefined, cohens_d};
/// assert_eq!(cohens_d(&[1.0, 3.0]), Ok(2.0 / 2.0_f64.sqrt()));
/// assert_eq!(cohens_d(&[0.5, 0.5]), Err(Undefined::NoVariance));
/// ```
pub fn cohens_d(differences: &[f64]) -> Result<f64, Undefined> {
    let (summary, sd) = spread(differences)?;
    Ok(summary.mean / sd)
}
