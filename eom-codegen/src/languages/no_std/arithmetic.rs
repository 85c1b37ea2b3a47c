//! Operations of IEEE 754 that `core` has not, by integers, and what other functions are made of.

use super::*;

/// a b + c, rounded once: the product as an integer of 106 bits, c shifted to it.
pub(super) fn fused(a: f64, b: f64, c: f64) -> f64 {
    if !a.is_finite() || !b.is_finite() || a == 0.0 || b == 0.0 || c == 0.0 {
        // An exact product of 0 leaves c, c = 0 leaves the product.
        return if c == 0.0 && a != 0.0 && b != 0.0 { a * b } else { a * b + c };
    }
    if !c.is_finite() {
        return c;
    }
    let ((a_digits, a_power), (b_digits, b_power)) = (digits(a), digits(b));
    let (c_digits, c_power) = digits(c);
    let (product, power) = (u128::from(a_digits) * u128::from(b_digits), a_power + b_power);
    let distance = c_power - power;
    let (product, addend, power) = match distance {
        ..=0 => (product, lowered(u128::from(c_digits), -distance), power),
        1..=73 => (product, u128::from(c_digits) << distance, power),
        _ => (lowered(product, distance - 73), u128::from(c_digits) << 73, c_power - 73),
    };
    let signed = |digits: u128, negative: bool| {
        let digits = digits as i128;
        if negative { -digits } else { digits }
    };
    let sum = signed(product, a.is_sign_negative() != b.is_sign_negative())
        + signed(addend, c.is_sign_negative());
    rounded(sum, power)
}

/// |x| = digits 2^power, for a finite x that is not 0; digits have 53 bits.
pub(super) fn digits(x: f64) -> (u64, i32) {
    let bits = x.to_bits() & 0x7fff_ffff_ffff_ffff;
    match (bits >> 52) as i32 {
        0 => {
            let shift = bits.leading_zeros() - 11;
            (bits << shift, -1074 - shift as i32)
        }
        biased => (bits & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000, biased - 1075),
    }
}

/// digits/2^shift; its last bit stands for all that was shifted out.
pub(super) fn lowered(digits: u128, shift: i32) -> u128 {
    if shift >= 128 {
        return u128::from(digits != 0);
    }
    let kept = digits >> shift;
    kept | u128::from(kept << shift != digits)
}

/// The number nearest to sum 2^power, of two the even one.
pub(super) fn rounded(sum: i128, power: i32) -> f64 {
    if sum == 0 {
        return 0.0;
    }
    let sign = if sum < 0 { 1 << 63 } else { 0 };
    let size = sum.unsigned_abs();
    let shift = (75 - size.leading_zeros() as i32).max(-1074 - power);
    // With one bit more than the result, and one that stands for the rest.
    let extended = if shift > 2 { lowered(size, shift - 2) } else { size << (2 - shift) };
    let even = extended >> 2 & 1;
    let kept = (extended + 1 + even) >> 2;
    let biased = (shift + power + 1074) as u64;
    let bits = if biased > 2046 { f64::INFINITY.to_bits() } else { (biased << 52) + kept as u64 };
    f64::from_bits(sign | bits.min(f64::INFINITY.to_bits()))
}

/// The square root, correctly rounded: that of an integer of 106 or 107 bits.
pub(super) fn sqrt(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    let (digits, power) = digits(x);
    let odd = power & 1;
    // The root has 54 bits; none is halfway, since the square of an odd number is odd. Half a unit is
    // added and cut off; the result is far from the least and from the largest numbers.
    let root = (u128::from(digits) << (54 + odd)).isqrt() as u64;
    let exponent = ((power - odd) / 2 + 1048) as u64;
    f64::from_bits((exponent << 52) + ((root + 1) >> 1))
}

/// a^n by repeated squaring.
pub(super) fn powi(a: f64, n: i32) -> f64 {
    let (mut square, mut left, mut product) = (a, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    if n < 0 { 1.0 / product } else { product }
}

/// |x|.
pub(super) fn abs(x: f64) -> f64 {
    x.abs()
}

/// -1, 0 or 1.
pub(super) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// x between 0 and 1; the nearer of them elsewhere.
pub(super) fn ramp(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

/// From 0 for x <= 0 to 1 for x >= 1, by a polynomial with two derivatives that are 0 there.
pub(super) fn smoothstep(x: f64) -> f64 {
    let half = |r: f64| (10.0 - r * (15.0 - 6.0 * r)) * r * r * r;
    let r = ramp(x);
    if r <= 0.5 { half(r) } else { 1.0 - half(1.0 - r) }
}

/// c[0] + z c[1] + z^2 c[2] + ..., from the last.
pub(super) fn polynomial(z: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| c + z * sum)
}

/// The sign, the exponent and the first 20 bits.
pub(super) fn high_word(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

/// x with other first 32 bits.
pub(super) fn with_high_word(x: f64, high: u32) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff | u64::from(high) << 32)
}

/// x without its last 32 bits.
pub(super) fn leading(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// x 2^n, rounded once.
pub(super) fn scaled(mut x: f64, mut n: i32) -> f64 {
    let (large, small) = (f64::from_bits(0x7fe0 << 48), f64::from_bits(0x0360 << 48));
    for _ in 0..2 {
        if n > 1023 {
            x *= large;
            n -= 1023;
        } else if n < -1022 {
            x *= small;
            n += 969;
        }
    }
    x * f64::from_bits(((1023 + n.clamp(-1022, 1023)) as u64) << 52)
}
