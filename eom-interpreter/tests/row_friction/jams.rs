//! Guides that jam, and coefficients at which Coulomb's law has no answer.

use super::{G, check, complete, run, system, systems};
use eom_core::{End, EventKind, Options, State, simulate};
use std::ops::ControlFlow;

#[test]
fn a_push_within_the_cone_jams_however_hard() {
    for α in [0.5_f64, 1.0, 1.4] {
        for (part, jams) in [(1e-12, true), (-1e-12, false), (0.3, true), (-0.3, false)] {
            let μ = (1.0 + part) / α.tan();
            for force in [1e-3, 1.0, 1e6] {
                let guide = system(systems::GUIDE, &[α, μ, force]);
                let trajectory = run(&guide, &[0.0, 0.0], &[0.0, 0.0], 2.0);
                let last = complete(&trajectory);
                assert_eq!(last.v[0] == 0.0, jams, "{α} {part} {force}: {:?}", last.v);
                let a = if jams { 0.0 } else { force * (α.cos() - μ * α.sin()) };
                check("slide", last.v[0], 2.0 * a, 1e-14 * force);
            }
        }
    }
}

#[test]
fn a_clamp_holds_where_its_arm_is_long() {
    // Each of two places at ±l bears F h/2l, together they hold μ F h/l.
    let l = 0.1;
    for μ in [0.1, 0.4] {
        for (part, jams) in [(1e-9, true), (-1e-9, false), (0.5, true), (-0.5, false)] {
            let h = l / μ * (1.0 + part);
            let clamp = system(systems::CLAMP, &[h, μ, l, 3.0]);
            let trajectory = run(&clamp, &[0.0; 3], &[0.0; 3], 2.0);
            let last = complete(&trajectory);
            assert_eq!(last.v[0] == 0.0, jams, "{μ} {part:e}: {:?}", last.v);
            let a = if jams { 0.0 } else { 3.0 * (1.0 - μ * h / l) };
            check("slide", last.v[0], 2.0 * a, 1e-13);
            // Thrown along, it is slowed by as much, and stops.
            let slid = run(&clamp, &[0.0; 3], &[1.0, 0.0, 0.0], 0.05);
            check("slows", complete(&slid).v[0], 1.0 + 0.05 * 3.0 * (1.0 - μ * h / l), 1e-13);
        }
    }
}

/// The end of a run of the rod at tan θ = 2, its lower end moving at this speed.
fn end_of_rod(μ: f64, speed: f64) -> End {
    let rod = system(systems::ROD, &[μ]);
    let θ = 2.0_f64.atan();
    let options = Options { until_time: Some(1e-3), ..Options::default() };
    let start = State::new(0.0, [0.0, θ.sin(), θ], [speed, 0.0, 0.0]);
    let run = simulate(&rod, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    run.expect("the start is possible").end
}

#[test]
fn painleves_rod_in_a_guide_has_no_motion_or_two() {
    for speed in [1.0, -1.0] {
        for part in [1e-12, 1e-3, 0.5] {
            let end = end_of_rod(4.0 / 3.0 * (1.0 + part), speed);
            let End::FrictionParadox { t, contacts, coefficients, several } = &end else {
                panic!("{end}")
            };
            assert_eq!(*t, 0.0);
            assert_eq!(contacts, &["guide"]);
            check("μ", coefficients[0], 4.0 / 3.0 * (1.0 + part), 1e-15);
            assert_eq!(*several, speed > 0.0, "{end}");
        }
        for part in [1e-2, 0.5, 1.0] {
            let end = end_of_rod(4.0 / 3.0 * (1.0 - part), speed);
            assert!(matches!(end, End::ReachedTime { .. }), "{part} {speed}: {end}");
        }
    }
}

#[test]
fn a_rod_in_a_guide_accelerates_as_by_hand() {
    // (1 − σκ) λ = λ⁰, κ = ∓3μ sin θ cos θ/(1 + 3 cos²θ) of the uniform rod of length 2.
    let (μ, θ) = (0.4, 1.0_f64);
    let rod = system(systems::ROD, &[μ]);
    for u in [1.0, -1.0] {
        let t = 1e-4;
        let start = [0.0, θ.sin(), θ];
        let trajectory = run(&rod, &start, &[u, 0.0, 0.0], t);
        let (s, c) = θ.sin_cos();
        let λ = G / (1.0 + 3.0 * c * c + u * 3.0 * μ * s * c);
        let a = -μ * λ * u;
        check("acceleration", (complete(&trajectory).v[0] - u) / t, a, 1e-2);
        assert!(!trajectory.events.iter().any(|e| matches!(e.kind, EventKind::Stick { .. })));
    }
}
