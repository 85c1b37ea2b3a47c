//! How far a function goes from its value on a disc of complex numbers: what bounds its power series.
//!
//! ```text
//! |w| ≤ r:   |sin w| ≤ o(r),   |cos w − 1| ≤ c(r),   the same of their hyperbolic kin
//! o(r) = (eʳ − e⁻ʳ)/2 = r (1 + r²/6 + r⁴/120 + …) ≤ r/(1 − r²/6)
//! c(r) = (eʳ + e⁻ʳ)/2 − 1 = r²/2 (1 + r²/12 + r⁴/360 + …) ≤ (r²/2)/(1 − r²/12)
//! ```

/// Below this the geometric sums are near, and need no exponential; above it both are at most eʳ/2.
const SMALL: f64 = 1.5;

/// At least o(r) and c(r), for r ≥ 0.
#[inline(always)]
fn both(r: f64) -> [f64; 2] {
    if r < SMALL {
        let square = r * r;
        return [r / (1.0 - square / 6.0), 0.5 * square / (1.0 - square / 12.0)];
    }
    [0.5 * libm::exp(r); 2]
}

/// At least o(r).
#[inline(always)]
pub(super) fn odd(r: f64) -> f64 {
    both(r)[0]
}

/// a c(r) + b o(r): what the sum of a even and b odd in w, as above, grows by at most.
#[inline(always)]
pub(super) fn sum(of: [f64; 2], r: f64) -> f64 {
    grown(of, both(r))
}

#[inline(always)]
fn grown([a, b]: [f64; 2], [odd, even]: [f64; 2]) -> f64 {
    product(a, even) + product(b, odd)
}

/// a b for a, b ≥ 0. A factor that is 0 may be one that is too small to be told from it: 0·∞ is ∞.
#[inline(always)]
#[must_use]
pub fn product(a: f64, b: f64) -> f64 {
    if a < f64::INFINITY && b < f64::INFINITY { a * b } else { f64::INFINITY }
}

/// a/b for b > 0, else there is no bound; 0 for a = 0.
#[inline(always)]
#[must_use]
pub fn quotient(a: f64, b: f64) -> f64 {
    match a {
        0.0 => 0.0,
        _ if b > 0.0 => a / b,
        _ => f64::INFINITY,
    }
}

/// |sin(u + w) − sin u| and |cos(u + w) − cos u| at most, |w| ≤ r, w complex, by |sin u| and |cos u|.
#[inline(always)]
#[must_use]
pub fn sin_cos([sine, cosine]: [f64; 2], r: f64) -> [f64; 2] {
    let both = both(r);
    [grown([sine, cosine], both), grown([cosine, sine], both)]
}
