//! A vector of floats, as the processor has them.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use portable::Portable;

/// Vectors of one kind of processor.
///
/// # Safety
///
/// Of every function: the processor has the instructions that [`Path`](crate::Path) names for it. Of `load…` and `store`: the
/// pointer is good for [`N`](Lanes::N) numbers; it need not be aligned.
pub(crate) trait Lanes: Copy {
    /// A vector.
    type V: Copy;
    /// Numbers in a vector.
    const N: usize;
    /// Rows of the largest tile: as many accumulators as there are registers for.
    const ROWS: usize;
    /// Vectors side by side in a tile.
    const ABREAST: usize = 2;
    /// Columns of a tile and of a panel.
    const COLUMNS: usize = Self::N * Self::ABREAST;

    /// The number in all places.
    unsafe fn splat(x: f32) -> Self::V;
    /// Reads a vector.
    unsafe fn load(from: *const f32) -> Self::V;
    /// Reads a vector of half-precision numbers.
    unsafe fn load_half(from: *const u16) -> Self::V;
    /// Writes a vector.
    unsafe fn store(to: *mut f32, x: Self::V);
    /// Writes a vector in half precision, rounded to the nearest, ties to even.
    unsafe fn store_half(to: *mut u16, x: Self::V);
    /// `a + b`.
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    /// `a − b`.
    unsafe fn sub(a: Self::V, b: Self::V) -> Self::V;
    /// `a · b`.
    unsafe fn mul(a: Self::V, b: Self::V) -> Self::V;
    /// `a / b`, to within two units in the last place.
    unsafe fn div(a: Self::V, b: Self::V) -> Self::V;
    /// `a · b + c`, rounded once where the processor can.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The smaller of each pair.
    unsafe fn min(a: Self::V, b: Self::V) -> Self::V;
    /// The larger of each pair.
    unsafe fn max(a: Self::V, b: Self::V) -> Self::V;
    /// The nearest whole number, for |x| < 2²².
    unsafe fn round(x: Self::V) -> Self::V;
    /// `x · 2ⁿ` for whole `n` in −126…127.
    unsafe fn scale(x: Self::V, n: Self::V) -> Self::V;
    /// The sum of all places.
    unsafe fn sum(x: Self::V) -> f32;
    /// The largest of all places.
    unsafe fn largest(x: Self::V) -> f32;
    /// Says that the line at this address will be read soon; any address will do.
    unsafe fn prefetch(at: *const u8);
}
