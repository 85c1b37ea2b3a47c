//! |x| and its sign, which are not smooth at 0.

use super::{Pace, Row, Taylor, row};
use crate::interval::{Interval, Marks};
use crate::number::Base;
use crate::real::{Parts, Real};

row! {
    /// h′ = sign u; over both signs it bends without bound.
    Abs Pace::None;
    analytic false;
    value |x| x.abs();
    slope |a, _| a.abs_slope();
    bend |a, _, _| a.sign_slope();
    taylor |u| [u.abs(), Sign::value(u), 0.0, 0.0, 0.0];
    growth |u, r| if r < u.abs() || r == 0.0 { r } else { f64::INFINITY };
    range |x| x.of_ends(x.mignitude(), x.magnitude());
    lanes Parts::size;
}

row! {
    /// h′ = 0.
    Sign Pace::None;
    analytic false;
    value |x| if x == 0.0 { 0.0 } else { x.signum() };
    slope |a, _| a.sign_slope();
    bend |a, _, _| a.sign_slope();
    taylor |u| [Self::value(u), 0.0, 0.0, 0.0, 0.0];
    growth |u, r| if r < u.abs() || r == 0.0 { 0.0 } else { f64::INFINITY };
    range |x| {
        let (low, high) = (Self::value(x.low()), Self::value(x.high()));
        x.of_ends(low, high).marked(Marks::JUMP.when(low != high))
    };
}
