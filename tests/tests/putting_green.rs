//! The systems of *The Putting Green* against Newton and Euler in 30 digits (`data/putting_green`),
//! closed forms, and each other.
#![allow(non_snake_case, reason = "the names of the document: R")]

use eom_core::contact::ContactForces;
use eom_core::{
    Declared, End, Event, EventKind, Mode, Options, Sampling, State, System, Trajectory,
};
use eom_tests::{run, run_with, start_of, until};
use models::putting_green::{
    DampedParticle, EulerBall, Hemisphere, NewtonBall, PuttedBall, RollingBall, SurfaceParticle,
};
use serde_json::Value;
use std::path::Path;

/// No turn: the ball is the same all round.
const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

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

/// A ball on the surface, upright.
fn ball(t: f64, q: &[f64], v: &[f64]) -> State {
    State::new(t, [q, &UPRIGHT].concat(), v.to_vec())
}

/// Accelerations, multipliers and forces of contacts at a state, with these contacts closed.
fn solved(system: &dyn System, state: &State, closed: &[usize]) -> [Vec<f64>; 3] {
    let mut forces = ContactForces::new(system);
    let mode = Mode::new(closed.to_vec());
    forces.solve(system, &mode, (state.t, &state.q, &state.v, &[])).expect("a metric");
    [forces.accelerations(), forces.multipliers(), forces.forces()].map(<[f64]>::to_vec)
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

#[test]
fn accelerations_are_those_of_newton_and_euler() {
    for (index, state) in read("states")["states"].as_array().expect("a list").iter().enumerate() {
        let at = |what: &str| format!("state {index}, {what}");
        let [q, v, μ] = ["q", "v", "mu"].map(|name| numbers(&state[name]));
        let wanted = |name: &str, part: &str| numbers(&state[name][part]);

        let newton: NewtonBall = system(&[("mu", μ[0])]);
        let [a, λ, _] = solved(&newton, &ball(0.0, &q, &v), &[]);
        check(&at("newton"), &a, &wanted("newton", "accelerations"), 1e-13);
        check(&at("newton λ"), &λ, &wanted("newton", "multipliers"), 1e-13);

        let rosen: PuttedBall = system(&[("mu_x", μ[0]), ("mu_y", μ[1]), ("mu_z", μ[2])]);
        let [a, _, force] = solved(&rosen, &ball(0.0, &q, &v), &[0]);
        check(&at("rosen"), &a, &wanted("rosen", "accelerations"), 1e-13);
        check(&at("rosen λ"), &force, &wanted("rosen", "multipliers"), 1e-13);
        let [a, _, force] = solved(&rosen, &ball(0.0, &q, &v), &[]);
        check(&at("flight"), &a, &[0.0, 0.0, -9.81, 0.0, 0.0, 0.0], 0.0);
        check(&at("flight λ"), &force, &[0.0], 0.0);

        let rolling: RollingBall = system(&[]);
        let v = numbers(&state["rolling_v"]);
        let [a, λ, _] = solved(&rolling, &ball(0.0, &q, &v), &[]);
        check(&at("rolling"), &a, &wanted("rolling", "accelerations"), 1e-12);
        check(
            &at("contact"),
            &contact_force(&rolling, &q, &λ),
            &wanted("rolling", "multipliers"),
            1e-12,
        );
    }
}

/// (−f_x, −f_y, 1), the gradient of z − f.
fn normal(system: &dyn System, q: &[f64]) -> [f64; 3] {
    let [s, h, a, w] = ["s", "h", "a", "w"].map(|name| {
        let index = system.info().parameters.iter().position(|p| p.ascii == name);
        let mut values = vec![0.0; system.info().parameters.len()];
        system.parameters(&mut values);
        values[index.expect("a parameter of the green")]
    });
    let (u, y) = (q[0] - a, q[1]);
    let slope = -2.0 / (w * w) * h * (-(u * u + y * y) / (w * w)).exp();
    [-slope * u, -s - slope * y, 1.0]
}

/// The force on a rolling ball: λ_x e₁ + λ_y e₂ + λ N of the rows γ_x, γ_y, z − f.
fn contact_force(system: &RollingBall, q: &[f64], λ: &[f64]) -> [f64; 3] {
    let [x, y, z] = normal(system, q);
    [λ[0] + λ[2] * x, λ[1] + λ[2] * y, λ[2] * z]
}

/// v + ω × (−R n̂).
fn slip(system: &dyn System, state: &State, R: f64) -> [f64; 3] {
    let [x, y, z] = normal(system, &state.q);
    let [vx, vy, vz, ωx, ωy, ωz] = <[f64; 6]>::try_from(&state.v[..]).expect("six speeds");
    let c = R / (x * x + y * y + z * z).sqrt();
    [vx - c * (ωy * z - ωz * y), vy - c * (ωz * x - ωx * z), vz - c * (ωx * y - ωy * x)]
}

#[test]
fn a_skidding_ball_follows_the_reference() {
    let skid = &read("trajectories")["skid"];
    let newton: NewtonBall = system(&[("mu", number(&skid["mu"]))]);
    let (start, end) = (&skid["start"], &skid["end"]);
    let start = ball(0.0, &numbers(&start["q"]), &numbers(&start["v"]));
    let trajectory = run_until(&newton, &start, number(&end["t"]));
    check("q", &last(&trajectory).q[..3], &numbers(&end["q"]), 1e-11);
    check("v", &last(&trajectory).v, &numbers(&end["v"]), 1e-11);
}

#[test]
fn a_rolling_ball_follows_the_reference_and_keeps_its_energy() {
    let roll = &read("trajectories")["roll"];
    let rolling: RollingBall = system(&[]);
    let (start, end) = (&roll["start"], &roll["end"]);
    let start = ball(0.0, &numbers(&start["q"]), &numbers(&start["v"]));
    let trajectory = run_until(&rolling, &start, number(&end["t"]));
    check("q", &last(&trajectory).q[..3], &numbers(&end["q"]), 1e-11);
    check("v", &last(&trajectory).v, &numbers(&end["v"]), 1e-11);
    let energy = |state: &State| rolling.energy(state.t, &state.q, &state.v).total();
    for state in &trajectory.samples {
        check("energy", &[energy(state) / energy(&start)], &[1.0], 1e-12);
        check("slip", &slip(&rolling, state, rolling.r), &[0.0; 3], 1e-12);
    }
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
    check_at("release", (opening.t, opening.q_plus(), opening.v_plus()), release, "v");
    let impacts: Vec<&Event> = trajectory.impacts().map(|(_, event)| event).collect();
    let [impact] = impacts[..] else { panic!("it lands once: {impacts:?}") };
    check_at("landing⁻", (impact.t, impact.q_minus(), impact.v_minus()), landing, "v_minus");
    check_at("landing⁺", (impact.t, impact.q_plus(), impact.v_plus()), landing, "v");
    let end = last(&trajectory);
    check_at("end", (end.t, &end.q, &end.v), &hop["end"], "v");
    let closed: Vec<bool> = trajectory.modes.iter().map(|span| span.mode.is_closed(0)).collect();
    assert_eq!(closed, [true, false, true]);
}

#[test]
fn a_putted_ball_hops() {
    check_hop(&system::<PuttedBall>(&[]), |_, v| v.to_vec());
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

/// γ_z = f_x γ_x + f_y γ_y + (z − f)˙: the four rows (53)–(56) together determine no multipliers.
#[test]
fn the_fourth_row_of_rolling_depends_on_the_others() {
    let declared = RollingBall::INFO.source;
    assert!(eom_codegen::derive_source(declared).is_ok(), "as declared");
    let all = declared.replacen("roll_y", "roll_z : γ_z ; roll_y", 1);
    assert_ne!(all, declared);
    let mistakes = eom_codegen::derive_source(&all).expect_err("one row too many");
    let words: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert!(words[0].contains("depends on"), "{words:?}");
}

/// The force that holds a rolling ball, without its part along the normal.
fn tangent_force(rolling: &RollingBall, state: &State) -> Vec<f64> {
    let [_, λ, _] = solved(rolling, state, &[]);
    let (force, n) = (contact_force(rolling, &state.q, &λ), normal(rolling, &state.q));
    let across = dot(&force, &n) / dot(&n, &n);
    force.iter().zip(&n).map(|(force, n)| force - across * n).collect()
}

/// (46): as μ → ∞ the sliding ball becomes the rolling one. The slip γ and the distance of the centres
/// fall as 1/μ, whatever the ratios of the coefficients; where these are equal μγ becomes the friction
/// of the rolling ball, as fast.
#[test]
fn infinite_friction_is_rolling() {
    let rolling: RollingBall = system(&[]);
    let (start, _) = start_of(&rolling, 0);
    let end = 0.5;
    let limit = run_until(&rolling, &start, end);
    let limit = last(&limit);
    let friction = tangent_force(&rolling, limit);
    for ratios in [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]] {
        let deviations = |μ: f64| {
            let [x, y, z] = ratios.map(|ratio| ratio * μ);
            let rough: PuttedBall = system(&[("mu_x", x), ("mu_y", y), ("mu_z", z)]);
            let trajectory = run_until(&rough, &start, end);
            let state = last(&trajectory);
            let γ = slip(&rough, state, rough.r);
            let force = γ.map(|γ| -μ * γ);
            [distance(&state.q[..3], &limit.q[..3]), norm(&γ), distance(&force, &friction)]
        };
        let errors = [4.0, 8.0, 16.0, 32.0].map(deviations);
        let equal = ratios[0] == ratios[2];
        let names = if equal { &["q", "γ", "μγ"][..] } else { &["q", "γ"] };
        for pair in errors.windows(2) {
            for (what, (first, second)) in names.iter().zip(pair[0].iter().zip(&pair[1])) {
                let ratio = first / second;
                assert!((ratio - 2.0).abs() < 0.05, "{what}: {first:e} to {second:e}: {ratio}");
            }
        }
        let [q, γ, force] = errors[3];
        assert!(q < 1e-4 && γ < 1e-3, "{errors:?}");
        assert!(!equal || force < 1e-3 * norm(&friction), "{errors:?}");
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

/// (14): v₀ − μgt straight on, ω = 5μgt/(2R); the point of contact comes to rest at 2v₀/(7μg).
#[test]
fn a_skidding_ball_on_the_level() {
    let (v0, μ, g) = (3.0, 0.2, 9.81);
    let level: NewtonBall = system(&[("s", 0.0), ("h", 0.0), ("mu", μ)]);
    let R = level.R;
    let start = ball(0.0, &[0.0; 3], &[0.6 * v0, 0.8 * v0, 0.0, 0.0, 0.0, 0.0]);
    let end = 0.75;
    let trajectory = run_until(&level, &start, end);
    let [v, s, ω] = [v0 - μ * g * end, v0 * end - μ * g * end * end / 2.0, 2.5 * μ * g * end / R];
    check("q", &last(&trajectory).q[..3], &[0.6 * s, 0.8 * s, 0.0], 1e-13);
    check("v", &last(&trajectory).v, &[0.6 * v, 0.8 * v, 0.0, -0.8 * ω, 0.6 * ω, 0.0], 1e-13);
    let event = trajectory.events.first().expect("the point of contact comes to rest");
    check("t", &[event.t], &[2.0 * v0 / (7.0 * μ * g)], 1e-12);
    check("5/7", &event.v_plus()[..2], &[3.0 / 7.0 * v0, 4.0 / 7.0 * v0], 1e-12);
}

/// On the level γ̇ = −(μ/m)(1 + R²/k²) γ: from sliding to rolling at 5/7 of the speed.
#[test]
fn rosens_ball_on_the_level_starts_to_roll() {
    let (v0, μ) = (3.0, 0.05);
    let level: PuttedBall = system(&[("s", 0.0), ("h", 0.0), ("mu_x", μ)]);
    let (m, r) = (level.m, level.r);
    let start = ball(0.0, &[0.0; 3], &[v0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    for end in [0.1, 1.0, 4.0] {
        let trajectory = run_until(&level, &start, end);
        let rate = 3.5 * μ / m;
        let decayed = 1.0 - (-rate * end).exp();
        let x = v0 * end - μ / m * v0 / rate * (end - decayed / rate);
        let v = v0 - μ / m * v0 / rate * decayed;
        let ω = 2.5 / r * μ / m * v0 / rate * decayed;
        check("q", &last(&trajectory).q[..3], &[x, 0.0, 0.0], 1e-12);
        check("v", &last(&trajectory).v, &[v, 0.0, 0.0, 0.0, ω, 0.0], 1e-12);
    }
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
    check("q", event.q_plus(), &[R, angle], 1e-11);
    check("v", event.v_plus(), &[0.0, θ_dot], 1e-11);
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
