//! The systems of *The Putting Green* against Newton and Euler in 30 digits (`data/putting_green`),
//! closed forms, and each other.
#![allow(non_snake_case, reason = "the names of the document: R")]

use eom_core::{Declared, End, Event, EventKind, Options, Sampling, State, System, Trajectory};
use eom_tests::{run, run_with, start_of, until};
use models::putting_green::{DampedParticle, EulerBall, Hemisphere, SurfaceParticle};
use serde_json::Value;
use std::path::Path;

fn read(name: &str) -> Value {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/putting_green/{name}.json"));
    let text = std::fs::read_to_string(&path).expect("the data are there");
    serde_json::from_str(&text).expect("the data are JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// A system with its defaults, some parameters set; the names are ASCII.
fn system<T: Declared>(set: &[(&str, f64)]) -> T {
    let value = |name: &str| set.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
    let overrides: Vec<_> = T::INFO.parameters.iter().map(|p| value(p.ascii)).collect();
    T::with_parameters(&overrides).expect("within the bounds")
}

/// Each |found − wanted| is below the tolerance times the largest |wanted|, or 1.
fn check(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let scale = wanted.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let error = (found - wanted).abs();
        assert!(
            error <= tolerance * scale,
            "{what}[{i}]: {found:e}, wanted {wanted:e}, error {error:e}"
        );
    }
}

/// A run to a time that is reached.
fn run_until(system: &dyn System, start: &State, t: f64) -> Trajectory {
    let trajectory = run(system, start, &until(t));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory
}

fn last(trajectory: &Trajectory) -> &State {
    trajectory.last().expect("samples")
}

/// Section 5 on the default scenario: the ball loses contact on the mound, flies, lands, goes on.
/// `speeds` are ẋ, ẏ, ż, ω_x, ω_y, ω_z at (q, v).
fn check_hop(system: &dyn System, speeds: fn(&[f64], &[f64]) -> Vec<f64>) {
    let hop = &read("trajectories")["hop"];
    let check_at =
        |what: &str, (t, q, v): (f64, &[f64], &[f64]), wanted: &Value, velocity: &str| {
            let what = format!("{} {what}", system.info().name);
            check(&format!("{what} t"), &[t], &[number(&wanted["t"])], 1e-10);
            check(&format!("{what} q"), &q[..3], &numbers(&wanted["q"]), 1e-10);
            check(&format!("{what} v"), &speeds(q, v), &numbers(&wanted[velocity]), 1e-10);
        };
    let (start, _) = start_of(system, 0);
    check_at("start", (start.t, &start.q, &start.v), &hop["start"], "v");
    let trajectory = run_until(system, &start, number(&hop["end"]["t"]));
    let [release, landing] = &hop["events"].as_array().expect("a list")[..] else {
        panic!("one hop")
    };

    let opens = |event: &&Event| matches!(event.kind, EventKind::Opening { .. });
    let openings: Vec<&Event> = trajectory.events.iter().filter(opens).collect();
    let [opening] = openings[..] else { panic!("it leaves once: {openings:?}") };
    check_at("release", (opening.t, &opening.q_plus, &opening.v_plus), release, "v");
    let impacts: Vec<&Event> = trajectory.impacts().map(|(_, event)| event).collect();
    let [impact] = impacts[..] else { panic!("it lands once: {impacts:?}") };
    check_at("landing⁻", (impact.t, &impact.q_minus, &impact.v_minus), landing, "v_minus");
    check_at("landing⁺", (impact.t, &impact.q_plus, &impact.v_plus), landing, "v");
    let end = last(&trajectory);
    check_at("end", (end.t, &end.q, &end.v), &hop["end"], "v");
    let closed: Vec<bool> = trajectory.modes.iter().map(|span| span.mode.is_closed(0)).collect();
    assert_eq!(closed, [true, false, true]);
}

/// The document takes components along the axes of the ball for those along e₁, e₂, e₃. That changes
/// the angles, not the motion of the centre nor the three numbers (26)–(28).
#[test]
fn the_ball_in_euler_angles_hops_alike() {
    check_hop(&system::<EulerBall>(&[]), |q, v| {
        let (ψ, θ, ψ_dot, θ_dot, φ_dot) = (q[3], q[4], v[3], v[4], v[5]);
        let ω_x = φ_dot * θ.sin() * ψ.sin() + θ_dot * ψ.cos();
        let ω_y = φ_dot * ψ.cos() * θ.sin() - θ_dot * ψ.sin();
        let ω_z = φ_dot * θ.cos() + ψ_dot;
        [&v[..3], &[ω_x, ω_y, ω_z]].concat()
    });
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// (21) with θ̇₀ squared; until then the energy is kept, afterwards the path is a parabola.
#[test]
fn a_particle_leaves_the_hemisphere() {
    let wanted = &read("trajectories")["hemisphere"];
    let [R, rate, t, angle, θ_dot] =
        ["R", "rate", "t", "angle", "rate_at_release"].map(|name| number(&wanted[name]));
    let hemisphere: Hemisphere = system(&[("R", R), ("omega0", rate)]);
    let (start, inputs) = start_of(&hemisphere, 0);
    let end = 0.5;
    let trajectory = run_with(&hemisphere, &start, &inputs, &until(end));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    let event = trajectory.events.first().expect("the particle leaves");
    assert!(matches!(event.kind, EventKind::Opening { contact: 0 }), "{:?}", event.kind);
    check("t", &[event.t], &[t], 1e-11);
    check("q", &event.q_plus, &[R, angle], 1e-11);
    check("v", &event.v_plus, &[0.0, θ_dot], 1e-11);
    assert_eq!(trajectory.events.len(), 1, "it does not come back");
    let (τ, speed) = (end - t, R * θ_dot);
    let x = R * angle.sin() + speed * angle.cos() * τ;
    let y = R * angle.cos() - speed * angle.sin() * τ - 9.81 / 2.0 * τ * τ;
    let State { q, .. } = last(&trajectory);
    check("flight", &[q[0] * q[1].sin(), q[0] * q[1].cos()], &[x, y], 1e-11);
}

/// Without friction T + V stays; damping takes μ(ẋ² + ẏ²) of it.
#[test]
fn particles_on_the_green_lose_what_damping_takes() {
    let free: SurfaceParticle = system(&[]);
    let (start, _) = start_of(&free, 0);
    let energy =
        |system: &dyn System, state: &State| system.energy(state.t, &state.q, &state.v).total();
    for state in &run_until(&free, &start, 3.0).samples {
        check("energy", &[energy(&free, state) / energy(&free, &start)], &[1.0], 1e-12);
    }
    let damped: DampedParticle = system(&[]);
    let (start, _) = start_of(&damped, 0);
    let options = Options { sampling: Sampling::Every(3.0 / 4096.0), ..until(3.0) };
    let trajectory = run(&damped, &start, &options);
    let power = |state: &State| -damped.μ * dot(&state.v, &state.v);
    // Simpson's rule: 3/180 h⁴ times the fourth derivative of the power, below 1e-10.
    let work: f64 = trajectory
        .samples
        .windows(3)
        .step_by(2)
        .map(|three| {
            let [a, b, c] = [0, 1, 2].map(|i| power(&three[i]));
            (a + 4.0 * b + c) * 3.0 / 4096.0 / 3.0
        })
        .sum();
    let lost = energy(&damped, last(&trajectory)) - energy(&damped, &start);
    check("work", &[work / lost], &[1.0], 1e-8);
}
