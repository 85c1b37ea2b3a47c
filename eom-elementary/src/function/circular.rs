//! The tangent, and the angles of a sine, a cosine and a tangent.

use super::{Pace, Row, Taylor, growth, half, one, row};
use crate::interval::{Interval, Marks};
use crate::number::Base;
use crate::powi;

/// Less than π.
const HALF_TURN: f64 = 3.125;

row! {
    /// h′ = 1 + h².
    Tan Pace::Argument;
    analytic true;
    value |x| libm::tan(x);
    slope |_, f| one::<N>() + f.square();
    bend |_, f, slope| f * slope;
    taylor |u| {
        let t = libm::tan(u);
        let s = 1.0 + t * t;
        let third = s * (1.0 + 3.0 * t * t) / 3.0;
        [t, s, t * s, third, t * s * (2.0 + 3.0 * t * t) / 3.0]
    };
    growth |u, r| {
        let (sine, cosine) = crate::sin_cos(u);
        let (sine, cosine) = (sine.abs(), cosine.abs());
        let least = cosine - growth::sin_cos([sine, cosine], r)[1];
        growth::quotient(growth::odd(r), cosine * least)
    };
    range |x| {
        let cosines = [crate::cos(x.low()), crate::cos(x.high())];
        if x.width() < HALF_TURN && (cosines[0] > 0.0) == (cosines[1] > 0.0) {
            x.rising(Self::value)
        } else {
            Interval::WHOLE.marked(x.marks() | Marks::POLE)
        }
    };
}

row! {
    /// h′ = (1 − u²)^(−1/2), ½ h″ = ½ u (1 − u²)^(−3/2).
    Asin Pace::None;
    analytic false;
    value |x| libm::asin(x);
    slope |a, _| one::<N>() / (one::<N>() - a.square()).sqrt();
    bend |a, _, slope| half::<N>() * a * slope / (one::<N>() - a.square());
    taylor |u| arcsine(u, libm::asin(u), 1.0);
    growth |u, r| growth::quotient(r, ((1.0 - u - r).max(0.0) * (1.0 + u - r).max(0.0)).sqrt());
    range |x| {
        let domain = x.within(-1.0, 1.0);
        domain.map_or(Interval::nowhere(x.marks()), |x| x.rising(Self::value))
    };
}

row! {
    /// h′ = −(1 − u²)^(−1/2).
    Acos Pace::None;
    analytic false;
    value |x| libm::acos(x);
    slope |a, f| -Asin::slope(a, f);
    bend |a, f, slope| Asin::bend(a, f, slope);
    taylor |u| arcsine(u, libm::acos(u), -1.0);
    growth |u, r| Asin::growth(u, r);
    range |x| {
        let of = |x: Interval| (-x).rising(|x| Self::value(-x)).at_least(0.0);
        x.within(-1.0, 1.0).map_or(Interval::nowhere(x.marks()), of)
    };
}

/// The series of ±arcsin at u with its value there: hₖ by r = (1 − u²)^(−1/2).
fn arcsine(u: f64, value: f64, sign: f64) -> Taylor {
    let r = ((1.0 - u) * (1.0 + u)).sqrt().recip();
    let third = (1.0 + 2.0 * u * u) * powi(r, 5) / 6.0;
    let fourth = u * (3.0 + 2.0 * u * u) * powi(r, 7) / 8.0;
    [value, sign * r, sign * u * powi(r, 3) / 2.0, sign * third, sign * fourth]
}

row! {
    /// h′ = 1/(1 + u²).
    Atan Pace::Value;
    analytic true;
    value |x| libm::atan(x);
    slope |a, _| one::<N>() / (one::<N>() + a.square());
    bend |a, _, slope| -(a * slope.square());
    taylor |u| {
        let s = (1.0 + u * u).recip();
        let third = powi(s, 3) * (3.0 * u * u - 1.0) / 3.0;
        [libm::atan(u), s, -u * s * s, third, powi(s, 4) * u * (1.0 - u * u)]
    };
    growth |u, r| growth::quotient(r, ((1.0 + u * u).sqrt() - r).max(0.0).powi(2));
}
