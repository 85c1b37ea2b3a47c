//! A force that no stage sees: the steps are short enough to see it, and no shorter where there is none.

use eom_core::{ForceCheck, Method, Options, Trajectory, run_scenario};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;

const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

fn run(source: &str, method: Method, forces: ForceCheck, tolerance: f64) -> Trajectory {
    let system = Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let options = Options { method, forces, relative_tolerance: tolerance, ..Options::default() };
    run_scenario(&system, "s", &options).expect("a start")
}

/// By either method, at the position and velocity that hold in closed form.
fn check(source: &str, expected: impl Fn(f64) -> [f64; 2], accuracy: f64) {
    for method in METHODS {
        for tolerance in [1e-6, 1e-10, 1e-14] {
            let seen = run(source, method, ForceCheck::Bounded, tolerance);
            assert_eq!(
                (seen.forces, seen.end.to_string().as_str()),
                (ForceCheck::Bounded, "reached t = 1")
            );
            let last = seen.last().expect("a state");
            let (x, v) = (last.q[0], last.v[0]);
            let [wanted, speed] = expected(x);
            let error = (x - wanted).abs().max((v - speed).abs());
            let allowed = accuracy + 1e3 * tolerance;
            assert!(error < allowed, "{method:?} {tolerance:e}: {x}, {v}; {wanted}, {speed}");
            assert!(seen.stats.steps < 2000, "{method:?}: {} steps", seen.stats.steps);
        }
        let missed = run(source, method, ForceCheck::Sampled, 1e-3);
        let v = missed.last().expect("a state").v[0];
        let [_, speed] = expected(missed.last().expect("a state").q[0]);
        assert_eq!(missed.forces, ForceCheck::Sampled);
        assert!((v - speed).abs() > 1e-2, "{method:?} sees it by chance: choose another");
    }
}

/// A barrier of height 2 is not passed with an energy of 1/2: x = 2a − 1 but for its width.
#[test]
fn a_barrier_turns_a_particle_back() {
    check(
        "system Q { coordinates { x } kinetic = ẋ^2/2; potential = 2*exp(-((x-0.3717)/1e-4)^2);
         scenario s { ẋ = 1; until t = 1; } }",
        |_| [2.0 * 0.3717 - 1.0, -1.0],
        1e-3,
    );
}

/// An edge of height 2, of a width that a step passes over.
#[test]
fn an_edge_turns_a_particle_back() {
    for edge in ["erf((x-0.3717)/1e-4)", "2*smoothstep(x, 0.3716, 0.3718)"] {
        check(
            &format!(
                "system E {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = {edge};
                 scenario s {{ ẋ = 1; until t = 1; }} }}"
            ),
            |_| [2.0 * 0.3717 - 1.0, -1.0],
            1e-3,
        );
    }
}

/// ∫ A exp(−((t − t₀)/σ)²) dt = A σ √π.
#[test]
fn a_pulse_gives_its_momentum() {
    let speed = 1.0 + PI.sqrt();
    check(
        "system P { coordinates { x } kinetic = ẋ^2/2; force x = 1e4*exp(-((t-0.37)/1e-4)^2);
         scenario s { ẋ = 1; until t = 1; } }",
        |_| [1.0 + 0.63 * PI.sqrt(), speed],
        1e-9,
    );
}

/// A pulse so narrow that rounding of t moves it by a part 10⁻⁸ of its width: steps are not as short as that tells.
#[test]
fn a_pulse_as_narrow_as_rounding_takes_few_steps() {
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        for source in [
            "system P { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; force x = 1e8*exp(-((t-1)/1e-8)^2);
             scenario s { until t = 1 + pi; } }",
            "system P { coordinates { x } kinetic = ẋ^2/2; force x = 1e8*exp(-((t-1)/1e-8)^2);
             scenario s { until t = 2; } }",
        ] {
            let seen = run(source, method, ForceCheck::Bounded, 1e-14);
            let (last, wanted) = (seen.last().expect("a state"), PI.sqrt());
            assert!(seen.end.is_complete(), "{method:?}: {}", seen.end);
            assert!((last.v[0].abs() - wanted).abs() < 1e-6, "{method:?}: {}", last.v[0]);
            assert!(seen.stats.steps < 3000, "{method:?}: {} steps", seen.stats.steps);
        }
    }
}

const ALL: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

/// Those that rounding of t moves by parts of up to 10⁻⁴ of their width: what is told is as exact as that leaves it, or the run ends in it.
#[test]
fn a_pulse_that_rounding_moves_is_felt_or_told() {
    for (at, width) in [(0.37, 1e-9), (0.3717, 1e-10), (0.731, 3e-11), (1.3, 1e-12)] {
        let source = format!(
            "system P {{ coordinates {{ x }} kinetic = ẋ^2/2; force x = exp(-((t-{at:?})/{width:e})^2)/{width:e};
             scenario s {{ until t = 2; }} }}"
        );
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let seen = run(&source, method, ForceCheck::Bounded, 1e-14);
            if seen.end.is_complete() {
                let (speed, moved) =
                    (seen.last().expect("a state").v[0], f64::EPSILON * at / width);
                let off = (speed / PI.sqrt() - 1.0).abs();
                assert!(off < moved, "{method:?} {width:e}: {off:e} for {moved:e}");
            } else {
                assert!((seen.end.t() - at).abs() < 10.0 * width, "{method:?}: {}", seen.end);
            }
        }
    }
}

/// dv/dx = −b/((x − a)² + σ²), so that v falls by b/σ (atan((x − a)/σ) + atan(a/σ)).
#[test]
fn a_patch_that_brakes_is_felt() {
    let (a, b, σ) = (0.37, 3e-7, 1e-6);
    check(
        "system S { coordinates { x } kinetic = ẋ^2/2;
         dissipation = 3e-7/((x-0.37)^2 + 1e-12)*ẋ^2/2; scenario s { ẋ = 1; until t = 1; } }",
        |x| [x, 1.0 - b / σ * (((x - a) / σ).atan() + (a / σ).atan())],
        1e-9,
    );
}

/// Smooth forces are seen as they are: the same bits.
#[test]
fn smooth_runs_are_what_they_were() {
    let sources = [
        "system Pendulum { coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ);
         scenario s { θ = 3; until t = 20; } }",
        "system Kepler { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = -1/sqrt(x^2 + y^2);
         scenario s { x = 1.8; ẏ = 0.23570226039551584; until t = 20; } }",
        "system Driven { coordinates { x } kinetic = ẋ^2/2; potential = x^4/4 - x^2/2;
         force x = -0.3*ẋ + 0.5*cos(1.2*t); scenario s { x = 1; until t = 50; } }",
        "system Drag { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; force x = -0.1*abs(ẋ)*ẋ;
         scenario s { x = 1; until t = 20; } }",
    ];
    for source in sources {
        for method in METHODS {
            for tolerance in [1e-4, 1e-9, 1e-13] {
                let [bounded, sampled] = [ForceCheck::Bounded, ForceCheck::Sampled]
                    .map(|forces| run(source, method, forces, tolerance));
                assert_eq!(bounded.forces, ForceCheck::Bounded, "{source}");
                assert_eq!(bounded.stats, sampled.stats, "{source} {method:?} {tolerance:e}");
                assert_eq!(bounded.last(), sampled.last(), "{source} {method:?} {tolerance:e}");
            }
        }
    }
}

/// A pole that the motion falls into ends the run there, as it does anyway.
#[test]
fn a_pole_ends_the_run() {
    let source = "system Pole { coordinates { x } kinetic = ẋ^2/2; potential = -1/(2*(1-x)^2);
         scenario s { ẋ = 1; until t = 2; } }";
    for method in METHODS {
        let end = run(source, method, ForceCheck::Bounded, 1e-9);
        let last = end.last().expect("a state");
        // ẋ² = 1/(1 − x)², so that (1 − x)² = 1 − 2t: the pole is met at t = 1/2.
        assert!((last.t - 0.5).abs() < 1e-6, "{method:?}: {} at {}", end.end, last.t);
        assert!(!end.end.to_string().starts_with("reached"), "{method:?}: {}", end.end);
    }
}

/// A wall that changes its speed at once pulls or strikes what rests on it, by an impulse that no force shows: the run ends there.
#[test]
fn a_wall_that_turns_at_once_ends_the_run() {
    for (gap, impact) in [
        ("x - t + abs(t-1) + (t-1)", "plastic"),
        ("x - (abs(t-1) + (t-1))/2", "elastic"),
        ("x + abs(t-1) - 1", "restitution(0.5)"),
    ] {
        for weight in ["", "potential = x;"] {
            let start = if gap.starts_with("x - (") { "" } else { "ẋ = 1;" };
            let source = format!(
                "system W {{ coordinates {{ x }} kinetic = ẋ^2/2; {weight} contact wall {{ gap = {gap}; impact = {impact}; }}
                   scenario s {{ {start} until t = 2; }} }}"
            );
            for method in ALL {
                let seen = run(&source, method, ForceCheck::Bounded, 1e-12);
                let is_told = !seen.end.is_complete() && (seen.end.t() - 1.0).abs() < 1e-9;
                let last = seen.last().expect("a state");
                assert!(is_told, "{method:?} {source}: {}, {last:?}", seen.end);
            }
        }
    }
}

/// A wall that strikes out under what rests on it throws it up with the largest speed of the wall,
/// h √2 e^(−1/2)/w, where it begins to slow down.
#[test]
fn a_wall_throws_what_rests_on_it() {
    for w in [1e-2, 1e-3, 1e-4] {
        let source = format!(
            "system T {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = 10*x;
             contact wall {{ gap = x - exp(-((t - 0.37)/{w:?})^2)/2; impact = plastic; }}
             scenario s {{ until t = 1; }} }}"
        );
        let thrown = 0.5 * 2.0_f64.sqrt() * (-0.5_f64).exp() / w;
        let left = 0.37 - w / 2.0_f64.sqrt();
        for method in METHODS {
            let seen = run(&source, method, ForceCheck::Bounded, 1e-12);
            let v = seen.last().expect("a state").v[0];
            let error = (v - (thrown - 10.0 * (1.0 - left))).abs();
            assert!(error < 1e-4 + 1e-9 * thrown, "{method:?}: {v} for {thrown}, {}", seen.end);
            assert!(seen.stats.steps < 2000, "{method:?}: {} steps", seen.stats.steps);
        }
    }
}

/// A mass falls on a spring without damping, whichever stages of a step that brings into the floor: its energy stays.
#[test]
fn no_step_passes_a_stiff_floor() {
    for floor in ["ramp(-y, 0, 1)^2", "((abs(y) - y)/2)^2"] {
        for (k, h) in [("1e6", "9.7"), ("1e9", "0.016"), ("1e11", "5e-3"), ("1e12", "1e-3")] {
            let source = format!(
                "system F {{ coordinates {{ y, x }} kinetic = (ẏ^2 + ẋ^2)/2; potential = 9.81*y + {k}/2*{floor};
                 scenario s {{ y = {h}; ẋ = 1; until t = 12*sqrt(2*{h}/9.81); }} }}"
            );
            for method in METHODS {
                let fallen = run(&source, method, ForceCheck::Bounded, 1e-12);
                let [first, last] =
                    [fallen.samples.first(), fallen.last()].map(|it| it.expect("a state"));
                let start = 9.81 * first.q[0];
                let end = 9.81 * last.q[0] + last.v[0].powi(2) / 2.0;
                assert!(fallen.end.is_complete() && last.q[0] > 0.0, "{floor} {k}: {}", fallen.end);
                assert!((end / start - 1.0).abs() < 1e-6, "{floor} {k} {method:?}: {start} {end}");
            }
        }
    }
}

/// Between two jumps lies A on a width w: v² grows by 2 A w where they are of x, v by A w where of t.
#[test]
fn a_patch_between_two_jumps_is_felt() {
    for (width, force) in [(0.07, -1.8), (1e-3, 50.0), (1.2e-5, 90.0), (3e-8, 4000.0)] {
        for of in ["x", "t"] {
            let source = format!(
                "system P {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
                 force x = {force}*(sign({of} - 0.3717) - sign({of} - 0.3717 - {width:e}))/2;
                 scenario s {{ ẋ = 1; ẏ = 0.3; until t = 2; }} }}"
            );
            for method in ALL {
                let seen = run(&source, method, ForceCheck::Bounded, 1e-12);
                let v = seen.last().expect("a state").v[0];
                let gain: f64 = force * width;
                let wanted = if of == "x" { (1.0 + 2.0 * gain).sqrt() } else { 1.0 + gain };
                assert!((v - wanted).abs() < 1e-9, "{of} {width:e} {method:?}: {v} for {wanted}");
            }
        }
    }
}

/// What is not defined for |x − 1/2| < w ends a run before it, however narrow it is.
#[test]
fn a_hole_in_a_force_ends_the_run() {
    for width in [0.1, 1e-2, 1e-4, 1e-7] {
        for force in ["sqrt(d)", "d^(3/2)", "ln(1 + d)*sqrt(d)"] {
            let source = format!(
                "system H {{ coordinates {{ x }} kinetic = ẋ^2/2; let d = (x - 0.5)^2 - {width:e}^2;
                 force x = 0.1*{force}; scenario s {{ ẋ = 1; until t = 2; }} }}"
            );
            for method in ALL {
                let seen = run(&source, method, ForceCheck::Bounded, 1e-12);
                let x = seen.last().expect("a state").q[0];
                let edge = 0.5 - width;
                assert!(!seen.end.is_complete(), "{force} {width:e} {method:?}: {}", seen.end);
                assert!((x - edge).abs() < 1e-8, "{force} {width:e} {method:?}: {x}");
            }
        }
    }
}

/// What touches the edge of its domain to rounding, |x − y| as a root, is passed.
#[test]
fn an_edge_that_is_touched_is_passed() {
    let source = "system T { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
        force y = 1e-3*sqrt((x - y)^2 + 1e-12); scenario s { ẋ = 1; y = 0.5; until t = 1; } }";
    for method in ALL {
        assert!(run(source, method, ForceCheck::Bounded, 1e-12).end.is_complete(), "{method:?}");
    }
}
