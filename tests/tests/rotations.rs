//! Rotations and quasi-velocities against closed forms, and against the same systems said in
//! another way.
#![allow(non_snake_case, reason = "the names of the documents: Ω, A, C")]

use eom_core::{Options, Sampling, State, System, Trajectory};
use eom_tests::systems::{QuasiSleigh, Sleigh, SpinningBall, Top, Turntable, TurntableInBody};
use eom_tests::{run, start_of, until};

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

/// The state at t.
fn at(system: &dyn System, start: &State, t: f64) -> State {
    let options = Options { sampling: Sampling::Ends, ..until(t) };
    let trajectory: Trajectory = run(system, start, &options);
    assert!(trajectory.end.is_complete(), "{}", trajectory.end);
    trajectory.last().expect("a run has samples").clone()
}

fn outputs(system: &dyn System, state: &State) -> Vec<f64> {
    let mut outputs = vec![0.0; system.info().outputs.len()];
    system.outputs(state.t, &state.q, &state.v, &[], &mut outputs);
    outputs
}

/// Landau and Lifshitz, Mechanics, (37.10), by mpmath: ω = (a₁ cn τ, a₂ sn τ, a₃ dn τ) for
/// moments 1/2, 1, 3/2 and ω(0) = (0.4, 0, 2). (t, ω)
const FREE_BODY: [(f64, [f64; 3]); 3] = [
    (1.0, [-0.163_562_313_743_730_04, 0.365_030_641_895_714_9, 1.988_865_055_794_15]),
    (5.0, [-0.342_417_018_501_913, -0.206_762_147_019_856_07, 1.996_434_272_610_357_2]),
    (20.0, [-0.224_084_279_097_919_9, 0.331_340_060_755_058, 1.990_830_125_361_347_4]),
];

#[test]
fn a_free_body_turns_as_elliptic_functions_say() {
    let body = Top { A: 0.5, B: 1.0, C: 1.5, g: 0.0, ..Top::default() };
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.4, 0.0, 2.0]);
    let spin = outputs(&body, &start)[1];
    for (t, ω) in FREE_BODY {
        let state = at(&body, &start, t);
        for (found, wanted) in state.v.iter().zip(ω) {
            check(&format!("ω at {t}"), *found, wanted, 1e-12);
        }
        // Its momentum along an axis of space.
        check("spin", outputs(&body, &state)[1], spin, 1e-12);
    }
}

/// The height of a symmetric top let go at 0.5 rad, spinning with 20: with the roots u₁ < u₂ < u₃
/// of u̇² = β (u − u₁)(u₂ − u)(u₃ − u), β = 2mgl/A,
///
/// ```text
/// z = l (u₁ + (u₂ − u₁) sn²(K + √(β (u₃ − u₁)) t/2))        k² = (u₂ − u₁)/(u₃ − u₁)
/// ```
///
/// by mpmath. (t, z)
const TOP: [(f64, f64); 3] =
    [(0.3, 0.342_936_960_854_845), (1.0, 0.342_713_844_266_425_7), (2.0, 0.350_901_691_984_143_45)];

#[test]
fn a_heavy_top_nods_as_elliptic_functions_say() {
    let top = Top { B: 1.0, ..Top::default() };
    let (mut start, _) = start_of(&top, 0);
    start.v = vec![0.0, 0.0, 20.0];
    let spin = outputs(&top, &start)[1];
    for (t, z) in TOP {
        let state = at(&top, &start, t);
        let found = outputs(&top, &state);
        check(&format!("z at {t}"), found[0], z, 1e-12);
        check("momentum about the vertical", found[1], spin, 1e-11);
        check("spin", state.v[2], 20.0, 1e-12);
        let (before, after) = (
            top.energy(0.0, &start.q, &start.v).total(),
            top.energy(t, &state.q, &state.v).total(),
        );
        check("energy", after, before, 1e-11);
    }
}

/// rot_z(0.3)·rot_x(0.5) takes the third axis to (sin 0.3 sin 0.5, −cos 0.3 sin 0.5, cos 0.5).
#[test]
fn a_scenario_sets_the_orientation() {
    let (start, _) = start_of(&Top::default(), 0);
    let [w, x, y, z] = [start.q[0], start.q[1], start.q[2], start.q[3]];
    let axis = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)];
    let wanted = [0.3_f64.sin() * 0.5_f64.sin(), -0.3_f64.cos() * 0.5_f64.sin(), 0.5_f64.cos()];
    for (found, wanted) in axis.iter().zip(wanted) {
        check("axis", *found, wanted, 1e-15);
    }
}

/// z̈ = iκ ż for z = x + iy, κ = kΩ/(1 + k): a circle, run through at κ.
#[test]
fn a_ball_on_a_turntable_runs_in_a_circle() {
    let table = Turntable::default();
    let (start, _) = start_of(&table, 0);
    let κ = table.k * table.Ω / (1.0 + table.k);
    let (x0, y0, vx, vy) = (start.q[0], start.q[1], start.v[0], start.v[1]);
    for t in [1.0, 4.0, 10.0] {
        let state = at(&table, &start, t);
        let (sin, cos) = (κ * t).sin_cos();
        check("x", state.q[0], x0 + (vx * sin - vy * (1.0 - cos)) / κ, 1e-12);
        check("y", state.q[1], y0 + (vy * sin + vx * (1.0 - cos)) / κ, 1e-12);
    }
}

/// The same ball with its angular velocity in axes of its own: same path, same orientation.
#[test]
fn axes_of_body_and_space_give_one_motion() {
    let (space, body) = (Turntable::default(), TurntableInBody::default());
    let (start, _) = start_of(&space, 0);
    for t in [0.5, 3.0] {
        let (one, other) = (at(&space, &start, t), at(&body, &start, t));
        for (index, (one, other)) in one.q.iter().zip(&other.q).enumerate() {
            check(&space.info().position_name(index), *other, *one, 1e-12);
        }
    }
}

/// u = ẋ cos θ + ẏ sin θ along the blade, w = 0 across it.
#[test]
fn quasi_velocities_change_no_motion() {
    let (quasi, plain) = (QuasiSleigh::default(), Sleigh::default());
    let (start, _) = start_of(&quasi, 0);
    check("w", start.v[1], 0.0, 1e-15);
    let (u, turn) = (start.v[0], start.v[2]);
    let usual = State::new(0.0, start.q.clone(), [u, 0.0, turn]);
    for t in [0.7, 5.0] {
        let (one, other) = (at(&plain, &usual, t), at(&quasi, &start, t));
        for (one, other) in one.q.iter().zip(&other.q) {
            check("q", *other, *one, 1e-12);
        }
        let (sin, cos) = one.q[2].sin_cos();
        check("u", other.v[0], one.v[0] * cos + one.v[1] * sin, 1e-12);
        check("w", other.v[1], 0.0, 1e-13);
        check("θ̇", other.v[2], one.v[2], 1e-12);
    }
}

/// The floor grips: momentum about the point of contact is kept, v⁺ = (v + k r ω)/(1 + k) with the
/// part ω of the spin that rolls that way; from there the ball rolls on at v⁺.
#[test]
fn a_falling_ball_grips_the_floor_and_rolls() {
    let ball = SpinningBall::default();
    let (start, _) = start_of(&ball, 0);
    // The body is turned by 0.4 about x; while it falls its spin in space does not change.
    let (sin, cos) = 0.4_f64.sin_cos();
    let [a, b, c] = [start.v[3], start.v[4], start.v[5]];
    let spin = [a, b * cos - c * sin];
    let fall = (2.0 * (start.q[2] - ball.r) / ball.g).sqrt();
    let vx = (start.v[0] + ball.k * ball.r * spin[1]) / (1.0 + ball.k);
    let vy = (start.v[1] - ball.k * ball.r * spin[0]) / (1.0 + ball.k);
    let last = at(&ball, &start, 1.0);
    check("x", last.q[0], start.v[0] * fall + vx * (1.0 - fall), 1e-12);
    check("y", last.q[1], start.v[1] * fall + vy * (1.0 - fall), 1e-12);
    check("z", last.q[2], ball.r, 1e-14);
    check("ẋ", last.v[0], vx, 1e-12);
    check("ẏ", last.v[1], vy, 1e-12);
    check("ż", last.v[2], 0.0, 1e-14);
}
