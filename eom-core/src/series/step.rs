//! The order and the step of a series, and the state along it.
//!
//! ```text
//! order P = ⌈1 − ln(r)/2⌉ for the relative tolerance r
//! ρₖ = (maxᵢ |yₖᵢ| / (|y₀ᵢ| + aᵢ/r))^(−1/k)        h = min(ρ_P₋₁, ρ_P) e⁻² e^(−0.7/(P − 1))
//! ```
//!
//! Jorba and Zou (Experimental Mathematics 14, 2005), (3-7) to (3-9): ρₖ estimates the radius of
//! convergence, e⁻² makes the order that costs least, the last factor is their safety.

use super::{INVERSES, ORDER_MAX, Series};
use crate::elementary;

/// e⁻² e^(−0.7/(P − 1)).
pub(super) fn safety(order: usize) -> f64 {
    elementary::exp(-2.0 - 0.7 / (order - 1) as f64)
}

/// P.
pub(crate) fn order_of(tolerance: f64) -> usize {
    let order = (1.0 - 0.5 * elementary::ln(tolerance)).ceil();
    (4..ORDER_MAX).find(|wanted| *wanted as f64 >= order).unwrap_or(ORDER_MAX)
}

/// Entries whose sums are made together.
pub(super) const GROUP: usize = 8;

impl Series {
    /// h: infinite where the motion is a polynomial of lower degree. `floors` are the aᵢ/r.
    pub(crate) fn step_size(&self, floors: &[f64]) -> f64 {
        let order = self.order;
        let radius = |k: usize| {
            let first = &self.coefficients(0)[..self.state];
            let last = &self.coefficients(k)[..self.state];
            let sizes = last.iter().zip(first).zip(floors);
            let largest = sizes.fold(0.0_f64, |largest, ((last, first), floor)| {
                largest.max(last.abs() / (first.abs() + floor))
            });
            inverse_root(largest, INVERSES[k])
        };
        radius(order - 1).min(radius(order)) * self.safety
    }

    /// Writes y(t₀ + τ) − y₀.
    pub(crate) fn increment(&self, τ: f64, increment: &mut [f64]) {
        for (group, increment) in increment.chunks_mut(GROUP).enumerate() {
            let mut sums = [0.0; GROUP];
            for k in (1..=self.order).rev() {
                let row = self.rows[k * self.width + group * GROUP..].first_chunk::<GROUP>();
                let Some(row) = row else { return };
                for i in 0..GROUP {
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
pub(crate) fn value_and_slope(polynomial: &[f64], s: f64) -> (f64, f64) {
    polynomial.iter().rev().fold((0.0, 0.0), |(value, slope), coefficient| {
        (value * s + coefficient, slope * s + value)
    })
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
