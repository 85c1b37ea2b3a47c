//! The error function, 2/√π ∫₀ˣ e^(−s²) ds.

use super::{Elementary, Pace, Row, Taylor, row};
use crate::interval::Interval;
use crate::number::Base;
use std::f64::consts::FRAC_2_SQRT_PI;

/// e^(−6.5²) < e⁻⁴⁰.
const FAR: f64 = 6.5;

row! {
    /// h′ = 2/√π e^(−u²), h″ = −2u h′. The bounds of the power are wide enough for the constant's rounding.
    Erf Pace::Between(-FAR, FAR);
    analytic true;
    value |x| libm::erf(x);
    slope |a, _| N::of(FRAC_2_SQRT_PI) * (-a.square()).call(Elementary::Exp);
    bend |a, _, slope| -(a * slope);
    taylor |u| {
        let s = FRAC_2_SQRT_PI * libm::exp(-(u * u));
        let third = s * (2.0 * u * u - 1.0) / 3.0;
        [libm::erf(u), s, -u * s, third, u * s * (3.0 - 2.0 * u * u) / 6.0]
    };
    growth |u, r| {
        let least = (u.abs() - r).max(0.0);
        r * FRAC_2_SQRT_PI * libm::exp(r * r - least * least)
    };
    range |x| x.rising(Self::value).at_least(-1.0).at_most(1.0);
}
