//! The signed-rank test of Wilcoxon.

use super::Undefined;
use super::special::erfc;

/// Pairs up to which the distribution of the rank sum is computed exactly where nothing is tied; from there the p value is
/// that of the normal approximation, as in scipy.
const PAIRS_UNTIED_MAX: usize = 50;
/// Pairs up to which all signs are enumerated where differences are tied or nought, as in scipy.
const PAIRS_TIED_MAX: usize = 13;
/// Pairs up to which [`Wilcoxon::exact_p`] is given.
pub const EXACT_PAIRS_MAX: usize = 200;

/// How a p value was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// From the exact distribution; no two differences have the same size and none is nought.
    Exact,
    /// From all assignments of signs to the ranks as they are, ties and all.
    Permutation,
    /// From the normal approximation with correction for ties, without correction for continuity.
    Normal,
}

impl WilcoxonMethod {
    /// Its name in outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Permutation => "permutation",
            Self::Normal => "normal",
        }
    }
}

/// The two-sided signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// The smaller of the two rank sums.
    pub w: f64,
    /// The sum of the ranks of positive differences.
    pub w_plus: f64,
    /// The sum of the ranks of negative differences.
    pub w_minus: f64,
    /// The p value that `scipy.stats.wilcoxon` gives by default.
    pub p: f64,
    /// How `p` was made.
    pub method: WilcoxonMethod,
    /// The exact p value, ties and all, whatever `method` is; `None` for more than [`EXACT_PAIRS_MAX`] pairs that differ.
    pub exact_p: Option<f64>,
    /// How many differences are not nought: those that were ranked.
    pub n: usize,
}

/// The signed-rank test (Wilcoxon 1945), two-sided: `scipy.stats.wilcoxon(a, b)` of scipy 1.17 with its defaults for the
/// differences `a − b`.
///
/// Differences of nought are left out (`zero_method="wilcox"`), sizes that are equal share their mean rank. The method is that
/// of `method="auto"`, where *n* counts the noughts too: more than 50, normal; else exact where nothing is tied or nought;
/// else all assignments of signs up to 13; else normal. Two sizes are tied where they are the same double, as there.
///
/// # Errors
/// [`Undefined::NoPairs`], [`Undefined::AllZero`], [`Undefined::NotFinite`].
///
/// ```
/// use steadfast_watch::statistics::{WilcoxonMethod, wilcoxon};
/// let it = wilcoxon(&[1.0, 2.0, 3.0, 4.0]).unwrap();
/// assert_eq!((it.w, it.p, it.method), (0.0, 0.125, WilcoxonMethod::Exact));
/// ```
pub fn wilcoxon(differences: &[f64]) -> Result<Wilcoxon, Undefined> {
    if differences.is_empty() {
        return Err(Undefined::NoPairs);
    }
    if differences.iter().any(|it| !it.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    let mut ranked: Vec<f64> = differences.iter().copied().filter(|it| *it != 0.0).collect();
    if ranked.is_empty() {
        return Err(Undefined::AllZero);
    }
    ranked.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = Ranks::of(&ranked);
    let n = ranked.len();
    let tied_or_nought = ranks.ties > 0.0 || n < differences.len();
    let method = match differences.len() {
        pairs if pairs > PAIRS_UNTIED_MAX => WilcoxonMethod::Normal,
        _ if !tied_or_nought => WilcoxonMethod::Exact,
        pairs if pairs <= PAIRS_TIED_MAX => WilcoxonMethod::Permutation,
        _ => WilcoxonMethod::Normal,
    };
    let exact_p = (n <= EXACT_PAIRS_MAX).then(|| exact(&ranks));
    let p = match (method, exact_p) {
        (WilcoxonMethod::Exact | WilcoxonMethod::Permutation, Some(p)) => p,
        _ => normal(&ranks, n as f64),
    };
    let (w_plus, w_minus) = (ranks.plus as f64 / 2.0, ranks.minus as f64 / 2.0);
    Ok(Wilcoxon { w: w_plus.min(w_minus), w_plus, w_minus, p, method, exact_p, n })
}

/// Twice the ranks, so that they are whole numbers where differences share one.
struct Ranks {
    doubled: Vec<u64>,
    plus: u64,
    minus: u64,
    /// The sum of `t³ − t` over groups of `t` equal sizes.
    ties: f64,
}

impl Ranks {
    /// Of differences in the order of their size.
    fn of(sorted: &[f64]) -> Self {
        let mut it = Self { doubled: Vec::with_capacity(sorted.len()), plus: 0, minus: 0, ties: 0.0 };
        for group in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
            let before = it.doubled.len();
            // Ranks before + 1 … before + t have the mean before + (t + 1) / 2.
            let rank = (2 * before + group.len() + 1) as u64;
            for difference in group {
                it.doubled.push(rank);
                if *difference > 0.0 { it.plus += rank } else { it.minus += rank }
            }
            let t = group.len() as f64;
            it.ties += t * t * t - t;
        }
        it
    }
}

/// Twice the smaller tail of the distribution of the rank sum when every sign is as likely as the other, at most 1.
fn exact(ranks: &Ranks) -> f64 {
    let observed = ranks.plus.min(ranks.minus) as usize;
    // The distribution is symmetric, so that the lower tail of the smaller sum is the smaller tail. Sums above it are not needed.
    let mut share = vec![0.0_f64; observed + 1];
    share[0] = 1.0;
    for rank in &ranks.doubled {
        let rank = *rank as usize;
        for sum in (0..=observed).rev() {
            let with = if sum >= rank { share[sum - rank] } else { 0.0 };
            share[sum] = f64::midpoint(share[sum], with);
        }
    }
    (2.0 * share.iter().sum::<f64>()).min(1.0)
}

/// `2 P(Z ≥ |z|)` with the variance corrected for ties.
fn normal(ranks: &Ranks, n: f64) -> f64 {
    let mean = n * (n + 1.0) * 0.25;
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ranks.ties / 2.0) / 24.0;
    let z = (ranks.plus as f64 / 2.0 - mean) / variance.sqrt();
    erfc(z.abs() / std::f64::consts::SQRT_2)
}
