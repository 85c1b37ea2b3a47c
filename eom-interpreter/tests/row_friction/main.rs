//! Friction of constraint rows, on |λ|: runs against closed forms, impacts, readings, messages.
#![allow(
    mixed_script_confusables,
    confusable_idents,
    non_snake_case,
    reason = "the names of the declarations"
)]

#[path = "../../../tests/drawn.rs"]
mod drawn;
mod generated;
mod hoop;
mod impacts;
mod jams;
mod lengths;
mod messages;
mod pins;
mod random;
mod readings;
mod servos;
mod sockets;
mod systems;

use eom_core::{End, EventKind, Method, Options, State, System, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const G: f64 = 9.81;

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:?}, wanted {wanted:?}, error {error:e}");
}

/// A system with values of its first parameters.
fn system(source: &str, parameters: &[f64]) -> Interpreted {
    let system = Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let mut values: Vec<Option<f64>> = parameters.iter().copied().map(Some).collect();
    values.resize(system.info().parameters.len(), None);
    system.with_parameters(&values).expect("the parameters are in their bounds")
}

fn run_by(
    system: &Interpreted,
    method: Method,
    (q, v): (&[f64], &[f64]),
    until: f64,
) -> Trajectory {
    let options = Options { until_time: Some(until), method, ..Options::default() };
    let start = State::new(0.0, q, v);
    simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
        .expect("the start is possible")
}

fn run(system: &Interpreted, q: &[f64], v: &[f64], until: f64) -> Trajectory {
    run_by(system, Method::RungeKutta, (q, v), until)
}

fn complete(trajectory: &Trajectory) -> &State {
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory.last().expect("it has run")
}

/// Times at which a term begins to stick (+) and to slide (−), with its number from 1.
fn changes(trajectory: &Trajectory) -> Vec<(f64, isize)> {
    let number = |friction: usize| isize::try_from(friction + 1).expect("few terms");
    let change = |kind: &EventKind| match *kind {
        EventKind::Stick { friction } => Some(number(friction)),
        EventKind::Slip { friction } => Some(-number(friction)),
        _ => None,
    };
    trajectory.events.iter().filter_map(|e| change(&e.kind).map(|change| (e.t, change))).collect()
}

#[test]
fn a_bead_on_an_inclined_wire_sticks_iff_friction_is_as_steep() {
    for φ in [0.1_f64, 0.3, 0.7, 1.2] {
        for (part, sticks) in [(1e-13, true), (1e-9, true), (-1e-13, false), (-1e-9, false)] {
            let μ = φ.tan() * (1.0 + part);
            let wire = system(systems::WIRE, &[φ, μ, μ]);
            let trajectory = run(&wire, &[0.0, 0.0], &[0.0, 0.0], 1.0);
            let last = complete(&trajectory);
            assert_eq!(last.v == [0.0, 0.0], sticks, "{φ} {part:e}: {:?}", last.v);
            let along = last.v[0] * φ.cos() + last.v[1] * φ.sin();
            let a = if sticks { 0.0 } else { -G * (φ.sin() - μ * φ.cos()) };
            check("slide", along, a, 1e-14);
        }
    }
}

#[test]
fn a_bead_that_is_pushed_up_stops_and_stays_or_comes_back() {
    for (φ, μ) in [(0.4_f64, 0.6), (0.4, 0.3), (0.9, 0.2)] {
        let wire = system(systems::WIRE, &[φ, μ, μ]);
        for method in METHODS {
            let start = (&[0.0, 0.0][..], &[2.0 * φ.cos(), 2.0 * φ.sin()][..]);
            let trajectory = run_by(&wire, method, start, 2.0);
            let last = complete(&trajectory);
            let (up, down) = (G * (φ.sin() + μ * φ.cos()), G * (φ.sin() - μ * φ.cos()).max(0.0));
            let stop = 2.0 / up;
            let left = 2.0 - stop;
            let place = 2.0 / up - 0.5 * down * left * left;
            check("place", last.q[0] * φ.cos() + last.q[1] * φ.sin(), place, 1e-12);
            check("speed", last.v[0] * φ.cos() + last.v[1] * φ.sin(), -down * left, 1e-12);
            let sticks = changes(&trajectory);
            if down == 0.0 {
                let [(t, 1)] = sticks[..] else { panic!("{:?}", trajectory.events) };
                check("stop", t, stop, 1e-12);
                assert_eq!(last.v, [0.0, 0.0]);
            } else {
                assert_eq!(sticks, []);
            }
        }
    }
}

#[test]
fn a_belt_round_a_drum_holds_as_euler_and_eytelwein_have_it() {
    // |λ| = m v²/r: v = v₀ exp(−μ θ), 1/v = 1/v₀ + μ t/r, on both sides of the wire.
    let (r, v0, t) = (0.5, 3.0, 4.0);
    for (source, start) in [
        (systems::CIRCLE, (&[r, 0.0][..], &[0.0, v0][..])),
        (systems::POLAR, (&[r, 0.0][..], &[0.0, v0 / r][..])),
    ] {
        for μ in [0.05, 0.3, 1.0, 5.0] {
            let circle = system(source, &[r, μ]);
            for method in METHODS {
                let trajectory = run_by(&circle, method, start, t);
                let last = complete(&trajectory);
                let v = 1.0 / (1.0 / v0 + μ * t / r);
                let θ = (1.0 + μ * v0 * t / r).ln() / μ;
                let (speed, angle) = if start.0[1] == 0.0 && source == systems::POLAR {
                    (r * last.v[1], last.q[1])
                } else {
                    (last.v[0].hypot(last.v[1]), θ + (last.q[1].atan2(last.q[0]) - θ).sin())
                };
                check("speed", speed, v, 1e-12 * v0);
                check("Eytelwein", speed, v0 * (-μ * θ).exp(), 1e-12 * v0);
                check("angle", angle, θ, 1e-11);
            }
        }
    }
}

#[test]
fn what_sticks_by_more_breaks_away_at_its_limit() {
    let (μ_s, μ, rate) = (0.6, 0.25, 2.0);
    let wire = system(systems::PULLED, &[0.0, μ, μ_s, rate]);
    let trajectory = run(&wire, &[0.0, 0.0], &[0.0, 0.0], 5.0);
    let last = complete(&trajectory);
    let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
    check("breaks away", t, μ_s * G / rate, 1e-12);
    let τ = 5.0 - μ_s * G / rate;
    check("speed", last.v[0], (μ_s - μ) * G * τ + rate * τ * τ / 2.0, 1e-11);
    check("place", last.q[0], (μ_s - μ) * G * τ * τ / 2.0 + rate * τ.powi(3) / 6.0, 1e-11);
}

#[test]
fn what_bears_nothing_is_free() {
    // No load at all: a straight wire without gravity has λ = 0, whatever μ.
    let wire = system(systems::UNLOADED, &[0.7]);
    let last = run(&wire, &[0.0, 0.0], &[1.0, 0.0], 3.0);
    assert_eq!(complete(&last).v, [1.0, 0.0]);
    let rest = run(&wire, &[0.0, 0.0], &[0.0, 0.0], 3.0);
    assert_eq!(complete(&rest).q, [0.0, 0.0]);
}

#[test]
fn a_load_that_swings_presses_on_both_sides() {
    // N = cos t, across: v falls by μ∫|cos t|, whatever the sign.
    let wire = system(systems::SWINGING, &[0.1]);
    for method in METHODS {
        for until in [1.0_f64, 2.0, 5.0, 9.0] {
            let last = run_by(&wire, method, (&[0.0, 0.0], &[5.0, 0.0]), until);
            // ∫₀ᵗ|cos| = 2k + (−1)ᵏ sin t with k = ⌊t/π + ½⌋.
            let k = (until / std::f64::consts::PI + 0.5).floor();
            let integral = 2.0 * k + if k % 2.0 == 0.0 { until.sin() } else { -until.sin() };
            check("speed", complete(&last).v[0], 5.0 - 0.1 * integral, 1e-12);
        }
    }
}

#[test]
fn a_row_that_is_no_length_is_scaled_with_its_slip() {
    for (h, μ) in [(0.7_f64, 0.2), (2.0, 0.9), (-1.3, 0.4)] {
        let wire = system(systems::GRAPH, &[h, μ]);
        let last = run(&wire, &[0.0, 0.0], &[0.0, 0.0], 1.0);
        let φ = h.atan();
        let along = -φ.signum() * G * (φ.sin().abs() - μ * φ.cos());
        check("slide", complete(&last).v[0], along * φ.cos(), 1e-12);
    }
}
