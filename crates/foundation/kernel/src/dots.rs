//! Products of many rows with one vector: exact similarity over rows of floats.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

use crate::lanes::Lanes;
use crate::path::{Path, Work};

/// Numbers of the longest vector.
const LANES_MAX: usize = 16;

struct Dots<'a> {
    rows: &'a [f32],
    vector: &'a [f32],
    dots: &'a mut [f32],
}

impl Work for Dots<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        for (row, dot) in self.rows.chunks_exact(self.vector.len()).zip(self.dots) {
            // SAFETY: the caller's promise; row and vector are equally long, a whole number of vectors.
            *dot = unsafe {
                let mut parts = [L::splat(0.0); 4];
                for (index, at) in (0..row.len()).step_by(L::N).enumerate() {
                    let (a, b) = (L::load(row.as_ptr().add(at)), L::load(self.vector.as_ptr().add(at)));
                    parts[index % 4] = L::fma(a, b, parts[index % 4]);
                }
                L::sum(L::add(L::add(parts[0], parts[1]), L::add(parts[2], parts[3])))
            };
        }
    }
}

/// The product of each row with the vector, in `dots`. On one path a row gives the same bits whatever other rows stand beside it.
///
/// # Panics
///
/// Where the vector's length is 0 or no multiple of 16, or `rows` is not as many rows of that length as there are `dots`.
pub fn dots(path: Path, rows: &[f32], vector: &[f32], dots: &mut [f32]) {
    assert!(!vector.is_empty() && vector.len().is_multiple_of(LANES_MAX), "{} is no multiple of 16", vector.len());
    assert_eq!(rows.len(), vector.len() * dots.len(), "not as many rows as products");
    path.run(Dots { rows, vector, dots });
}

#[cfg(test)]
mod tests {
    use super::dots;
    use crate::Path;

    #[test]
    fn products_are_exact_on_every_path() {
        let number = |at: usize| ((at * 37) % 101) as f32 / 50.0 - 1.0;
        for width in [16, 48, 64, 384] {
            let rows: Vec<f32> = (0..5 * width).map(number).collect();
            let vector: Vec<f32> = (0..width).map(|at| number(at * 7 + 3)).collect();
            for path in Path::available() {
                let mut found = [f32::NAN; 5];
                dots(path, &rows, &vector, &mut found);
                for (row, found) in rows.chunks(width).zip(found) {
                    let expect: f64 = row.iter().zip(&vector).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                    assert!((f64::from(found) - expect).abs() < 1e-4, "{}: {found}, not {expect}", path.name());
                    let mut alone = [f32::NAN];
                    dots(path, row, &vector, &mut alone);
                    assert_eq!(alone[0].to_bits(), found.to_bits());
                }
                dots(path, &[], &vector, &mut []);
            }
        }
    }
}
