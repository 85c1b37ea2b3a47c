//! From 0 to 1: a ramp, which has corners at both ends, and a step, which is smooth to the second derivative.

use super::{Elementary, Pace, Row, Taylor, half, one, row};
use crate::interval::Interval;
use crate::number::{Base, Number};

row! {
    /// r = min(max(u, 0), 1); r′ = ½ (sign u + sign (1 − u)).
    Ramp Pace::Between(0.0, 1.0);
    analytic false;
    value |x| x.clamp(0.0, 1.0);
    slope |a, _| half::<N>() * (a.abs_slope() + (one::<N>() - a).abs_slope());
    bend |a, _, _| a.sign_slope() + (one::<N>() - a).sign_slope();
    taylor |u| [Self::value(u), Self::slope(u, 0.0), 0.0, 0.0, 0.0];
    growth |u, r| {
        if u - r > 0.0 && u + r < 1.0 {
            r
        } else if r == 0.0 || u + r < 0.0 || u - r > 1.0 {
            0.0
        } else {
            f64::INFINITY
        }
    };
    range |x| x.of_ends(Self::value(x.low()), Self::value(x.high()));
}

/// What its values are within, relatively: some 4 ulp twice, at an end and at a number within.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

row! {
    /// h = r³ (10 − 15 r + 6 r²), h′ = 30 r² (1 − r)², r the ramp of u. Its values err by ≤ 4 ulp.
    Smoothstep Pace::Between(0.0, 1.0);
    analytic false;
    value |x| {
        let r = Ramp::value(x);
        if r <= 0.5 { lower_half(r) } else { 1.0 - lower_half(1.0 - r) }
    };
    slope |a, _| N::of(30.0) * falling(a).square();
    bend |a, _, _| -(N::of(60.0) * falling(a) * from_middle(a));
    taylor |u| {
        if u <= 0.0 || u >= 1.0 {
            return [Self::value(u), 0.0, 0.0, 0.0, 0.0];
        }
        let (p, m) = (u * (1.0 - u), u - 0.5);
        [Self::value(u), 30.0 * p * p, -60.0 * p * m, 10.0 - 60.0 * p, 30.0 * m]
    };
    growth |u, r| {
        let slope = 30.0 * ((u.abs() + r) * ((1.0 - u).abs() + r)).powi(2);
        Ramp::growth(u, r) * slope
    };
    range |x| {
        let rounding = Interval::new(1.0 - ROUNDING, 1.0 + ROUNDING);
        (x.rising(Self::value) * rounding).at_least(0.0).at_most(1.0)
    };
}

/// h for r ≤ ½; above it follows by h(1 − r) = 1 − h(r), with all digits.
fn lower_half(r: f64) -> f64 {
    (10.0 - r * (15.0 - 6.0 * r)) * r * r * r
}

/// r − ½.
fn from_middle<N: Number>(a: N) -> N {
    a.call(Elementary::Ramp) - N::of(0.5)
}

/// r (1 − r) as ¼ − (r − ½)², which over an interval is its range.
fn falling<N: Number>(a: N) -> N {
    N::of(0.25) - from_middle(a).square()
}
