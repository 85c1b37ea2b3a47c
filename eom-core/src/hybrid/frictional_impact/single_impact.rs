//! The impact of one contact with friction by Poisson's or Stronge's restitution: a process in its normal impulse
//! (`impact_process`), with the constraints in force.
//!
//! ```text
//! v⁺ = v⁻ + N (∇gᵀΛ − (J + R)ᵀΦ)        R what acts with the friction by declared forces
//! ```
//!
//! Where J N Jᵀ of a plane has rank 1, of friction that counts in one direction or a body that can slip in one, and the slip lies along it, the
//! process is one along that direction. Where J N(J + R)ᵀ = 0 nothing holds the slip, which goes through zero as it would without friction. Where it begins and stays there
//! Φ is not told: that counts where something else feels it.

use super::phase::Phase;
use super::rough_impact::{Outcome, RoughImpact};
use crate::friction::slip_state::{UNDONE, norm};
use crate::impact::process::{Blow, Response};
use crate::linear::linalg::dot;
use crate::system::Restitution;

/// A plane has one direction where its other one answers with less than this part.
const ONE_DIRECTION: f64 = 1e-12;

/// The only direction in which a slip in a plane can change, where it is one along that.
fn only_direction(rows: &[Vec<f64>], across: &[Vec<f64>], w: &[f64]) -> Option<[f64; 2]> {
    let ([x, y], [of_x, of_y]) = (rows, across) else { return None };
    let [[xx, xy], [yx, yy]] = [[dot(x, of_x), dot(x, of_y)], [dot(y, of_x), dot(y, of_y)]];
    let trace = xx + yy;
    let singular = (xx * yy - xy * yx).abs() <= ONE_DIRECTION * trace * trace;
    if !singular || trace <= 0.0 || (xy - yx).abs() > ONE_DIRECTION * trace {
        return None;
    }
    let longest = if xx >= yy { [xx, yx] } else { [xy, yy] };
    let d = longest.map(|part| part / norm(&longest));
    let beside = d[0] * w[1] - d[1] * w[0];
    (beside.abs() <= ONE_DIRECTION * norm(w)).then_some(d)
}

impl RoughImpact<'_> {
    /// The outcome of the only contact that is struck. None where the process does not end.
    pub(in crate::hybrid) fn process(&mut self, (law, e): (Restitution, f64)) -> Option<Outcome> {
        let struck = *self.struck.first()?;
        let term = self.terms.of_contact(struck.contact).next()?;
        self.rows.close(&[]);
        let gradient = self.rows.gap(struck.contact).0.to_vec();
        let mut rows: Vec<Vec<f64>> =
            self.terms.components(term).map(|row| self.terms.row(row).0.to_vec()).collect();
        let along = self.on_constraints(&gradient);
        let mut across = self.answers(term, &rows);
        let mut w = self.terms.w(term).to_vec();
        if let Some(d) = only_direction(&rows, &across, &w) {
            let sum = |of: &[Vec<f64>]| {
                let pairs = of[0].iter().zip(&of[1]);
                vec![pairs.map(|(one, other)| d[0] * one + d[1] * other).collect::<Vec<f64>>()]
            };
            (rows, across, w) = (sum(&rows), sum(&across), vec![dot(&d, &w)]);
        }
        let (n, bears) = (rows.len(), self.terms.term_bears(term));
        let pair = |of: &dyn Fn(usize) -> f64| [0, 1].map(|i| if i < n { of(i) } else { 0.0 });
        let coupling = pair(&|i| dot(&rows[i], &along));
        let tangential = |i: usize, j: usize| match i.max(j) {
            last if last < n => dot(&rows[i], &across[j]),
            _ => f64::from(u8::from(i == j)),
        };
        let mut response = Response {
            normal: dot(&gradient, &along),
            coupling,
            pushed: if bears { pair(&|i| dot(&gradient, &across[i])) } else { coupling },
            tangential: [0, 1].map(|i| [0, 1].map(|j| tangential(i, j))),
            friction: self.terms.coefficient(term),
            turns: n > 1,
        };
        let still = norm(&w) <= self.slip_rounding(term);
        let slip = pair(&|i| if still { 0.0 } else { w[i] });
        // Declared forces may make of friction what drives a slip on, or undo it.
        if self.terms.is_undone(&mut self.rows, term) {
            response.tangential = [[0.0; 2]; 2];
            let rests = still && norm(&coupling) <= UNDONE * f64::EPSILON * norm(&along);
            self.undecided = rests && across.iter().any(|across| norm(across) != 0.0);
            if rests {
                response.friction = 0.0;
            }
        } else if bears && !response.opposes() {
            return None;
        }
        let blow = Blow { rate: struck.gap.rate, slip, law, e, moves: false };
        let impulses = response.impact(&blow).ok()?;
        let mut velocity = self.before.to_vec();
        velocity.iter_mut().zip(&along).for_each(|(v, w)| *v += impulses.normal * w);
        for (across, friction) in across.iter().zip(&impulses.friction) {
            velocity.iter_mut().zip(across).for_each(|(v, w)| *v -= friction * w);
        }
        let velocity = self.stilled(term, velocity);
        let finite = velocity.iter().all(|v| v.is_finite());
        finite.then(|| Outcome {
            velocity: self.at_rest_or(velocity),
            impulses: vec![impulses.normal],
            is_shared: false,
        })
    }

    /// The velocity with s = 0 of a term, where that is rounding: what was taken for no slip before the impact is none after it.
    fn stilled(&mut self, term: usize, velocity: Vec<f64>) -> Vec<f64> {
        let slip = norm(&self.slip(term, &velocity));
        if slip == 0.0 || slip > self.slip_rounding(term) {
            return velocity;
        }
        let mut phase = Phase::at_rest(&velocity, self.struck);
        for (target, struck) in phase.targets.iter_mut().zip(self.struck) {
            *target = self.rows.gap_rate(struck.contact, &velocity);
        }
        let restitution = std::mem::replace(&mut self.phase, phase);
        let stilled = self.closed_by(&[term], &[]);
        self.phase = restitution;
        stilled.unwrap_or(velocity)
    }

    /// N (J + R)ᵀ of the components of a term with these rows J.
    fn answers(&mut self, term: usize, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut forces = rows.to_vec();
        for (force, component) in forces.iter_mut().zip(self.terms.components(term)) {
            let beside = self.terms.beside(component).unwrap_or_default();
            force.iter_mut().zip(beside).for_each(|(force, r)| *force += r);
        }
        forces.iter().map(|force| self.on_constraints(force)).collect()
    }

    /// N f of a force f.
    pub(super) fn on_constraints(&mut self, force: &[f64]) -> Vec<f64> {
        let mut response = self.rows.acceleration(force).to_vec();
        let mut residuals = vec![0.0; self.rows.constraints()];
        self.rows.constrain(&mut response, &mut residuals);
        response
    }
}
