//! Memory that begins at a cache line, so that no vector of it lies across two.

#![expect(unsafe_code, reason = "a slice of lines is looked at as a slice of their numbers")]

use std::slice;

use crate::pages::prefer_large_pages;

/// Bytes of a cache line, which is also the longest vector.
const LINE_BYTES: usize = 64;

/// One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// A number that any bits are.
///
/// # Safety
///
/// Every pattern of bits, all 0 too, is a value of the type, it holds no padding, and its size divides that of a line.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: all bits are a number.
unsafe impl Plain for f32 {}
// SAFETY: all bits are a number.
unsafe impl Plain for u16 {}

/// Numbers from the beginning of a cache line on.
#[derive(Clone, Default)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    length: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: Plain> Aligned<T> {
    /// So many numbers, all 0.
    pub(crate) fn zeroed(length: usize) -> Self {
        let mut aligned = Self { lines: Vec::new(), length: 0, kind: std::marker::PhantomData };
        aligned.grow(length);
        aligned
    }

    /// Has room for at least so many numbers afterwards; what is new is 0.
    pub(crate) fn grow(&mut self, length: usize) {
        if length > self.length {
            let lines = (length * size_of::<T>()).div_ceil(LINE_BYTES);
            self.lines.reserve_exact(lines - self.lines.len());
            prefer_large_pages(&mut self.lines);
            self.lines.resize(lines, Line([0; LINE_BYTES]));
            self.length = length;
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the lines are initialised, aligned more strictly than `T`, and hold `length` numbers (`grow`).
        unsafe { slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::Aligned;

    #[test]
    fn memory_begins_at_a_line_and_is_zero() {
        let mut aligned = Aligned::<f32>::zeroed(17);
        assert_eq!(aligned.as_slice(), [0.0; 17]);
        assert_eq!(aligned.as_slice().as_ptr() as usize % 64, 0);
        aligned.as_mut_slice()[16] = 1.0;
        aligned.grow(40);
        assert_eq!(aligned.as_slice()[16], 1.0);
        assert_eq!(aligned.as_slice()[17..], [0.0; 23]);
        assert!(Aligned::<u16>::zeroed(0).as_slice().is_empty());
    }
}
