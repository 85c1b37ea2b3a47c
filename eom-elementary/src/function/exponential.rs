//! eˣ and ln x.

use super::{Pace, Row, Taylor, half, of_derivatives, one, row};
use crate::interval::{Interval, Marks};
use crate::number::Base;
use crate::powi;

row! {
    /// h′ = h; eʳ − 1 ≤ min(r, 1) eʳ, and eᵘ alone may be too small to be told from 0.
    Exp Pace::Argument;
    analytic true;
    value |x| libm::exp(x);
    slope |_, f| f;
    bend |_, f, _| half::<N>() * f;
    taylor |u| of_derivatives([libm::exp(u); 5]);
    growth |u, r| r.min(1.0) * libm::exp(u + r);
    range |x| x.rising(Self::value).beside_zero();
}

row! {
    /// h′ = 1/u; hₖ = (−1)^(k+1)/(k uᵏ).
    Ln Pace::Relative;
    analytic false;
    value |x| libm::log(x);
    slope |a, _| one::<N>() / a;
    bend |_, _, slope| -(half::<N>() * slope.square());
    taylor |u| {
        let r = u.recip();
        [libm::log(u), r, -r * r / 2.0, powi(r, 3) / 3.0, -powi(r, 4) / 4.0]
    };
    growth |u, r| if r < u { -libm::log1p(-r / u) } else if r == 0.0 { 0.0 } else { f64::INFINITY };
    range |x| {
        let Some(domain) = x.within(0.0, f64::INFINITY) else {
            return Interval::nowhere(x.marks() | Marks::POLE);
        };
        domain.rising(Self::value).marked(Marks::POLE.when(domain.low() == 0.0))
    };
}
