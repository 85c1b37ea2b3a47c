//! Elementary functions of jets, each by its Taylor coefficients hₖ = h⁽ᵏ⁾(u)/k! at the value u.

use super::indices::ORDER_MAX;
use super::{Arguments, Indices, Jet};
use eom_elementary as elementary;

/// Σ hₖ δᵏ of a function of one variable.
type Series = [f64; ORDER_MAX + 1];

/// f, f', f″, f‴, f⁗ over their factorials.
fn of_derivatives([f, f1, f2, f3, f4]: Series) -> Series {
    [f, f1, f2 / 2.0, f3 / 6.0, f4 / 24.0]
}

/// C(p, k) u^(p−k), with `power` = uᵖ.
fn binomial(u: f64, p: f64, power: f64) -> Series {
    let mut series = [power; ORDER_MAX + 1];
    let mut coefficient = 1.0;
    for k in 1..=ORDER_MAX {
        coefficient *= (p - (k - 1) as f64) / k as f64;
        // A polynomial ends, also at u = 0, where 0·∞ would stand.
        series[k] =
            if coefficient == 0.0 { 0.0 } else { coefficient * elementary::powf(u, p - k as f64) };
    }
    series
}

impl<const N: usize> Jet<N>
where
    Arguments<N>: Indices,
{
    /// a/b, with the value itself divided once.
    pub(super) fn over(self, other: Self) -> Self {
        let mut quotient = self.times(other.recip());
        quotient.coefficients.as_mut()[0] = self.value() / other.value();
        quotient
    }

    /// 1/u: hₖ = (−1)ᵏ u^(−k−1).
    #[must_use]
    pub fn recip(self) -> Self {
        let r = self.value().recip();
        self.composed([r, -r * r, r * r * r, -elementary::powi(r, 4), elementary::powi(r, 5)])
    }

    /// uⁿ, by squaring.
    #[must_use]
    pub fn powi(self, n: i32) -> Self {
        let mut power = Self::from(1.0);
        let mut square = self;
        let mut left = n.unsigned_abs();
        while left > 0 {
            if left % 2 == 1 {
                power = power.times(square);
            }
            left /= 2;
            if left > 0 {
                square = square.times(square);
            }
        }
        if n < 0 { power.recip() } else { power }
    }

    /// uᵖ.
    #[must_use]
    pub fn powf(self, p: f64) -> Self {
        let u = self.value();
        self.composed(binomial(u, p, elementary::powf(u, p)))
    }

    /// uᵖ for an exponent that varies: e^(p ln u).
    #[must_use]
    pub fn pow(self, p: Self) -> Self {
        (p * self.ln()).exp()
    }

    /// √u.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let u = self.value();
        self.composed(binomial(u, 0.5, u.sqrt()))
    }

    /// eᵘ.
    #[must_use]
    pub fn exp(self) -> Self {
        self.composed(of_derivatives([elementary::exp(self.value()); ORDER_MAX + 1]))
    }

    /// ln u: hₖ = (−1)^(k+1)/(k uᵏ).
    #[must_use]
    pub fn ln(self) -> Self {
        let u = self.value();
        let r = u.recip();
        self.composed([
            elementary::ln(u),
            r,
            -r * r / 2.0,
            elementary::powi(r, 3) / 3.0,
            -elementary::powi(r, 4) / 4.0,
        ])
    }

    /// sin u.
    #[must_use]
    pub fn sin(self) -> Self {
        let (s, c) = elementary::sin_cos(self.value());
        self.composed(of_derivatives([s, c, -s, -c, s]))
    }

    /// cos u.
    #[must_use]
    pub fn cos(self) -> Self {
        let (s, c) = elementary::sin_cos(self.value());
        self.composed(of_derivatives([c, -s, -c, s, c]))
    }

    /// (sin u, cos u).
    #[must_use]
    pub fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    /// tan u, by h' = 1 + h².
    #[must_use]
    pub fn tan(self) -> Self {
        let t = elementary::tan(self.value());
        let s = 1.0 + t * t;
        let third = s * (1.0 + 3.0 * t * t) / 3.0;
        self.composed([t, s, t * s, third, t * s * (2.0 + 3.0 * t * t) / 3.0])
    }

    /// arcsin u, by h' = (1 − u²)^(−1/2).
    #[must_use]
    pub fn asin(self) -> Self {
        let u = self.value();
        self.composed(arcsine(u, elementary::asin(u), 1.0))
    }

    /// arccos u.
    #[must_use]
    pub fn acos(self) -> Self {
        let u = self.value();
        self.composed(arcsine(u, elementary::acos(u), -1.0))
    }

    /// arctan u, by h' = 1/(1 + u²).
    #[must_use]
    pub fn atan(self) -> Self {
        let u = self.value();
        let s = (1.0 + u * u).recip();
        let third = elementary::powi(s, 3) * (3.0 * u * u - 1.0) / 3.0;
        self.composed([
            elementary::atan(u),
            s,
            -u * s * s,
            third,
            elementary::powi(s, 4) * u * (1.0 - u * u),
        ])
    }

    /// The angle of (x, y): `y.atan2(x)`.
    #[must_use]
    pub fn atan2(self, x: Self) -> Self {
        // The partials are those of arctan(y/x), or of −arctan(x/y) where x is the smaller.
        let mut angle = if x.value().abs() >= self.value().abs() {
            self.over(x).atan()
        } else {
            -x.over(self).atan()
        };
        angle.coefficients.as_mut()[0] = elementary::atan2(self.value(), x.value());
        angle
    }

    /// sinh u.
    #[must_use]
    pub fn sinh(self) -> Self {
        let (s, c) = (elementary::sinh(self.value()), elementary::cosh(self.value()));
        self.composed(of_derivatives([s, c, s, c, s]))
    }

    /// cosh u.
    #[must_use]
    pub fn cosh(self) -> Self {
        let (s, c) = (elementary::sinh(self.value()), elementary::cosh(self.value()));
        self.composed(of_derivatives([c, s, c, s, c]))
    }

    /// tanh u, by h' = 1 − h².
    #[must_use]
    pub fn tanh(self) -> Self {
        let h = elementary::tanh(self.value());
        let s = 1.0 - h * h;
        let third = s * (3.0 * h * h - 1.0) / 3.0;
        self.composed([h, s, -h * s, third, h * s * (2.0 - 3.0 * h * h) / 3.0])
    }

    /// |u|; the slope at 0 is 0.
    #[must_use]
    pub fn abs(self) -> Self {
        let u = self.value();
        let sign = if u == 0.0 { 0.0 } else { u.signum() };
        self.map(|c| c * sign)
    }
}

/// The series of ±arcsin at u with its value there: hₖ by r = (1 − u²)^(−1/2).
fn arcsine(u: f64, value: f64, sign: f64) -> Series {
    let r = ((1.0 - u) * (1.0 + u)).sqrt().recip();
    let third = (1.0 + 2.0 * u * u) * elementary::powi(r, 5) / 6.0;
    let fourth = u * (3.0 + 2.0 * u * u) * elementary::powi(r, 7) / 8.0;
    [value, sign * r, sign * u * elementary::powi(r, 3) / 2.0, sign * third, sign * fourth]
}
