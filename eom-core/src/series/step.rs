//! The order and the step of a series, and the state along it.
//!
//! ```text
//! ρₖ = (maxᵢ |yₖᵢ| / (|y₀ᵢ| + aᵢ/r))^(−1/k)        h = min(ρ_P₋₁, ρ_P) (r e⁻²)^(1/P) e^(−0.7/(P − 1))
//! order P = ⌈1 − 2/3 ln(r)⌉ for the relative tolerance r
//! ```
//!
//! Jorba and Zou (Experimental Mathematics 14, 2005), (3-7) to (3-9): ρₖ estimates the radius of
//! convergence, and the last factor is their safety. Their order is 1 − ln(r)/2, for which the part of ρ
//! is e⁻²: it costs least where an order costs as many operations as there are orders before it. Here
//! those are taken several at once, and an order costs about the same as the one before: where that is
//! all, −ln(r) costs least, and a step is e⁻¹ ρ. What is between both does most in a time.

use super::{INVERSES, ORDER_MAX, ORDER_MIN, ROW, Series};
use crate::elementary;

/// (r e⁻²)^(1/P) e^(−0.7/(P − 1)) for the order P.
pub(crate) fn part_of_radius(order: usize, tolerance: f64) -> f64 {
    let p = order as f64;
    elementary::exp((elementary::ln(tolerance) - 2.0) / p - 0.7 / (p - 1.0))
}

/// P.
pub(crate) fn order_of(tolerance: f64) -> usize {
    let order = (1.0 - 2.0 / 3.0 * elementary::ln(tolerance)).ceil();
    (ORDER_MIN..ORDER_MAX).find(|wanted| *wanted as f64 >= order).unwrap_or(ORDER_MAX)
}

impl Series {
    /// min(ρ_P₋₁, ρ_P): infinite where the motion is a polynomial of lower degree, not a number where a
    /// coefficient is not finite. `floors` are the aᵢ/r.
    pub(crate) fn radius(&self, floors: &[f64]) -> f64 {
        let order = self.order;
        let radius = |k: usize| {
            let first = &self.coefficients(0)[..self.state];
            let last = &self.coefficients(k)[..self.state];
            let (mut largest, mut sum) = (0.0_f64, 0.0);
            for ((last, first), floor) in last.iter().zip(first).zip(floors) {
                let part = last.abs() / (first.abs() + floor);
                largest = largest.max(part);
                sum += part;
            }
            if sum < f64::INFINITY { inverse_root(largest, INVERSES[k]) } else { f64::NAN }
        };
        let (before, last) = (radius(order - 1), radius(order));
        if before < last || before.is_nan() { before } else { last }
    }

    /// Writes y(t₀ + τ) − y₀.
    pub(crate) fn increment(&self, τ: f64, increment: &mut [f64]) {
        let rows = &self.rows[self.width..(self.order + 1) * self.width];
        for (group, increment) in increment.chunks_mut(ROW).enumerate() {
            let mut sums = [0.0; ROW];
            for row in rows.chunks_exact(self.width).rev() {
                let Some(row) = row.as_chunks::<ROW>().0.get(group) else { return };
                for i in 0..ROW {
                    sums[i] = (sums[i] + row[i]) * τ;
                }
            }
            increment.copy_from_slice(&sums[..increment.len()]);
        }
    }

    /// Writes γₖ hᵏ of an observed value, a polynomial in the part s of the step h.
    pub(crate) fn observed(&self, index: usize, h: f64, polynomial: &mut [f64]) {
        let mut power = 1.0;
        for (k, coefficient) in polynomial.iter_mut().enumerate() {
            *coefficient = self.rows[k * self.width + self.state + index] * power;
            power *= h;
        }
    }
}

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
    let shifted = power.floor() + BIAS + ROUNDING;
    let f = power - power.floor();
    let part = 1.0 + f + f * (1.0 - f) * (-0.306_995 + f * (-0.065_455 - f * 0.013_689));
    f64::from_bits(shifted.to_bits() << 52) * part
}

/// The value of a polynomial in s.
pub(crate) fn value(polynomial: &[f64], s: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, coefficient| sum * s + coefficient)
}

/// Its value and slope.
///
/// ```text
/// p = A(s²), A = Σ (c₂ᵢ + c₂ᵢ₊₁ s) s²ⁱ        p′ = B + 2s A′, B = Σ c₂ᵢ₊₁ s²ⁱ
/// ```
///
/// Three sums that do not wait for one another, of half the length.
pub(crate) fn value_and_slope(polynomial: &[f64], s: f64) -> (f64, f64) {
    let (pairs, last) = polynomial.as_chunks::<2>();
    let square = s * s;
    let (mut a, mut slope, mut b) = (last.first().copied().unwrap_or(0.0), 0.0, 0.0);
    for [even, odd] in pairs.iter().rev() {
        slope = slope * square + a;
        a = a * square + (even + odd * s);
        b = b * square + odd;
    }
    (a, b + 2.0 * s * slope)
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
