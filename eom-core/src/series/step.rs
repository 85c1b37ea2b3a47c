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
use pulp::{Arch, Simd, WithSimd};

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
        let rows = [0, order - 1, order].map(|k| self.coefficients(k));
        let (mut largest, mut sum) = ([0.0_f64; 2], 0.0);
        for (((first, before), last), floor) in rows[0].iter().zip(rows[1]).zip(rows[2]).zip(floors)
        {
            let scale = 1.0 / (first.abs() + floor);
            let parts = [before.abs() * scale, last.abs() * scale];
            for i in 0..2 {
                largest[i] = if parts[i] > largest[i] { parts[i] } else { largest[i] };
            }
            sum += parts[0] + parts[1];
        }
        if !sum.is_finite() {
            return f64::NAN;
        }
        let before = inverse_root(largest[0], INVERSES[order - 1]);
        before.min(inverse_root(largest[1], INVERSES[order]))
    }

    /// Writes y(t₀ + τ) − y₀ = τ (O + τ E), with the sums O and E over odd and even orders in powers of
    /// τ²: two sums that do not wait for one another.
    pub(crate) fn increment(&self, τ: f64, increment: &mut [f64]) {
        Arch::new().dispatch(Increment { series: self, τ, to: increment });
    }

    /// N numbers of that, from `first` on; those behind the last of y are of no meaning.
    #[inline(always)]
    fn sum_of<const N: usize>(&self, first: usize, τ: f64) -> [f64; N] {
        let (mut odd, mut even, square) = ([0.0_f64; N], [0.0_f64; N], τ * τ);
        let row = |k: usize| self.rows.get(k * self.state + first..).and_then(<[f64]>::first_chunk);
        let mut k = self.order;
        if !k.is_multiple_of(2) {
            odd = row(k).copied().unwrap_or(odd);
            k -= 1;
        }
        while k > 0 {
            let (Some(even_row), Some(odd_row)): (Option<&[f64; N]>, Option<&[f64; N]>) =
                (row(k), row(k - 1))
            else {
                break;
            };
            for i in 0..N {
                odd[i] = odd[i].mul_add(square, odd_row[i]);
                even[i] = even[i].mul_add(square, even_row[i]);
            }
            k -= 2;
        }
        std::array::from_fn(|i| τ * (odd[i] + τ * even[i]))
    }
}

/// [`Series::increment`], compiled for the registers of the machine.
struct Increment<'s> {
    series: &'s Series,
    τ: f64,
    to: &'s mut [f64],
}

impl WithSimd for Increment<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { series, τ, to } = self;
        let (mut whole, mut first) = (to.chunks_exact_mut(2 * ROW), 0);
        for increment in &mut whole {
            increment.copy_from_slice(&series.sum_of::<{ 2 * ROW }>(first, τ));
            first += 2 * ROW;
        }
        for increment in whole.into_remainder().chunks_mut(ROW) {
            increment.copy_from_slice(&series.sum_of::<ROW>(first, τ)[..increment.len()]);
            first += ROW;
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
