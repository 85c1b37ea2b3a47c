//! The order and the step of a series, and the state along it.
//!
//! ```text
//! ρₖ = (maxᵢ |yₖᵢ| / (|y₀ᵢ| + aᵢ/r))^(−1/k)        h = min(ρ_P₋₁, ρ_P) (ε e⁻²)^(1/P) e^(−0.7/(P − 1))
//! order P = ⌈1 − ln(ε)⌉ with guards, ⌈3 − ⅔ ln(ε)⌉ without
//! ε = r with guards, min(r, 10¹² r²) without, for the relative tolerance r
//! ```
//!
//! Jorba and Zou (Experimental Mathematics 14, 2005), (3-7) to (3-9): ρₖ estimates the radius of
//! convergence, and the last factor is their safety. Their order is 1 − ln(r)/2, for which the part of ρ
//! is e⁻²: it costs least where an order costs as many operations as there are orders before it. Here
//! those are taken several at once, and an order costs about the same as the one before: where that is
//! all, −ln(ε) costs least, and a step is e⁻¹ ρ. What is between both does most in a time; few orders are
//! worth some more, since a step costs something besides its series. With guards it costs as much again
//! as its series, whatever the order, and fewer steps are worth more.
//!
//! What the terms left out err has a sign, and grows with the number n of steps; rounding has none, and grows with √n. At
//! tolerances near rounding more terms are therefore taken than r asks for, so that no accuracy is left where it costs a
//! few orders: at r = 10⁻¹⁴ three, for as many steps. With guards there are as many orders already.

use super::{INVERSES, ORDER_MAX, ORDER_MIN, ROW, Series, last_of};
use crate::integrate::inverse_root::least_inverse_root;
use eom_elementary::{self as elementary, fused};
use pulp::{Arch, Simd, WithSimd};

/// From where on terms are taken below the tolerance.
const NEAR_ROUNDING: f64 = 1e-12;

/// ε.
pub(crate) fn truncation_of(tolerance: f64, has_guards: bool) -> f64 {
    let excess = if has_guards { 1.0 } else { tolerance / NEAR_ROUNDING };
    tolerance * excess.min(1.0)
}

/// (ε e⁻²)^(1/P) e^(−0.7/(P − 1)) for the order P.
pub(crate) fn part_of_radius(order: usize, truncation: f64) -> f64 {
    let p = order as f64;
    elementary::exp((elementary::ln(truncation) - 2.0) / p - 0.7 / (p - 1.0))
}

/// P.
pub(crate) fn order_of(truncation: f64, has_guards: bool) -> usize {
    let (least, part) = if has_guards { (1.0, 1.0) } else { (3.0, 2.0 / 3.0) };
    let order = (least - part * elementary::ln(truncation)).ceil();
    (ORDER_MIN..ORDER_MAX).find(|wanted| *wanted as f64 >= order).unwrap_or(ORDER_MAX)
}

/// Terms below this have lost digits on their way, or will have.
const LEAST: f64 = f64::MIN_POSITIVE / (f64::EPSILON * f64::EPSILON);

/// How the terms of a series end.
#[derive(Debug, PartialEq)]
pub(crate) enum Tail {
    /// With all of their digits.
    Told,
    /// Some have fewer, up to this order, and no weight beside those before them: of a force that is too far to be felt, of
    /// what rests but for a velocity as small.
    Faint(usize),
    /// They fall below all numbers one after another, as in a motion that is too slow for them: no radius is told by them.
    Lost,
}

impl Series {
    /// How the terms end: by the rate at which they fall from half of those with all digits to the last of these, the next
    /// but one is below all numbers, or would not be.
    pub(crate) fn tail(&self) -> Tail {
        let last = last_of(&self.rows[..(self.order + 1) * self.state]) / self.state.max(1);
        let size =
            |k: usize| self.coefficients(k).iter().fold(0.0, |size: f64, c| size.max(c.abs()));
        if last == 0 || size(last) >= LEAST {
            return Tail::Told;
        }
        let told = |below: usize| (0..below).rev().find(|k| size(*k) >= LEAST);
        let Some(high) = told(last) else { return Tail::Faint(last) };
        let Some(low) = told(high.div_ceil(2)) else { return Tail::Faint(last) };
        let rate = elementary::ln(size(high) / size(low)) / (high - low) as f64;
        let lost = elementary::ln(size(high)) + 2.0 * rate < elementary::ln(LEAST);
        if lost { Tail::Lost } else { Tail::Faint(last) }
    }

    /// The longest step in which terms of no weight up to this order have none.
    pub(crate) fn reach_of_faint(&self, last: usize, floors: &[f64]) -> f64 {
        let order = last.max(2);
        self.radius(order, floors) * elementary::exp(elementary::ln(f64::EPSILON) / order as f64)
    }

    /// min(ρ_P₋₁, ρ_P) of an order P, which is at least 2: infinite where the motion is a polynomial of lower degree, not a
    /// number where a coefficient is not finite. `floors` are the aᵢ/r.
    pub(crate) fn radius(&self, order: usize, floors: &[f64]) -> f64 {
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
        least_inverse_root([(largest[0], INVERSES[order - 1]), (largest[1], INVERSES[order])])
    }

    /// Writes y(t₀ + τ) − y₀ = τ (O + τ E), with the sums O and E over odd and even orders in powers of
    /// τ²: two sums that do not wait for one another.
    pub(crate) fn increment(&self, τ: f64, increment: &mut [f64]) {
        Arch::new().dispatch(Increment { series: self, τ, to: increment, size: |term| term });
    }

    /// Writes what each number of y moves by at most while the time from the start on is complex, of the size τ:
    /// Σ |yₖ| τᵏ, k > 0.
    pub(crate) fn excursions(&self, τ: f64, moved: &mut [f64]) {
        Arch::new().dispatch(Increment { series: self, τ, to: moved, size: f64::abs });
    }

    /// Writes Σ k yₖ τᵏ⁻¹ of the numbers of y from `first` on.
    pub(crate) fn rates_at(&self, τ: f64, first: usize, rates: &mut [f64]) {
        Arch::new().dispatch(Rates { series: self, τ, first, to: rates });
    }

    /// |yₖ| τᵏ for the last two orders, together, of a number of y.
    pub(crate) fn last_terms(&self, j: usize, [before, last]: [f64; 2]) -> f64 {
        let size = |k: usize, power: f64| self.coefficients(k)[j].abs() * power;
        size(self.order - 1, before) + size(self.order, last)
    }

    /// N numbers of Σ size(yₖ) τᵏ, k > 0, from `first` on; those behind the last of y are of no meaning.
    #[inline(always)]
    fn sum_of<const N: usize>(
        &self,
        (first, τ): (usize, f64),
        size: impl Fn(f64) -> f64,
    ) -> [f64; N] {
        let (mut odd, mut even, square) = ([0.0_f64; N], [0.0_f64; N], τ * τ);
        let row = |k: usize| self.rows.get(k * self.state + first..).and_then(<[f64]>::first_chunk);
        let mut k = self.order;
        if !k.is_multiple_of(2) {
            odd = row(k).map_or(odd, |row: &[f64; N]| row.map(&size));
            k -= 1;
        }
        while k > 0 {
            let (Some(even_row), Some(odd_row)): (Option<&[f64; N]>, Option<&[f64; N]>) =
                (row(k), row(k - 1))
            else {
                break;
            };
            for i in 0..N {
                odd[i] = fused(odd[i], square, size(odd_row[i]));
                even[i] = fused(even[i], square, size(even_row[i]));
            }
            k -= 2;
        }
        std::array::from_fn(|i| τ * (odd[i] + τ * even[i]))
    }
}

/// Σ k yₖ τᵏ⁻¹, compiled for the registers of the machine.
struct Rates<'s> {
    series: &'s Series,
    τ: f64,
    first: usize,
    to: &'s mut [f64],
}

impl WithSimd for Rates<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { series, τ, mut first, to } = self;
        for to in to.chunks_mut(ROW) {
            let mut sums = [0.0_f64; ROW];
            for k in (1..=series.order).rev() {
                let row = series.rows.get(k * series.state + first..);
                let Some(row) = row.and_then(<[f64]>::first_chunk::<ROW>) else { break };
                for i in 0..ROW {
                    sums[i] = fused(sums[i], τ, k as f64 * row[i]);
                }
            }
            to.copy_from_slice(&sums[..to.len()]);
            first += ROW;
        }
    }
}

/// Σ size(yₖ) τᵏ, compiled for the registers of the machine.
struct Increment<'s, F> {
    series: &'s Series,
    τ: f64,
    to: &'s mut [f64],
    size: F,
}

impl<F: Fn(f64) -> f64> WithSimd for Increment<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { series, τ, to, size } = self;
        let (mut whole, mut first) = (to.chunks_exact_mut(2 * ROW), 0);
        for sums in &mut whole {
            sums.copy_from_slice(&series.sum_of::<{ 2 * ROW }>((first, τ), &size));
            first += 2 * ROW;
        }
        for sums in whole.into_remainder().chunks_mut(ROW) {
            sums.copy_from_slice(&series.sum_of::<ROW>((first, τ), &size)[..sums.len()]);
            first += ROW;
        }
    }
}
