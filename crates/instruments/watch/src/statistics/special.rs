//! The special functions that p values need.

use std::f64::consts::PI;

/// Terms after which a continued fraction is taken as it stands; none that is asked for here needs as many.
const TERMS_MAX: usize = 100_000;
/// Where Lentz's method puts a number that would be nought.
const TINY: f64 = 1e-300;

/// `I(x; df/2, 1/2)` with `x = 1 / (1 + r²)`: the regularised incomplete beta function by its continued fraction
/// (Abramowitz and Stegun, 26.5.8, evaluated by the modified method of Lentz). It takes `r` and not `x`, so that no digit of
/// `1 − x` is lost where `x` is near 1. `df` ≥ 1, `r` ≥ 0.
pub(super) fn beta_tail_half(r: f64, df: usize) -> f64 {
    if r == 0.0 {
        return 1.0;
    }
    let a = df as f64 / 2.0;
    // x = 1 / (1 + r²) and 1 − x = r² / (1 + r²), with r² kept from overflowing.
    let (x, rest, ln_x) = if r > 1e100 {
        ((1.0 / r) * (1.0 / r), 1.0, -2.0 * r.ln())
    } else {
        let square = r * r;
        (1.0 / (1.0 + square), square / (1.0 + square), -square.ln_1p())
    };
    // x^a (1 − x)^(1/2) / B(a, 1/2)
    let front = (a * ln_x).exp() * rest.sqrt() * gamma_ratio_half(df) / PI.sqrt();
    if x < (a + 1.0) / (a + 2.5) {
        (front * fraction(x, a, 0.5) / a).clamp(0.0, 1.0)
    } else {
        (1.0 - front * fraction(rest, 0.5, a) / 0.5).clamp(0.0, 1.0)
    }
}

/// The continued fraction of the incomplete beta function.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let off_nought = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / off_nought(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..TERMS_MAX {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / off_nought(1.0 + even * d);
        c = off_nought(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / off_nought(1.0 + odd * d);
        c = off_nought(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// `Γ(a + 1/2) / Γ(a)` for `a = df / 2`: by its recurrence from `a` = 1/2 or 1, and from 200 degrees of freedom by the asymptotic
/// series (Tricomi and Erdélyi 1951), whose next term is below 1e-16 there.
fn gamma_ratio_half(df: usize) -> f64 {
    if df >= 200 {
        let y = 2.0 / df as f64;
        let series = 1.0
            + y * (-1.0 / 8.0
                + y * (1.0 / 128.0
                    + y * (5.0 / 1024.0
                        + y * (-21.0 / 32_768.0 + y * (-399.0 / 262_144.0 + y * (869.0 / 4_194_304.0))))));
        return series / y.sqrt();
    }
    let (mut a, mut ratio) = if df % 2 == 1 { (0.5, 1.0 / PI.sqrt()) } else { (1.0, PI.sqrt() / 2.0) };
    while a < df as f64 / 2.0 {
        ratio *= (a + 0.5) / a;
        a += 1.0;
    }
    ratio
}

/// The complementary error function for `x` ≥ 0: below 2 by the series of `erf` whose terms are all positive (Abramowitz and
/// Stegun, 7.1.6), from there by the continued fraction (7.1.14).
pub(super) fn erfc(x: f64) -> f64 {
    if x < 2.0 {
        let mut term = x;
        let mut sum = x;
        let mut odd = 1.0;
        while term > sum * f64::EPSILON / 8.0 {
            odd += 2.0;
            term *= 2.0 * x * x / odd;
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    if x > 30.0 {
        return 0.0;
    }
    // x + (1/2)/(x + 1/(x + (3/2)/(x + …))), from its end: 400 terms are more than the 120 that x = 2 needs.
    let mut tail = x;
    for k in (1..=400_u32).rev() {
        tail = x + f64::from(k) / 2.0 / tail;
    }
    (-x * x).exp() / (PI.sqrt() * tail)
}
