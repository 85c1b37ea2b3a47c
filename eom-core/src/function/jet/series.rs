//! Functions of jets, each by its Taylor coefficients hₖ = h⁽ᵏ⁾(u)/k! at the value u.

use super::indices::ORDER_MAX;
use super::{Arguments, Indices, Jet};
use eom_elementary::{self as elementary, Elementary, Taylor, of_derivatives};

/// C(p, k) u^(p−k), with `power` = uᵖ.
fn binomial(u: f64, p: f64, power: f64) -> Taylor {
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

    /// f(u).
    fn call(self, f: Elementary) -> Self {
        self.composed(f.taylor(self.value()))
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
}

/// A method for each function of one number.
macro_rules! methods {
    ($($(#[$about:meta])* $name:ident $function:ident $family:ident $code:literal;)*) => {
        impl<const N: usize> Jet<N>
        where
            Arguments<N>: Indices,
        {
            $(
                $(#[$about])*
                #[must_use]
                pub fn $name(self) -> Self {
                    self.call(Elementary::$function)
                }
            )*
        }
    };
}

eom_elementary::functions_of_one!(methods);
