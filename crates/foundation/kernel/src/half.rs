//! Half precision (IEEE 754 binary16), without the processor's help.

/// The largest finite number of half precision.
pub const HALF_MAX: f32 = 65_504.0;

/// The nearest number of half precision, ties to even, as its bits. What is larger than [`HALF_MAX`] by half a step becomes
/// infinite.
#[must_use]
#[inline]
pub fn narrow(x: f32) -> u16 {
    let bits = x.to_bits();
    let (sign, magnitude) = ((bits >> 16) as u16 & 0x8000, bits & 0x7fff_ffff);
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65,520 and more round to infinity.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    // Below 2⁻¹⁴ the steps are 2⁻²⁴: adding 0.5 puts the last of them at the last bit of a float.
    if magnitude < 0x3880_0000 {
        return sign | (f32::from_bits(magnitude) + 0.5).to_bits() as u16;
    }
    let odd = (magnitude >> 13) & 1;
    sign | ((magnitude - 0x3800_0000 + 0x0fff + odd) >> 13) as u16
}

/// The number that these bits are in half precision, exactly.
#[must_use]
#[inline]
pub fn widen(half: u16) -> f32 {
    let (sign, magnitude) = (u32::from(half & 0x8000) << 16, u32::from(half & 0x7fff));
    // As a float with the exponent 2¹¹² too small; the product with it is exact, subnormal numbers included.
    let value = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    let value = if magnitude >= 0x7c00 { f32::from_bits(0x7f80_0000 | (magnitude << 13)) } else { value };
    f32::from_bits(value.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::{HALF_MAX, narrow, widen};

    #[test]
    fn every_half_comes_back() {
        for half in 0..=u16::MAX {
            let value = widen(half);
            if value.is_nan() {
                assert_eq!(narrow(value) & 0x7e00, 0x7e00);
            } else {
                assert_eq!(narrow(value), half, "{value}");
            }
        }
    }

    #[test]
    fn ties_go_to_the_even_number() {
        // Between neighbours of one sign the middle goes to the one whose last bit is 0, what is next to it to the nearer.
        for half in (0..0x7bff).chain(0x8000..0xfbff) {
            let middle = (f64::from(widen(half)) + f64::from(widen(half + 1))) / 2.0;
            let even = if half & 1 == 0 { half } else { half + 1 };
            let middle = middle as f32;
            assert_eq!(narrow(middle), even, "{middle}");
            let bits = middle.to_bits();
            assert_eq!(narrow(f32::from_bits(bits + 1)), half + 1);
            assert_eq!(narrow(f32::from_bits(bits - 1)), half);
        }
    }

    #[test]
    fn what_is_too_large_is_infinite() {
        assert_eq!(widen(narrow(HALF_MAX)), HALF_MAX);
        assert_eq!(widen(narrow(65_519.996)), HALF_MAX);
        assert_eq!(widen(narrow(65_520.0)), f32::INFINITY);
        assert_eq!(widen(narrow(f32::NEG_INFINITY)), f32::NEG_INFINITY);
        assert_eq!(narrow(-0.0), 0x8000);
    }
}
