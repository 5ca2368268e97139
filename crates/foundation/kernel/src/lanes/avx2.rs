//! Vectors of 256 bits: AVX2 with FMA and F16C.

#![expect(unsafe_code, reason = "vectors are made of the processor's own instructions, over pointers")]

use std::arch::x86_64::*;

use super::Lanes;

/// Eight floats; 12 of the 16 registers accumulate.
#[derive(Clone, Copy)]
pub(crate) struct Avx2;

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

impl Lanes for Avx2 {
    type V = __m256;
    const N: usize = 8;
    const ROWS: usize = 6;

    instructions! {
        splat(x: f32) -> __m256 = _mm256_set1_ps(x);
        load(from: *const f32) -> __m256 = _mm256_loadu_ps(from);
        load_half(from: *const u16) -> __m256 = _mm256_cvtph_ps(_mm_loadu_si128(from.cast()));
        store(to: *mut f32, x: __m256) -> () = _mm256_storeu_ps(to, x);
        store_half(to: *mut u16, x: __m256) -> () =
            _mm_storeu_si128(to.cast(), _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x));
        add(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        sub(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        mul(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        div(a: __m256, b: __m256) -> __m256 = _mm256_div_ps(a, b);
        fma(a: __m256, b: __m256, c: __m256) -> __m256 = _mm256_fmadd_ps(a, b, c);
        min(a: __m256, b: __m256) -> __m256 = _mm256_min_ps(a, b);
        max(a: __m256, b: __m256) -> __m256 = _mm256_max_ps(a, b);
        round(x: __m256) -> __m256 = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x);
        scale(x: __m256, n: __m256) -> __m256 = {
            let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
            _mm256_mul_ps(x, _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent)))
        };
        sum(x: __m256) -> f32 = {
            let half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(quarter, _mm_shuffle_ps::<1>(quarter, quarter)))
        };
        largest(x: __m256) -> f32 = {
            let half = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let quarter = _mm_max_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_max_ss(quarter, _mm_shuffle_ps::<1>(quarter, quarter)))
        };
        prefetch(at: *const u8) -> () = _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
}
