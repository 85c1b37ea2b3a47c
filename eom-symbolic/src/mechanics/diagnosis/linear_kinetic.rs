//! A kinetic energy with a part of degree 1 in the velocities that does nothing: ẋ where ẋ² was meant.
//!
//! With T = T₂ + T₁ + T₀ by degrees in v and p = ∂T₁/∂v, the part T₁ + T₀ does nothing where its equations
//! are 0 = 0, that is where it is a total derivative:
//!
//! ```text
//! D p_j − X_j (T₁ + T₀) − Σ c_ij^k v_i p_k = 0
//! ```
//!
//! m/2(ẋ + V)² in a frame of constant velocity has such a part too. But it is a square, so T ≥ 0 for
//! all v, where a forgotten one has
//!
//! ```text
//! min T = T₀ − ½ p·M⁻¹p < 0
//! ```
//!
//! A(q)·q̇ with a curl is a force, whatever the sign of T: nothing is said of it.

use super::{Finding, STATES, Subject, ZERO, free, states, without_functions};
use crate::dense;
use crate::mechanics::claim::sample::Sampler;
use crate::mechanics::lagrange;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, View};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// T₁ + T₀ of a part of the energy.
struct Low {
    /// p.
    momenta: Vec<ExprId>,
    /// T₀.
    rest: ExprId,
}

/// The part of T that is linear in the velocities and does nothing.
pub(super) fn linear(model: &mut SystemModel, subject: &Subject<'_>) -> Option<Finding> {
    let kinetic = subject.declared.kinetic?;
    let velocities = model.velocities();
    if model.pool.degree(kinetic, &velocities) == Some(2) || model.pool.has_integral(kinetic) {
        return None;
    }
    let mut whole = Low::new(model, kinetic);
    if whole.momenta.iter().all(|p| *p == ExprPool::ZERO) {
        return None;
    }
    // A term by itself may do nothing beside a force that another is.
    let mut speeds: Vec<usize> = Vec::new();
    for term in terms(model, kinetic) {
        let low = Low::new(model, term);
        speeds.extend(low.speeds_without_effect(model, subject).unwrap_or_default());
    }
    if speeds.is_empty() {
        speeds = whole.speeds_without_effect(model, subject)?;
    }
    speeds.sort_unstable();
    speeds.dedup();
    without_functions(model, &mut whole.momenta);
    without_functions(model, std::slice::from_mut(&mut whole.rest));
    whole.is_negative(model, subject).then_some(Finding::LinearKinetic { speeds })
}

/// The terms of a sum.
fn terms(model: &mut SystemModel, expr: ExprId) -> Vec<ExprId> {
    let View::Sum(terms) = model.pool.view(expr) else { return vec![expr] };
    terms.iter().map(|(_, term)| *term).collect()
}

impl Low {
    fn new(model: &mut SystemModel, energy: ExprId) -> Self {
        let velocities = model.velocities();
        let pool = &mut model.pool;
        let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
        let slopes = pool.gradient(energy, &velocities);
        let momenta = slopes.into_iter().map(|slope| at_rest.apply(pool, slope)).collect();
        Self { momenta, rest: at_rest.apply(pool, energy) }
    }

    /// The speeds of T₁, where it is not 0 and the equations of T₁ + T₀ are 0 = 0 at random states.
    fn speeds_without_effect(
        &self,
        model: &mut SystemModel,
        subject: &Subject<'_>,
    ) -> Option<Vec<usize>> {
        let held = (0..self.momenta.len()).filter(|j| self.momenta[*j] != ExprPool::ZERO);
        let held: Vec<usize> = held.collect();
        if held.is_empty() {
            return None;
        }
        let mut sum = vec![(ExprPool::ONE, self.rest)];
        for (p, velocity) in self.momenta.iter().zip(model.velocities()) {
            let v = model.pool.symbol_expr(velocity);
            sum.push((ExprPool::ONE, model.pool.mul(*p, v)));
        }
        let energy = model.pool.sum(&sum);
        let positions = model.positions();
        let slopes = model.pool.gradient(energy, &positions);
        let mut effects = lagrange::bias(model, &self.momenta, slopes);
        without_functions(model, &mut effects);
        let sampler = Sampler::new(model, subject.functions, 0x11EA);
        let samples = states((model, subject.functions), &effects, 0x11EA, free);
        if samples.is_empty() {
            return None;
        }
        for sample in samples {
            let values = sampler.evaluate_with_error(&effects, &sample);
            // NaN is an effect.
            if !values.iter().all(|effect| effect.value.abs() <= ZERO * effect.size) {
                return None;
            }
        }
        Some(held)
    }

    /// T₀ − ½ p·M⁻¹p < 0 at a state with the default parameters.
    fn is_negative(&self, model: &SystemModel, subject: &Subject<'_>) -> bool {
        let mut sampler = Sampler::new(model, subject.functions, 0x11EB);
        let entries: Vec<ExprId> = self.momenta.iter().chain([&self.rest]).copied().collect();
        (0..STATES).any(|_| {
            let Ok(mut sample) = sampler.free() else { return false };
            sampler.set_defaults(&mut sample);
            let values = sampler.evaluate(&entries, &sample);
            let Some((rest, momenta)) = values.split_last() else { return false };
            let mass = sampler.dynamics(&sample).mass;
            let Some(v) = dense::solve(&mass, momenta) else { return false };
            let square = dense::dot(momenta, &v) / 2.0;
            rest - square < -ZERO * (rest.abs() + square.abs())
        })
    }
}
