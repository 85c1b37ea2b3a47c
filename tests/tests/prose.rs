//! Sentences of the documents that speak of whole motions, decided by runs. What is expected was worked out by hand
//! from the declarations: each test fails where the report's verdict on its sentence would be another.
#![allow(non_snake_case, reason = "the names of the document: L1")]

use eom_core::{State, System, Trajectory};
use eom_tests::{run, until};
use models::documents::motion::{Motion, Says};
use models::{FloorBall, RoughParticle, ThinRod, ThinRodHack, TwoParticles, ViscousParticle};
use nalgebra::{DMatrix, DVector};

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

fn run_from(system: &dyn System, v: &[f64], t: f64) -> Trajectory {
    run(system, &State::new(0.0, vec![0.0; v.len()], v), &until(t))
}

fn last(trajectory: &Trajectory) -> &State {
    trajectory.last().expect("a state")
}

/// 1.2, u̇ = 0: nothing acts across the slope.
#[test]
fn a_particle_at_rest_does_not_move_across_the_slope() {
    let trajectory = run_from(&RoughParticle::default(), &[0.0, 0.0], 1.0);
    check("across", last(&trajectory).q[0], 0.0, 0.0);
}

/// 1.2, v̇ = 0: with μ = 0.2 < tan 0.3 the particle slides with g(μ cos φ − sin φ) from the first instant.
#[test]
fn a_particle_at_rest_slides_down_a_steep_slope() {
    let particle = RoughParticle::default();
    assert!(particle.μ < particle.φ.tan());
    let a = particle.g * (particle.μ * particle.φ.cos() - particle.φ.sin());
    let trajectory = run_from(&particle, &[0.0, 0.0], 1.0);
    check("speed", last(&trajectory).v[1], a, 1e-9);
    let gentle = RoughParticle { φ: 0.1, ..particle };
    check("held", last(&run_from(&gentle, &[0.0, 0.0], 1.0)).v[1], 0.0, 0.0);
}

/// t_max = |V₀|/α with α = μg cos φ: no mass in it.
#[test]
fn the_mass_does_not_change_the_time_to_rest() {
    let light = RoughParticle { φ: 0.0, ..RoughParticle::default() };
    let heavy = RoughParticle { m: 7.0, ..light };
    let wanted = 1.5 / (light.μ * light.g);
    for particle in [light, heavy] {
        let trajectory = run_from(&particle, &[1.5, 0.0], 2.0 * wanted);
        check("time", trajectory.events.last().expect("it stops").t, wanted, 1e-10);
    }
}

/// 1.27: −g sin φ/α, from above and from below.
#[test]
fn viscous_friction_has_a_steady_speed() {
    let particle = ViscousParticle::default();
    let α = particle.μ * particle.g * particle.φ.cos();
    let wanted = -particle.g * particle.φ.sin() / α;
    for start in [2.0, -5.0] {
        check("speed", last(&run_from(&particle, &[0.0, start], 30.0)).v[1], wanted, 1e-9);
    }
}

/// 1.28: twice the time, twice the speed.
#[test]
fn dry_friction_has_no_steady_speed() {
    let particle = RoughParticle::default();
    let speed = |t: f64| last(&run_from(&particle, &[0.0, 0.0], t)).v[1];
    let (early, late) = (speed(2.0), speed(20.0));
    assert!(early < 0.0);
    check("growth", late / early, 10.0, 1e-8);
}

/// The centre at rest, the rod spinning: F = μg(m₁ − m₂)(sin θ, −cos θ) sets the centre in motion.
#[test]
fn unequal_masses_drag_the_centre_along() {
    let pair = TwoParticles::default();
    assert!(pair.m1 < pair.m2);
    let (v, t) = ([0.0, 0.0, 6.0], 1e-3);
    let state = run_from(&pair, &v, t);
    // At θ = 0 the force is along −(m₁ − m₂) e_y.
    let wanted = -pair.μ * pair.g * (pair.m1 - pair.m2) / (pair.m1 + pair.m2) * t;
    check("the centre", last(&state).v[1], wanted, 1e-5);
}

/// m₁ = m₂: θ̈ = −2μg m₁L₁/μ₂, μ₂ = 2m₁L₁², until θ̇ = 0.
#[test]
fn equal_masses_spin_on_the_spot_and_stop() {
    let pair = TwoParticles { m1: 2.0, ..TwoParticles::default() };
    let stops = 6.0 * (pair.L / 2.0) / (pair.μ * pair.g);
    let trajectory = run_from(&pair, &[0.0, 0.0, 6.0], 2.0 * stops);
    let state = last(&trajectory);
    check("the centre", f64::hypot(state.q[0], state.q[1]), 0.0, 1e-12);
    check("time", trajectory.events.last().expect("it stops").t, stops, 1e-9);
    check("at rest", state.v[2], 0.0, 0.0);
}

/// θ̈ = −μg ∫|L|dL / ∫L²dL = −(3/2)μg/L₁.
#[test]
fn a_rod_spins_on_the_spot_and_stops() {
    let rod = ThinRod::default();
    let stops = 6.0 / (1.5 * rod.μ * rod.g / rod.L1);
    let trajectory = run_from(&rod, &[0.0, 0.0, 6.0], 1.5 * stops);
    check("the centre", last(&trajectory).q[0], 0.0, 1e-9);
    check("time", trajectory.events.last().expect("it stops").t, stops, 1e-6);
}

/// K = −(3μg/2)(L₁² + L₂²)/(L₁³ + L₂³) < 0 satisfies Kt ≤ |θ̇₀| at all times; the rod stops at −|θ̇₀|/K.
#[test]
fn the_decoupled_rod_stops_though_the_printed_bound_holds_for_ever() {
    let rod = ThinRodHack::default();
    let (a, b) = (rod.L1, rod.L2);
    let K = -1.5 * rod.μ * rod.g * (a * a + b * b) / (a.powi(3) + b.powi(3));
    let stops = -6.0 / K;
    let trajectory = run_from(&rod, &[0.0, 0.0, 6.0], 3.0 * stops);
    check("time", trajectory.events.last().expect("it stops").t, stops, 1e-9);
    let state = last(&trajectory);
    assert!(K * state.t <= 6.0, "the printed bound still holds");
    check("at rest", state.v[2], 0.0, 0.0);
}

/// (6.1) with μ = 0: the point of contact stops, the centre goes on along the floor and the spin about the vertical
/// is kept.
#[test]
fn the_plastic_map_leaves_a_ball_that_rolls_on() {
    let ball = FloorBall { μ: 0.0, ..FloorBall::default() };
    let start =
        State::new(0.0, [0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
    let trajectory = run(&ball, &start, &until(0.5));
    let state = last(&trajectory);
    let J = ball.m * ball.r * ball.r;
    check("the centre", state.v[0], J / (ball.J + J), 1e-9);
    check("rolls", state.v[0] - ball.r * state.v[4], 0.0, 1e-9);
    check("the spin", state.v[5], 5.0, 1e-12);
}

/// What is linear, fixes ker B, keeps the length in the metric G and changes nothing but what is across ker B is
/// R = I + W (Q − I) Wᵀ G, the columns of W orthonormal in G and across ker B, Q orthogonal. Of one column Q is 1 or −1, and
/// R² = I in either case; of two it may turn them by any angle.
#[test]
fn one_direction_across_leaves_no_choice_but_reversible_maps() {
    let G = DMatrix::from_row_slice(
        4,
        4,
        &[3.0, 0.4, -0.2, 0.1, 0.4, 2.0, 0.3, 0.0, -0.2, 0.3, 1.5, -0.4, 0.1, 0.0, -0.4, 1.0],
    );
    let normed = |w: DVector<f64>| &w / w.dot(&(&G * &w)).sqrt();
    let first = normed(DVector::from_row_slice(&[1.0, -0.5, 0.3, 0.8]));
    let other = DVector::from_row_slice(&[0.2, 0.9, -1.1, 0.4]);
    let second = normed(&other - &first * first.dot(&(&G * &other)));
    let map = |columns: &[DVector<f64>], Q: &DMatrix<f64>| {
        let W = DMatrix::from_columns(columns);
        let turned = &W * (Q - DMatrix::identity(columns.len(), columns.len())) * W.transpose();
        DMatrix::identity(4, 4) + turned * &G
    };
    let isometric = |R: &DMatrix<f64>| (R.transpose() * &G * R - &G).amax() < 1e-12;
    let reversible = |R: &DMatrix<f64>| (R * R - DMatrix::identity(4, 4)).amax() < 1e-12;

    let factors = (-200..=200).map(|k| f64::from(k) / 100.0);
    let maps = factors.map(|q| map(std::slice::from_ref(&first), &DMatrix::from_element(1, 1, q)));
    let found: Vec<_> = maps.filter(|R| isometric(R)).collect();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(reversible));

    let (s, c) = 0.7_f64.sin_cos();
    let turned = map(&[first, second], &DMatrix::from_row_slice(2, 2, &[c, -s, s, c]));
    assert!(isometric(&turned) && !reversible(&turned));
}

/// With φ = 0 a particle of 1.5 m/s stops at 1.5/(μg) = 0.7645 s after 0.5734 m; the verdict of a sentence is that of its run.
#[test]
fn a_sentence_of_a_motion_can_be_false_and_cannot_be_of_nothing() {
    let thrown = |says| Motion {
        system: RoughParticle::INFO,
        with: &[("phi", 0.0)],
        start: &[("x_dot", 1.5)],
        until: |_| 2.0,
        says,
    };
    let table: [(Says, bool); 8] = [
        (Says::Stops(|p| 1.5 / (p("mu") * p("g"))), true),
        (Says::Stops(|_| 0.7646), false),
        (Says::Stays, false),
        (Says::Moves, false),
        (Says::Is("x", |p| 1.125 / (p("mu") * p("g"))), true),
        (Says::Is("x", |_| 0.574), false),
        (Says::Is("w", |_| 0.0), true),
        (Says::Is("x_dot", |_| 0.0), true),
    ];
    for (says, holds) in table {
        let motion = thrown(says);
        assert_eq!(motion.holds(), Ok(holds), "{motion}: {says:?}");
    }
    let slides = Motion { with: &[], start: &[], ..thrown(Says::Stays) };
    assert_eq!(slides.holds(), Ok(false), "0.2 < tan 0.3");
    let stays = Motion { with: &[("phi", 0.1)], ..slides };
    assert_eq!(stays.holds(), Ok(true), "0.2 > tan 0.1");
    for nothing in [
        Motion { with: &[("ph", 0.0)], ..thrown(Says::Stays) },
        Motion { start: &[("z", 1.0)], ..thrown(Says::Stays) },
        Motion { with: &[("phi", 2.0)], ..thrown(Says::Stays) },
        thrown(Says::Is("z", |_| 0.0)),
    ] {
        assert!(nothing.holds().is_err(), "{nothing}");
    }
}
