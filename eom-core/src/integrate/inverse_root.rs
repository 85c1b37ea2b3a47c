//! Powers for the estimates of steps.

/// x^(−p) to 10⁻⁴, for x ≥ 0 and p in (0, 1]: an estimate needs no more.
pub(crate) fn inverse_root(x: f64, p: f64) -> f64 {
    least_inverse_root([(x, p)])
}

/// The least of xᵢ^(−pᵢ).
///
/// ```text
/// x^(−p) = 2^(−p log₂ x)
/// log₂ 2ⁿ(1 + m) = n + m + m(1 − m) B(m), 0 ≤ m < 1        2ⁿ⁺ᶠ = 2ⁿ C(f), |f| ≤ ½
/// ```
///
/// B and C are best fits, of degrees 2 and 4: the logarithm is right to 1.2·10⁻⁴, exact at m = 0 and 1,
/// and the power to 3.4·10⁻⁶ of it, with C(½) = 2 C(−½): both are continuous. A step waits for its
/// size, so that their sums are taken in pairs.
pub(crate) fn least_inverse_root<const N: usize>(roots: [(f64, f64); N]) -> f64 {
    let mut least = f64::INFINITY;
    for (x, p) in roots {
        let power = -p * logarithm(x);
        least = if power < least { power } else { least };
    }
    power_of_two(least)
}

const BIAS: f64 = 1023.0;
/// Adding it rounds to an integer, which then stands in the low bits, as an exponent does.
const ROUNDING: f64 = 6_755_399_441_055_744.0 + BIAS;

/// log₂ x; −∞ for 0.
fn logarithm(x: f64) -> f64 {
    if x < f64::MIN_POSITIVE {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let m = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000) - 1.0;
    let bend = (0.438_726 - 0.239_058 * m) + 0.082_131 * (m * m);
    ((bits >> 52) as f64 - BIAS + m) + m * (1.0 - m) * bend
}

/// 2^power, for powers of a double's size and ∞.
fn power_of_two(power: f64) -> f64 {
    if power == f64::INFINITY {
        return power;
    }
    let shifted = power + ROUNDING;
    let f = power - (shifted - ROUNDING);
    let square = f * f;
    let bend = (0.240_256_15 + 0.055_959_3 * f) + 0.009_545_03 * square;
    let part = (0.999_998_91 + 0.693_116_52 * f) + square * bend;
    f64::from_bits(shifted.to_bits() << 52) * part
}

#[cfg(test)]
mod tests {
    use super::{inverse_root, least_inverse_root};

    #[test]
    fn inverse_roots_are_good_to_four_digits() {
        for (x, p) in
            [(1.0, 0.1), (3.7e-9, 1.0 / 12.0), (2e30, 1.0 / 19.0), (0.3, 1.0), (1e-290, 0.5)]
        {
            let expected = f64::powf(x, -p);
            assert!((inverse_root(x, p) / expected - 1.0).abs() < 1e-4, "{x}^-{p}");
        }
        assert_eq!(inverse_root(0.0, 0.1), f64::INFINITY);
        let least = least_inverse_root([(0.0, 0.5), (16.0, 0.5), (27.0, 1.0 / 3.0)]);
        assert!((least * 4.0 - 1.0).abs() < 1e-4, "{least}");
    }
}
