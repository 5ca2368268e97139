//! Shares of independent cases, and the difference of two.

use super::Interval;

/// The standard normal quantile of 97.5 %.
const Z_95: f64 = 1.959_963_984_540_054;

/// The 95 % score interval of a share (Wilson 1927, "Probable inference, the law of succession, and statistical inference"; method 3 of Newcombe 1998,
/// "Two-sided confidence intervals for the single proportion"), without continuity correction. `None` where there is no case, or more hits than cases.
#[must_use]
pub fn wilson(hits: u64, cases: u64) -> Option<Interval> {
    if cases == 0 || hits > cases {
        return None;
    }
    let (hits, cases) = (hits as f64, cases as f64);
    let square = Z_95 * Z_95;
    let middle = (2.0 * hits + square) / (2.0 * (cases + square));
    let half = Z_95 * (square + 4.0 * hits * (1.0 - hits / cases)).sqrt() / (2.0 * (cases + square));
    // At the ends rounding would leave a share next to 0 and 1.
    let lo = if hits == 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let hi = if hits == cases { 1.0 } else { (middle + half).min(1.0) };
    Some(Interval { lo, hi })
}

/// The difference of two shares of independent cases, a − b, and its 95 % interval: the hybrid score interval of Newcombe 1998, "Interval estimation for
/// the difference between independent proportions: comparison of eleven methods", method 10. `None` where [`wilson`] has none for either.
#[must_use]
pub fn newcombe((hits_a, cases_a): (u64, u64), (hits_b, cases_b): (u64, u64)) -> Option<(f64, Interval)> {
    let (a, b) = (wilson(hits_a, cases_a)?, wilson(hits_b, cases_b)?);
    let (share_a, share_b) = (hits_a as f64 / cases_a as f64, hits_b as f64 / cases_b as f64);
    let difference = share_a - share_b;
    let lo = difference - (share_a - a.lo).hypot(b.hi - share_b);
    let hi = difference + (a.hi - share_a).hypot(share_b - b.lo);
    Some((difference, Interval { lo, hi }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: Interval, (lo, hi): (f64, f64)) {
        assert!((found.lo - lo).abs() < 5e-5 && (found.hi - hi).abs() < 5e-5, "{found:?}, not {lo} to {hi}");
    }

    #[test]
    fn intervals_are_those_of_the_papers() {
        // Table I of Newcombe 1998 on single proportions, method 3.
        for (hits, cases, expect) in [
            (81, 263, (0.2553, 0.3662)),
            (15, 148, (0.0624, 0.1605)),
            (0, 20, (0.0, 0.1611)),
            (1, 29, (0.0061, 0.1718)),
        ] {
            check(wilson(hits, cases).unwrap(), expect);
        }
        // Table II of Newcombe 1998 on differences, method 10.
        for (a, b, expect) in [
            ((56, 70), (48, 80), (0.0524, 0.3339)),
            ((9, 10), (3, 10), (0.1705, 0.8090)),
            ((6, 7), (2, 7), (0.0582, 0.8062)),
            ((5, 56), (0, 29), (-0.0381, 0.1926)),
            ((0, 10), (0, 20), (-0.1611, 0.2775)),
            ((10, 10), (0, 20), (0.6791, 1.0)),
        ] {
            check(newcombe(a, b).unwrap().1, expect);
        }
    }

    #[test]
    fn nothing_is_said_of_nothing_and_the_ends_hold() {
        assert_eq!((wilson(0, 0), wilson(2, 1), newcombe((1, 2), (0, 0))), (None, None, None));
        for cases in [1, 7, 1_000_000_000] {
            assert_eq!((wilson(0, cases).unwrap().lo, wilson(cases, cases).unwrap().hi), (0.0, 1.0));
        }
        let (one, other) = (newcombe((3, 9), (5, 8)).unwrap(), newcombe((5, 8), (3, 9)).unwrap());
        assert!((one.0 + other.0).abs() < 1e-15 && (one.1.lo + other.1.hi).abs() < 1e-15, "the other way round");
    }
}
