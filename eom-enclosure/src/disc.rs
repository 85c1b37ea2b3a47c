//! Numbers with a disc of complex ones around them: what bounds the power series of a program.
//!
//! ```text
//! (c, r) = { z : |z − c| ≤ r }, c real        f(c, r) ⊃ { f(z) : z in it }
//! ```
//!
//! A program of a motion that is a power series of s is one too. Where all that it does is regular for |s| ≤ ρ, run
//! over the discs in which the motion is then, its result is (c, r), and by Cauchy's estimate its coefficients are
//!
//! ```text
//! |γₖ| ≤ r/ρᵏ, k ≥ 1
//! ```
//!
//! however the program is made: that bounds what follows the terms that are known. A radius without bound says that
//! it may not be regular. Rounding of the centres is in the radii.

use eom_elementary::growth::{product, quotient, sin_cos};
use eom_elementary::{Elementary, Number};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A centre and a radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// c.
    pub centre: f64,
    /// r ≥ 0, or ∞.
    pub radius: f64,
}

/// What one operation rounds, with what it does to the radius: elementary functions err by a few ulp.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What is lost of results that are too small.
const LEAST: f64 = f64::MIN_POSITIVE;

impl Disc {
    /// All numbers within r of c; NaN is no bound.
    #[inline(always)]
    #[must_use]
    pub fn around(centre: f64, radius: f64) -> Self {
        let radius = if radius >= 0.0 { radius } else { f64::INFINITY };
        Self { centre, radius }
    }

    /// What an operation gives, with its rounding.
    #[inline(always)]
    fn made(centre: f64, radius: f64) -> Self {
        Self::around(centre, radius + (ROUNDING * (radius + centre.abs()) + LEAST))
    }

    /// |c|.
    #[inline(always)]
    fn distance(self) -> f64 {
        self.centre.abs()
    }

    /// Whether it is a real number and no more.
    #[inline(always)]
    fn is_point(self) -> bool {
        self.radius == 0.0
    }

    /// How far the nearest number of it is from 0 at least.
    #[inline(always)]
    fn nearest(self) -> f64 {
        (self.distance() - self.radius).max(0.0)
    }

    /// |z| at most.
    #[inline(always)]
    fn farthest(self) -> f64 {
        self.distance() + self.radius
    }
}

impl Neg for Disc {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { centre: -self.centre, ..self }
    }
}

impl Add for Disc {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::made(self.centre + b.centre, self.radius + b.radius)
    }
}

impl Sub for Disc {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::made(self.centre - b.centre, self.radius + b.radius)
    }
}

impl Mul for Disc {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let radius = product(self.distance(), b.radius) + product(self.radius, b.farthest());
        Self::made(self.centre * b.centre, radius)
    }
}

impl Div for Disc {
    type Output = Self;

    /// z/w − c/d = ((z − c) d − c (w − d))/(w d).
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        let grown = product(self.radius, b.distance()) + product(self.distance(), b.radius);
        Self::made(self.centre / b.centre, quotient(grown, b.nearest() * b.distance()))
    }
}

impl Number for Disc {
    #[inline(always)]
    fn of(constant: f64) -> Self {
        Self { centre: constant, radius: 0.0 }
    }

    #[inline(always)]
    fn square(self) -> Self {
        let grown = product(self.radius, 2.0 * self.distance() + self.radius);
        Self::made(self.centre * self.centre, grown)
    }

    fn inverse_or_zero(self) -> Self {
        if self.is_point() { Self::of(self.centre.inverse_or_zero()) } else { Self::of(1.0) / self }
    }

    /// |√z − √c| = |z − c|/|√z + √c|, and Re √z ≥ √(c − r).
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.centre.sqrt();
        let nearest = self.centre - self.radius;
        let least = if nearest > 0.0 { root + nearest.sqrt() } else { 0.0 };
        Self::made(root, quotient(self.radius, least))
    }

    /// By the mean value of n zⁿ⁻¹.
    fn powi(self, n: i32) -> Self {
        let slope = match n {
            0 => return Self::of(1.0),
            1.. => Number::powi(self.farthest(), n - 1),
            _ => quotient(1.0, Number::powi(self.nearest(), n.saturating_neg().saturating_add(1))),
        };
        let grown = product(self.radius, f64::from(n).abs() * slope);
        Self::made(Number::powi(self.centre, n), grown)
    }

    fn powf(self, b: Self) -> Self {
        if !b.is_point() {
            return (b * self.call(Elementary::Ln)).call(Elementary::Exp);
        }
        let value = Number::powf(self.centre, b.centre);
        if self.is_point() {
            return Self::made(value, 0.0);
        }
        if self.centre - self.radius <= 0.0 {
            return Self::around(value, f64::INFINITY);
        }
        let slope = |z: f64| Number::powf(z, b.centre - 1.0);
        let slope = slope(self.nearest()).max(slope(self.farthest()));
        Self::made(value, product(self.radius, b.distance() * slope))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        // The method of an `f64` is the standard library's, whose bits are the platform's.
        let (sine, cosine) = Number::sin_cos(self.centre);
        let [by_sine, by_cosine] = sin_cos([sine.abs(), cosine.abs()], self.radius);
        (Self::made(sine, by_sine), Self::made(cosine, by_cosine))
    }

    fn call(self, f: Elementary) -> Self {
        Self::made(f.value(self.centre), f.growth(self.centre, self.radius))
    }

    /// The angle is (ln(x + iy) − ln(x − iy))/2i, and |ln(z + w) − ln z| ≤ −ln(1 − p) ≤ p/(1 − p), p = |w|/|z|.
    fn atan2(self, x: Self) -> Self {
        let angle = Number::atan2(self.centre, x.centre);
        let distance = (self.centre * self.centre + x.centre * x.centre).sqrt();
        let part = quotient(self.radius + x.radius, distance);
        let is_cut = x.centre < 0.0 && self.distance() <= self.radius && part > 0.0;
        Self::made(angle, if is_cut { f64::INFINITY } else { quotient(part, 1.0 - part) })
    }

    fn size(self) -> f64 {
        self.nearest()
    }
}

#[cfg(test)]
mod tests {
    use super::Disc;
    use eom_elementary::{Elementary, Number};
    use std::f64::consts::TAU;

    /// Points of the circle around c are within the disc of the result: values by the power series in double-double
    /// would be better, but the bounds are far wider than rounding.
    fn encloses(of: impl Fn(Disc) -> Disc, f: impl Fn(Complex) -> Complex, c: f64, r: f64) {
        let bound = of(Disc::around(c, r));
        if bound.radius.is_infinite() {
            return;
        }
        for i in 0..64 {
            let angle = TAU * f64::from(i) / 64.0;
            let z = Complex(c + r * angle.cos(), r * angle.sin());
            let Complex(x, y) = f(z);
            let distance = (x - bound.centre).hypot(y);
            assert!(
                distance <= bound.radius * (1.0 + 1e-9) + 1e-14,
                "{c} ± {r}: {distance} {bound:?}"
            );
        }
    }

    #[derive(Clone, Copy)]
    struct Complex(f64, f64);

    impl Complex {
        fn times(self, b: Self) -> Self {
            Self(self.0 * b.0 - self.1 * b.1, self.0 * b.1 + self.1 * b.0)
        }
        fn over(self, b: Self) -> Self {
            let square = b.0 * b.0 + b.1 * b.1;
            let Self(x, y) = self.times(Self(b.0, -b.1));
            Self(x / square, y / square)
        }
        fn exp(self) -> Self {
            Self(self.0.exp() * self.1.cos(), self.0.exp() * self.1.sin())
        }
        fn ln(self) -> Self {
            Self(self.0.hypot(self.1).ln(), self.1.atan2(self.0))
        }
        fn scaled(self, by: f64) -> Self {
            Self(self.0 * by, self.1 * by)
        }
        fn plus(self, b: Self) -> Self {
            Self(self.0 + b.0, self.1 + b.1)
        }
        fn sinh(self) -> Self {
            self.exp().plus(self.scaled(-1.0).exp().scaled(-1.0)).scaled(0.5)
        }
        fn cosh(self) -> Self {
            self.exp().plus(self.scaled(-1.0).exp()).scaled(0.5)
        }
        /// i z
        fn turned(self) -> Self {
            Self(-self.1, self.0)
        }
        fn sin(self) -> Self {
            self.turned().sinh().turned().scaled(-1.0)
        }
        fn cos(self) -> Self {
            self.turned().cosh()
        }
        fn sqrt(self) -> Self {
            self.ln().scaled(0.5).exp()
        }
    }

    const ONE: Complex = Complex(1.0, 0.0);

    fn check(of: fn(Disc) -> Disc, f: fn(Complex) -> Complex) {
        for c in [-3.0, -0.7, -0.1, 0.0, 0.2, 0.5, 0.9, 2.0, 5.0] {
            for r in [0.0, 1e-9, 0.01, 0.1, 0.3, 0.6, 1.6, 3.0] {
                encloses(of, f, c, r);
            }
        }
    }

    fn call(f: Elementary) -> impl Fn(Disc) -> Disc {
        move |z| z.call(f)
    }

    #[test]
    fn discs_hold_what_is_computed_on_them() {
        check(|z| z * z, |z| z.times(z));
        check(Number::square, |z| z.times(z));
        check(|z| z + z * Disc::of(2.0), |z| z.scaled(3.0));
        check(|z| Disc::of(1.0) / z, |z| ONE.over(z));
        check(|z| z / (z + Disc::of(4.0)), |z| z.over(z.plus(Complex(4.0, 0.0))));
        check(Number::sqrt, Complex::sqrt);
        check(|z| z.powi(3), |z| z.times(z).times(z));
        check(|z| z.powi(-2), |z| ONE.over(z.times(z)));
        check(|z| z.powf(Disc::of(1.5)), |z| z.ln().scaled(1.5).exp());
        check(|z| Disc::of(2.0).powf(z), |z| z.scaled(2.0_f64.ln()).exp());
        check(|z| z.sin_cos().0, Complex::sin);
        check(|z| z.sin_cos().1, Complex::cos);
        check(
            |z| z.atan2(Disc::of(1.0)),
            |z| {
                let (plus, minus) = (ONE.plus(z.turned()), ONE.plus(z.turned().scaled(-1.0)));
                plus.ln().plus(minus.ln().scaled(-1.0)).turned().scaled(-0.5)
            },
        );
    }

    #[test]
    fn functions_grow_no_more_than_their_rows_say() {
        let check = |f: Elementary, g: fn(Complex) -> Complex| {
            for c in [-3.0, -0.7, -0.1, 0.0, 0.2, 0.5, 0.9, 2.0, 5.0] {
                for r in [0.0, 1e-9, 0.01, 0.09, 0.3, 0.6, 1.6, 3.0] {
                    encloses(call(f), g, c, r);
                }
            }
        };
        let angle = |z: Complex| {
            let (plus, minus) = (ONE.plus(z.turned()), ONE.plus(z.turned().scaled(-1.0)));
            plus.ln().plus(minus.ln().scaled(-1.0)).turned().scaled(-0.5)
        };
        check(Elementary::Exp, Complex::exp);
        check(Elementary::Ln, Complex::ln);
        check(Elementary::Sinh, Complex::sinh);
        check(Elementary::Cosh, Complex::cosh);
        check(Elementary::Tanh, |z| z.sinh().over(z.cosh()));
        check(Elementary::Tan, |z| z.sin().over(z.cos()));
        check(Elementary::Atan, angle);
        // asin z = −i ln(iz + √(1 − z²))
        let asin = |z: Complex| {
            let root = ONE.plus(z.times(z).scaled(-1.0)).sqrt();
            z.turned().plus(root).ln().turned().scaled(-1.0)
        };
        check(Elementary::Asin, asin);
        check(Elementary::Abs, |z| if z.0 < 0.0 { z.scaled(-1.0) } else { z });
        check(Elementary::Sign, |z| Complex(Elementary::Sign.value(z.0), 0.0));
        check(Elementary::Ramp, |z| {
            if z.0 <= 0.0 {
                Complex(0.0, 0.0)
            } else if z.0 >= 1.0 {
                ONE
            } else {
                z
            }
        });
        check(Elementary::Smoothstep, |z| match z.0 {
            ..=0.0 => Complex(0.0, 0.0),
            1.0.. => ONE,
            _ => {
                let cubic = z.times(z.scaled(6.0).plus(Complex(-15.0, 0.0)));
                z.times(z).times(z).times(cubic.plus(Complex(10.0, 0.0)))
            }
        });
    }

    #[test]
    fn what_is_not_regular_has_no_bound() {
        let unbounded = |z: Disc| assert!(z.radius.is_infinite(), "{z:?}");
        unbounded(Disc::of(1.0) / Disc::around(0.5, 0.5));
        unbounded(Disc::around(0.1, 0.2).sqrt());
        unbounded(Disc::around(0.1, 0.2).call(Elementary::Abs));
        unbounded(Disc::around(0.1, 0.2).call(Elementary::Ln));
        unbounded(Disc::around(1.5, 0.2).call(Elementary::Tan));
        unbounded(Disc::around(0.9, 0.2).call(Elementary::Asin));
        unbounded(Disc::around(0.0, 0.1).atan2(Disc::of(-1.0)));
        unbounded(Disc::around(f64::NAN, f64::NAN));
        // e^(−10⁶) is 0, and is large 10⁶ away.
        unbounded(Disc::around(-1e6, 2e6).call(Elementary::Exp));
        unbounded((-Disc::around(1e3, 2e3).square()).call(Elementary::Exp));
        unbounded(Disc::of(0.0) * (Disc::of(1.0) / Disc::around(0.0, 1.0)));
    }
}
