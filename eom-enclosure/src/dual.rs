//! Numbers with first derivatives, forward mode.
//!
//! ```text
//! (a, a′) + (b, b′) = (a + b, a′ + b′)        (a, a′)(b, b′) = (ab, a′b + ab′)
//! (a, a′)/(b, b′) = (c, (a′ − c b′)/b), c = a/b        f(a, a′) = (f(a), f′(a) a′)
//! ```
//!
//! Over intervals a bounds the values on a box and a′ the derivatives along all directions of a box of directions,
//! so that by the mean value theorem f(x(t)) ∈ f(x(t₀)) + A′(t − t₀). This takes f to be continuous on the box:
//! where a has marks, [`Dual::rate`] is without bound.

use eom_elementary::{Base, Elementary, Interval, Marks, Number};
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its derivatives along K directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual<B, const K: usize> {
    /// The value.
    pub value: B,
    /// Its derivatives.
    pub rates: [B; K],
}

impl<B: Base, const K: usize> Dual<B, K> {
    /// A value whose derivatives are `slope`, those of f at a, times those of a.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn chain(self, value: B, slope: B) -> Self {
        Self { value, rates: self.rates.map(|rate| slope * rate) }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn with(value: B, rates: impl FnMut(usize) -> B) -> Self {
        Self { value, rates: from_fn(rates) }
    }
}

impl Dual<Interval, 1> {
    /// A value that moves.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[must_use]
    pub fn moving(value: Interval, rate: Interval) -> Self {
        Self { value, rates: [rate] }
    }

    /// Bounds of the derivative of the value along the motion; without bound where the value need not be
    /// defined and continuous.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[must_use]
    pub fn rate(&self) -> Interval {
        let marks = self.value.marks();
        if marks == Marks::NONE { self.rates[0] } else { Interval::WHOLE.marked(marks) }
    }
}

impl<B: Base, const K: usize> Neg for Dual<B, K> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn neg(self) -> Self {
        Self { value: -self.value, rates: self.rates.map(|rate| -rate) }
    }
}

impl<B: Base, const K: usize> Add for Dual<B, K> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn add(self, other: Self) -> Self {
        Self::with(self.value + other.value, |i| self.rates[i] + other.rates[i])
    }
}

impl<B: Base, const K: usize> Sub for Dual<B, K> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sub(self, other: Self) -> Self {
        Self::with(self.value - other.value, |i| self.rates[i] - other.rates[i])
    }
}

impl<B: Base, const K: usize> Mul for Dual<B, K> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the rule of the derivative")]
    fn mul(self, other: Self) -> Self {
        Self::with(self.value * other.value, |i| {
            self.rates[i] * other.value + self.value * other.rates[i]
        })
    }
}

impl<B: Base, const K: usize> Div for Dual<B, K> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the rule of the derivative")]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        Self::with(quotient, |i| (self.rates[i] - quotient * other.rates[i]) / other.value)
    }
}

impl<B: Base, const K: usize> Number for Dual<B, K> {
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn of(constant: f64) -> Self {
        Self { value: B::of(constant), rates: [B::of(0.0); K] }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn square(self) -> Self {
        self.chain(self.value.square(), self.value + self.value)
    }

    fn inverse_or_zero(self) -> Self {
        let inverse = self.value.inverse_or_zero();
        self.chain(inverse, -inverse.square())
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, B::of(0.5) / root)
    }

    fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Self::of(1.0);
        }
        // n is that of a program: nowhere near the least integer.
        let slope = B::of(f64::from(n)) * self.value.powi(n.saturating_sub(1));
        self.chain(self.value.powi(n), slope)
    }

    fn powf(self, b: Self) -> Self {
        let power = self.value.powf(b.value);
        let by_base = if self.value.size() > 0.0 {
            b.value * power / self.value
        } else {
            b.value * self.value.powf(b.value - B::of(1.0))
        };
        // ln a is not asked for where the exponent is constant: a may be 0 there.
        if b.rates.iter().all(|rate| rate.is_zero()) {
            return self.chain(power, by_base);
        }
        let by_exponent = power * self.value.call(Elementary::Ln);
        Self::with(power, |i| by_base * self.rates[i] + by_exponent * b.rates[i])
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (self.chain(sine, cosine), self.chain(cosine, -sine))
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn call(self, f: Elementary) -> Self {
        let value = self.value.call(f);
        self.chain(value, f.slope(self.value, value))
    }

    fn atan2(self, x: Self) -> Self {
        let (a, b) = (self.value, x.value);
        let square = a.square() + b.square();
        Self::with(a.atan2(b), |i| (b * self.rates[i] - a * x.rates[i]) / square)
    }

    fn size(self) -> f64 {
        self.value.size()
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn is_nothing(self) -> bool {
        self.value.is_nothing() && self.rates.iter().all(|rate| rate.is_nothing())
    }

    fn is_plain(self) -> bool {
        self.value.is_plain() && self.rates.iter().all(|rate| rate.is_plain())
    }
}
