//! Bodies on a rough plane against closed forms: when they stop, where, and whether they stay
//! (rough-plane 1, 2, 4).
#![allow(non_snake_case, reason = "the names of the document: L1, X")]

use eom_core::{End, EventKind, State, System, Trajectory};
use eom_tests::{run, until};
use models::{
    FlatBoard, FlatBoardHack, RoughParticle, RoughParticles, SolidBox, SolidBoxHack, ThinRod,
    ThinRodHack, TwoParticles, ViscousParticle,
};

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

/// The state of a run at a time.
fn at(system: &dyn System, v: &[f64], t: f64) -> State {
    let trajectory = run_from(system, v, t);
    trajectory.last().expect("a state").clone()
}

fn run_from(system: &dyn System, v: &[f64], t: f64) -> Trajectory {
    let start = State::new(0.0, vec![0.0; v.len()], v);
    let trajectory = run(system, &start, &until(t));
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory
}

/// The last time at which something moves.
fn stop(trajectory: &Trajectory) -> f64 {
    trajectory.events.last().expect("the body stops").t
}

/// Display 1.4–1.8: V(t) = (1 − αt/|V₀|)V₀, to rest at |V₀|/α after |V₀|²/(2α).
#[test]
fn a_particle_on_the_level_stops_in_finite_time() {
    let particle = RoughParticle { φ: 0.0, ..RoughParticle::default() };
    let α = particle.μ * particle.g;
    for v in [[1.0, 0.0], [0.6, -0.8], [3.0, 2.0]] {
        let speed = f64::hypot(v[0], v[1]);
        let (t, half) = (speed / α, 0.5 * speed / α);
        let middle = at(&particle, &v, half);
        let trajectory = run_from(&particle, &v, 2.0 * t);
        let last = trajectory.last().expect("a state");
        check("stops", stop(&trajectory), t, 1e-10);
        for i in 0..2 {
            check("halfway", middle.v[i], v[i] / 2.0, 1e-12);
            check("path", middle.q[i], (half - α * half * half / (2.0 * speed)) * v[i], 1e-12);
            check("place", last.q[i], speed / (2.0 * α) * v[i], 1e-10);
            check("at rest", last.v[i], 0.0, 0.0);
        }
    }
}

/// Display 1.19–1.23: up to the turn at ẇ₀/(α + g sin φ), then down with α − g sin φ < 0.
#[test]
fn a_particle_on_a_steep_slope_turns_and_slides_down() {
    let particle = RoughParticle { φ: 0.5, μ: 0.3, ..RoughParticle::default() };
    let (sin, cos) = particle.φ.sin_cos();
    let (up, down) = (particle.g * (particle.μ * cos + sin), particle.g * (sin - particle.μ * cos));
    let v = 2.0;
    let (turn, rest) = (v / up, 0.7);
    let last = at(&particle, &[0.0, v], turn + rest);
    check("ẇ", last.v[1], -down * rest, 1e-10);
    check("w", last.q[1], v * v / (2.0 * up) - down * rest * rest / 2.0, 1e-10);
    check("x", last.q[0], 0.0, 0.0);
}

#[test]
fn a_particle_stays_where_the_slope_is_gentle() {
    // μ ≥ tan φ, also where they are equal but for rounding.
    for (φ, μ) in [(0.3, 0.4), (0.3, 0.3_f64.tan() + 1e-12), (0.1, 2.0)] {
        let particle = RoughParticle { φ, μ, ..RoughParticle::default() };
        let (sin, cos) = φ.sin_cos();
        let v = 2.0;
        let up = particle.g * (μ * cos + sin);
        let trajectory = run_from(&particle, &[0.0, v], 5.0);
        let last = trajectory.last().expect("a state");
        check("stops", stop(&trajectory), v / up, 1e-10);
        check("stays", last.q[1], v * v / (2.0 * up), 1e-10);
        check("at rest", last.v[1], 0.0, 0.0);
        let rest = run_from(&particle, &[0.0, 0.0], 100.0);
        assert_eq!(rest.last().expect("a state").q, [0.0, 0.0], "no creep");
    }
}

/// Display 2.12: equal masses spin to rest about their centre at the rate 2μg m₁L₁/μ₂ = 2μg/L.
#[test]
fn equal_particles_spin_to_rest() {
    let pair = TwoParticles { m1: 1.0, m2: 1.0, ..TwoParticles::default() };
    let (ω, rate) = (6.0, 2.0 * pair.μ * pair.g / pair.L);
    let trajectory = run_from(&pair, &[0.0, 0.0, ω], 2.0 * ω / rate);
    let last = trajectory.last().expect("a state");
    check("stops", stop(&trajectory), ω / rate, 1e-10);
    check("angle", last.q[2], ω * ω / (2.0 * rate), 1e-10);
    check("centre", last.q[0].hypot(last.q[1]), 0.0, 1e-12);
}

/// Display 2.9: without spin the pair slides as one particle does.
#[test]
fn a_pair_without_spin_slides_straight() {
    let pair = TwoParticles::default();
    let (v, α) = ([1.5, -2.0], pair.μ * pair.g);
    let trajectory = run_from(&pair, &[v[0], v[1], 0.0], 4.0);
    check("stops", stop(&trajectory), 2.5 / α, 1e-10);
    let last = trajectory.last().expect("a state");
    for i in 0..2 {
        check("place", last.q[i], 2.5 / (2.0 * α) * v[i], 1e-10);
    }
    check("no turn", last.q[2], 0.0, 1e-12);
}

/// Display 1.25–1.27: the climb of viscous friction and its steady fall.
#[test]
fn viscous_friction_has_a_steady_velocity() {
    let particle = ViscousParticle { φ: 0.5, μ: 0.3, ..ViscousParticle::default() };
    let (sin, cos) = particle.φ.sin_cos();
    let (α, β) = (particle.μ * particle.g * cos, particle.g * sin);
    for t in [0.1, 1.0, 30.0] {
        let last = at(&particle, &[0.0, 2.0], t);
        check("ẇ", last.v[1], ((α * 2.0 + β) * (-α * t).exp() - β) / α, 1e-11);
    }
}

/// Display 4.1–4.3: all of a rod comes to rest at one time (tests/data/dry/rod.csv).
#[test]
fn a_rod_comes_to_rest_at_once() {
    let rod = ThinRod { L1: 0.5, δ_0: 1.0, g: 9.81, μ: 0.2 };
    for line in include_str!("../data/dry/rod.csv").lines().skip(2) {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
        let [θ, vx, vy, ω, t, x, y, θ2] = row[..] else { panic!("eight columns") };
        let start = State::new(0.0, [0.0, 0.0, θ], [vx, vy, ω]);
        let trajectory = run(&rod, &start, &until(3.0));
        assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
        check("stops", stop(&trajectory), t, 1e-10);
        assert_eq!(trajectory.rest, Some(stop(&trajectory)));
        let last = trajectory.last().expect("a state");
        assert_eq!(last.v, [0.0; 3]);
        for (found, wanted) in last.q.iter().zip([x, y, θ2]) {
            check("place", *found, wanted, 1e-10);
        }
    }
}

/// Display 4.6, 4.12: a rod that only slides stops as a particle does; one that only turns at
/// μ₂|θ̇|/(μ g δ₀ L₁²).
#[test]
fn a_rod_slides_or_turns_to_rest() {
    let rod = ThinRod { L1: 0.5, δ_0: 2.0, g: 9.81, μ: 0.3 };
    let slides = run_from(&rod, &[0.6, -0.8, 0.0], 1.0);
    check("slides", stop(&slides), 1.0 / (rod.μ * rod.g), 1e-10);
    let turns = run_from(&rod, &[0.0, 0.0, -5.0], 2.0);
    check("turns", stop(&turns), 5.0 * 2.0 * rod.L1 / (3.0 * rod.μ * rod.g), 1e-10);
    check("centre", turns.last().expect("a state").q[0], 0.0, 1e-12);
}

/// Display 5.9, 5.13, with the closed form of (5.17).
#[test]
fn a_board_slides_or_turns_to_rest() {
    let board = FlatBoard { α_0: 0.4, β_0: 0.25, ..FlatBoard::default() };
    let (a, b, decay) = (board.α_0, board.β_0, board.μ * board.g);
    let slides = run_from(&board, &[0.3, 0.4, 0.0], 0.6);
    check("slides", stop(&slides), 0.5 / decay, 1e-10);
    let d = a.hypot(b);
    let spread = 4.0 / 3.0 * a * b * d
        + 2.0 / 3.0 * (a.powi(3) * ((d + b) / a).ln() + b.powi(3) * ((d + a) / b).ln());
    let (ω, μ_2) = (2.0, 4.0 / 3.0 * a * b * d * d);
    let turns = run_from(&board, &[0.0, 0.0, ω], 1.0);
    check("turns", stop(&turns), ω * μ_2 / (decay * spread), 1e-10);
}

/// A box at rest on a slope stays iff tan φ ≤ μ; thrown up, it comes to rest or slides down.
#[test]
fn a_box_stays_where_the_slope_is_gentle() {
    for (φ, μ) in [(0.3, 0.4), (0.3, 0.3_f64.tan() + 1e-9), (0.3, 0.25)] {
        let solid = SolidBox { φ, μ, ..SolidBox::default() };
        let holds = μ > φ.tan();
        let (up, down) = (solid.g * (μ * φ.cos() + φ.sin()), solid.g * (μ * φ.cos() - φ.sin()));
        let still = run_from(&solid, &[0.0; 3], 1.0);
        let last = still.last().expect("a state");
        check("stays or slides", last.v[1], if holds { 0.0 } else { down }, 1e-10);
        assert_eq!(still.rest, holds.then_some(0.0), "{φ} {μ}");
        let thrown = run_from(&solid, &[0.0, 1.0, 0.0], 0.5);
        let last = thrown.last().expect("a state");
        let t = 1.0 / up;
        check("ẇ", last.v[1], if holds { 0.0 } else { down * (0.5 - t) }, 1e-10);
        if holds {
            check("stops", stop(&thrown), t, 1e-10);
        }
    }
}

/// The decoupled forms: each part stops at its own time.
#[test]
fn decoupled_bodies_stop_part_by_part() {
    let stops = |trajectory: &Trajectory| -> Vec<f64> {
        let sticks = |event: &&eom_core::Event| matches!(event.kind, EventKind::Stick { .. });
        trajectory.events.iter().filter(sticks).map(|event| event.t).collect()
    };
    let rod = ThinRodHack::default();
    let trajectory = run_from(&rod, &[3.0, 4.0, 2.0], 5.0);
    let found = stops(&trajectory);
    check("turn", found[0], 2.0 * 2.0 * rod.L1 / (3.0 * rod.μ * rod.g), 1e-10);
    check("slide", found[1], 5.0 / (rod.μ * rod.g), 1e-10);
    let board = FlatBoardHack::default();
    let found = stops(&run_from(&board, &[3.0, 4.0, 2.0], 5.0));
    check("slide", found[1], 5.0 / (board.μ * board.g), 1e-10);
    let solid = SolidBoxHack { φ: 0.0, ..SolidBoxHack::default() };
    let found = stops(&run_from(&solid, &[3.0, 4.0, 2.0], 5.0));
    check("slide", found[1], 5.0 / (solid.μ * solid.g), 1e-10);
}

/// Four particles without spin slide as one does; thrown with spin all come to rest, and stay.
#[test]
fn four_particles_come_to_rest() {
    let body = RoughParticles::default();
    let slides = run_from(&body, &[0.6, -0.8, 0.0], 1.0);
    check("slides", stop(&slides), 1.0 / (body.μ * body.g), 1e-10);
    for v in [[1.0, 0.5, 6.0], [0.0, 0.0, 3.0], [-2.0, 0.1, 0.2], [0.3, 0.3, -20.0]] {
        let trajectory = run_from(&body, &v, 5.0);
        assert_eq!(trajectory.last().expect("a state").v, [0.0; 3], "{v:?}");
        assert_eq!(trajectory.rest, Some(stop(&trajectory)));
    }
}
