//! Numbers with first and second derivatives along one motion, as coefficients of its Taylor polynomial.
//!
//! ```text
//! a(t + τ) = a₀ + a₁ τ + a₂ τ² + …                a₁ = ȧ, a₂ = ä/2
//! (ab)₂ = a₀b₂ + a₁b₁ + a₂b₀        (a/b)₂ = (a₂ − c₁b₁ − c₀b₂)/b₀, c = a/b
//! f(a)₁ = f′ a₁                     f(a)₂ = f′ a₂ + ½ f″ a₁²
//! ```
//!
//! Over intervals a₀, a₁, a₂ bound the values, rates and half of the second derivatives on a box, so that a guard
//! whose a₂ has one sign there is convex, or concave, along every motion within. As with
//! [`Dual`](crate::Dual), a value with marks says nothing of derivatives.

use eom_elementary::{Elementary, Interval, Marks, Number};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value that moves: itself, its rate, and half of its second derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jet {
    /// a₀.
    pub value: Interval,
    /// a₁.
    pub rate: Interval,
    /// a₂.
    pub bend: Interval,
}

impl Jet {
    /// f(a) by f, f′ and ½ f″ at a₀.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn chain(self, [value, slope, bend]: [Interval; 3]) -> Self {
        Self { value, rate: slope * self.rate, bend: slope * self.bend + bend * self.rate.square() }
    }

    /// The same, with rates and bends without bound where the value need not be defined and continuous.
    #[must_use]
    pub fn certain(self) -> Self {
        let marks = self.value.marks();
        if marks == Marks::NONE {
            return self;
        }
        let nothing = Interval::WHOLE.marked(marks);
        Self { value: self.value, rate: nothing, bend: nothing }
    }
}

/// ½ as an interval.
fn half() -> Interval {
    Interval::point(0.5)
}

impl Neg for Jet {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate, bend: -self.bend }
    }
}

impl Add for Jet {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn add(self, b: Self) -> Self {
        Self { value: self.value + b.value, rate: self.rate + b.rate, bend: self.bend + b.bend }
    }
}

impl Sub for Jet {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sub(self, b: Self) -> Self {
        Self { value: self.value - b.value, rate: self.rate - b.rate, bend: self.bend - b.bend }
    }
}

impl Mul for Jet {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn mul(self, b: Self) -> Self {
        Self {
            value: self.value * b.value,
            rate: self.rate * b.value + self.value * b.rate,
            bend: self.bend * b.value + self.rate * b.rate + self.value * b.bend,
        }
    }
}

impl Div for Jet {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn div(self, b: Self) -> Self {
        let value = self.value / b.value;
        let rate = (self.rate - value * b.rate) / b.value;
        let bend = (self.bend - rate * b.rate - value * b.bend) / b.value;
        Self { value, rate, bend }
    }
}

impl Number for Jet {
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn of(constant: f64) -> Self {
        Self { value: Interval::of(constant), rate: Interval::ZERO, bend: Interval::ZERO }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn square(self) -> Self {
        let twice = self.value + self.value;
        Self {
            value: self.value.square(),
            rate: twice * self.rate,
            bend: twice * self.bend + self.rate.square(),
        }
    }

    fn inverse_or_zero(self) -> Self {
        let inverse = self.value.inverse_or_zero();
        let square = inverse.square();
        self.chain([inverse, -square, square * inverse])
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        let slope = half() / root;
        let bend = -(half() * half()) * slope / self.value;
        self.chain([root, slope, bend])
    }

    fn powi(self, n: i32) -> Self {
        let power = |by: i32| self.value.powi(n.saturating_sub(by));
        let number = Interval::of(f64::from(n));
        let (slope, bend) = match n {
            0 => return Self::of(1.0),
            1 => return self,
            _ => (number * power(1), number * Interval::of(0.5 * (f64::from(n) - 1.0)) * power(2)),
        };
        self.chain([power(0), slope, bend])
    }

    fn powf(self, b: Self) -> Self {
        if b.rate.is_zero() && b.bend.is_zero() {
            let (b, one) = (b.value, Interval::of(1.0));
            let slope = b * self.value.powf(b - one);
            let bend = half() * b * (b - one) * self.value.powf(b - Interval::of(2.0));
            return self.chain([self.value.powf(b), slope, bend]);
        }
        // aᵇ = exp(b ln a); the value is that of the power, which is narrower.
        let power = (b * self.call(Elementary::Ln)).call(Elementary::Exp);
        Self { value: self.value.powf(b.value), ..power }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (
            self.chain([sine, cosine, -(half() * sine)]),
            self.chain([cosine, -sine, -(half() * cosine)]),
        )
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn call(self, f: Elementary) -> Self {
        let value = self.value.call(f);
        let slope = f.slope(self.value, value);
        self.chain([value, slope, f.bend(self.value, value, slope)])
    }

    /// θ̇ = (x ẏ − y ẋ)/r², and once more.
    fn atan2(self, x: Self) -> Self {
        let (y, r) = (self, self.square() + x.square());
        let moment =
            |x: Interval, y: Interval, x_rate: Interval, y_rate: Interval| x * y_rate - y * x_rate;
        let turning = moment(x.value, y.value, x.rate, y.rate);
        let rate = turning / r.value;
        // d/dt (x ẏ − y ẋ) = x ÿ − y ẍ, ÿ = 2 y₂.
        let change = moment(x.value, y.value, x.bend, y.bend);
        let bend = (change - half() * rate * r.rate) / r.value;
        Self { value: y.value.atan2(x.value), rate, bend }
    }

    fn size(self) -> f64 {
        self.value.size()
    }
}
