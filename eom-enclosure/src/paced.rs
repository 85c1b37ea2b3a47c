//! How fast a function can change along a motion: what steps must be short enough to see.
//!
//! A function that is composed of polynomials and of functions f of them is told from few of its values as long as none of
//! its parts changes much between two of these. By the pace ω of a part, in units of 1/time,
//!
//! ```text
//! sin u, cos u           |u̇|
//! a/u, u⁻ⁿ, uᵇ           |u̇|/|u|, and n or |b| times that
//! f(u)                   that of f, see [`Pace`]; of a step between u = 0 and 1 eight times |u̇|
//! an angle w of u, v     |ẇ|
//! uⁿ, uᵇ                 n or |b| times |u̇|/max |u|, for n, b > 8: a large power of what swells and wanes is a peak
//! a product w of more    |ẇ|/max |w|, which of uⁿ is that
//! than 8 that move
//! + − × √ uⁿ, |u|        none: no peak that is not in their arguments
//! ```
//!
//! the result has the largest of its parts. What is less than e⁻⁴⁰ of 1 is not seen by anything, and has no pace: a
//! Gaussian far from its middle, the reciprocal of what is large. A pole has the pace ∞.

use crate::dual::Dual;
use eom_elementary::{Elementary, Interval, Marks, Number, Pace};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// e⁻⁴⁰.
const UNSEEN: f64 = 4e-18;

/// Powers, and products of so many, beyond this are peaks where what they are of is largest.
pub(crate) const PEAK: f64 = 8.0;

/// What goes from one number to another while u does so by 1 is over when that is done: a pace of 1 would let it be half seen.
const STEEP: f64 = 8.0;

/// Bounds of a value and of its rate, with a bound of the pace of its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paced {
    along: Dual<Interval, 1>,
    pace: f64,
    /// How many that move it is a product of.
    factors: f64,
}

impl Paced {
    /// A value that moves with a rate.
    #[must_use]
    pub fn moving(value: Interval, rate: Interval) -> Self {
        let factors = if rate == Interval::ZERO { 0.0 } else { 1.0 };
        Self { along: Dual::moving(value, rate), pace: 0.0, factors }
    }

    /// The largest pace of what it is computed of.
    #[must_use]
    pub fn pace(&self) -> f64 {
        self.pace
    }

    /// Whether it is undefined, or jumps, on the box.
    #[must_use]
    pub fn marks(&self) -> Marks {
        self.along.value.marks()
    }

    fn speed(&self) -> f64 {
        self.along.rates[0].magnitude()
    }

    /// |u̇|/|u|.
    fn relative_speed(&self) -> f64 {
        let speed = self.speed();
        if speed == 0.0 { 0.0 } else { speed / self.along.value.mignitude() }
    }

    /// |u̇|/max |u|.
    fn least_relative_speed(&self) -> f64 {
        let speed = self.speed();
        if speed == 0.0 { 0.0 } else { speed / self.along.value.magnitude() }
    }

    /// A power from 0 on of this, which is a peak where it is a large one.
    fn raised(self, along: Dual<Interval, 1>, power: f64) -> Self {
        if power <= PEAK {
            return self.plain(along);
        }
        self.paced(along, power * self.least_relative_speed())
    }

    /// A result with no pace of its own.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn plain(self, along: Dual<Interval, 1>) -> Self {
        Self { along, factors: self.factors.min(1.0), ..self }
    }

    /// A product of so many, which is a peak where they are many.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn product(along: Dual<Interval, 1>, pace: f64, factors: f64) -> Self {
        let product = Self { along, pace, factors };
        if factors <= PEAK {
            return product;
        }
        product.paced(along, product.least_relative_speed())
    }

    /// A result with a pace of its own, unless it is too small to be seen.
    fn paced(self, along: Dual<Interval, 1>, pace: f64) -> Self {
        let (value, factors) = (along.value, self.factors.min(1.0));
        if value.magnitude() < UNSEEN && value.marks() == Marks::NONE {
            return Self { along, pace: 0.0, factors };
        }
        // NaN, of ∞·0 or 0/0, is a pole that is not told apart.
        let pace = if pace.is_nan() { f64::INFINITY } else { pace };
        Self { along, pace: self.pace.max(pace), factors }
    }

    /// A result of this and of another, with the pace of both.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn with(self, other: Self, along: Dual<Interval, 1>) -> Self {
        let factors = self.factors.max(other.factors).min(1.0);
        Self { along, pace: self.pace.max(other.pace), factors }
    }
}

impl Neg for Paced {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn neg(self) -> Self {
        Self { along: -self.along, ..self }
    }
}

macro_rules! plain_operator {
    ($trait:ident, $method:ident) => {
        impl $trait for Paced {
            type Output = Self;

            #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
            fn $method(self, other: Self) -> Self {
                self.with(other, self.along.$method(other.along))
            }
        }
    };
}

plain_operator!(Add, add);
plain_operator!(Sub, sub);

impl Mul for Paced {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn mul(self, other: Self) -> Self {
        let along = self.along * other.along;
        Self::product(along, self.pace.max(other.pace), self.factors + other.factors)
    }
}

impl Div for Paced {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let along = self.along / other.along;
        self.with(other, along).paced(along, other.relative_speed())
    }
}

impl Number for Paced {
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn of(constant: f64) -> Self {
        Self { along: Dual::of(constant), pace: 0.0, factors: 0.0 }
    }

    fn square(self) -> Self {
        Self::product(self.along.square(), self.pace, 2.0 * self.factors)
    }

    fn inverse_or_zero(self) -> Self {
        self.plain(self.along.inverse_or_zero())
    }

    fn sqrt(self) -> Self {
        self.plain(self.along.sqrt())
    }

    fn call(self, f: Elementary) -> Self {
        let (along, at) = (self.along.call(f), self.along.value);
        match f.pace() {
            Pace::None => self.plain(along),
            Pace::Between(low, high) if at.low() > high || at.high() < low => {
                self.paced(along, 0.0)
            }
            Pace::Between(low, high) => {
                self.paced(along, (STEEP / (high - low)).max(1.0) * self.speed())
            }
            Pace::Argument => self.paced(along, self.speed()),
            Pace::Relative => self.paced(along, self.relative_speed()),
            Pace::Value => self.paced(along, along.rates[0].magnitude()),
        }
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.along.sin_cos();
        (self.paced(sine, self.speed()), self.paced(cosine, self.speed()))
    }

    fn powi(self, n: i32) -> Self {
        let (along, size) = (self.along.powi(n), f64::from(n).abs());
        match n {
            0.. => self.raised(along, size),
            _ => self.paced(along, size * self.relative_speed()),
        }
    }

    fn powf(self, b: Self) -> Self {
        let along = self.along.powf(b.along);
        let exponent = b.along.value;
        let both = self.with(b, along);
        if exponent.low() >= 0.0 && b.speed() == 0.0 {
            return both.raised(along, exponent.high());
        }
        both.paced(along, exponent.magnitude() * self.relative_speed() + b.speed())
    }

    fn atan2(self, x: Self) -> Self {
        let along = self.along.atan2(x.along);
        self.with(x, along).paced(along, along.rates[0].magnitude())
    }

    fn size(self) -> f64 {
        self.along.size()
    }
}

#[cfg(test)]
mod tests {
    use super::Paced;
    use eom_elementary::{Elementary, Interval, Number};

    /// exp(−(x/σ)²) with ẋ = 1 has the pace 2|x|/σ² where it can be seen, and none elsewhere.
    #[test]
    fn a_gaussian_has_the_pace_of_its_width() {
        let pace = |low: f64, high: f64| {
            let x = Paced::moving(Interval::new(low, high), Interval::point(1.0));
            (-(x * Paced::of(100.0)).square()).call(Elementary::Exp).pace()
        };
        let check = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found}, {expected}");
        };
        check(pace(-0.02, 0.01), 400.0);
        check(pace(-1.0, 1.0), 20_000.0);
        check(pace(0.1, 1.0), 0.0);
    }

    #[test]
    fn poles_and_reciprocals() {
        let of =
            |low: f64, high: f64| Paced::moving(Interval::new(low, high), Interval::new(-1.0, 2.0));
        let one = Paced::of(1.0);
        assert_eq!((one / of(-1.0, 1.0)).pace(), f64::INFINITY);
        assert!(((one / of(0.5, 1.0)).pace() - 4.0).abs() < 1e-12);
        assert!((of(0.5, 1.0).powi(-3).pace() - 12.0).abs() < 1e-12);
        assert_eq!(of(-1.0, 1.0).powi(3).pace(), 0.0);
        assert!((of(-0.5, 0.8).powi(40).pace() - 100.0).abs() < 1e-12);
        assert_eq!(of(-0.2, 0.3).powi(40).pace(), 0.0);
        // As it is multiplied out.
        let eighth = of(-0.5, 0.8).square().square().square();
        assert_eq!(eighth.pace(), 0.0);
        assert!(((eighth * eighth.square().square()).pace() - 100.0).abs() < 1e-12);
        assert_eq!((eighth + one).square().pace(), 0.0);
        assert_eq!(of(0.4, 0.6).call(Elementary::Ramp).pace(), 16.0);
        assert_eq!(of(-1.0, 1.0).square().sqrt().pace(), 0.0);
        assert_eq!((one / (of(-1.0, 1.0) - of(-1.0, 1.0))).pace(), f64::INFINITY);
        assert_eq!((one + of(-1.0, 3.0).sin_cos().0).pace(), 2.0);
        assert_eq!(of(50.0, 60.0).call(Elementary::Tanh).pace(), 0.0);
        assert!(((of(3.0, 4.0).call(Elementary::Atan)).pace() - 0.2).abs() < 1e-12);
        assert_eq!(of(-1.0, 1.0).atan2(of(-1.0, 1.0)).pace(), f64::INFINITY);
    }
}
