//! Integrals in generated code: the friction of rods and boards against closed forms and mpmath,
//! down to bodies that turn about a point of their own; motions that end where they must.
#![allow(non_snake_case, reason = "the names of the document: L1, L2")]

use eom_core::{End, State, System};
use eom_tests::systems::{Board, Rod, Slide};
use eom_tests::{run_with, start_of, until};

/// The rows of numbers of a table, its header left out.
fn rows(table: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split(',').map(|n| n.parse().expect("a number")).collect();
    table.lines().skip(1).map(numbers).collect()
}

/// M (v̇ − v̇₀), the force that makes the difference of two systems of one inertia.
fn force(system: &dyn System, without: &dyn System, state: &State) -> Vec<f64> {
    let n = state.q.len();
    let accelerations = |system: &dyn System| {
        let mut a = vec![0.0; n];
        system.accelerations(state.t, &state.q, &state.v, &[], &mut a, &mut []);
        a
    };
    let mut mass = vec![0.0; n * n];
    system.mass_matrix(state.t, &state.q, &mut mass);
    let (a, free) = (accelerations(system), accelerations(without));
    let row = |i: usize| (0..n).map(|j| mass[i * n + j] * (a[j] - free[j])).sum();
    (0..n).map(row).collect()
}

/// Each component to `tolerance` of the size of the body.
fn check(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let error = (found - wanted).abs();
        assert!(error <= tolerance, "{what}, {component}: {found:e}, wanted {wanted:e}");
    }
}

#[test]
fn friction_of_a_rod() {
    for row in rows(include_str!("../data/quadrature/roots.csv")) {
        let &[λ1, λ2, ω, a, b, f1, f2, f3, _] = &row[..] else { panic!("{row:?}") };
        let rod = Rod { δ_0: 1.0, L1: b, L2: -a, c: 1.0 };
        for θ in [0.0_f64, 2.0] {
            let (s, c) = θ.sin_cos();
            // (λ1, λ2) are the components along and across the rod.
            let v = [c * λ1 - s * λ2, s * λ1 + c * λ2, ω];
            let state = State::new(0.0, [0.3, -0.2, θ], v);
            let wanted = [-(c * f1 - s * f2), -(s * f1 + c * f2), -f3];
            let scale = (b - a) * (1.0 + b - a);
            // Turned, λ1 is known to rounding only: a force changes by ln(1/λ1) times that.
            let tolerance = if θ == 0.0 { 2e-12 } else { 1e-11 };
            let found = force(&rod, &Rod { c: 0.0, ..rod }, &state);
            check(&format!("{row:?} at {θ}"), &found, &wanted, tolerance * scale);
        }
    }
}

#[test]
fn friction_of_a_board() {
    for row in rows(include_str!("../data/quadrature/board.csv")) {
        let &[u, v, ω, a, b, f1, f2, f3] = &row[..] else { panic!("{row:?}") };
        let board = Board { δ_0: 1.0, α_0: a, β_0: b, c: 1.0 };
        let θ = 0.7_f64;
        let (s, c) = θ.sin_cos();
        let state = State::new(0.0, [0.3, -0.2, θ], [c * u - s * v, s * u + c * v, ω]);
        let wanted = [-(c * f1 - s * f2), -(s * f1 + c * f2), -f3];
        let found = force(&board, &Board { c: 0.0, ..board }, &state);
        check(&format!("{row:?}"), &found, &wanted, 1e-11 * 4.0 * a * b * (1.0 + a + b));
    }
}

/// At rest the convention 0/0 = 0 holds: no friction, and no NaN.
#[test]
fn friction_at_rest_is_zero() {
    let state = State::new(0.0, [0.0; 3], [0.0; 3]);
    let rod = Rod::default();
    check("rod", &force(&rod, &Rod { c: 0.0, ..rod }, &state), &[0.0; 3], 0.0);
    let board = Board::default();
    check("board", &force(&board, &Board { c: 0.0, ..board }, &state), &[0.0; 3], 0.0);
}

/// dE/dt = −D for friction of degree one: along a run, by Simpson's rule over its samples.
#[test]
fn friction_takes_the_energy() {
    let rod = Rod::default();
    let (start, inputs) = start_of(&rod, 0);
    let options =
        eom_core::Options { sampling: eom_core::Sampling::Every(1.0 / 256.0), ..until(0.5) };
    let trajectory = run_with(&rod, &start, &inputs, &options);
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    let power = |state: &State| {
        let force = force(&rod, &Rod { c: 0.0, ..rod }, state);
        force.iter().zip(&state.v).map(|(f, v)| f * v).sum::<f64>()
    };
    let samples = &trajectory.samples;
    let energy = |state: &State| rod.energy(state.t, &state.q, &state.v).total();
    let simpson = |w: &[State]| {
        let interval = (w[2].t - w[0].t) / 6.0;
        interval * (power(&w[0]) + 4.0 * power(&w[1]) + power(&w[2]))
    };
    let work: f64 = samples.windows(3).step_by(2).map(simpson).sum();
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    check("work", &[energy(last) - energy(first)], &[work], 1e-9);
    assert!(energy(last) < energy(first));
}

/// Ends that move with t and x: with y = 0 the potential is k ∫ √(1 + s⁴) ds + x (l + x² − t).
#[test]
fn ends_of_an_integral_pull() {
    let slide = Slide::default();
    let (mut start, _) = start_of(&slide, 0);
    (start.q[1], start.v[1]) = (0.0, 0.0);
    let trajectory = run_with(&slide, &start, &[0.0], &until(1.0));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    for State { t, q, v } in &trajectory.samples {
        let mut a = [0.0; 2];
        slide.accelerations(*t, q, v, &[0.0], &mut a, &mut []);
        let x = q[0];
        let pull = -slide.k * (1.0 + x.powi(4)).sqrt() - (slide.l + 3.0 * x * x - t);
        check("acceleration", &a, &[pull / slide.m, 0.0], 1e-11 * (1.0 + x.abs().powi(2)));
    }
}
