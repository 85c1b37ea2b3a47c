//! Forces that hold multipliers: friction proportional to a normal force, against closed forms, and
//! Painlevé's paradox as a typed end.

use eom_core::{End, Options, SmoothFunction, State, System};
use eom_tests::systems::{Ladder, Slider, SlidingRod};
use eom_tests::{random, run, start_of, until};
use fastrand::Rng;

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:e}, wanted {wanted:e}, error {error:e}");
}

/// A particle slides straight down the plane z = −x tan α with g (sin α − μ cos α).
#[test]
fn a_particle_slides_down_a_plane() {
    for (α, μ) in [(0.0_f64, 0.2), (0.3, 0.2), (0.3, 0.0), (0.7, 1.1)] {
        let plane = SmoothFunction::of(move |[x, _]| -x * α.tan());
        let slider = Slider { μ, f: plane, ..Slider::default() };
        let speed = 2.0;
        let start = State::new(0.0, [0.0; 3], [speed * α.cos(), 0.0, -speed * α.sin()]);
        let t = 0.4;
        let trajectory = run(&slider, &start, &until(t));
        assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
        let last = trajectory.last().expect("samples");
        let slope = 9.81 * (α.sin() - μ * α.cos());
        let way = speed * t + slope * t * t / 2.0;
        check("x", last.q[0], way * α.cos(), 1e-13);
        check("z", last.q[2], -way * α.sin(), 1e-13);
        check("ẋ", last.v[0], (speed + slope * t) * α.cos(), 1e-13);
    }
}

/// On a wavy surface the energy falls by the work of friction, ∫ μ λ ‖n‖ ‖v‖ dt, of which the normal
/// force has no part.
#[test]
fn friction_takes_the_energy() {
    let (start, _) = start_of(&Slider::default(), 0);
    let energy =
        |slider: &Slider, state: &State| slider.energy(state.t, &state.q, &state.v).total();
    let smooth = Slider { μ: 0.0, ..Slider::default() };
    let trajectory = run(&smooth, &start, &until(0.4));
    let last = trajectory.last().expect("samples");
    check("without friction", energy(&smooth, last), energy(&smooth, &start), 1e-12);
    let rough = Slider::default();
    let trajectory = run(&rough, &start, &until(0.2));
    let last = trajectory.last().expect("samples");
    assert!(energy(&rough, last) < energy(&rough, &start) - 0.1);
    check("on the surface", last.q[2], 0.3 * last.q[0].sin() * (2.0 * last.q[1]).cos(), 1e-14);
}

/// λ = (g − l sin θ θ̇²)/(1/m + l² cos θ (cos θ + μ sin θ)/J), from the moments about the end.
#[test]
fn a_rod_on_a_rough_floor() {
    let rod = SlidingRod::default();
    let mut rng = Rng::with_seed(11);
    for _ in 0..50 {
        let State { q, v, .. } = random::state(&mut rng, SlidingRod::INFO);
        let (mut a, mut λ) = ([0.0; 3], [0.0]);
        rod.accelerations(0.0, &q, &v, &[], &mut a, &mut λ);
        let SlidingRod { m, l, J, g, μ } = rod;
        let (s, c) = q[2].sin_cos();
        let inertia = 1.0 / m + l * l * c * (c + μ * s) / J;
        let normal = (g - l * s * v[2] * v[2]) / inertia;
        let scale = normal.abs().max(1.0) * (1.0 / inertia.abs()).max(1.0);
        check("λ", λ[0], normal, 1e-13 * scale);
        check("ẍ", a[0], -μ * normal / m, 1e-13 * scale);
        check("θ̈", a[2], -l * (c + μ * s) * normal / J, 1e-12 * scale);
    }
}

/// Where 1 + 3 cos θ (cos θ + μ sin θ) = 0 no normal force exists: the results are no numbers, and
/// a run that comes there ends with a reason.
#[test]
fn painleves_paradox_is_an_end() {
    let rod = SlidingRod { μ: -2.0, ..SlidingRod::default() };
    // cos²θ = (1 + cos 2θ)/2, sin θ cos θ = sin 2θ/2: 2.5 + 1.5 cos 2θ − 3 sin 2θ = 0.
    let θ = (3.0_f64.atan2(-1.5) - (2.5 / 11.25_f64.sqrt()).acos()) / 2.0;
    check("the singular angle", 1.0 + 3.0 * θ.cos() * (θ.cos() - 2.0 * θ.sin()), 0.0, 1e-14);
    let (mut a, mut λ) = ([0.0; 3], [0.0]);
    rod.accelerations(0.0, &[0.0, θ.sin(), θ], &[0.0; 3], &[], &mut a, &mut λ);
    assert!(a.iter().chain(&λ).all(|x| !x.is_finite()), "{a:?} {λ:?}");
    // From below the normal force turns the rod on towards this angle, faster and faster.
    let start = |θ: f64, ω: f64| State::new(0.0, [0.0, θ.sin(), θ], [0.0, θ.cos() * ω, ω]);
    let coarse = Options { relative_tolerance: 1e-8, ..until(1.0) };
    let trajectory = run(&rod, &start(θ - 0.1, 2.0), &coarse);
    assert!(
        matches!(trajectory.end, End::NonFinite { .. } | End::StepUnderflow { .. }),
        "{}",
        trajectory.end
    );
    assert!(trajectory.end.t() < 0.05, "{}", trajectory.end);
}

/// At rest, by hand: with θ the only freedom, take the moments about the point where the normals
/// meet.
#[test]
fn a_ladder_between_rough_walls() {
    let ladder = Ladder::default();
    let Ladder { m, l, J, g, μ, k } = ladder;
    for θ in [0.3_f64, 0.8, 1.2] {
        let (s, c) = θ.sin_cos();
        let (mut a, mut λ) = ([0.0; 3], [0.0; 2]);
        let q = [l * c, l * s, θ];
        ladder.accelerations(0.0, &q, &[0.0; 3], &[], &mut a, &mut λ);
        let [wall, floor] = λ;
        check("ẍ = −l sin θ θ̈", a[0], -l * s * a[2], 1e-13);
        check("ÿ = l cos θ θ̈", a[1], l * c * a[2], 1e-13);
        check("m ẍ", m * a[0], wall - μ * floor, 1e-13);
        check("m ÿ", m * a[1], floor + k * wall - m * g, 1e-13);
        let moment = wall * l * s - floor * l * c + μ * floor * l * s + k * wall * l * c;
        check("J θ̈", J * a[2], moment, 1e-13);
    }
}
