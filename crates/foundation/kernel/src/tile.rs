//! The inner loop: a tile of the product, some rows by the columns of one panel.

#![expect(unsafe_code, reason = "the inner loop works on pointers, without checks of bounds")]

use crate::lanes::Lanes;
use crate::path::{Path, Work};

/// How far ahead of the inner loop the weights are asked for, in bytes.
const AHEAD_BYTES: usize = 4096;

/// A number of which weights are made.
pub(crate) trait Element: Copy {
    /// Reads a vector of them.
    ///
    /// # Safety
    ///
    /// As [`Lanes`].
    unsafe fn load<L: Lanes>(from: *const Self) -> L::V;
}

impl Element for f32 {
    #[inline(always)]
    unsafe fn load<L: Lanes>(from: *const Self) -> L::V {
        // SAFETY: the caller's promise.
        unsafe { L::load(from) }
    }
}

impl Element for u16 {
    #[inline(always)]
    unsafe fn load<L: Lanes>(from: *const Self) -> L::V {
        // SAFETY: the caller's promise.
        unsafe { L::load_half(from) }
    }
}

/// One panel of the product: `c = a · b + bias`, or `c += …`.
#[derive(Clone, Copy)]
pub(crate) struct Panel<E> {
    /// Numbers of a row of `a`, rows of the panel `b`.
    pub(crate) depth: usize,
    pub(crate) a: *const f32,
    pub(crate) a_stride: usize,
    /// `depth` rows of as many columns as the path's panels have.
    pub(crate) b: *const E,
    /// As many numbers as the panel has columns; none where null.
    pub(crate) bias: *const f32,
    pub(crate) c: *mut f32,
    pub(crate) c_stride: usize,
    /// Whether `c` is added to what stands there.
    pub(crate) add: bool,
}

/// A panel, and so many rows.
struct Tile<E, const ROWS: usize>(Panel<E>, std::marker::PhantomData<[(); ROWS]>);

impl<E: Element, const ROWS: usize> Work for Tile<E, ROWS> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        if ROWS > L::ROWS {
            return;
        }
        let Panel { depth, a, a_stride, b, bias, c, c_stride, add } = self.0;
        // SAFETY: `Panel::product`'s caller promises that all pointers are good for what is read and written here.
        unsafe {
            let mut sums = [[L::splat(0.0); 2]; ROWS];
            for k in 0..depth {
                let row = b.add(k * L::COLUMNS);
                L::prefetch(row.cast::<u8>().wrapping_add(AHEAD_BYTES));
                if size_of::<E>() * L::COLUMNS > 64 {
                    L::prefetch(row.cast::<u8>().wrapping_add(AHEAD_BYTES + 64));
                }
                let (first, second) = (E::load::<L>(row), E::load::<L>(row.add(L::N)));
                for (i, sums) in sums.iter_mut().enumerate() {
                    let x = L::splat(*a.add(i * a_stride + k));
                    sums[0] = L::fma(x, first, sums[0]);
                    sums[1] = L::fma(x, second, sums[1]);
                }
            }
            if !bias.is_null() {
                let bias = [L::load(bias), L::load(bias.add(L::N))];
                for sums in &mut sums {
                    *sums = [L::add(sums[0], bias[0]), L::add(sums[1], bias[1])];
                }
            }
            for (i, sums) in sums.iter().enumerate() {
                let to = c.add(i * c_stride);
                if add {
                    L::store(to, L::add(L::load(to), sums[0]));
                    L::store(to.add(L::N), L::add(L::load(to.add(L::N)), sums[1]));
                } else {
                    L::store(to, sums[0]);
                    L::store(to.add(L::N), sums[1]);
                }
            }
        }
    }
}

/// Cuts rows into tiles that are as equal as can be: `(first row, rows)` of each.
pub(crate) fn tiles(rows: usize, rows_max: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = rows.div_ceil(rows_max);
    (0..count).map(move |tile| {
        let (first, next) = (tile * rows / count, (tile + 1) * rows / count);
        (first, next - first)
    })
}

impl<E: Element> Panel<E> {
    /// Computes so many rows, at most as many as the path's largest tile has.
    ///
    /// # Safety
    ///
    /// `a` is good for `rows` rows of `depth` numbers that lie `a_stride` apart, `b` for `depth` rows of the path's columns, `bias` is
    /// null or good for that many numbers, `c` for `rows` rows of them that lie `c_stride` apart, and `c` is nobody else's.
    #[inline]
    pub(crate) unsafe fn product(self, path: Path, rows: usize) {
        debug_assert!(rows <= path.rows());
        macro_rules! tile {
            ($($rows:literal)*) => {
                match rows {
                    $($rows => path.run(Tile::<E, $rows>(self, std::marker::PhantomData)),)*
                    _ => {}
                }
            };
        }
        tile!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
    }
}

#[cfg(test)]
mod tests {
    use super::tiles;

    #[test]
    fn tiles_are_equal_and_leave_nothing_out() {
        for rows in 0..200 {
            let all: Vec<(usize, usize)> = tiles(rows, 14).collect();
            assert_eq!(all.iter().map(|(_, rows)| rows).sum::<usize>(), rows);
            assert!(all.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0));
            let sizes = all.iter().map(|(_, rows)| *rows);
            assert!(sizes.clone().max().unwrap_or(0) <= 14);
            assert!(sizes.clone().max().unwrap_or(0) - sizes.min().unwrap_or(0) <= 1);
        }
    }
}
