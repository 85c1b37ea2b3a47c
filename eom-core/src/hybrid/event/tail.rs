//! That the polynomials of a step by series tell of its guards is proven: what follows their terms is bounded.
//!
//! In u = τ′/τ ∈ [0, 1], τ where the step is taken to, the motion is p(u) + δ, p = Σ yₖ τᵏ uᵏ of the order N, and a guard
//! along it is P(u) = Σ γₖ τᵏ uᵏ of the same order and what follows. Its program over the discs in which p(u) + κδ is for
//! complex |u| ≤ ϱ has a radius M, so that by Cauchy's estimate and Schwarz's lemma (‖·‖ the largest on [0, 1], m = N + 1)
//!
//! ```text
//! γ(p) = P + E,  E = Σ cₖ uᵏ from k = m on, |cₖ| ≤ M/ϱᵏ
//! ‖E/uᵃ‖ ≤ M ϱ⁻ᵐ g, g = 1/(1 − 1/ϱ)             ‖(E/uᵃ)′‖ ≤ M ϱ⁻ᵐ (m g + g²/ϱ)
//! D = γ(p + δ) − γ(p):  ‖D⁽ᵖ⁾‖/p! ≤ 2M/κ (m + pc)ᵖ/p!, c = 1/(ϱ − 1), which bounds D/uᵖ and (D/uᵖ⁻¹)′
//! ```
//!
//! for errors δ that begin with 0 and are no rougher than uᵐ. One that leaves zero does so as uᵃ, a = 0 for others. With P on
//! its side, the guard is there too where
//!
//! ```text
//! P/uᵃ > ‖E/uᵃ‖ + ‖D/uᵃ‖
//! (P/uᵃ − P(1))/(1 − u) > ‖(E/uᵃ)′‖ + ‖(D/uᵃ)′‖          of the one whose root the end is
//! ```
//!
//! One run over discs decides most steps, where `proof` looks at several parts of each.

use super::guards::Guards;
use super::programs::GuardPrograms;
use crate::flow::{ALL_LEFT_OUT, Flow};
use crate::series::{Observed, stays_above};
use crate::system::System;
use crate::system::enclosure::Disc;
use eom_elementary::powi;

/// In WebAssembly, where every visitor of a page loads each kind of number that programs run over, bounds by intervals do.
const HERE: bool = !cfg!(target_family = "wasm");

/// ϱ. The first decides most steps; where it does not, a wider circle bounds what follows the terms better, a narrower one
/// what errors of the motion do, and decides where a guard is not regular. Each bounds both, and the least of each counts.
const CIRCLE: f64 = 2.5;
const WIDER: f64 = 4.0;
const NARROWER: f64 = 1.5;

/// κδ is at most this part of what p moves by.
const PART: f64 = 1e-3;

/// κ at least and at most.
const MAGNIFIED: [f64; 2] = [1e3, 1e9];

/// Room for products of small numbers, and for the rounding of the bounds.
const ROOM: f64 = 1.25;

/// What rounding leaves of the terms of a polynomial, as a part of the largest.
const ROUNDING: f64 = 1e-8;

/// The programs of the guards over discs, and room for those of the motion.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Tails<'a> {
    programs: Option<GuardPrograms<'a, Disc>>,
    /// The numbers of y that they read.
    columns: Vec<usize>,
    /// What each of these moves by, and its error.
    bounds: Vec<[f64; 2]>,
    /// What all of them move by.
    moved: Vec<f64>,
    motion: Vec<Disc>,
    /// What each guard has to be above, in two parts, by the circles so far.
    least: Vec<[f64; 2]>,
    polynomial: Observed,
}

/// Which part of what a guard has to be above is the larger one.
#[derive(Debug, Clone, Copy)]
enum Larger {
    Tail,
    Error,
}

/// What a circle makes of the bounds of all polynomials of an order m − 1, in units of M.
#[derive(Debug, Clone, Copy)]
struct Circle {
    m: f64,
    c: f64,
    /// ϱ⁻ᵐ.
    beyond: f64,
    /// Of E/uᵃ and of (E/uᵃ)′.
    tail: [f64; 2],
}

impl Circle {
    fn new(ϱ: f64, order: usize) -> Self {
        let (m, g) = ((order + 1) as f64, ϱ / (ϱ - 1.0));
        let beyond = i32::try_from(order + 1).map_or(0.0, |m| powi(ϱ.recip(), m));
        Self { m, c: (ϱ - 1.0).recip(), beyond, tail: [g, m * g + g * g / ϱ] }
    }
}

/// What is added to a polynomial at most, from its order on and by errors of the motion.
#[derive(Debug, Clone, Copy)]
struct Bounds<'c> {
    circle: &'c Circle,
    /// ‖E/uᵃ‖ and ‖(E/uᵃ)′‖.
    tail: [f64; 2],
    /// ‖D‖.
    error: f64,
}

impl<'c> Bounds<'c> {
    fn new(size: f64, κ: f64, circle: &'c Circle) -> Self {
        let first = ROOM * size * circle.beyond;
        Self { circle, tail: circle.tail.map(|part| first * part), error: ROOM * 2.0 * size / κ }
    }

    /// ‖D⁽ᵖ⁾‖/p!.
    fn deviation(&self, p: usize) -> f64 {
        let rate = self.circle.m + p as f64 * self.circle.c;
        (1..=p).fold(self.error, |bound, k| bound * rate / k as f64)
    }

    /// Lowers what a guard has to be above, divided by uᵃ where it leaves zero, and by 1 − u where it ends with a root: the
    /// sum of what follows its terms and of what errors of the motion do. What is no number lowers nothing.
    fn lower(&self, [tail, error]: &mut [f64; 2], zeros: usize, ends: bool) {
        *tail = tail.min(self.tail[usize::from(ends)]);
        *error = error.min(self.deviation(zeros + usize::from(ends)));
    }
}

/// Whether a polynomial is above a number on a part of the step, where the search for its root did not show it.
#[inline(never)]
fn stays_above_on(
    (polynomial, (end, ends)): (&Observed, (f64, bool)),
    (σ, least): (f64, f64),
    part: &mut Observed,
) -> bool {
    let residual = polynomial.part(end, ends, part);
    let least = least + ROUNDING * part.largest() + polynomial.order() * residual.abs();
    least.is_finite() && stays_above(part, σ, least)
}

impl<'a> Tails<'a> {
    pub(in crate::hybrid) fn new(system: &'a dyn System, inputs: &[f64]) -> Self {
        let info = system.info();
        let dimension = info.positions() + info.speeds();
        let programs = HERE.then(|| GuardPrograms::new(system, inputs));
        Self {
            columns: programs.as_ref().map_or_else(Vec::new, |all| all.columns(dimension)),
            programs,
            bounds: Vec::new(),
            moved: Vec::new(),
            motion: vec![Disc::around(0.0, f64::INFINITY); dimension],
            least: Vec::new(),
            polynomial: Observed::unknown(),
        }
    }

    /// Inputs from here on.
    pub(in crate::hybrid) fn set_inputs(&mut self, inputs: &[f64]) {
        if let Some(programs) = self.programs.as_mut().filter(|_| HERE) {
            programs.set_inputs(inputs);
        }
    }

    /// Whether all guards that can be bounded are on their sides up to the part `end` of the step h just made, where
    /// `located` has its root, as their polynomials say.
    pub(in crate::hybrid) fn prove(
        &mut self,
        flow: &mut Flow<'_>,
        guards: &Guards<'_>,
        polynomials: &[Observed],
        step: (f64, f64, Option<usize>),
    ) -> bool {
        if !HERE {
            return false;
        }
        self.least.clear();
        self.least.resize(polynomials.len(), [f64::INFINITY; 2]);
        let mut by = |circle| self.prove_by(circle, flow, guards, polynomials, step);
        match by(CIRCLE) {
            None => true,
            Some(Larger::Tail) => by(WIDER).is_none() || by(NARROWER).is_none(),
            Some(Larger::Error) => by(NARROWER).is_none() || by(WIDER).is_none(),
        }
    }

    /// The same by a circle: for the first guard of which it is not shown what it has to be above for, if there is one.
    fn prove_by(
        &mut self,
        circle: f64,
        flow: &mut Flow<'_>,
        guards: &Guards<'_>,
        polynomials: &[Observed],
        (h, end, located): (f64, f64, Option<usize>),
    ) -> Option<Larger> {
        let Some((κ, order)) = self.surround(flow, end * h, circle) else {
            return Some(Larger::Tail);
        };
        let circle = Circle::new(circle, order);
        let programs = self.programs.as_ref()?;
        for (guard, polynomial) in polynomials.iter().enumerate() {
            if !programs.bounds(guards, guard) {
                continue;
            }
            let Some(Disc { radius, .. }) = programs.result(guard) else {
                return Some(Larger::Tail);
            };
            let (part, σ) = ((end, located == Some(guard)), guards.side(guard).sign);
            let least = &mut self.least[guard];
            Bounds::new(radius, κ, &circle).lower(least, polynomial.zeros(), part.1);
            let [tail, error] = *least;
            let is_above = polynomial.is_above((σ, tail + error), part, ROUNDING)
                || stays_above_on((polynomial, part), (σ, tail + error), &mut self.polynomial);
            if !is_above {
                return Some(if error > tail { Larger::Error } else { Larger::Tail });
            }
        }
        None
    }

    /// Runs the programs over the discs of the motion up to τ; κ and the order of the series.
    fn surround(&mut self, flow: &mut Flow<'_>, τ: f64, circle: f64) -> Option<(f64, usize)> {
        let Self { programs, columns, bounds, moved, motion, .. } = self;
        let order = flow.series_bounds((τ, circle), columns, (moved, bounds))?;
        let [least, most] = MAGNIFIED;
        let κ = bounds.iter().fold(most, |κ, [moved, error]| {
            let too_much = *moved > 0.0 && error * κ > PART * moved;
            if too_much { PART * moved / error } else { κ }
        });
        if κ < least {
            return None;
        }
        for (&j, [moved, error]) in columns.iter().zip(bounds.iter()) {
            motion[j] = Disc::around(flow.base.y[j], moved + κ * ALL_LEFT_OUT * error);
        }
        programs.as_mut()?.run(Disc::around(flow.base.t.high, circle * τ), motion);
        Some((κ, order))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Circle};

    /// 1/(1 − u/r) goes on with (u/r)ᵏ from k = m on: by ϱ < r it is bounded by 1/(1 − ϱ/r) − 1 around 1.
    #[test]
    fn what_follows_is_within_its_bounds() {
        let check = |r: f64, circle: f64, order: usize| {
            let size = 1.0 / (1.0 - circle / r) - 1.0;
            let of_order = Circle::new(circle, order);
            let bounds = Bounds::new(size, 1e9, &of_order);
            let terms = |a: usize, u: f64| -> [f64; 2] {
                let mut sums = [0.0; 2];
                for k in order + 1..400 {
                    let (power, c) = ((k - a) as f64, (-(k as f64) * r.ln()).exp());
                    sums[0] += c * u.powf(power);
                    sums[1] += c * power * u.powf(power - 1.0);
                }
                sums
            };
            for a in [0, 1] {
                for (found, bound) in terms(a, 1.0).into_iter().zip(bounds.tail) {
                    assert!(found <= bound, "{r}, {circle}, {order}: {found} > {bound}");
                }
            }
        };
        for order in [4, 12, 24] {
            for (r, circle) in [(1.6, 1.5), (2.6, 2.5), (3.0, 2.5), (8.0, 4.0), (1e3, 4.0)] {
                check(r, circle, order);
            }
        }
    }

    /// f(s, δ) = sin(3 s + δ) with δ = e uᵐ: what an error of the motion makes of it, and of its slopes.
    #[test]
    fn errors_of_the_motion_are_within_their_bounds() {
        let (circle, order, κ, error) = (2.5, 12, 1e6, 1e-8);
        let of_order = Circle::new(circle, order);
        let m = f64::from(order as u32 + 1);
        let size = f64::cosh(3.0 * circle + κ * error);
        let bounds = Bounds::new(size, κ, &of_order);
        for i in 0..=100 {
            let u = f64::from(i) / 100.0;
            let (δ, slope) = (error * u.powf(m), error * m * u.powf(m - 1.0));
            let bend = error * m * (m - 1.0) * u.powf(m - 2.0);
            let (sine, cosine) = (3.0 * u).sin_cos();
            // To first order in δ.
            let found = [
                cosine * δ,
                cosine * slope - 3.0 * sine * δ,
                0.5 * (cosine * bend - 6.0 * sine * slope - 9.0 * cosine * δ),
            ];
            for (p, found) in found.into_iter().enumerate() {
                let bound = bounds.deviation(p);
                assert!(found.abs() <= bound, "{u}: {found} > {bound}");
            }
        }
    }
}
