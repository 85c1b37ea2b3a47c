//! Powers for the estimates of steps.

/// x^(−p) to 10⁻⁴, for x ≥ 0 and p in (0, 1]: an estimate needs no more.
///
/// log₂ of the mantissa and 2 to a part of 1 are polynomials that are exact at both ends, fitted by least
/// squares.
pub(crate) fn inverse_root(x: f64, p: f64) -> f64 {
    const BIAS: f64 = 1023.0;
    // Adding it rounds to an integer, which then stands in the low bits.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    if x < f64::MIN_POSITIVE {
        return f64::INFINITY;
    }
    let bits = x.to_bits();
    let m = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000) - 1.0;
    let bend = 0.441_836 + m * (-0.266_536 + m * (0.147_019 - m * 0.044_244));
    let logarithm = (bits >> 52) as f64 - BIAS + m + m * (1.0 - m) * bend;
    let power = -logarithm * p;
    // ⌊power⌋ without the library, which plain x86-64 would call.
    let nearest = (power + ROUNDING) - ROUNDING;
    let floor = if nearest > power { nearest - 1.0 } else { nearest };
    let shifted = floor + BIAS + ROUNDING;
    let f = power - floor;
    let part = 1.0 + f + f * (1.0 - f) * (-0.306_995 + f * (-0.065_455 - f * 0.013_689));
    f64::from_bits(shifted.to_bits() << 52) * part
}

#[cfg(test)]
mod tests {
    use super::inverse_root;

    #[test]
    fn inverse_roots_are_good_to_four_digits() {
        for (x, p) in
            [(1.0, 0.1), (3.7e-9, 1.0 / 12.0), (2e30, 1.0 / 19.0), (0.3, 1.0), (1e-290, 0.5)]
        {
            let expected = f64::powf(x, -p);
            assert!((inverse_root(x, p) / expected - 1.0).abs() < 1e-4, "{x}^-{p}");
        }
        assert_eq!(inverse_root(0.0, 0.1), f64::INFINITY);
    }
}
