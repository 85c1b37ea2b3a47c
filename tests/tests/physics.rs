//! Laws of mechanics that a run must obey, whatever the equations were: balances of energy and
//! power, one motion in two descriptions, closed forms, impact laws.
#![allow(non_snake_case, reason = "the names of the documents: Ω, R, C")]

use eom_core::impact::ImpactMap;
use eom_core::{Contacts, Declared, End, EventKind, Law, Method, Options, Sampling, State, System};
use eom_tests::systems::{
    Ball, BallByReset, Charge, Coin, Coupled, Cyclotron, DoublePendulum, KnifeEdge, Lattice,
    Paddle, Particle, Pendulum, RheonomicPendulum, RodPendulum, ShakenPendulum, Sleigh, Snakeboard,
    Stepper,
};
use eom_tests::{random, run, run_with, start_of, until};
use fastrand::Rng;
use models::Penny;

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

fn system<T: Declared>() -> T {
    T::with_parameters(&vec![None; T::INFO.parameters.len()]).expect("the defaults are valid")
}

/// Along a run from a state, T + V stays, to rounding of some hundred steps.
fn check_energy(system: &dyn System, start: &State, t: f64) {
    let trajectory = run(system, start, &until(start.t + t));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    let initial = system.energy(start.t, &start.q, &start.v);
    let scale = initial.kinetic.abs() + initial.potential.abs() + 1.0;
    for State { t, q, v } in &trajectory.samples {
        let what = format!("{} at t = {t}", system.info().name);
        check(&what, system.energy(*t, q, v).total(), initial.total(), 2e-13 * scale);
    }
}

#[test]
fn conservative_systems_keep_their_energy() {
    check_energy(&system::<DoublePendulum>(), &State::new(0.0, [2.0, 1.0], [0.0, 1.0]), 5.0);
    check_energy(&system::<Particle>(), &State::new(0.0, [0.1, 0.2], [1.0, -1.0]), 5.0);
    check_energy(&system::<Pendulum>(), &State::new(0.0, [3.0], [0.0]), 5.0);
    check_energy(&system::<RodPendulum>(), &start_of(&system::<RodPendulum>(), 0).0, 5.0);
    let rolling = State::new(0.0, [0.0, 0.0, 0.5], [0.0, 0.0, 1.5]);
    let mut sleigh = rolling.clone();
    (sleigh.v[0], sleigh.v[1]) = (0.5_f64.cos(), 0.5_f64.sin());
    check_energy(&system::<Sleigh>(), &sleigh, 5.0);
    check_energy(&system::<KnifeEdge>(), &rolling, 5.0);
    check_energy(&system::<Coin>(), &start_of(&system::<Coin>(), 0).0, 5.0);
    check_energy(&system::<Lattice>(), &start_of(&system::<Lattice>(), 0).0, 2.0);
}

/// d(T + V)/dt = power of forces and friction: the integral by the trapezoidal rule on dense samples,
/// extrapolated once (Simpson).
fn check_power(system: &dyn System, t: f64, power: impl Fn(&State, &[f64]) -> f64) {
    const INTERVALS: usize = 4096;
    let (start, inputs) = start_of(system, 0);
    let interval = t / INTERVALS as f64;
    let options = Options { sampling: Sampling::Every(interval), ..until(t) };
    let trajectory = run_with(system, &start, &inputs, &options);
    let name = system.info().name;
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{name}: {}", trajectory.end);
    assert_eq!(trajectory.samples.len(), INTERVALS + 1, "{name}");
    let energy = |state: &State| system.energy(state.t, &state.q, &state.v).total();
    let mut work = 0.0;
    for three in trajectory.samples.windows(3).step_by(2) {
        let powers: Vec<f64> = three.iter().map(|state| power(state, &inputs)).collect();
        work += interval / 3.0 * (powers[0] + 4.0 * powers[1] + powers[2]);
    }
    let last = trajectory.last().expect("samples");
    // Simpson's error is (t/180) h⁴ times the fourth derivative of the power, or, at a kink as that of
    // |x1|, h² times the jump of its slope: h² is below 6e-7, the jump below 1.
    check(name, energy(last) - energy(&start), work, 1e-7);
    assert!(work.abs() > 1e-3, "{name}: the test needs some work done, {work}");
}

#[test]
fn energy_changes_by_the_work_done() {
    let pendulum = Pendulum { c: 0.5, ..Pendulum::default() };
    check_power(&pendulum, 3.0, |state, _| -0.5 * state.v[0] * state.v[0]);
    let board = system::<Snakeboard>();
    check_power(&board, 1.0, |state, u| u[0] * state.v[3] + u[1] * state.v[4]);
    let coupled = Coupled::default();
    check_power(&coupled, 3.0, |State { t, q, v }, u| {
        let slip = v[0] - v[1];
        let force = u[0] * (3.0 * t).cos() - 0.1 * q[0].abs() * v[0];
        force * v[0] - 0.1 * slip * slip
    });
    // A row that drives: its force times the driven velocity.
    let shaken = system::<ShakenPendulum>();
    check_power(&shaken, 2.0, |State { t, q, v }, _| {
        let (mut a, mut λ) = ([0.0; 2], [0.0]);
        shaken.accelerations(*t, q, v, &[], &mut a, &mut λ);
        λ[0] * v[0]
    });
}

/// dJ/dt = −∂L/∂t − friction for J = v·∂L/∂v − L; without friction J differs from T + V, whose
/// rate is the power of the pivot.
#[test]
fn a_moving_pivot_separates_jacobi_and_energy() {
    let pendulum = RheonomicPendulum { c: 0.0, ..RheonomicPendulum::default() };
    let (m, l, g, A, Ω) = (pendulum.m, pendulum.l, pendulum.g, pendulum.A, pendulum.Omega);
    let mut rng = Rng::with_seed(7);
    for _ in 0..20 {
        let State { t, q, v } = random::state(&mut rng, RheonomicPendulum::INFO);
        let energy = pendulum.energy(t, &q, &v);
        let pivot = -A * Ω * (Ω * t).sin();
        let (x_dot, y_dot) = (l * q[0].cos() * v[0], pivot + l * q[0].sin() * v[0]);
        check("T", energy.kinetic, m / 2.0 * (x_dot * x_dot + y_dot * y_dot), 1e-13);
        check("V", energy.potential, m * g * (A * (Ω * t).cos() - l * q[0].cos()), 1e-13);
        // J = T₂ − T₀ + V.
        let jacobi = m / 2.0 * (l * l * v[0] * v[0] - pivot * pivot) + energy.potential;
        check("J", energy.jacobi, jacobi, 1e-13);
        assert!((energy.jacobi - energy.total()).abs() > 1e-6, "they differ");
    }
    let still = RheonomicPendulum { A: 0.0, ..pendulum };
    let energy = still.energy(0.3, &[1.0], &[2.0]);
    check("J = T + V where nothing moves", energy.jacobi, energy.total(), 1e-14);
}

#[test]
fn a_pendulum_on_a_rod_is_a_pendulum_with_an_angle() {
    let (rod, angle) = (RodPendulum::default(), Pendulum::default());
    let options = Options { sampling: Sampling::Every(0.125), ..until(3.0) };
    let in_plane = run(&rod, &start_of(&rod, 0).0, &options);
    let by_angle = run(&angle, &start_of(&angle, 0).0, &options);
    let times = |samples: &[State]| samples.iter().map(|state| state.t).collect::<Vec<_>>();
    let wanted: Vec<f64> = (0..=24).map(|i| f64::from(i) * 0.125).collect();
    assert_eq!(times(&in_plane.samples), wanted);
    assert_eq!(times(&by_angle.samples), wanted);
    for (plane, angle) in in_plane.samples.iter().zip(&by_angle.samples) {
        let (θ, ω) = (angle.q[0], angle.v[0]);
        let at = |what: &str| format!("{what} at t = {}", angle.t);
        check(&at("x"), plane.q[0], θ.sin(), 1e-12);
        check(&at("y"), plane.q[1], -θ.cos(), 1e-12);
        check(&at("ẋ"), plane.v[0], ω * θ.cos(), 1e-11);
        check(&at("ẏ"), plane.v[1], ω * θ.sin(), 1e-11);
        check(&at("rod"), plane.q[0].hypot(plane.q[1]), 1.0, 1e-15);
    }
}

/// The knife edge on an incline, from rest but turning at ω: x = (g sin α / 2ω²) sin²ωt,
/// y = (g sin α / 2ω²)(ωt − sin 2ωt / 2) (Neimark, Fufaev).
#[test]
fn the_knife_edge_draws_a_cycloid() {
    let edge = KnifeEdge::default();
    let ω = 1.5;
    let start = State::new(0.0, [0.0; 3], [0.0, 0.0, ω]);
    let options = Options { sampling: Sampling::Every(0.25), ..until(5.0) };
    let size = edge.g * edge.alpha.sin() / (2.0 * ω * ω);
    for State { t, q, .. } in run(&edge, &start, &options).samples {
        let (sin, angle) = ((ω * t).sin(), ω * t);
        check(&format!("x at {t}"), q[0], size * sin * sin, 1e-12);
        check(&format!("y at {t}"), q[1], size * (angle - (2.0 * angle).sin() / 2.0), 1e-12);
    }
}

/// A charge circles at the rate B/m: x = sin(ωt)/ω, y = (cos(ωt) − 1)/ω from ẋ = 1.
#[test]
fn a_charge_circles_in_a_magnetic_field() {
    let charge = Cyclotron::default();
    let ω = charge.B / charge.m;
    let trajectory = run(&charge, &start_of(&charge, 0).0, &until(5.0));
    for State { t, q, v } in &trajectory.samples {
        check(&format!("x at {t}"), q[0], (ω * t).sin() / ω, 1e-13);
        check(&format!("y at {t}"), q[1], ((ω * t).cos() - 1.0) / ω, 1e-13);
        check("jacobi is m v²/2", charge.energy(*t, q, v).jacobi, 0.5, 1e-14);
    }
}

/// Five coordinates, two constraints: a coin that leans by θ and turns at Ω keeps both where its
/// spin about the axle w = ψ̇ + Ω sin θ satisfies, from the balance of angular momentum,
/// A Ω² sin θ cos θ − (C + mR²) w Ω cos θ − m g R sin θ = 0.
#[test]
fn a_leaning_coin_turns_steadily() {
    let coin = system::<Coin>();
    let (θ, Ω) = (0.4_f64, 1.7);
    let (sin, cos) = θ.sin_cos();
    let w = (coin.A * Ω * Ω * sin * cos - coin.m * coin.g * coin.R * sin)
        / ((coin.C + coin.m * coin.R * coin.R) * Ω * cos);
    let ψ_dot = w - Ω * sin;
    let start = State::new(0.0, [0.0, 0.0, θ, 0.0, 0.0], [coin.R * ψ_dot, 0.0, 0.0, Ω, ψ_dot]);
    let options = Options { sampling: Sampling::Every(0.1), ..until(3.0) };
    for State { t, q, v } in run(&coin, &start, &options).samples {
        check(&format!("lean at {t}"), q[2], θ, 1e-12);
        check(&format!("turn at {t}"), v[3], Ω, 1e-12);
        check(&format!("heading at {t}"), q[3], Ω * t, 1e-12);
        // The contact point goes round a circle of radius R ψ̇/Ω.
        check(&format!("x at {t}"), q[0], coin.R * ψ_dot / Ω * (Ω * t).sin(), 1e-11);
        check(&format!("y at {t}"), q[1], coin.R * ψ_dot / Ω * (1.0 - (Ω * t).cos()), 1e-11);
    }
}

/// The rotor and the board exchange angular momentum only through the wheels: with the wheels
/// straight (φ = 0) the board cannot turn, so that the rotor alone takes up its torque.
#[test]
fn a_snakeboard_with_straight_wheels_only_spins_its_rotor() {
    let board = system::<Snakeboard>();
    let start = State::new(0.0, [0.0; 5], [1.0, 0.0, 0.0, 0.0, 0.0]);
    let trajectory = run_with(&board, &start, &[0.1, 0.0], &until(2.0));
    let last = trajectory.last().expect("samples");
    check("x", last.q[0], 2.0, 1e-13);
    check("y", last.q[1], 0.0, 1e-14);
    check("θ", last.q[2], 0.0, 1e-14);
    check("ψ̇", last.v[3], 0.1 * 2.0 / board.J, 1e-11);
}

/// A bounce by contact and by reset are one motion.
#[test]
fn a_reset_bounces_as_a_contact_does() {
    let (ball, by_reset) = (Ball::default(), BallByReset::default());
    let contact = run(&ball, &start_of(&ball, 0).0, &until(1.4));
    let reset = run(&by_reset, &start_of(&by_reset, 0).0, &until(1.4));
    let bounces: Vec<_> = reset
        .events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::Declared { event: 0 }))
        .collect();
    let (mut t, mut speed) = ((2.0 / ball.g).sqrt(), (2.0 * ball.g).sqrt());
    assert_eq!(contact.events.len(), bounces.len());
    assert_eq!(bounces.len(), 2);
    for (impact, bounce) in contact.events.iter().zip(bounces) {
        check("contact", impact.t, t, 1e-14);
        check("reset", bounce.t, t, 1e-14);
        speed *= ball.e;
        check("v⁺ of the contact", impact.v_plus()[1], speed, 1e-13);
        check("v⁺ of the reset", bounce.v_plus()[1], speed, 1e-13);
        t += 2.0 * speed / ball.g;
    }
    let last = |samples: &[State]| samples.last().expect("samples").clone();
    let (a, b) = (last(&contact.samples), last(&reset.samples));
    for (a, b) in a.q.iter().chain(&a.v).zip(b.q.iter().chain(&b.v)) {
        check("the last state", *a, *b, 1e-13);
    }
}

/// On a moving paddle the relative velocity turns round, and between impacts the ball falls.
#[test]
fn a_paddle_reflects_the_relative_velocity() {
    let paddle = Paddle::default();
    let trajectory = run(
        &paddle,
        &start_of(&paddle, 0).0,
        &Options { until_impacts: Some(5), ..Options::default() },
    );
    assert!(matches!(trajectory.end, End::ReachedImpacts { .. }), "{}", trajectory.end);
    let (mut t, mut y, mut v) = (0.0, 1.0, 0.0);
    for event in &trajectory.events {
        let τ = event.t - t;
        check("y", event.q_minus()[0], y + v * τ - paddle.g * τ * τ / 2.0, 1e-13);
        check("ẏ⁻", event.v_minus()[0], v - paddle.g * τ, 1e-12);
        let height = paddle.A * (paddle.ω * event.t).sin();
        let speed = paddle.A * paddle.ω * (paddle.ω * event.t).cos();
        check("gap", event.q_minus()[0] - height, 0.0, 1e-14);
        check("ẏ⁺", event.v_plus()[0], 2.0 * speed - event.v_minus()[0], 1e-13);
        (t, y, v) = (event.t, event.q_plus()[0], event.v_plus()[0]);
    }
}

/// A reset takes its right sides from before: s and c change places, and so do their rates.
#[test]
fn a_reset_uses_the_values_from_before() {
    let stepper = Stepper::default();
    let trajectory = run(&stepper, &start_of(&stepper, 0).0, &until(1.2));
    let turn = trajectory
        .events
        .iter()
        .find(|event| matches!(event.kind, EventKind::Declared { event: 0 }))
        .expect("it turns");
    check("t", turn.t, 1.0, 1e-14);
    check("s⁺", turn.q_plus()[0], 0.25, 1e-14);
    check("c⁺", turn.q_plus()[1], 1.0, 1e-14);
    check("ṡ⁺", turn.v_plus()[0], 0.5, 1e-14);
    check("ċ⁺", turn.v_plus()[1], 1.0, 1e-14);
}

/// States of the penny at an edge, rolling towards it.
fn penny_at_the_edge(rng: &mut Rng) -> (Penny, usize, State) {
    let penny = Penny::default();
    loop {
        let contact = rng.usize(0..2);
        let side = if contact == 0 { 1.0 } else { -1.0 };
        let (angle, φ) =
            (random::between(rng, 0.0, std::f64::consts::TAU), random::between(rng, -3.0, 3.0));
        let (Ω, ω) = (random::between(rng, -10.0, 10.0), random::between(rng, -10.0, 10.0));
        let (sin, cos) = φ.sin_cos();
        let q = [
            penny.a * angle.cos() - side * penny.R * cos,
            penny.b * angle.sin() - side * penny.R * sin,
            0.0,
            φ,
        ];
        let v = [penny.R * cos * Ω, penny.R * sin * Ω, Ω, ω];
        let (mut gradients, mut rates) = ([0.0; 8], [0.0; 2]);
        penny.gap_rows(0.0, &q, &mut gradients, &mut rates);
        let rate: f64 = (0..4).map(|i| gradients[4 * contact + i] * v[i]).sum();
        if rate < -0.01 {
            return (penny, contact, State::new(0.0, q, v));
        }
    }
}

/// Plastic: B v⁺ = 0 and T⁻ − T⁺ = T(v⁻ − v⁺) (Carnot). Elastic: v⁺ = 2 v_plastic − v⁻.
#[test]
fn plastic_impacts_stop_the_gap_and_lose_what_carnot_says() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..100 {
        let (penny, contact, State { t, q, v }) = penny_at_the_edge(&mut rng);
        let after = |law: Law| {
            let mut map = ImpactMap::new(&penny);
            map.load(&penny, contact, t, &q).expect("the rows are independent");
            let mut v_plus = v.clone();
            map.apply(&penny, law, &mut v_plus).expect("the law applies");
            (v_plus.clone(), map.gap_rate(&v_plus))
        };
        let kinetic = |v: &[f64]| penny.energy(t, &q, v).kinetic;
        let scale = kinetic(&v);
        let (plastic, rate) = after(Law::Plastic);
        check("ġ⁺ of plastic", rate, 0.0, 1e-13);
        let lost: Vec<f64> = v.iter().zip(&plastic).map(|(a, b)| a - b).collect();
        check("Carnot", kinetic(&v) - kinetic(&plastic), kinetic(&lost), 1e-14 * scale.max(1e-6));
        for e in [0.0, 0.3, 1.0] {
            let (restituted, _) = after(Law::Restitution(e));
            for i in 0..4 {
                let wanted = (1.0 + e) * plastic[i] - e * v[i];
                check("v⁺ of restitution", restituted[i], wanted, 1e-13 * 20.0);
            }
        }
        let (elastic, _) = after(Law::Elastic);
        check("energy of elastic", kinetic(&elastic), scale, 1e-14 * scale);
    }
}

/// The projected law is (28) with C of (29), then π of (32), (33), as printed.
#[test]
fn the_projected_law_is_the_documents() {
    let mut rng = Rng::with_seed(13);
    for _ in 0..100 {
        let (penny, contact, State { t, q, v }) = penny_at_the_edge(&mut rng);
        let Penny { R, m, I, J, a, b } = penny;
        let r = if contact == 0 { R } else { -R };
        let (sin, cos) = q[3].sin_cos();
        let (hx, hy) = (2.0 * (q[0] + r * cos) / (a * a), 2.0 * (q[1] + r * sin) / (b * b));
        let turn = hy * cos - hx * sin;
        let C = -2.0 * (hx * v[0] + hy * v[1] + r * turn * v[3])
            / ((hx * hx + hy * hy) / m + r * r * turn * turn / J);
        let w = [v[0] + C / m * hx, v[1] + C / m * hy, v[2], v[3] + C / J * r * turn];
        let along = m * R * (cos * w[0] + sin * w[1]) + I * w[2];
        let Ω = along / (I + m * R * R);
        let wanted = [R * cos * Ω, R * sin * Ω, Ω, w[3]];
        let mut map = ImpactMap::new(&penny);
        map.load(&penny, contact, t, &q).expect("the rows are independent");
        let mut found = v.clone();
        match map.apply(&penny, Law::Project, &mut found) {
            Ok(rates) => assert!(rates.plus >= -rates.tolerance),
            Err(error) => panic!("{error}"),
        }
        for i in 0..4 {
            check(&format!("v⁺[{i}]"), found[i], wanted[i], 1e-12);
        }
    }
}

/// Errata are decided at compile time: what is printed must not follow, what corrects it must.
mod errata {
    eom_core::lagrangian! {
        pub(super) system Corrected {
            document "a document with a misprint";
            coordinates { θ }
            parameters { m = 1 where m > 0, l = 1 where l > 0, g = 9.81 }
            kinetic = m/2*l^2*θ̇^2;
            potential = -m*g*l*cos(θ);
            /// The printed sign is wrong.
            erratum eq1: m*l^2*θ̈ = m*g*l*sin(θ); corrected: m*l^2*θ̈ = -m*g*l*sin(θ);
            claim eq2: energy = jacobi;
            claim eq3 when θ = pi/2: l*θ̈ = -g;
        }
    }
}

#[test]
fn errata_are_in_the_metadata() {
    use eom_core::info::ClaimKind;
    let claims = errata::Corrected::INFO.claims;
    let names: Vec<_> = claims.iter().map(|claim| (claim.name, claim.kind)).collect();
    let expected =
        [("eq2", ClaimKind::Claim), ("eq3", ClaimKind::Claim), ("eq1", ClaimKind::Erratum)];
    assert_eq!(names, expected);
    assert_eq!(claims.iter().map(|claim| claim.when).collect::<Vec<_>>(), ["", "θ = pi/2", ""]);
    assert_eq!(claims[2].printed, "m*l^2*θ̈ = m*g*l*sin(θ)");
    assert_eq!(claims[2].corrected, "m*l^2*θ̈ = -m*g*l*sin(θ)");
    assert_eq!(claims[2].doc, "The printed sign is wrong.");
    assert_eq!(claims[2].difference.as_str(), "-2*m*g*l*sin(θ)");
}

/// A coordinate near 0 beside large ones, in which the rounding of a constraint is no small part of it.
mod spool {
    eom_core::lagrangian! {
        /// A spool that rolls down a wedge, which slides on ice and is held by a spring.
        pub(super) system Spool {
            coordinates { X, s, φ }
            parameters {
                M = 2 where M > 0, m = 0.5 where m > 0, r = 0.1 where r > 0, J = 0.003 where J > 0,
                α = 0.4, k = 30 where k >= 0, g = 9.81,
            }
            let x = X + s*cos(α);
            let y = -s*sin(α);
            kinetic = M/2*Ẋ^2 + m/2*(ẋ^2 + ẏ^2) + J/2*φ̇^2;
            potential = m*g*y + k/2*X^2;
            holonomic { roll: s - r*φ = 0; }
        }
    }
}

/// With μ = m + J/r²: X = X₀ (1 − cos ωt), s = v₀t + (m g sin α/μ) t²/2 − (m cos α/μ) X, where
/// X₀ = −m² g sin α cos α/(μk), ω² = k/(M + m − m² cos² α/μ).
#[test]
fn a_small_coordinate_beside_large_ones_is_kept_on_its_constraint() {
    let [M, m, r, J, α, k, g] = [2.0_f64, 0.5, 0.1, 0.003, 0.4, 30.0, 9.81];
    let (t, μ, v) = (20.0, m + J / (r * r), 0.5);
    let ω = (k / (M + m - (m * α.cos()).powi(2) / μ)).sqrt();
    let X = -m * m * g * α.sin() * α.cos() / (μ * k) * (1.0 - (ω * t).cos());
    let s = v * t + m * g * α.sin() / μ * t * t / 2.0 - m * α.cos() / μ * X;
    let start = State::new(0.0, [0.0; 3], [0.0, v, v / r]);
    let trajectory = run(&system::<spool::Spool>(), &start, &until(t));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    let end = trajectory.samples.last().expect("the start at least");
    check("X", end.q[0], X, 1e-8);
    check("s", end.q[1], s, 1e-8);
    check("s − rφ", end.q[1] - r * end.q[2], 0.0, 1e-13);
}

/// γ m v̇ = B (ẏ, −ẋ): the velocity turns at the rate B/(γ m), and M = γ m (1 + γ² v vᵀ/c²).
#[test]
fn a_fast_charge_goes_in_circles() {
    let charge = Charge::default();
    let (m, c, B) = (charge.m, charge.c, charge.B);
    let (start, _) = start_of(&charge, 0);
    let [vx, vy] = [start.v[0], start.v[1]];
    let γ = 1.0 / (1.0 - (vx * vx + vy * vy) / (c * c)).sqrt();
    let mut mass = [0.0; 4];
    charge.mass_matrix_at(0.0, &start.q, &start.v, &mut mass);
    let along = |a: f64, b: f64| γ.powi(3) * m * a * b / (c * c);
    let wanted = [γ * m + along(vx, vx), along(vx, vy), along(vy, vx), γ * m + along(vy, vy)];
    for (found, wanted) in mass.iter().zip(wanted) {
        check("M", *found, wanted, 1e-15 * γ.powi(3) * m);
    }
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        let trajectory = run(&charge, &start, &Options { method, ..until(100.0) });
        let last = trajectory.last().expect("an end");
        let (sin, cos) = (100.0 * B / (γ * m)).sin_cos();
        check("ẋ", last.v[0], vx * cos + vy * sin, 1e-10);
        check("ẏ", last.v[1], vy * cos - vx * sin, 1e-10);
        let radius = γ * m / B;
        check("x", last.q[0], radius * (vx * sin + vy * (1.0 - cos)), 1e-9);
        check("y", last.q[1], radius * (vy * sin - vx * (1.0 - cos)), 1e-9);
    }
}
