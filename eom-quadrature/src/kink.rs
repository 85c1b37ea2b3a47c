//! Where an integrand is not smooth: the least value of a root ‖w(s)‖ of forms affine in s.
//!
//! ```text
//! w(s) = p + x r,  x = (s − a)/(b − a)        ‖w‖² = r·r ((x − x*)² + δ²)
//! x* = −p·r/(r·r),  δ² = Σ_{i<j} (pᵢrⱼ − pⱼrᵢ)²/(r·r)²        (the identity of Lagrange)
//! ```
//!
//! 1/‖w‖ has branch points at x* ± iδ. With s = c + w sinh u around c = s(x*) it is as smooth as
//! cosh u; where δ is 0 both sides are smooth, and c is where they meet.
//!
//! Where forms affine in further variables are integrated first, the least value over these counts:
//! w without its components along their directions.

/// More components of a form than these are not looked at.
pub const COMPONENTS_MAX: usize = 8;

/// More variables within than these are not looked at.
pub const NESTED_MAX: usize = 3;

/// More kinks of one integral than these are left to bisection.
pub const KINKS_MAX: usize = 8;

/// A width below this share of the interval is 0 to rounding.
const WIDTH_MIN: f64 = 1e-17;

/// The width at which a logarithm is taken, as a share of the interval.
const LOGARITHM: f64 = 1e-14;

/// A point near which, or at which, an integrand is not smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kink {
    /// Where, in the units of the variable; it may lie outside of the interval.
    pub centre: f64,
    /// How far the branch points lie beside it; 0 where both sides are smooth.
    pub width: f64,
}

impl Kink {
    /// The kink of ‖w‖ on [a, b]. `w` gives the components of a form that is affine in s and in
    /// `nested` further variables, at values of both; `None` where it does not depend on s, or has
    /// more components or variables than are looked at.
    pub fn of(
        a: f64,
        b: f64,
        components: usize,
        nested: usize,
        mut w: impl FnMut(f64, &[f64], &mut [f64]),
    ) -> Option<Self> {
        if components > COMPONENTS_MAX || nested > NESTED_MAX {
            return None;
        }
        let zero = [0.0; NESTED_MAX];
        let (mut p, mut r) = ([0.0; COMPONENTS_MAX], [0.0; COMPONENTS_MAX]);
        w(a, &zero[..nested], &mut p[..components]);
        w(b, &zero[..nested], &mut r[..components]);
        r.iter_mut().zip(&p).for_each(|(r, p)| *r -= p);
        let mut basis = [[0.0; COMPONENTS_MAX]; NESTED_MAX];
        for variable in 0..nested {
            let mut at = zero;
            at[variable] = 1.0;
            let mut direction = [0.0; COMPONENTS_MAX];
            w(a, &at[..nested], &mut direction[..components]);
            direction.iter_mut().zip(&p).for_each(|(d, p)| *d -= p);
            basis[variable] = direction;
        }
        let spanned = &mut basis[..nested];
        for index in 0..spanned.len() {
            let (before, rest) = spanned.split_at_mut(index);
            normalise(&mut rest[0], before);
        }
        for unit in spanned.iter() {
            project_out(&mut p, unit);
            project_out(&mut r, unit);
        }
        let kink = of_line(&p, &r)?;
        // A logarithm is left of a root that was integrated: its sides are not smooth.
        let width = match kink.width {
            width if nested > 0 => width.max(LOGARITHM),
            width if width < WIDTH_MIN => 0.0,
            width => width,
        };
        Some(Self { centre: a + (b - a) * kink.centre, width: width * (b - a).abs() })
    }
}

/// x* and δ of p + x r.
fn of_line(p: &[f64], r: &[f64]) -> Option<Kink> {
    let square = dot(r, r);
    if !square.is_normal() {
        return None;
    }
    let mut cross = 0.0;
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            let minor = p[i] * r[j] - p[j] * r[i];
            cross += minor * minor;
        }
    }
    let kink = Kink { centre: -dot(p, r) / square, width: cross.sqrt() / square };
    (kink.centre.is_finite() && kink.width.is_finite()).then_some(kink)
}

/// A direction without those before it, of length 1; zero where nothing is left of it.
fn normalise(direction: &mut [f64; COMPONENTS_MAX], before: &[[f64; COMPONENTS_MAX]]) {
    let length = dot(direction, direction).sqrt();
    for unit in before {
        project_out(direction, unit);
    }
    let left = dot(direction, direction).sqrt();
    let scale = if left > LOGARITHM * length { left.recip() } else { 0.0 };
    for d in direction {
        *d *= scale;
    }
}

/// x − (x·unit) unit.
fn project_out(x: &mut [f64; COMPONENTS_MAX], unit: &[f64; COMPONENTS_MAX]) {
    let along = dot(x, unit);
    x.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a, b, p, slope, centre, width of w = p + s·slope.
    type Line = (f64, f64, [f64; 2], [f64; 2], f64, f64);

    /// To 12 digits.
    #[test]
    fn the_least_root_of_affine_forms_is_found() {
        let cases: [Line; 5] = [
            (-1.0, 1.0, [3.0, 0.0], [0.0, 4.0], 0.0, 0.75),
            (0.0, 2.0, [1e-9, -1.0], [0.0, 1.0], 1.0, 1e-9),
            (-2.0, 5.0, [1.0, 1.0], [1.0, 1.0], -1.0, 0.0),
            (0.0, 1.0, [6.0, 0.0], [-2.0, 0.0], 3.0, 0.0),
            (5.0, 1.0, [0.0, 2.0], [1.0, 0.0], 0.0, 2.0),
        ];
        for (a, b, p, slope, centre, width) in cases {
            let kink = Kink::of(a, b, 2, 0, |s, _, w| {
                w.iter_mut().enumerate().for_each(|(i, w)| *w = p[i] + s * slope[i]);
            });
            let kink = kink.expect("it depends on s");
            assert!((kink.centre - centre).abs() < 1e-12, "{kink:?}");
            assert!((kink.width - width).abs() < 1e-12 * (1.0 + width), "{kink:?}");
        }
        assert_eq!(Kink::of(0.0, 1.0, 1, 0, |_, _, w| w[0] = 1.0), None);
        assert_eq!(Kink::of(0.0, 1.0, 9, 0, |_, _, w| w.fill(1.0)), None);
    }

    /// A board turns about (0.3, −0.2): whatever the inner variable is, the outer one meets it.
    #[test]
    fn variables_within_are_projected_out() {
        let kink = Kink::of(-1.0, 1.0, 2, 1, |β, α, w| {
            w[0] = -(β + 0.2);
            w[1] = α[0] - 0.3;
        });
        let kink = kink.expect("it depends on β");
        assert!((kink.centre + 0.2).abs() < 1e-15);
        assert!(kink.width > 0.0 && kink.width < 1e-13);
    }
}
