//! Orbits of what turns round: angles return after whole turns, rotations with either sign.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{Orbit, Section, Variations};
use eom_core::{Options, State};
use std::f64::consts::{PI, TAU};

const ONCE: Section = Section::Events { event: 0, count: 1 };

fn orbit(source: &str, start: &State, section: Section) -> Orbit {
    let system = interpreted(source);
    let run = Options { until_time: Some(100.0), ..Options::default() };
    Variations::new(&system).unwrap().orbit(start, &[], &run, section).unwrap()
}

/// A pendulum under a torque, which rotates: driven once a turn, and free with the section below. Speeds, period and
/// multipliers by SciPy's DOP853 at 1e-13 with Newton's method on θ(T) = θ(0) + 2π.
#[test]
fn a_pendulum_that_rotates() {
    let pendulum = |force: &str| {
        format!(
            "/// A pendulum. \n system P {{ coordinates {{ θ }} kinetic = θ̇^2/2; potential = -cos(θ);
            force θ = {force}; event below {{ guard = sin(θ); falling; }} }}"
        )
    };
    let start = State::new(0.0, [0.0], [2.5]);
    let driven = pendulum("0.5 - 0.2*θ̇ + 0.5*cos(2.5*t)");
    let found = orbit(&driven, &start, Section::Period(TAU / 2.5));
    let turns = ((found.state.q[0] + 1.563_688_85) / TAU).round();
    assert!((found.state.q[0] + 1.563_688_85 - turns * TAU).abs() < 1e-8, "{found:?}");
    assert!((found.state.v[0] - 2.617_034_51).abs() < 1e-8, "{found:?}");
    let multipliers: Vec<f64> = found.multipliers.iter().map(|multiplier| multiplier.re).collect();
    for (multiplier, expected) in multipliers.iter().zip([1.366_055_22, 0.442_824_38]) {
        assert!((multiplier - expected).abs() < 1e-8, "{found:?}");
    }
    // Liouville: e^(−cT).
    assert!((multipliers[0] * multipliers[1] - (-0.2 * TAU / 2.5_f64).exp()).abs() < 1e-12);

    let found = orbit(&pendulum("0.5 - 0.2*θ̇"), &start, ONCE);
    assert!((found.state.v[0] - 2.084_143_356_747).abs() < 1e-11, "{found:?}");
    assert!((found.period - 2.546_461_679_768).abs() < 1e-11, "{found:?}");
    assert_eq!(found.multipliers.len(), 1);
    assert!((found.multipliers[0].re - (-0.2 * found.period).exp()).abs() < 1e-10, "{found:?}");
}

/// Without torque: a turn takes 2π/agm(v, √(v² − 4)) with the speed v below, in either direction.
#[test]
fn a_free_turn() {
    let source =
        "/// A pendulum. \n system P { coordinates { θ } kinetic = θ̇^2/2; potential = -cos(θ);
        event below { guard = sin(θ); both; } }";
    for (v, count) in [(2.5, 2), (-3.0, 2), (2.5, 4)] {
        let start = State::new(0.0, [0.0], [v]);
        let found = orbit(source, &start, Section::Events { event: 0, count });
        let (mut a, mut b) = (v.abs(), (v * v - 4.0).sqrt());
        for _ in 0..7 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        let turns = 0.5 * count as f64;
        assert!((found.period - turns * TAU / a).abs() < 1e-11, "{found:?} {}", TAU / a);
    }
}

/// A sleeping top comes back after a whole turn, in which its quaternion changes the sign, with multipliers e^(± iφ):
/// I₁ σ² − I₃ ω σ + m g l = 0 of its axis, in space.
#[test]
fn a_top_after_a_turn() {
    let source =
        "/// A top. \n system T { rotation R { body: p, q, r } kinetic = p^2 + q^2 + r^2/2;
        potential = 4*R[3][3]; }";
    let ω = 7.0;
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, ω]);
    for turns in [1.0, 2.0] {
        let found = orbit(source, &start, Section::Period(turns * TAU / ω));
        assert_eq!(found.state.q[0].signum(), 1.0);
        let root = (ω * ω - 32.0).sqrt();
        for rate in [(ω + root) / 4.0, (ω - root) / 4.0] {
            let angle = rate * turns * TAU / ω;
            let expected = [angle.cos(), angle.sin()];
            let is_one = found.multipliers.iter().any(|multiplier| {
                (multiplier.re - expected[0]).abs()
                    + (multiplier.im.abs() - expected[1].abs()).abs()
                    < 1e-9
            });
            assert!(is_one, "{angle}: {found:?}");
        }
    }
}

/// Rest at 0 is an orbit of Mathieu's equation, also from beside it.
#[test]
fn rest_beside_a_guess() {
    let source = "/// Mathieu's. \n system M { coordinates { x } kinetic = ẋ^2/2;
        potential = (1.3 + 0.4*cos(2*t))*x^2/2; dissipation = 0.05*ẋ^2; }";
    let at = |x: f64| orbit(source, &State::new(0.0, [x], [0.2 * x]), Section::Period(PI));
    let rest = at(0.0);
    for guess in [1e-3, 0.3, 50.0] {
        let found = at(guess);
        assert!(found.state.q[0].abs() <= 1e-12 * guess, "{found:?}");
        for (one, other) in found.multipliers.iter().zip(&rest.multipliers) {
            assert!((one.re - other.re).abs() + (one.im - other.im).abs() < 1e-9, "{found:?}");
        }
    }
}

/// A body on a pivot that goes over the top: after a turn it is as it was, and its quaternion has the other sign, at the section as
/// well. A turn takes 2π/agm(p, √(p² − 4 m g l/I₁)); the multipliers by differences of SciPy's DOP853 at 1e-12.
#[test]
fn a_body_that_goes_over() {
    let source = "/// A body. \n system B { rotation R { body: p, q, r }
        kinetic = (p^2 + 1.2*q^2 + 0.5*r^2)/2; potential = -2*R[3][3];
        event below { guard = R[2][3]; falling; } }";
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], [4.5, 0.0, 0.0]);
    let expected = [12.719_763, 1.0, 1.0, 1.0, 0.078_617_8];
    for count in [1, 2] {
        let found = orbit(source, &start, Section::Events { event: 0, count });
        let (mut a, mut b) = (4.5_f64, 3.5_f64);
        for _ in 0..7 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        assert!((found.period - count as f64 * TAU / a).abs() < 1e-11, "{found:?} {}", TAU / a);
        assert_eq!(found.multipliers.len(), expected.len(), "{found:?}");
        for (multiplier, expected) in found.multipliers.iter().zip(expected) {
            let expected = f64::powi(expected, i32::try_from(count).unwrap());
            let off = (multiplier.re - expected).abs() + multiplier.im.abs();
            assert!(off < 1e-5 * expected.max(1.0), "{found:?}");
        }
    }
}
