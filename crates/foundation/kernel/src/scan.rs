//! Products and distances of many small rows with one: signed bytes, and bits. They are whole numbers, so every path gives the same.

#![expect(unsafe_code, reason = "functions that are compiled for instructions are called where the processor has them")]

use crate::path::Path;

/// Numbers of a row of bytes, at most: so many products of bytes cannot overflow their sum.
pub const SCAN_BYTES_MAX: usize = 65_536;

/// The product of each row of signed bytes with the vector, in `products`.
///
/// # Panics
///
/// Where the vector's length is 0 or above [`SCAN_BYTES_MAX`], or `rows` is not as many rows of that length as there are `products`.
pub fn byte_products(path: Path, rows: &[i8], vector: &[i8], products: &mut [i32]) {
    assert!((1..=SCAN_BYTES_MAX).contains(&vector.len()), "a row of {} numbers", vector.len());
    assert_eq!(rows.len(), vector.len() * products.len(), "not as many rows as products");
    match path.name() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instructions, as was just asked; the path has those of AVX2 besides.
        "avx512" if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") => unsafe {
            byte_products_avx512(rows, vector, products);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: these paths exist only where the processor has AVX2.
        "avx512" | "avx2" => unsafe { byte_products_avx2(rows, vector, products) },
        _ => byte_products_of(rows, vector, products),
    }
}

/// In how many bits each row differs from the vector, in `distances`.
///
/// # Panics
///
/// Where the vector's length is 0 or above [`SCAN_BYTES_MAX`], or `rows` is not as many rows of that length as there are `distances`.
pub fn bit_distances(path: Path, rows: &[u64], vector: &[u64], distances: &mut [u32]) {
    assert!((1..=SCAN_BYTES_MAX).contains(&vector.len()), "a row of {} numbers", vector.len());
    assert_eq!(rows.len(), vector.len() * distances.len(), "not as many rows as distances");
    match path.name() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instructions, as was just asked; the path has those of AVX2 besides.
        "avx512" if is_x86_feature_detected!("avx512vpopcntdq") && is_x86_feature_detected!("avx512vl") => unsafe {
            bit_distances_avx512(rows, vector, distances);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: these paths exist only where the processor has AVX2; it was asked for the other one.
        "avx512" | "avx2" if is_x86_feature_detected!("popcnt") => unsafe {
            bit_distances_avx2(rows, vector, distances)
        },
        _ => bit_distances_of(rows, vector, distances),
    }
}

#[inline(always)]
fn byte_products_of(rows: &[i8], vector: &[i8], products: &mut [i32]) {
    for (row, product) in rows.chunks_exact(vector.len()).zip(products) {
        // It cannot overflow (`SCAN_BYTES_MAX`); unchecked, it is fast in every profile.
        let pairs = row.iter().zip(vector);
        *product = pairs.fold(0_i32, |sum, (a, b)| sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b))));
    }
}

#[inline(always)]
fn bit_distances_of(rows: &[u64], vector: &[u64], distances: &mut [u32]) {
    for (row, distance) in rows.chunks_exact(vector.len()).zip(distances) {
        let pairs = row.iter().zip(vector);
        *distance = pairs.fold(0_u32, |sum, (a, b)| sum.wrapping_add((a ^ b).count_ones()));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
fn byte_products_avx512(rows: &[i8], vector: &[i8], products: &mut [i32]) {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_loadu_si256, _mm512_add_epi32, _mm512_cvtepi8_epi16, _mm512_loadu_si512,
        _mm512_madd_epi16, _mm512_reduce_add_epi32, _mm512_setzero_si512,
    };
    const LANES: usize = 32;
    // The vector is widened once; of a row as many bytes at a time as fill a register when they are widened.
    let wide: Vec<i16> = vector.iter().map(|byte| i16::from(*byte)).collect();
    for (row, product) in rows.chunks_exact(vector.len()).zip(products) {
        let (own, rest) = row.as_chunks::<LANES>();
        let (other, other_rest) = wide.as_chunks::<LANES>();
        let mut sums: [__m512i; 2] = [_mm512_setzero_si512(); 2];
        for (at, (a, b)) in own.iter().zip(other).enumerate() {
            // SAFETY: each pointer is to an array of as many bytes as are read, and no alignment is asked for.
            let (a, b) = unsafe {
                (_mm256_loadu_si256(a.as_ptr().cast::<__m256i>()), _mm512_loadu_si512(b.as_ptr().cast::<__m512i>()))
            };
            sums[at % 2] = _mm512_add_epi32(sums[at % 2], _mm512_madd_epi16(_mm512_cvtepi8_epi16(a), b));
        }
        let last = rest.iter().zip(other_rest).fold(0_i32, |sum, (a, b)| sum + i32::from(*a) * i32::from(*b));
        *product = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1])).wrapping_add(last);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn byte_products_avx2(rows: &[i8], vector: &[i8], products: &mut [i32]) {
    byte_products_of(rows, vector, products);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx512vl,avx2,popcnt")]
fn bit_distances_avx512(rows: &[u64], vector: &[u64], distances: &mut [u32]) {
    bit_distances_of(rows, vector, distances);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn bit_distances_avx2(rows: &[u64], vector: &[u64], distances: &mut [u32]) {
    bit_distances_of(rows, vector, distances);
}

#[cfg(test)]
mod tests {
    use super::{SCAN_BYTES_MAX, bit_distances, byte_products};
    use crate::Path;

    #[test]
    fn every_path_gives_the_same_whole_numbers() {
        let byte = |at: usize| (at.wrapping_mul(2_654_435_761) >> 7) as i8;
        for width in [1, 7, 16, 63, 64, 384, 400] {
            let rows: Vec<i8> = (0..9 * width).map(byte).collect();
            let vector: Vec<i8> = (0..width).map(|at| byte(at + 77)).collect();
            let expect: Vec<i32> = rows
                .chunks(width)
                .map(|row| row.iter().zip(&vector).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum())
                .collect();
            for path in Path::available() {
                let mut found = [0; 9];
                byte_products(path, &rows, &vector, &mut found);
                assert_eq!(found[..], expect, "{} {width}", path.name());
                byte_products(path, &[], &vector, &mut []);
            }
        }
        let word = |at: usize| (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for width in [1, 5, 6, 7, 8, 32] {
            let rows: Vec<u64> = (0..9 * width).map(word).collect();
            let vector: Vec<u64> = (0..width).map(|at| word(at * 31)).collect();
            let expect: Vec<u32> = rows
                .chunks(width)
                .map(|row| row.iter().zip(&vector).map(|(a, b)| (a ^ b).count_ones()).sum())
                .collect();
            for path in Path::available() {
                let mut found = [0; 9];
                bit_distances(path, &rows, &vector, &mut found);
                assert_eq!(found[..], expect, "{} {width}", path.name());
            }
        }
    }

    #[test]
    fn the_longest_row_does_not_overflow() {
        let row = vec![i8::MIN; SCAN_BYTES_MAX];
        for path in Path::available() {
            let mut found = [0];
            byte_products(path, &row, &row, &mut found);
            assert_eq!(found[0], 1 << 30);
        }
    }
}
