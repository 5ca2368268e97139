//! Layer norm.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

use crate::lanes::Lanes;
use crate::path::{Path, Work};

/// Numbers of the longest vector.
const LANES_MAX: usize = 16;

struct Norm<'a> {
    rows: &'a mut [f32],
    gain: &'a [f32],
    bias: &'a [f32],
    epsilon: f32,
}

/// The sum of `f` over all vectors of a row, in four parts.
///
/// # Safety
///
/// As [`Lanes`]; the row is a whole number of vectors.
#[inline(always)]
unsafe fn sum_of<L: Lanes>(row: &[f32], f: impl Fn(L::V, L::V) -> L::V) -> f32 {
    // SAFETY: the caller's promise; each vector that is read lies in the row.
    unsafe {
        let mut parts = [L::splat(0.0); 4];
        for (index, chunk) in row.chunks_exact(L::N).enumerate() {
            parts[index % 4] = f(L::load(chunk.as_ptr()), parts[index % 4]);
        }
        L::sum(L::add(L::add(parts[0], parts[1]), L::add(parts[2], parts[3])))
    }
}

impl Work for Norm<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        let width = self.gain.len();
        for row in self.rows.chunks_exact_mut(width) {
            // SAFETY: the caller's promise; rows, gain and bias are equally long, a whole number of vectors.
            unsafe {
                let mean = sum_of::<L>(row, |x, sum| L::add(x, sum)) / width as f32;
                let middle = L::splat(mean);
                let squares = sum_of::<L>(row, |x, sum| {
                    let x = L::sub(x, middle);
                    L::fma(x, x, sum)
                });
                let scale = L::splat(1.0 / (squares / width as f32 + self.epsilon).sqrt());
                for at in (0..width).step_by(L::N) {
                    let x = L::mul(L::sub(L::load(row.as_ptr().add(at)), middle), scale);
                    let y = L::fma(x, L::load(self.gain.as_ptr().add(at)), L::load(self.bias.as_ptr().add(at)));
                    L::store(row.as_mut_ptr().add(at), y);
                }
            }
        }
    }
}

/// Layer norm of each row in place: (x − mean) / √(variance + ε) · gain + bias, the variance without Bessel's correction.
///
/// # Panics
///
/// Where `gain` and `bias` are not equally long, that is no multiple of 16 or 0, or `rows` is not whole rows of that length.
pub fn layer_norm(path: Path, rows: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    assert!(!gain.is_empty() && gain.len().is_multiple_of(LANES_MAX), "{} is no multiple of {LANES_MAX}", gain.len());
    assert_eq!(gain.len(), bias.len(), "gain and bias are not equally long");
    assert!(rows.len().is_multiple_of(gain.len()), "not whole rows");
    path.run(Norm { rows, gain, bias, epsilon });
}

#[cfg(test)]
mod tests {
    use super::layer_norm;
    use crate::Path;

    #[test]
    fn rows_have_mean_0_and_variance_1() {
        let rows: Vec<f32> = (0..96).map(|i| ((i * 37) % 101) as f32 - 20.0).collect();
        let (gain, bias): (Vec<f32>, Vec<f32>) = (0..32).map(|i| (1.0 + i as f32 / 8.0, i as f32)).unzip();
        for path in Path::available() {
            let mut found = rows.clone();
            layer_norm(path, &mut found, &gain, &bias, 1e-12);
            for (row, found) in rows.chunks(32).zip(found.chunks(32)) {
                let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / 32.0;
                let variance = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / 32.0;
                for (i, (x, y)) in row.iter().zip(found).enumerate() {
                    let expected = (f64::from(*x) - mean) / variance.sqrt() * f64::from(gain[i]) + f64::from(bias[i]);
                    assert!((expected - f64::from(*y)).abs() < 1e-5, "{}: {y}, not {expected}", path.name());
                }
            }
        }
    }
}
