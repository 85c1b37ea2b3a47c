//! The root of a guard on steps of the method: solves σ g(Φ_τ(xₙ)) = 0 to rounding.

use crate::flow::StepFailure;
use eom_elementary as elementary;

/// Which side of the root is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The last point before the crossing: a contact's x⁻ does not penetrate.
    Before,
    /// The first point after it: an event has happened.
    After,
}

/// A crossing to be solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search {
    /// Where the dense output has its root.
    pub(crate) guess: f64,
    /// The slope of the guard there, per unit of τ, times the side: negative, or zero where it tells nothing.
    pub(crate) slope: f64,
    /// The dense output says that the guard has not crossed here, where this is not zero.
    pub(crate) low: f64,
    /// The dense output says that the guard has crossed here.
    pub(crate) high: f64,
    /// The end of the step.
    pub(crate) end: f64,
    /// Two values of τ closer than this are one.
    pub(crate) resolution: f64,
    pub(crate) wanted: Wanted,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Root {
    /// The last trial was at this τ, on the wanted side, within the resolution of the root.
    At(f64),
    /// On steps the guard does not cross up to this τ, where the last trial was: it only came near.
    None(f64),
    /// The guard has the wrong sign down to the start of the step.
    AtStart,
}

/// Steps of Newton's method with the slope of the dense output; then bisection.
const NEWTON_STEPS: usize = 6;

/// Bisections narrow any bracket of numbers to neighbours within this.
const STEPS_MAX: usize = 120;

/// Solves value(τ) = 0, where value is positive before the crossing and not after: it may have none there. Ends with
/// a call of `value` at the result.
///
/// Newton's steps aim half a resolution to the wanted side. One is accepted where the value there
/// has the wanted sign and its slope puts the root within one resolution.
pub(crate) fn solve(
    search: Search,
    mut value: impl FnMut(f64) -> Result<f64, StepFailure>,
) -> Result<Root, StepFailure> {
    let Search { guess, slope, low, high, end, resolution, wanted } = search;
    let aim = if wanted == Wanted::Before { -0.5 } else { 0.5 } * resolution;
    let (mut before, mut after) = (low, None);
    let mut τ = guess.clamp(0.0, end);
    for step in 0..STEPS_MAX {
        let g = value(τ)?;
        let is_after = g.is_nan() || if wanted == Wanted::Before { g < 0.0 } else { g <= 0.0 };
        let is_wanted = is_after == (wanted == Wanted::After);
        if is_wanted && slope < 0.0 && τ > 0.0 && g.abs() <= -slope * resolution {
            return Ok(Root::At(τ));
        }
        if is_after {
            after = Some(τ);
        } else {
            before = τ;
            if τ >= end {
                return Ok(Root::None(τ));
            }
        }
        let newton = τ - g / slope + aim;
        let limit = after.unwrap_or(end);
        τ = match after {
            _ if step < NEWTON_STEPS && newton > before && newton < limit => newton,
            None if before < high => high,
            None => end,
            Some(after) if after - before > resolution => 0.5 * (before + after),
            Some(after) => return take_end(before, after, wanted, value),
        };
    }
    Ok(Root::AtStart)
}

/// The bracket is as narrow as numbers allow: goes to its wanted end.
fn take_end(
    before: f64,
    after: f64,
    wanted: Wanted,
    mut value: impl FnMut(f64) -> Result<f64, StepFailure>,
) -> Result<Root, StepFailure> {
    if before == 0.0 {
        return Ok(Root::AtStart);
    }
    let τ = if wanted == Wanted::Before { before } else { after };
    value(τ)?;
    Ok(Root::At(τ))
}

/// The root of a function on the dense output, where it goes from positive to not: bisection
/// with interpolation (the ITP method of Oliveira and Takahashi, ACM TOMS 47, 2020, with
/// κ₁ = 0.2/(b − a), κ₂ = 2, n₀ = 1).
pub(crate) fn dense_root(
    low: f64,
    high: f64,
    tolerance: f64,
    mut value: impl FnMut(f64) -> f64,
) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut at_a, mut at_b) = (value(a).max(f64::MIN_POSITIVE), value(b));
    let kappa = 0.2 / (b - a);
    let halvings = elementary::log2((b - a) / (2.0 * tolerance)).max(0.0).ceil();
    let mut radius = tolerance * elementary::exp2(halvings) * 2.0;
    while b - a > 2.0 * tolerance {
        let middle = 0.5 * (a + b);
        let r = radius - 0.5 * (b - a);
        radius *= 0.5;
        let falsi = (at_a * b - at_b * a) / (at_a - at_b);
        let towards = (middle - falsi).signum();
        let shift = (kappa * (b - a).powi(2)).min((middle - falsi).abs());
        let truncated = falsi + towards * shift;
        let s = if (truncated - middle).abs() <= r { truncated } else { middle - towards * r };
        let s = if s > a && s < b { s } else { middle };
        if s <= a || s >= b {
            break;
        }
        let g = value(s);
        if g > 0.0 {
            (a, at_a) = (s, g);
        } else {
            (b, at_b) = (s, g);
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(f: impl Fn(f64) -> f64, low: f64, high: f64, root: f64) {
        let mut calls = 0;
        let found = dense_root(low, high, 1e-13, |s| {
            calls += 1;
            f(s)
        });
        assert!((found - root).abs() < 1e-12, "{found} for {root}");
        assert!(calls < 50, "{calls} calls");
    }

    #[test]
    fn dense_roots_are_found_in_few_calls() {
        check(|s| 0.25 - s * s, 0.0, 1.0, 0.5);
        check(|s| (0.3 - s).powi(3), 0.0, 1.0, 0.3);
        check(|s| (-20.0 * s).exp() - 1e-3, 0.0, 1.0, 1e3_f64.ln() / 20.0);
    }

    fn search(f: impl Fn(f64) -> f64, guess: f64, wanted: Wanted) -> (Root, usize) {
        let mut calls = 0;
        let slope = (f(guess + 1e-6) - f(guess - 1e-6)) / 2e-6;
        let search =
            Search { guess, slope, low: 0.0, high: 1.0, end: 1.0, resolution: 1e-15, wanted };
        let root = solve(search, |τ| {
            calls += 1;
            Ok(f(τ))
        });
        (root.unwrap(), calls)
    }

    #[test]
    fn roots_are_on_the_wanted_side_after_few_steps() {
        let f = |τ: f64| 0.5 - τ * τ;
        for (wanted, sign) in [(Wanted::Before, 1.0), (Wanted::After, -1.0)] {
            let (root, calls) = search(f, 0.5_f64.sqrt() + 1e-12, wanted);
            let Root::At(τ) = root else { panic!("{root:?}") };
            assert!(f(τ) * sign >= 0.0 && (τ - 0.5_f64.sqrt()).abs() < 3e-15, "{τ}");
            assert!(calls <= 4, "{calls} calls");
        }
    }

    #[test]
    fn a_near_miss_is_no_root() {
        assert_eq!(search(|τ| (τ - 0.5).powi(2) + 1e-15, 0.5, Wanted::Before).0, Root::None(1.0));
    }
}
