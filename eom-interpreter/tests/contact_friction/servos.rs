//! Forces with the friction of a contact: what acts with it, in all modes and at impacts, against closed forms.

use super::{G, changes, check, complete, run, system};
use eom_core::contact::Reactions;
use eom_core::{End, EventKind, GuardCheck, Method, Mode, Options, State, System, run_scenario};
use eom_core::{Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

/// A block whose brake has a servo: it is slowed by (1 + k) f, and z by h f.
fn brake(law: &str, parameters: &[f64]) -> Interpreted {
    let source = format!(
        "system Brake {{ coordinates {{ x, y, z }}
            parameters {{ k = 0, μ = 0.3, F = 0, r = 0, h = 0, j = 0, μ_s = μ, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y;
            force x = F + r*t + k*friction(floor);
            force y = -j*friction(floor);
            force z = h*friction(floor);
            contact floor {{ gap = y; slip = ẋ; friction(μ_s, μ); impact = {law}; }}
            output rubs = friction(floor); output presses = λ(floor); }}"
    );
    system(&source, parameters)
}

fn run_by(system: &Interpreted, method: Method, v: &[f64], until: f64) -> Trajectory {
    let options = Options { until_time: Some(until), method, ..Options::default() };
    let start = State::new(0.0, vec![0.0; v.len()], v);
    let run = simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    run.expect("the start is possible")
}

/// What the outputs are in a mode at rest.
fn outputs(system: &Interpreted, mode: &Mode) -> Vec<f64> {
    let info = system.info();
    let state = State::new(0.0, vec![0.0; info.positions()], vec![0.0; info.speeds()]);
    let mut outputs = vec![0.0; info.outputs.len()];
    Reactions::new(system).outputs(system, &[], &state, mode, &mut outputs);
    outputs
}

#[test]
fn a_servo_holds_iff_the_pull_is_at_most_what_it_makes_of_friction() {
    for (k, μ) in [(0.0, 0.4), (1.5, 0.3), (-0.6, 0.7), (20.0, 0.05)] {
        let most = (1.0 + k) * μ * G;
        for (part, sticks) in [(-1e-12, true), (-1e-9, true), (1e-12, false), (1e-9, false)] {
            for way in [1.0, -1.0] {
                let pull = way * most * (1.0 + part);
                let block = brake("plastic", &[k, μ, pull, 0.0, 2.0]);
                let trajectory = run(&block, &[0.0; 3], &[0.0; 3], 1.0);
                let last = complete(&trajectory);
                assert_eq!(last.v[0] == 0.0, sticks, "{k} {μ} {part:e}: {:?}", last.v);
                if sticks {
                    // z is pushed by what holds the block.
                    check("ż", last.v[2], -2.0 * pull / (1.0 + k), 1e-12 * most);
                    let found = outputs(&block, &Mode::new(vec![0]).with_sticking(vec![0]));
                    check("f", found[0], -pull / (1.0 + k), 1e-13 * most);
                }
            }
        }
    }
}

#[test]
fn a_slide_is_slowed_by_what_the_servo_adds_and_stops() {
    for (k, μ, h) in [(0.0, 0.4, 0.5), (1.5, 0.3, -2.0), (-0.6, 0.7, 1.0), (20.0, 0.05, 3.0)] {
        for method in METHODS {
            let block = brake("plastic", &[k, μ, 0.0, 0.0, h]);
            let trajectory = run_by(&block, method, &[3.0, 0.0, 0.25], 4.0);
            let last = complete(&trajectory);
            let slows = (1.0 + k) * μ * G;
            let stop = 3.0 / slows;
            let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
            check("stops", t, stop, 1e-12);
            check("place", last.q[0], 4.5 / slows, 1e-12);
            // All of z's change is h ∫ f = −h Δẋ/(1 + k).
            let speed = 0.25 - h * 3.0 / (1.0 + k);
            check("ż", last.v[2], speed, 1e-12 * (1.0 + speed.abs()));
            let z = 0.25 * stop - 0.5 * h * μ * G * stop * stop + speed * (4.0 - stop);
            check("z", last.q[2], z, 1e-11 * (1.0 + z.abs()));
        }
    }
}

#[test]
fn a_growing_pull_breaks_away_where_the_servo_gives_way() {
    for (k, μ, μ_s, r) in [(1.5, 0.3, 0.4, 2.0), (-0.6, 0.5, 0.5, 1.0), (4.0, 0.1, 0.2, 7.0)] {
        let block = brake("plastic", &[k, μ, 0.0, r, 0.0, 0.0, μ_s]);
        let onset = (1.0 + k) * μ_s * G / r;
        let trajectory = run(&block, &[0.0; 3], &[0.0; 3], onset + 0.5);
        let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("breaks away", t, onset, 1e-12 * onset);
        let speed = (1.0 + k) * (μ_s - μ) * G * 0.5 + 0.5 * r * 0.25;
        check("ẋ", complete(&trajectory).v[0], speed, 1e-11);
    }
}

/// What lifts in proportion to the friction: N = g − j f, and f = −μ N σ: N = g/(1 − j μ σ), where that is positive.
#[test]
fn what_presses_follows_the_friction() {
    for (j, μ) in [(0.8, 0.5), (-0.8, 0.5), (1.5, 0.6)] {
        for σ in [1.0, -1.0] {
            let block = brake("plastic", &[0.0, μ, 0.0, 0.0, 0.0, j]);
            let normal = G / (1.0 + j * μ * σ);
            let trajectory = run(&block, &[0.0; 3], &[2.0 * σ, 0.0, 0.0], 1.0);
            let last = complete(&trajectory);
            check("place", last.q[0], σ * 2.0 / (μ * normal), 1e-11);
            let found = outputs(&block, &Mode::new(vec![0]).with_sticking(vec![0]));
            check("N at rest", found[1], G, 1e-13);
        }
        // It sticks with f = −F, N = g − j F where |F| ≤ μ N.
        for (part, sticks) in [(-1e-9, true), (1e-9, false)] {
            let pull = μ * G / (1.0 + j * μ) * (1.0 + part);
            let block = brake("plastic", &[0.0, μ, pull, 0.0, 0.0, j]);
            let trajectory = run(&block, &[0.0; 3], &[0.0; 3], 1.0);
            assert_eq!(complete(&trajectory).v[0] == 0.0, sticks, "{j} {μ} {part:e}");
        }
    }
}

fn paradox(trajectory: &Trajectory) -> bool {
    let End::FrictionParadox { contacts, several, .. } = &trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert_eq!(contacts.as_slice(), ["floor"]);
    *several
}

/// N (1 + j μ σ) = g: beyond j μ = −1 a slide drives the block into the floor faster than that holds it off.
#[test]
fn a_brake_that_locks_itself_has_no_finite_forces() {
    for j in [-2.0_f64, -2.5, -8.0] {
        let block = brake("plastic", &[0.0, 0.5, 0.0, 0.0, 0.0, j]);
        assert!(!paradox(&run(&block, &[0.0; 3], &[1.0, 0.0, 0.0], 1.0)));
    }
}

/// With k = −1 the servo takes all of the friction away; beyond it what rests may do so, or go either way.
#[test]
fn a_servo_that_undoes_friction_is_told_by_its_end() {
    let free = brake("plastic", &[-1.0, 0.5, 0.75]);
    for method in METHODS {
        let last = run_by(&free, method, &[0.0, 0.0, 0.0], 2.0);
        check("ẋ", complete(&last).v[0], 1.5, 1e-13);
    }
    // A slip comes to zero and goes on, as it would without friction; what feels that feels it turn.
    for method in METHODS {
        for h in [0.0, 2.0] {
            let free = brake("plastic", &[-1.0, 0.5, 0.75, 0.0, h]);
            let last = run_by(&free, method, &[-0.5, 0.0, 0.0], 2.0);
            let turns = 0.5 / 0.75;
            check("ẋ", complete(&last).v[0], 1.0, 1e-12);
            check("ż", complete(&last).v[2], h * 0.5 * G * (turns - (2.0 - turns)), 1e-11);
        }
    }
    // At rest without a pull all friction leaves the slip at rest: something else that feels it is not determined.
    let felt = brake("plastic", &[-1.0, 0.5, 0.0, 0.0, 2.0]);
    assert!(paradox(&run(&felt, &[0.0; 3], &[0.0; 3], 1.0)));
    let still = brake("plastic", &[-1.0, 0.5]);
    assert_eq!(complete(&run(&still, &[0.0; 3], &[0.0; 3], 1.0)).v, [0.0; 3]);
    let driven = brake("plastic", &[-1.5, 0.5, 0.25]);
    assert!(paradox(&run(&driven, &[0.0; 3], &[0.0; 3], 1.0)));
    let last = run(&driven, &[0.0; 3], &[1.0, 0.0, 0.0], 1.0);
    check("ẋ", complete(&last).v[0], 1.0 + 0.25 + 0.25 * G, 1e-12);
}

/// With k = −1 an impact leaves the slip as it is, Λ = (1 + e) V/(1 + j μ σ), whatever its law; from rest Φ is not told.
#[test]
fn an_impact_whose_friction_is_undone_leaves_the_slip() {
    let (μ, h, j, e) = (0.5, 2.0, 0.4, 0.5);
    let fall = (4.0 + 2.0 * G * 0.05_f64).sqrt();
    for law in ["restitution", "poisson", "stronge"] {
        let block = brake(&format!("{law}({e})"), &[-1.0, μ, 0.0, 0.0, h, j]);
        for slip in [3.0_f64, -0.01] {
            let trajectory = run(&block, &[0.0, 0.05, 0.0], &[slip, -2.0, 0.0], 0.03);
            let hit = trajectory.events.iter().find(|e| matches!(e.kind, EventKind::Impact { .. }));
            let [_, (_, v)] = hit.expect("it is struck").sides();
            let normal = (1.0 + e) * fall / (1.0 + j * μ * slip.signum());
            check("ẋ⁺", v[0], slip, 1e-13);
            check("ẏ⁺", v[1], e * fall, 1e-12);
            check("ż⁺", v[2], -h * μ * slip.signum() * normal, 1e-12);
        }
        let ends = run(&block, &[0.0, 0.05, 0.0], &[0.0, -2.0, 0.0], 0.03).end;
        assert!(
            matches!(ends, End::UndecidedMode { .. } | End::FrictionParadox { .. }),
            "{law}: {ends}"
        );
        let smooth = brake(&format!("{law}({e})"), &[-1.0, μ]);
        let trajectory = run(&smooth, &[0.0, 0.05, 0.0], &[0.0, -2.0, 0.0], 0.03);
        assert_eq!(complete(&trajectory).v[0], 0.0, "{law}");
        assert_eq!(changes(&trajectory).len(), 0);
    }
}

/// A slip in the plane goes through zero as well.
#[test]
fn a_puck_whose_friction_is_undone_turns_back() {
    let along = "force x = F + h*f[1]; force y = h*f[2];";
    for pull in [0.5, -0.5] {
        let puck = puck("friction = μ;", along, &[-1.0, 0.3, 0.0, pull]);
        let trajectory = run(&puck, &[0.0; 3], &[-pull, 0.0, 0.0], 3.0);
        check("ẋ", complete(&trajectory).v[0], 2.0 * pull, 1e-11);
        check("ẏ", complete(&trajectory).v[1], 0.0, 1e-11);
    }
}

/// Forces of the friction of a slip in the plane.
fn puck(friction: &str, force: &str, parameters: &[f64]) -> Interpreted {
    let source = format!(
        "system Puck {{ coordinates {{ x, y, z }} parameters {{ h, μ = 0.3, a = 0, F = 0, r = 0, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z;
            let f = friction(ice);
            {force}
            contact ice {{ gap = z; slip = [ẋ, ẏ]; {friction} impact = restitution(0.5); }} }}"
    );
    system(&source, parameters)
}

const TURNED: &str = "force x = F + r*t - h*f[2]; force y = h*f[1];";

/// A force across the friction turns the way of what slides: v = v₀ − μ g t, φ = h ln(v/v₀), a spiral to
/// x + i y = v₀²/(μ g (2 + i h)).
#[test]
fn a_force_across_the_friction_makes_a_spiral_of_a_line() {
    for h in [0.4_f64, -1.3, 3.0] {
        let (μ, v0) = (0.3, 2.0);
        let puck = puck("friction = μ;", TURNED, &[h, μ]);
        let stop = v0 / (μ * G);
        for part in [0.5, 0.9, 0.999] {
            let trajectory = run(&puck, &[0.0; 3], &[v0, 0.0, 0.0], part * stop);
            let last = complete(&trajectory);
            let v: f64 = v0 * (1.0 - part);
            let φ = h * (v / v0).ln();
            check("ẋ", last.v[0], v * φ.cos(), 1e-10);
            check("ẏ", last.v[1], v * φ.sin(), 1e-10);
        }
        let trajectory = run(&puck, &[0.0; 3], &[v0, 0.0, 0.0], 2.0 * stop);
        let last = complete(&trajectory);
        let size = v0 * v0 / (μ * G * (4.0 + h * h));
        check("x", last.q[0], 2.0 * size, 1e-9);
        check("y", last.q[1], -h * size, 1e-9);
        assert_eq!(last.v, [0.0; 3]);
    }
}

/// It sticks with f = −F/(1 + i h), up to F = μ g √(1 + h²), and leaves along u with F = (s̈ + μ g (1 + i h)) u.
#[test]
fn what_is_held_across_leaves_aside() {
    let (μ, r) = (0.3, 1.5);
    for h in [0.4_f64, -1.3, 2.0] {
        let onset = μ * G * (1.0 + h * h).sqrt() / r;
        let pulled = puck("friction = μ;", TURNED, &[h, μ, 0.0, 0.0, r]);
        let trajectory = run(&pulled, &[0.0; 3], &[0.0; 3], onset * 1.2);
        let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("breaks away", t, onset, 1e-12);
        for part in [1.01, 1.5, 6.0] {
            let pull = part * onset * r;
            let puck = puck("friction = μ;", TURNED, &[h, μ, 0.0, pull]);
            let trajectory = run(&puck, &[0.0; 3], &[0.0; 3], 0.5);
            let v = &complete(&trajectory).v;
            let (across, rubs) = (μ * G * h, μ * G);
            let along = (pull * pull - across * across).sqrt() - rubs;
            let size = along + rubs;
            check("ẋ", v[0], 0.5 * along * size / pull, 1e-11);
            check("ẏ", v[1], -0.5 * along * across / pull, 1e-11);
        }
    }
}

/// A twin: (1 + k) f of a slip is the friction of a coefficient so much larger, of two coefficients too.
#[test]
fn what_acts_along_the_friction_is_more_of_it() {
    let along = "force x = h*f[1]; force y = h*f[2];";
    for (k, friction, twin) in [
        (2.5, "friction([μ, 2*μ]);", "friction([(1 + h)*μ, 2*(1 + h)*μ]);"),
        (0.5, "friction(2*μ, μ);", "friction(2*(1 + h)*μ, (1 + h)*μ);"),
        (-0.4, "friction([μ, 2*μ]);", "friction([(1 + h)*μ, 2*(1 + h)*μ]);"),
    ] {
        let pair = [puck(friction, along, &[k, 0.2]), puck(twin, "", &[k, 0.2])];
        for v in [[1.0, 2.0, 0.0], [2.0, 0.1, -1.5], [0.3, 0.0, -2.0]] {
            let until = 0.6;
            let ends = pair.each_ref().map(|puck| {
                let trajectory =
                    run(puck, &[0.0, 0.0, if v[2] < 0.0 { 0.1 } else { 0.0 }], &v, until);
                complete(&trajectory).clone()
            });
            for j in 0..3 {
                check("q", ends[0].q[j], ends[1].q[j], 1e-11);
                check("v", ends[0].v[j], ends[1].v[j], 1e-11);
            }
        }
    }
}

/// Λ = (1 + e) |ġ⁻|/(1 − j φ), φ = Φ/Λ; ẋ changes by (1 + k) Φ, or to zero, ż by h Φ.
#[test]
fn an_impulse_of_friction_brings_along_what_acts_with_it() {
    for (k, μ, h, j, e) in
        [(1.5, 0.3, -2.0, 0.0, 0.5), (-0.6, 0.4, 1.0, 0.5, 0.8), (0.4, 0.2, 3.0, -0.7, 0.0)]
    {
        for slip in [4.0, -4.0, 0.3, 0.0] {
            let block = brake(&format!("restitution({e})"), &[k, μ, 0.0, 0.0, h, j]);
            let trajectory = run(&block, &[0.0, 0.05, 0.0], &[slip, -2.0, 0.0], 0.045);
            let fall = (4.0 + 2.0 * G * 0.05_f64).sqrt();
            let hit = trajectory.events.iter().find(|e| matches!(e.kind, EventKind::Impact { .. }));
            let hit = hit.expect("it is struck");
            let EventKind::Impact { impulse, .. } = hit.kind else { unreachable!() };
            let σ: f64 = if slip > 0.0 { 1.0 } else { -1.0 };
            // ġ⁺ − ġ⁻ = Λ − j Φ.
            let slides = (1.0 + e) * fall / (1.0 + j * μ * σ);
            let stuck = -slip / (1.0 + k);
            let (normal, friction) = if (1.0 + k) * μ * slides < slip.abs() {
                (slides, -μ * σ * slides)
            } else {
                ((1.0 + e) * fall + j * stuck, stuck)
            };
            check("Λ", impulse, normal, 1e-12);
            let [_, (_, v)] = hit.sides();
            check("ẋ⁺", v[0], slip + (1.0 + k) * friction, 1e-12);
            check("ż⁺", v[2], h * friction, 1e-12);
        }
    }
}

/// In the process of an impulse ġ grows by 1 + j μ σ where it slides, and by 1 where it has stopped, at (1 + k) μ Λ_s = |s|.
#[test]
fn processes_of_impulses_know_what_acts_with_friction() {
    for (k, μ, h, j, e) in
        [(1.5, 0.3, -2.0, 0.0, 0.5), (-0.6, 0.4, 1.0, 0.5, 0.8), (0.4, 0.2, 3.0, -0.7, 1.0)]
    {
        for (slip, law) in [
            (9.0, "poisson"),
            (-9.0, "stronge"),
            (0.2, "poisson"),
            (-0.2, "stronge"),
            (0.2, "stronge"),
        ] {
            let block = brake(&format!("{law}({e})"), &[k, μ, 0.0, 0.0, h, j]);
            let trajectory = run(&block, &[0.0, 0.05, 0.0], &[slip, -2.0, 0.0], 0.03);
            let hit = trajectory.events.iter().find(|e| matches!(e.kind, EventKind::Impact { .. }));
            let hit = hit.expect("it is struck");
            let fall = (4.0 + 2.0 * G * 0.05_f64).sqrt();
            let σ = slip.signum();
            let (slope, stops) = (1.0 + j * μ * σ, slip.abs() / ((1.0 + k) * μ));
            let (normal, rate, friction) = if slip.abs() > 1.0 {
                ((1.0 + e) * fall / slope, e * fall, -μ * σ * (1.0 + e) * fall / slope)
            } else {
                let there = slope * stops - fall;
                assert!(there < 0.0, "it stops in compression");
                let compressed = stops - there;
                let work = 0.5 * (there - fall) * stops - 0.5 * there * there;
                let rate = if law == "poisson" { e * compressed } else { e * (-2.0 * work).sqrt() };
                (compressed + rate, rate, -μ * σ * stops)
            };
            let EventKind::Impact { impulse, rate_plus, .. } = hit.kind else { unreachable!() };
            check("Λ", impulse, normal, 1e-12);
            check("ġ⁺", rate_plus, rate, 1e-12);
            let [_, (_, v)] = hit.sides();
            check("ẋ⁺", v[0], slip + (1.0 + k) * friction, 1e-12);
            check("ż⁺", v[2], h * friction, 1e-12);
        }
    }
}

/// The force is that of the velocity after the impact: ż⁺ = ż⁻ + h Φ ż⁺; in motion ż grows as exp(−h μ g t).
#[test]
fn it_is_that_of_the_velocity_after_the_impact() {
    let source = format!(
        "system Damper {{ coordinates {{ x, y, z }} parameters {{ h, μ = 0.3, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y; force z = h*friction(floor)*ż;
            contact floor {{ gap = y; slip = ẋ; friction = μ; impact = elastic; }} }}"
    );
    for h in [0.2_f64, 0.5, 4.0] {
        let damper = system(&source, &[h]);
        let trajectory = run(&damper, &[0.0, 0.05, 0.0], &[9.0, -2.0, 0.7], 0.04);
        let impulse = 0.3 * 2.0 * (4.0 + 2.0 * G * 0.05_f64).sqrt();
        check("ż", complete(&trajectory).v[2], 0.7 / (1.0 + h * impulse), 1e-12);
        let trajectory = run(&damper, &[0.0; 3], &[3.0, 0.0, 0.7], 0.5);
        check("ż", complete(&trajectory).v[2], 0.7 * (-h * 0.3 * G * 0.5).exp(), 1e-10);
    }
}

/// Rolling resistance in a force: m_r = −δ N σ of what turns, beside the friction of the slip.
#[test]
fn moments_against_rolling_act_likewise() {
    let source = format!(
        "system Wheel {{ coordinates {{ x, y, θ, z }} parameters {{ δ = 0.01, h = 3, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + θ̇^2/2 + ż^2)/2; potential = g*y; force z = h*rolling(floor);
            contact floor {{ gap = y; slip = ẋ - θ̇; friction = 1; roll = θ̇; rolling = δ; impact = plastic; }} }}"
    );
    let trajectory = run(&system(&source, &[]), &[0.0; 4], &[2.0, 0.0, 2.0, 0.0], 1.0);
    let last = complete(&trajectory);
    // 3/2 ẍ = −δ g.
    check("ẋ", last.v[0], 2.0 - 0.01 * G / 1.5, 1e-12);
    check("ż", last.v[3], -3.0 * 0.01 * G, 1e-13);
}

#[test]
fn books_are_kept_of_it() {
    let source = format!(
        "system Books {{ coordinates {{ x, y, z }} parameters {{ k = 0.7, h = -2, j = 0.4, μ = 0.3, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y;
            force x = k*friction(floor); force y = -j*friction(floor) + 9*t; force z = h*friction(floor) - ż;
            contact floor {{ gap = y; slip = ẋ - sin(9*t); friction(2*μ, μ); impact = restitution(0.4); }}
            scenario slide {{ ẋ = 3; until t = 1.5; }}
            scenario bounce {{ y = 0.2; ẋ = 3; until t = 0.9; }} }}"
    );
    let books = system(&source, &[]);
    for scenario in ["slide", "bounce"] {
        let options = Options { ledger: true, ..Options::default() };
        let trajectory = run_scenario(&books, scenario, &options).expect("it has this scenario");
        let ledger = trajectory.ledger.as_ref().expect("it is asked for");
        assert!(ledger.closes(), "{scenario}: {ledger:?}");
    }
    // It lifts off within the first.
    let trajectory = run_scenario(&books, "slide", &Options::default()).expect("it is there");
    let opens = |kind: &EventKind| matches!(kind, EventKind::Opening { .. });
    assert!(trajectory.events.iter().any(|event| opens(&event.kind)), "{:?}", trajectory.events);
}

/// It slides, sticks and gives way, with N that follows the friction.
#[test]
fn its_guards_are_proven() {
    for j in [0.0, 0.4] {
        let block = brake("plastic", &[0.7, 0.3, 0.0, 3.0, 0.5, j, 0.6]);
        let trajectory = run(&block, &[0.0; 3], &[-3.0, 0.0, 0.0], 6.0);
        let found = changes(&trajectory);
        assert_eq!(found.iter().map(|change| change.1).collect::<Vec<_>>(), [1, -1]);
        // 3 t = (1 + k) μ_s N, N = g + j f = g − j μ_s N.
        let onset = 1.7 * 0.6 * G / (1.0 + 0.6 * j) / 3.0;
        check("gives way", found[1].0, onset, 1e-12);
        assert_eq!(trajectory.guards, GuardCheck::Proven, "{:?}", trajectory.sampled);
    }
}

#[test]
fn what_it_cannot_stand_beside_is_told() {
    let said = |force: &str, contact: &str| {
        let source = format!(
            "system Block {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y; {force}
                contact floor {{ gap = y; slip = ẋ; friction = 0.4; {contact} }}
                contact wall {{ gap = 5 - x; impact = plastic; }} }}"
        );
        Interpreted::new(&source).err().map_or_else(String::new, |said| said[0].message.clone())
    };
    let cases = [
        ("force x = friction(floor);", "impact = plastic;", ""),
        ("force x = t*friction(floor) + λ(wall);", "impact = elastic;", ""),
        ("force x = friction(floor)^2;", "impact = plastic;", "is not affine in the multipliers"),
        ("force x = friction(floor)*λ(floor);", "impact = plastic;", "is not affine"),
        ("force x = friction(wall);", "impact = plastic;", "`wall` has no friction"),
        (
            "force x = friction(floor);",
            "impact = stronge(0.5);",
            "`friction(floor)` stands in a force, and contact `floor` has a law that goes by the works",
        ),
        ("force x = friction(floor);", "impact = poisson(0.5);", ""),
        (
            "force y = friction(floor)*ẋ;",
            "impact = poisson(0.5);",
            "a law of impulses or works, beside which the force may not depend on velocities",
        ),
    ];
    for (force, contact, wanted) in cases {
        let found = said(force, contact);
        let told = found.contains(wanted) && found.is_empty() == wanted.is_empty();
        assert!(told, "{force} {contact}: {found}");
    }
}
