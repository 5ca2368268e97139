//! Vectors of 512 bits: AVX-512F.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

use std::arch::x86_64::*;

use super::Lanes;

/// Sixteen floats; 28 of the 32 registers accumulate.
#[derive(Clone, Copy)]
pub(crate) struct Avx512;

/// Functions of one instruction or a few.
macro_rules! instructions {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $out:ty = $body:expr;)*) => {
        $(#[inline(always)]
        unsafe fn $name($($arg: $kind),*) -> $out {
            // SAFETY: the caller keeps the trait's conditions: the instructions are there, and the pointer is good.
            unsafe { $body }
        })*
    };
}

impl Lanes for Avx512 {
    type V = __m512;
    const N: usize = 16;
    const ROWS: usize = 14;

    instructions! {
        splat(x: f32) -> __m512 = _mm512_set1_ps(x);
        load(from: *const f32) -> __m512 = _mm512_loadu_ps(from);
        load_half(from: *const u16) -> __m512 = _mm512_cvtph_ps(_mm256_loadu_si256(from.cast()));
        store(to: *mut f32, x: __m512) -> () = _mm512_storeu_ps(to, x);
        store_half(to: *mut u16, x: __m512) -> () =
            _mm256_storeu_si256(to.cast(), _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x));
        add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        sub(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
        fma(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c);
        min(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
        max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
        round(x: __m512) -> __m512 = _mm512_roundscale_ps::<_MM_FROUND_TO_NEAREST_INT>(x);
        scale(x: __m512, n: __m512) -> __m512 = _mm512_scalef_ps(x, n);
        sum(x: __m512) -> f32 = _mm512_reduce_add_ps(x);
        largest(x: __m512) -> f32 = _mm512_reduce_max_ps(x);
        prefetch(at: *const u8) -> () = _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
}
