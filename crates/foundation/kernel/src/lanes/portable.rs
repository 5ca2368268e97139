//! Vectors of four floats in plain Rust, which the compiler makes SSE2 or NEON of.

#![expect(unsafe_code, reason = "the trait reads and writes over pointers")]

use std::array;

use super::Lanes;
use crate::half::{narrow, widen};

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

type V = [f32; 4];

/// Adding and taking away 1.5 · 2²³ leaves a whole number.
const ROUNDING: f32 = 12_582_912.0;

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> V {
    array::from_fn(f)
}

/// `a · b + c`: one instruction where every processor of the kind has it, else two (a call for the one rounding is slow).
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) { a.mul_add(b, c) } else { a * b + c }
}

impl Lanes for Portable {
    type V = V;
    const N: usize = 4;
    const ROWS: usize = 6;

    #[inline(always)]
    unsafe fn splat(x: f32) -> V {
        [x; 4]
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> V {
        // SAFETY: the caller's pointer is good for four floats.
        unsafe { from.cast::<V>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn load_half(from: *const u16) -> V {
        // SAFETY: the caller's pointer is good for four numbers.
        let halves = unsafe { from.cast::<[u16; 4]>().read_unaligned() };
        each(|i| widen(halves[i]))
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, x: V) {
        // SAFETY: the caller's pointer is good for four floats.
        unsafe { to.cast::<V>().write_unaligned(x) }
    }

    #[inline(always)]
    unsafe fn store_half(to: *mut u16, x: V) {
        // SAFETY: the caller's pointer is good for four numbers.
        unsafe { to.cast::<[u16; 4]>().write_unaligned(x.map(narrow)) }
    }

    #[inline(always)]
    unsafe fn add(a: V, b: V) -> V {
        each(|i| a[i] + b[i])
    }

    #[inline(always)]
    unsafe fn sub(a: V, b: V) -> V {
        each(|i| a[i] - b[i])
    }

    #[inline(always)]
    unsafe fn mul(a: V, b: V) -> V {
        each(|i| a[i] * b[i])
    }

    #[inline(always)]
    unsafe fn div(a: V, b: V) -> V {
        each(|i| a[i] / b[i])
    }

    #[inline(always)]
    unsafe fn fma(a: V, b: V, c: V) -> V {
        each(|i| multiply_add(a[i], b[i], c[i]))
    }

    #[inline(always)]
    unsafe fn min(a: V, b: V) -> V {
        each(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }

    #[inline(always)]
    unsafe fn max(a: V, b: V) -> V {
        each(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }

    #[inline(always)]
    unsafe fn round(x: V) -> V {
        each(|i| (x[i] + ROUNDING) - ROUNDING)
    }

    #[inline(always)]
    unsafe fn scale(x: V, n: V) -> V {
        each(|i| x[i] * f32::from_bits(((n[i] as i32 + 127) as u32) << 23))
    }

    #[inline(always)]
    unsafe fn sum(x: V) -> f32 {
        (x[0] + x[2]) + (x[1] + x[3])
    }

    #[inline(always)]
    unsafe fn largest(x: V) -> f32 {
        x[0].max(x[1]).max(x[2]).max(x[3])
    }

    #[inline(always)]
    unsafe fn prefetch(_: *const u8) {}
}
