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
