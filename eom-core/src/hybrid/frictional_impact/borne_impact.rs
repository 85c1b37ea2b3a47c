//! Forces that act with the impulse of a contact, or of a friction, as they are at the velocity after the phase.
//!
//! With D = ∂Q/∂λ of the contacts that bear forces, and ∂Q/∂f of their friction, and G(w) the velocity that a phase (`rough_impact`) leads to with D as it is
//! at w,
//!
//! ```text
//! M (v₁ − v₀) = … + Σ D(t, q, v₁, u) Λ          v₁ = G(v₁)
//! ```
//!
//! so that a force against a slip, however steep, ends it and does not turn it round: what friction does too, whose direction is
//! that of the slip after the phase. Where D does not depend on v, v₁ = G(v⁻). Else F(w) = w − G(w) is brought to zero by
//! steps p of Newton, each to a root of p·M F along it: F rises along p where forces oppose what they act on.

use super::rough_impact::RoughImpact;
use crate::linear::linalg::{dot, pivoted_solve};

/// v₁ and the impulses of all rows in force.
type Made = (Vec<f64>, Vec<f64>);

/// Steps to v₁.
const STEPS_MAX: usize = 100;

/// Cuts of a step.
const CUTS_MAX: usize = 80;

/// A step goes to where p·M F is this part of what it was.
const SHORT_OF_ROOT: f64 = 1e-3;

/// Units of rounding of v₁.
const ROUNDINGS: f64 = 16.0;

/// Differences for G′, as a part of a velocity, and of the largest of all.
const DIFFERENCE: f64 = 1e-7;
const LEAST: f64 = 1e-3;

impl RoughImpact<'_> {
    /// What `solve` makes of the phase where these contacts take impulses, with the forces that go with them.
    pub(super) fn with_borne(
        &mut self,
        set: &[usize],
        solve: &mut dyn FnMut(&mut Self) -> Option<Made>,
    ) -> Option<Made> {
        let bears = set.iter().any(|contact| self.terms.bears(*contact));
        if !bears && !self.terms.of_rows().any(|term| self.terms.term_bears(term)) {
            return solve(self);
        }
        let mut v = self.before.to_vec();
        let mut made = self.led_to(&v, solve)?;
        let mut best: Option<(f64, Made)> = None;
        for _ in 0..STEPS_MAX {
            let left = difference(&v, &made.0);
            let size = self.rows.norm(&left);
            let rounding = ROUNDINGS * f64::EPSILON * self.speed.max(self.rows.norm(&v));
            if size <= rounding {
                return Some(made);
            }
            let (step, slope) = self.newton(&v, &made, solve)?;
            // Where G is steep, rounding of v is so much more in G: what is no longer made smaller is that.
            match best {
                Some((least, best)) if size >= least && least <= rounding * slope.max(1.0) => {
                    return Some(best);
                }
                Some((least, _)) if size >= least => {}
                _ => best = Some((size, made.clone())),
            }
            (v, made) = self.along_step(&v, (&left, &step), solve)?;
        }
        self.undecided = true;
        None
    }

    /// G(w).
    fn led_to(
        &mut self,
        v: &[f64],
        solve: &mut dyn FnMut(&mut Self) -> Option<Made>,
    ) -> Option<Made> {
        let (t, q, u) = self.place;
        self.terms.load_borne(self.system, (t, q, v, u));
        solve(self)
    }

    /// p with (1 − G′) p = −F, and the largest entry of G′.
    fn newton(
        &mut self,
        v: &[f64],
        made: &Made,
        solve: &mut dyn FnMut(&mut Self) -> Option<Made>,
    ) -> Option<(Vec<f64>, f64)> {
        let m = v.len();
        let largest = v.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
        let (mut matrix, mut steepest) = (vec![0.0; m * m], 0.0_f64);
        for j in 0..m {
            let step = DIFFERENCE * v[j].abs().max(LEAST * largest);
            let mut beside = v.to_vec();
            beside[j] += step;
            let step = beside[j] - v[j];
            let moved = self.led_to(&beside, solve)?;
            for i in 0..m {
                let slope = if step == 0.0 { 0.0 } else { (moved.0[i] - made.0[i]) / step };
                steepest = steepest.max(slope.abs());
                matrix[i * m + j] = f64::from(u8::from(i == j)) - slope;
            }
        }
        let mut step = difference(&made.0, v);
        pivoted_solve(&mut matrix, &mut vec![1.0; m], &mut step);
        let finite = step.iter().all(|p| p.is_finite());
        Some((if finite { step } else { difference(&made.0, v) }, steepest))
    }

    /// The point along a step at which p·M F has risen to zero, or its end, with G there.
    fn along_step(
        &mut self,
        v: &[f64],
        (left, step): (&[f64], &[f64]),
        solve: &mut dyn FnMut(&mut Self) -> Option<Made>,
    ) -> Option<(Vec<f64>, Made)> {
        let mut p = step.to_vec();
        if dot(self.rows.momentum(&p), left) >= 0.0 {
            p = left.iter().map(|left| -left).collect();
        }
        let first = dot(self.rows.momentum(&p), left);
        let (mut low, mut high, mut part) = (0.0, 1.0, 1.0);
        for _ in 0..CUTS_MAX {
            let at: Vec<f64> = v.iter().zip(&p).map(|(v, p)| v + part * p).collect();
            let made = self.led_to(&at, solve)?;
            let rise = dot(self.rows.momentum(&p), &difference(&at, &made.0));
            let middle = 0.5 * (low + high);
            let is_near = rise.abs() <= SHORT_OF_ROOT * first.abs();
            if is_near || part == 1.0 && rise <= 0.0 || middle <= low || middle >= high {
                return Some((at, made));
            }
            if rise > 0.0 {
                high = part;
            } else {
                low = part;
            }
            part = 0.5 * (low + high);
        }
        let at: Vec<f64> = v.iter().zip(&p).map(|(v, p)| v + part * p).collect();
        let made = self.led_to(&at, solve)?;
        Some((at, made))
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
