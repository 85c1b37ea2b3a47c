//! The weak form of the equations of motion on trajectories with impacts (nonholonomic-collisions
//! (2.4), weak-solutions (2.4)):
//!
//! ```text
//! ∫ (∂L/∂x ψ + ∂L/∂ẋ ψ̇) dt = 0    for ψ of compact support, ψ(t) ∈ ker A, ψ(τ) ∈ ker B at impacts
//! ```
//!
//! Only the energies and the rows of a system are used, never its accelerations or impact maps. In
//! velocities that are not derivatives of coordinates ∂/∂x is along their fields; the terms of their
//! brackets vanish for the balls of the catalogue, whose angular momentum is parallel to ω.

use eom_core::{EventKind, Options, Sampling, State, System};
use eom_tests::{run_with, start_of, until};
use fastrand::Rng;
use models::catalogue;
use nalgebra::{DMatrix, DVector};

/// Intervals of Boole's rule in an arc, a multiple of 4.
const INTERVALS: usize = 64;

/// Steps of central differences in coordinates and along the motion.
const STEP: f64 = 1e-5;

/// Impacts of a run that are looked at.
const IMPACTS: usize = 4;

fn lagrangian(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> f64 {
    let energy = system.energy(t, q, v);
    energy.kinetic - energy.potential
}

/// ∂L/∂v, exact for L quadratic in v.
fn momentum(system: &dyn System, state: &State) -> DVector<f64> {
    let m = state.v.len();
    DVector::from_fn(m, |j, _| {
        let at = |step: f64| {
            let mut v = state.v.clone();
            v[j] += step;
            lagrangian(system, state.t, &state.q, &v)
        };
        (at(1.0) - at(-1.0)) / 2.0
    })
}

/// X_j L along the fields q̇ = S e_j.
fn slope(system: &dyn System, state: &State) -> DVector<f64> {
    let (n, m) = (state.q.len(), state.v.len());
    DVector::from_fn(m, |j, _| {
        let (mut unit, mut field) = (vec![0.0; m], vec![0.0; n]);
        unit[j] = 1.0;
        system.rates(state.t, &state.q, &unit, &mut field);
        let at = |step: f64| {
            let q: Vec<f64> = state.q.iter().zip(&field).map(|(q, f)| q + step * f).collect();
            lagrangian(system, state.t, &q, &state.v)
        };
        (at(STEP) - at(-STEP)) / (2.0 * STEP)
    })
}

/// I − Bᵀ(BBᵀ)⁺B, the projection on ker B.
fn on_kernel(b: &DMatrix<f64>) -> DMatrix<f64> {
    let m = b.ncols();
    if b.nrows() == 0 {
        return DMatrix::identity(m, m);
    }
    let inverse = b.clone().pseudo_inverse(1e-9).expect("a pseudo-inverse");
    DMatrix::identity(m, m) - inverse * b
}

/// A at a state.
fn rows(system: &dyn System, t: f64, q: &[f64], m: usize) -> DMatrix<f64> {
    let k = system.info().rows.len();
    let (mut a, mut b) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows(t, q, &mut a, &mut b);
    DMatrix::from_row_slice(k, m, &a)
}

/// B = [A; ∇g; the contact's own rows] at an impact.
fn rows_at(system: &dyn System, contact: usize, t: f64, q: &[f64], m: usize) -> DMatrix<f64> {
    let info = system.info();
    let (c, s) = (info.contacts.len(), info.contacts[contact].rows.len());
    let (mut gaps, mut rate) = (vec![0.0; c * m], vec![0.0; c]);
    system.gap_rows(t, q, &mut gaps, &mut rate);
    let (mut own, mut affine) = (vec![0.0; s * m], vec![0.0; s]);
    system.contact_rows(contact, t, q, &mut own, &mut affine);
    let a = rows(system, t, q, m);
    let mut all: Vec<f64> = a.transpose().iter().copied().collect();
    all.extend(&gaps[contact * m..(contact + 1) * m]);
    all.extend(&own);
    DMatrix::from_row_slice(a.nrows() + 1 + s, m, &all)
}

/// The curve w from one value to another over an arc, with a bump of its own between.
struct Weight {
    from: DVector<f64>,
    to: DVector<f64>,
    bump: DVector<f64>,
}

impl Weight {
    /// (w, dw/ds) at s ∈ [0, 1]: w = from + (to − from)(3s² − 2s³) + bump s²(1 − s)².
    fn at(&self, s: f64) -> (DVector<f64>, DVector<f64>) {
        let change = &self.to - &self.from;
        let (blend, bump) = (s * s * (3.0 - 2.0 * s), (s * (1.0 - s)).powi(2));
        let w = &self.from + &change * blend + &self.bump * bump;
        let slope = 6.0 * s * (1.0 - s);
        (w, change * slope + &self.bump * (2.0 * s * (1.0 - s) * (1.0 - 2.0 * s)))
    }
}

/// The integrand at a state, with ψ = N w, N the projection on ker A; and its size.
fn integrand(system: &dyn System, state: &State, weight: &Weight, s: f64, length: f64) -> [f64; 2] {
    let m = state.v.len();
    let mut q_dot = vec![0.0; state.q.len()];
    system.rates(state.t, &state.q, &state.v, &mut q_dot);
    let kernel = |step: f64| {
        let q: Vec<f64> = state.q.iter().zip(&q_dot).map(|(q, r)| q + step * r).collect();
        on_kernel(&rows(system, state.t + step, &q, m))
    };
    let (w, w_slope) = weight.at(s);
    let n_dot = (kernel(STEP) - kernel(-STEP)) / (2.0 * STEP);
    let (ψ, ψ_dot) = (kernel(0.0) * &w, n_dot * &w + kernel(0.0) * w_slope / length);
    let (slope, momentum) = (slope(system, state), momentum(system, state));
    let size = slope.norm() * ψ.norm() + momentum.norm() * ψ_dot.norm();
    [slope.dot(&ψ) + momentum.dot(&ψ_dot), size]
}

/// ∫ over one arc by Boole's rule, and the integral of its size.
fn arc(system: &dyn System, inputs: &[f64], from: &State, end: f64, weight: &Weight) -> [f64; 2] {
    let length = end - from.t;
    let interval = length / INTERVALS as f64;
    let options = Options { sampling: Sampling::Every(interval), ..until(end) };
    // The impact at the end belongs to the next arc: stop just before it could be told from the end.
    let samples = run_with(system, from, inputs, &options).samples;
    let mut sum = [0.0; 2];
    for (i, state) in samples.iter().take(INTERVALS + 1).enumerate() {
        let factor = match (i, i % 4) {
            (0 | INTERVALS, _) => 7.0,
            (_, 0) => 14.0,
            (_, 2) => 12.0,
            _ => 32.0,
        };
        let values = integrand(system, state, weight, i as f64 / INTERVALS as f64, length);
        for (sum, value) in sum.iter_mut().zip(values) {
            *sum += 2.0 * interval / 45.0 * factor * value;
        }
    }
    assert!(samples.len() > INTERVALS, "{}: {} samples", system.info().name, samples.len());
    sum
}

/// The weak form over the first impacts of a model's first scenario.
fn check(name: &str, system: &dyn System) {
    let (start, inputs) = start_of(system, 0);
    let options = Options { until_impacts: Some(IMPACTS), ..Options::default() };
    let trajectory = run_with(system, &start, &inputs, &options);
    let m = start.v.len();
    let mut random = Rng::with_seed(11);
    let mut vector = || DVector::from_fn(m, |_, _| 2.0 * random.f64() - 1.0);
    let (mut from, mut value) = (start, DVector::zeros(m));
    let mut total = [0.0; 2];
    let events: Vec<_> = trajectory.events.iter().collect();
    assert!(!events.is_empty(), "{name}: no impact");
    for (i, event) in events.iter().enumerate() {
        let EventKind::Impact { contact, .. } = event.kind else { continue };
        let b = rows_at(system, contact, event.t, event.q_minus(), m);
        let to = if i + 1 == events.len() { DVector::zeros(m) } else { on_kernel(&b) * vector() };
        let weight = Weight { from: value, to: to.clone(), bump: vector() };
        let part = arc(system, &inputs, &from, event.t, &weight);
        total = [total[0] + part[0], total[1] + part[1]];
        from = State::new(event.t, event.q_plus(), event.v_plus());
        value = to;
    }
    let error = total[0].abs() / total[1];
    assert!(error < 1e-8, "{name}: the weak form leaves {:e} of {:e}", total[0], total[1]);
}

#[test]
fn the_weak_form_holds_on_trajectories_with_impacts() {
    let with_impacts = ["penny", "floor-ball", "wall-ball", "table-ball", "box-ball"];
    for model in catalogue().iter().filter(|model| with_impacts.contains(&model.name)) {
        let overrides = vec![None; model.info.parameters.len()];
        let system = (model.build)(&overrides).expect("the defaults are valid");
        check(model.name, &*system);
    }
}
