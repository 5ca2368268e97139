//! Functions of a number, over vectors of them.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

use crate::lanes::Lanes;
use crate::path::{Path, Work};

/// erf(x) ≈ x · P(x²) / Q(x²) on [−4, 4], where it is 1 within a float beyond: the coefficients of P and Q, the highest power
/// first, as the Eigen library has them (`generic_fast_erf_float`). The largest error is 5·10⁻⁷.
const ERF_P: [f32; 7] =
    [-2.726_142e-10, 2.770_681_4e-8, -2.101_024e-6, -5.692_506_4e-5, -7.349_906_3e-4, -2.954_6e-3, -1.609_603_3e-2];
const ERF_Q: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];

/// eʳ on [−ln 2 / 2, ln 2 / 2]: the coefficients of Cephes' `expf` but for the last two, which are 1, the highest power first.
const EXP: [f32; 6] = [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1];

/// ln 2 in two parts, of which a product with a small whole number is exact in the first.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// The least power that is told from 0.
const EXP_LEAST: f32 = -87.0;

/// The polynomial with these coefficients, the highest power first.
///
/// # Safety
///
/// As [`Lanes`].
#[inline(always)]
unsafe fn polynomial<L: Lanes, const K: usize>(x: L::V, coefficients: [f32; K]) -> L::V {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sum = L::splat(coefficients[0]);
        for coefficient in &coefficients[1..] {
            sum = L::fma(sum, x, L::splat(*coefficient));
        }
        sum
    }
}

/// eˣ for x ≤ 0 (and up to 88); below [`EXP_LEAST`] e to that, which is 10⁻³⁸.
///
/// # Safety
///
/// As [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn exp<L: Lanes>(x: L::V) -> L::V {
    // SAFETY: the caller's promise.
    unsafe {
        let x = L::max(x, L::splat(EXP_LEAST));
        let n = L::round(L::mul(x, L::splat(std::f32::consts::LOG2_E)));
        let r = L::fma(n, L::splat(-LN_2_HIGH), x);
        let r = L::fma(n, L::splat(-LN_2_LOW), r);
        let tail = polynomial::<L, 6>(r, EXP);
        let power = L::add(L::fma(tail, L::mul(r, r), r), L::splat(1.0));
        L::scale(power, n)
    }
}

/// GELU with the error function: x · (1 + erf(x / √2)) / 2.
///
/// # Safety
///
/// As [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn gelu_of<L: Lanes>(x: L::V) -> L::V {
    // SAFETY: the caller's promise.
    unsafe {
        let z = L::mul(x, L::splat(std::f32::consts::FRAC_1_SQRT_2));
        let z = L::max(L::min(z, L::splat(4.0)), L::splat(-4.0));
        let square = L::mul(z, z);
        let p = L::mul(z, polynomial::<L, 7>(square, ERF_P));
        let erf = L::div(p, polynomial::<L, 5>(square, ERF_Q));
        let half = L::mul(x, L::splat(0.5));
        L::fma(half, erf, half)
    }
}

struct Gelu<'a>(&'a mut [f32]);

impl Work for Gelu<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        let mut chunks = self.0.chunks_exact_mut(L::N);
        for chunk in &mut chunks {
            // SAFETY: the caller's promise, and the chunk has N numbers.
            unsafe { L::store(chunk.as_mut_ptr(), gelu_of::<L>(L::load(chunk.as_ptr()))) }
        }
        let rest = chunks.into_remainder();
        if rest.is_empty() {
            return;
        }
        let mut last = [0.0_f32; 16];
        last[..rest.len()].copy_from_slice(rest);
        // SAFETY: the caller's promise, and no vector is longer than 16 numbers.
        unsafe { L::store(last.as_mut_ptr(), gelu_of::<L>(L::load(last.as_ptr()))) }
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// GELU of each number, in place: x · (1 + erf(x / √2)) / 2. The error is below 4·10⁻⁷ of the larger of |x| and 1.
pub fn gelu(path: Path, numbers: &mut [f32]) {
    path.run(Gelu(numbers));
}

#[cfg(test)]
mod tests {
    use super::{Lanes, Work, exp, gelu};
    use crate::Path;

    /// The error function by its series in double precision, for |x| ≤ 6.
    fn erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn gelu_is_exact_on_every_path() {
        let numbers: Vec<f32> = (-5000..=5001).map(|i| i as f32 * 0.0011).collect();
        for path in Path::available() {
            let mut found = numbers.clone();
            gelu(path, &mut found);
            for (x, y) in numbers.iter().zip(&found) {
                let x = f64::from(*x);
                let expected = x * (1.0 + erf(x / 2.0_f64.sqrt())) / 2.0;
                let error = (expected - f64::from(*y)).abs();
                assert!(error < 4e-7 * x.abs().max(1.0), "{}: gelu({x}) = {y}, not {expected}", path.name());
            }
            let mut far = [1e30, -1e30, 40.0, -40.0];
            gelu(path, &mut far);
            assert!((far[0] / 1e30 - 1.0).abs() < 4e-7 && (far[2] / 40.0 - 1.0).abs() < 4e-7, "{far:?}");
            assert!(far[3].abs() < 2e-5, "{far:?}");
        }
    }

    struct Exp<'a>(&'a mut [f32]);

    impl Work for Exp<'_> {
        #[inline(always)]
        unsafe fn run<L: Lanes>(self) {
            for chunk in self.0.chunks_exact_mut(L::N) {
                // SAFETY: the chunk has N numbers.
                unsafe { L::store(chunk.as_mut_ptr(), exp::<L>(L::load(chunk.as_ptr()))) }
            }
        }
    }

    #[test]
    fn exp_is_exact_on_every_path() {
        let numbers: Vec<f32> = (0..8000).map(|i| i as f32 * -0.0108).collect();
        for path in Path::available() {
            let mut found = numbers.clone();
            path.run(Exp(&mut found));
            for (x, y) in numbers.iter().zip(&found) {
                let expected = f64::from(*x).exp();
                assert!((expected - f64::from(*y)).abs() <= 3e-7 * expected, "{}: exp({x}) = {y}", path.name());
            }
            let mut least = [-87.0, -88.0, -1e9, f32::NEG_INFINITY].repeat(4);
            path.run(Exp(&mut least));
            assert!(least.iter().all(|y| (0.0..2e-38).contains(y)), "{least:?}");
        }
    }
}
