//! sinh, cosh, tanh.

use super::{Elementary, Pace, Row, Taylor, growth, half, of_derivatives, one, row};
use crate::interval::Interval;
use crate::number::Base;

row! {
    /// h′ = cosh u.
    Sinh Pace::Argument;
    analytic true;
    value |x| libm::sinh(x);
    slope |a, _| a.call(Elementary::Cosh);
    bend |_, f, _| half::<N>() * f;
    taylor |u| {
        let (s, c) = (libm::sinh(u), libm::cosh(u));
        of_derivatives([s, c, s, c, s])
    };
    growth |u, r| growth::sum([libm::sinh(u).abs(), libm::cosh(u)], r);
}

row! {
    /// h′ = sinh u.
    Cosh Pace::Argument;
    analytic true;
    value |x| libm::cosh(x);
    slope |a, _| a.call(Elementary::Sinh);
    bend |_, f, _| half::<N>() * f;
    taylor |u| {
        let (s, c) = (libm::sinh(u), libm::cosh(u));
        of_derivatives([c, s, c, s, c])
    };
    growth |u, r| growth::sum([libm::cosh(u), libm::sinh(u).abs()], r);
    range |x| x.abs().rising(Self::value).at_least(1.0);
}

/// 1 − tanh 40 < 10⁻³⁴.
const FAR: f64 = 40.0;

row! {
    /// h′ = 1 − h².
    Tanh Pace::Between(-FAR, FAR);
    analytic true;
    value |x| libm::tanh(x);
    slope |_, f| one::<N>() - f.square();
    bend |_, f, slope| -(f * slope);
    taylor |u| {
        let h = libm::tanh(u);
        let s = 1.0 - h * h;
        let third = s * (3.0 * h * h - 1.0) / 3.0;
        [h, s, -h * s, third, h * s * (2.0 - 3.0 * h * h) / 3.0]
    };
    growth |u, r| {
        let least = 1.0 - growth::sum([1.0, libm::tanh(u).abs()], r);
        let cosine = libm::cosh(u);
        growth::quotient(growth::odd(r), cosine * cosine * least)
    };
    range |x| x.rising(Self::value).at_least(-1.0).at_most(1.0);
}
