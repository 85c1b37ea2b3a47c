//! Resistance against rolling and spinning, and friction with a coefficient for each direction, against closed forms.

use super::{G, changes, check, complete, run, system, systems};
use eom_core::contact::Reactions;
use eom_core::{EventKind, Method, Mode, Options, Run, State, simulate};
use std::f64::consts::SQRT_2;
use std::ops::ControlFlow;

/// (1 + k) ẍ = g sin φ − (δ/r) g cos φ of what rolls down, from the moments about the point that touches.
fn rolls_down(φ: f64, δ: f64, k: f64) -> f64 {
    G * (φ.sin() - δ / 0.2 * φ.cos()) / (1.0 + k)
}

#[test]
fn a_disc_that_rolls_stops() {
    for (k, δ, v) in [(0.5, 0.01, 1.0), (1.0, 0.003, 0.4), (0.4, 0.05, -2.0)] {
        let disc = system(systems::DISC, &[0.0, 0.9, δ, δ, k]);
        let a = -rolls_down(0.0, δ, k);
        let stop = f64::abs(v) / a;
        let trajectory = run(&disc, &[0.0, 0.2, 0.0], &[v, 0.0, -v / 0.2], stop + 1.0);
        let last = complete(&trajectory);
        assert_eq!(last.v, [0.0; 3]);
        let place = 0.5 * v * v / a * v.signum();
        check("place", last.q[0], place, 1e-12 * place.abs());
        let [(t, 2)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("stop", t, stop, 1e-12 * stop);
    }
}

#[test]
fn a_disc_on_an_incline_rests_iff_it_is_no_steeper_than_its_resistance() {
    for φ in [0.02_f64, 0.3, 0.9] {
        for (part, rests) in
            [(1e-13, true), (0.2, true), (-1e-10, false), (-1e-9, false), (-0.4, false)]
        {
            let δ = 0.2 * φ.tan() * (1.0 + part);
            let disc = system(systems::DISC, &[φ, 3.0, δ, δ]);
            let last = run(&disc, &[0.0, 0.2, 0.0], &[0.0; 3], 1.0);
            let last = complete(&last);
            assert_eq!(last.v == [0.0; 3], rests, "{φ} {part:e}: {:?}", last.v);
            if !rests {
                check("down", last.v[0], rolls_down(φ, δ, 0.5), 1e-13);
            }
        }
    }
    // Between the two coefficients what rests stays, and what rolls goes on.
    let φ = 0.1_f64;
    let disc = system(systems::DISC, &[φ, 0.9, 0.1 * φ.tan(), 0.25 * φ.tan()]);
    assert_eq!(complete(&run(&disc, &[0.0, 0.2, 0.0], &[0.0; 3], 1.0)).v, [0.0; 3]);
    let trajectory = run(&disc, &[0.0, 0.2, 0.0], &[0.1, 0.0, -0.5], 1.0);
    let speed = 0.1 + rolls_down(φ, 0.1 * φ.tan(), 0.5);
    check("goes on", complete(&trajectory).v[0], speed, 1e-13);
}

/// Where δ > μ r the moment of friction turns nothing: it slides as a block. Else it comes to roll, and then to rest.
#[test]
fn a_disc_that_slides_comes_to_roll_where_its_friction_can_turn_it() {
    let (v, k, r) = (2.0, 0.5, 0.2);
    for (μ, δ) in [(0.1, 0.03), (0.1, 0.0201), (0.3, 0.05), (0.2, 0.001)] {
        let disc = system(systems::DISC, &[0.0, μ, δ, δ, k]);
        let turn = f64::max(0.0, μ * r - δ) * G / (k * r * r);
        let slides = v / (μ * G + r * turn);
        let left = v - μ * G * slides;
        let a = -rolls_down(0.0, δ, k);
        let rolls = if turn > 0.0 { left / a } else { 0.0 };
        let trajectory = run(&disc, &[0.0, r, 0.0], &[v, 0.0, 0.0], slides + rolls + 1.0);
        let last = complete(&trajectory);
        assert_eq!(last.v, [0.0; 3]);
        let place = 0.5 * (v + left) * slides + 0.5 * left * rolls;
        check("place", last.q[0], place, 1e-11 * place);
        if turn == 0.0 {
            assert_eq!(last.q[2], 0.0);
        }
    }
}

/// With backspin that its resistance stops before it has stopped sliding: then it slides on without turning.
#[test]
fn what_turns_stops_while_it_slides() {
    let (v, turn, μ, δ, k, r) = (2.0, 10.0, 0.1, 0.03, 0.5, 0.2);
    let disc = system(systems::DISC, &[0.0, μ, δ, δ, k]);
    let trajectory = run(&disc, &[0.0, r, 0.0], &[v, 0.0, turn], 4.0);
    let last = complete(&trajectory);
    assert_eq!(last.v, [0.0; 3]);
    let stops = turn * k * r * r / (G * (μ * r + δ));
    let [(t, 2), (rests, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
    check("stops turning", t, stops, 1e-12);
    check("rests", rests, v / (μ * G), 1e-11);
    check("turned", last.q[2], 0.5 * turn * stops, 1e-12);
    check("place", last.q[0], 0.5 * v * v / (μ * G), 1e-11);
}

#[test]
fn a_ball_stops_rolling_and_spinning() {
    let (δ, ε, r) = (0.02, 0.01, 0.5);
    let ball = system(systems::RESISTED, &[]);
    for ([x, y], spin) in [([1.0, 0.0], 3.0), ([0.6, -0.8], -1.0), ([0.3, 0.4], 0.0)] {
        let v = [x, y, 0.0, -y / r, x / r, spin];
        let q = [0.0, 0.0, r, 1.0, 0.0, 0.0, 0.0];
        let trajectory = run(&ball, &q, &v, 8.0);
        let last = complete(&trajectory);
        assert_eq!(last.v, [0.0; 6]);
        let (speed, a) = (f64::hypot(x, y), 5.0 * δ * G / (7.0 * r));
        check("x", last.q[0], 0.5 * speed * x / a, 1e-9);
        check("y", last.q[1], 0.5 * speed * y / a, 1e-9);
        for (t, term) in changes(&trajectory) {
            let wanted = match term {
                2 => speed / a,
                3 => f64::abs(spin) * 0.4 * r * r / (ε * G),
                _ => panic!("{:?}", trajectory.events),
            };
            check("stop", t, wanted, 1e-10 * wanted);
        }
    }
    // On an incline a spinning ball stays in its place as long as one that does not spin.
    for (part, stays) in [(1e-9, true), (-1e-9, false)] {
        let φ = (δ / r).atan() * (1.0 - part);
        let ball = system(systems::RESISTED, &[φ]);
        let start = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
        let trajectory = run(&ball, &[0.0, 0.0, r, 1.0, 0.0, 0.0, 0.0], &start, 4.0);
        let last = complete(&trajectory);
        assert_eq!(last.v == [0.0; 6], stays, "{part:e}: {:?}", last.v);
    }
}

/// θ̇⁺ = θ̇⁻ − δΛ/(k r²), or 0 where the impulse can stop it.
#[test]
fn an_impact_resists_rolling() {
    let source = systems::DISC
        .replace("slip = ẋ + r*θ̇; friction = μ;", "")
        .replace("impact = plastic", "impact = restitution(0.5)");
    for (δ, turn) in [(0.004, 3.0), (0.004, -3.0), (0.5, 3.0)] {
        let disc = system(&source, &[0.0, 0.0, δ, δ]);
        let trajectory = run(&disc, &[0.0, 0.2, 0.0], &[1.0, -2.0, turn], 1e-6);
        let EventKind::Impact { impulse, .. } = trajectory.events[0].kind else {
            panic!("{:?}", trajectory.events)
        };
        check("impulse", impulse, 3.0, 1e-14);
        let wanted = f64::signum(turn) * f64::max(0.0, f64::abs(turn) - δ * 3.0 / 0.02);
        check("turn", complete(&trajectory).v[2], wanted, 1e-13);
        check("along", complete(&trajectory).v[0], 1.0, 1e-14);
    }
}

#[test]
fn moments_are_read() {
    let source = systems::RESISTED.trim_end().strip_suffix('}').expect("a brace").to_owned()
        + "output m = rolling(cloth)[1]; output n = rolling(cloth)[2]; output s = spinning(cloth);
           output f = friction(cloth)[1]; }";
    let ball = system(&source, &[]);
    let v = [0.3, 0.4, 0.0, -0.8, 0.6, -2.0];
    let state = State::new(0.0, [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], v);
    let mut found = [0.0; 4];
    let mode = Mode::new(vec![0]).with_sticking(vec![0]);
    Reactions::new(&ball).outputs(&ball, &[], &state, &mode, &mut found);
    // 1.4 ẍ = −δ g/r along the way, of which the friction is f = ẍ.
    let a = 5.0 * 0.02 * G / (7.0 * 0.5);
    let wanted = [0.8 * 0.02 * G, -0.6 * 0.02 * G, 0.01 * G, -0.6 * a];
    for (found, wanted) in found.iter().zip(wanted) {
        check("moment", *found, wanted, 1e-13);
    }
}

/// uᵢ = μᵢvᵢ fall as exp(−μᵢ²τ) in the time dτ = g dt/‖u‖: with μ₂² = 2μ₁² all integrals are elementary.
#[test]
fn a_sled_thrown_obliquely_stops_as_by_hand() {
    let a = 0.3;
    for (v, w) in [(2.0, 1.5), (1.0, -3.0), (-0.5, 0.1)] {
        let sled = system(systems::SLED, &[0.0, 0.0, a, SQRT_2 * a]);
        let trajectory = run(&sled, &[0.0; 3], &[v, w, 0.0], 12.0);
        let last = complete(&trajectory);
        let (u, b) = (f64::abs(a * v), f64::abs(SQRT_2 * a * w));
        let (length, of) = (u.hypot(b), G * a * a);
        let log = (b / u).asinh();
        let stop = 0.5 * (length + u * u / b * log) / of;
        let x = u / (of * a) * (length.powi(3) - u.powi(3)) / (3.0 * b * b);
        let y = b / (of * SQRT_2 * a)
            * ((2.0 * b * b + u * u) * length / (8.0 * b * b)
                - u.powi(4) / (8.0 * b.powi(3)) * log);
        assert_eq!(last.v, [0.0; 3]);
        check("x", last.q[0], x * f64::signum(v), 1e-9 * x);
        check("y", last.q[1], y * f64::signum(w), 1e-9 * y);
        let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("stop", t, stop, 1e-9 * stop);
    }
}

/// It rests iff (sin φ cos α/a)² + (sin φ sin α/b)² ≤ cos² φ.
#[test]
fn a_sled_on_an_incline_rests_in_its_ellipse() {
    let (a, b) = (0.2_f64, 0.5_f64);
    for α in [0.0_f64, 0.4, 1.1, 2.5] {
        let steep = (α.cos() / a).hypot(α.sin() / b).recip();
        for (part, rests) in [(1e-12, true), (-1e-12, false), (0.1, true), (-0.1, false)] {
            let φ = steep.atan() * (1.0 - part);
            let sled = system(systems::SLED, &[φ, α, a, b]);
            let start = State::new(0.0, [0.0; 3], [0.0; 3]);
            let run = Run::new(&sled, &start, &Options::default()).expect("it starts");
            assert_eq!(run.mode().sticks(0), rests, "{α} {part:e}");
        }
    }
    // The force is told in its own components, and is not along the velocity.
    let sled = system(systems::SLED, &[0.0, 0.0, a, b]);
    let state = State::new(0.0, [0.0; 3], [3.0, -2.0, 0.0]);
    let mut found = [0.0; 2];
    Reactions::new(&sled).outputs(&sled, &[], &state, &Mode::new(vec![0]), &mut found);
    let length = f64::hypot(a * 3.0, b * 2.0);
    check("along", found[0], -G * a * a * 3.0 / length, 1e-14);
    check("across", found[1], G * b * b * 2.0 / length, 1e-14);
}

#[test]
fn one_direction_may_be_smooth_or_both() {
    let sled = system(systems::SLED, &[0.0, 0.0, 0.0, 0.4]);
    let trajectory = run(&sled, &[0.0; 3], &[3.0, 2.0, 0.0], 2.0);
    let last = complete(&trajectory);
    check("goes on", last.v[0], 3.0, 1e-12);
    check("stops", last.v[1], 0.0, 1e-12);
    check("where", last.q[1], 2.0 / (0.4 * G), 1e-10);
    let ice = system(systems::SLED, &[0.0, 0.0, 0.0, 0.0]);
    let trajectory = run(&ice, &[0.0, 0.0, 1.0], &[3.0, 2.0, 0.0], 2.0);
    let last = complete(&trajectory);
    assert_eq!(last.v, [3.0, 2.0, 0.0]);
}

/// Two equal coefficients are one; so they are in the process of an impact.
#[test]
fn equal_coefficients_are_one() {
    for law in ["plastic", "restitution(0.4)", "poisson(0.4)", "stronge(0.4)"] {
        let two = systems::SLED.replace("impact = plastic", &format!("impact = {law}"));
        let one = two.replace("friction([a, b])", "friction = a");
        let last = [&two, &one].map(|source| {
            let sled = system(source, &[0.2, 0.5, 0.3, 0.3]);
            let trajectory = run(&sled, &[0.0, 0.0, 0.3], &[2.0, -1.5, 0.0], 1.2);
            complete(&trajectory).clone()
        });
        for (a, b) in last[0].v.iter().chain(&last[0].q).zip(last[1].v.iter().chain(&last[1].q)) {
            check(law, *a, *b, 1e-10);
        }
    }
}

/// What a sled does on a plane until it stops: when, and where. With n = (b/a)², w = (a ẋ, b ẏ) and ẏ = v (ẋ/u)^n,
///
/// ```text
/// ẍ = −g a² ẋ/‖w‖      ÿ = −g b² ẏ/‖w‖      ẏ = v e^(−s), ẋ = u e^(−s/n):  dt = ‖w‖/(g b²) ds
/// ```
///
/// by Simpson's rule up to s = 60; after that ẏ is nothing, and ẋ falls at the rate g a.
fn slides_until([a, b]: [f64; 2], [u, v]: [f64; 2]) -> (f64, [f64; 2]) {
    let n = (b / a).powi(2);
    let at = |s: f64| [u * (-s / n).exp(), v * (-s).exp()];
    let integrand = |s: f64| {
        let [ẋ, ẏ] = at(s);
        let rate = (a * ẋ).hypot(b * ẏ) / (G * b * b);
        [rate, rate * ẋ, rate * ẏ]
    };
    let (intervals, end) = (60_000, 60.0);
    let h = end / f64::from(intervals);
    let mut sums = [0.0; 3];
    for i in 0..=intervals {
        let weight = if i == 0 || i == intervals { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        let there = integrand(h * f64::from(i));
        sums.iter_mut().zip(there).for_each(|(sum, there)| *sum += weight * h / 3.0 * there);
    }
    let [t, x, y] = sums;
    let left = at(end)[0];
    (t + left / (G * a), [x + 0.5 * left * left / (G * a), y])
}

/// Runners that hold a hundred times as well across as along, and more, make the motion stiff: what slips across is
/// gone at once, and near the stop sooner than in any part of the time that is left.
#[test]
fn runners_that_hold_across_stop_as_they_should() {
    for (ratio, method) in [
        (3.0, Method::RungeKutta),
        (10.0, Method::RungeKutta),
        (10.0, Method::Automatic),
        (100.0, Method::Automatic),
        (1e3, Method::Automatic),
        (3.0, Method::Radau),
        (100.0, Method::Radau),
        (1e4, Method::Radau),
    ] {
        let coefficients = [0.5 / ratio, 0.5];
        let sled = system(systems::SLED, &[0.0, 0.0, coefficients[0], coefficients[1]]);
        let (t, [x, y]) = slides_until(coefficients, [0.3, 1.0]);
        let options = Options { method, until_time: Some(t + 1.0), ..Options::default() };
        let start = State::new(0.0, [0.0; 3], [0.3, 1.0, 0.0]);
        let run = simulate(&sled, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.expect("the start is possible");
        let last = complete(&run);
        assert_eq!(last.v, [0.0; 3], "{ratio} {method:?}");
        check("x", last.q[0], x, 1e-8 * x);
        check("y", last.q[1], y, 1e-8 * y);
        let [(stop, 1)] = changes(&run)[..] else { panic!("{:?}", run.events) };
        // What the tolerance leaves of ẏ, 10⁻¹³, is as large there as a ẋ/b.
        check("stop", stop, t, 1e-8 * t);
    }
}

/// A skate on a blade, with friction along it and across.
const SKATE: &str = "system Skate {
    coordinates { x, y, z, θ }
    parameters { d = 1, a = 0.003, b = 0.9, m = 60, J = 3, g = 9.81 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*θ̇^2;
    potential = m*g*z;
    contact ice {
        gap = z; slip = [ẋ*cos(θ) + ẏ*sin(θ), ẏ*cos(θ) - ẋ*sin(θ) + d*θ̇];
        friction([a, b]); impact = plastic;
    }
}";

/// A blade whose point stands a metre before the centre of mass swings round: its slip along passes zero while that
/// across, the square of it, is nothing, and friction turns over within 10⁻⁵ of the time of the motion.
#[test]
fn a_blade_that_swings_round_passes_rest() {
    let skate = system(SKATE, &[]);
    let ends = [Method::Automatic, Method::Radau].map(|method| {
        let options = Options { method, until_time: Some(2.0), ..Options::default() };
        let start = State::new(0.0, [0.0; 4], [5.0, 0.0, 0.0, 2.0]);
        let run = simulate(&skate, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.expect("the start is possible");
        assert!(run.stats.steps < 6000, "{method:?}: {} steps", run.stats.steps);
        complete(&run).clone()
    });
    // The tolerance of the slip across is what tells how the friction turns there.
    for (one, other) in ends[0].q.iter().zip(&ends[1].q) {
        check("place", *one, *other, 1e-6);
    }
}

/// Along the blade the friction is hundreds of times less than across: what is told of a slip across is none of one along. Where
/// the blade stands still along itself for an instant the slip across dies out, and the one along goes on. The places are
/// those of SciPy's Radau with ‖w‖ made √(‖w‖² + 10⁻¹⁶).
#[test]
fn a_slip_along_goes_on_where_the_one_across_dies_out() {
    let check_one = |[ẋ, θ̇, θ, a, b]: [f64; 5], places: [f64; 3]| {
        let skate = system(SKATE, &[1.0, a, b]);
        for method in [Method::Automatic, Method::Radau] {
            let options = Options { method, until_time: Some(2.0), ..Options::default() };
            let start = State::new(0.0, [0.0, 0.0, 0.0, θ], [ẋ, 0.0, 0.0, θ̇]);
            let run = simulate(&skate, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("the start is possible");
            assert!(run.stats.steps < 20_000, "{method:?}: {} steps", run.stats.steps);
            let State { q, .. } = complete(&run);
            for (found, wanted) in [q[0], q[1], q[3]].into_iter().zip(places) {
                check("place", found, wanted, 3e-9);
            }
        }
    };
    check_one(
        [5.388, 2.654, -1.14, 0.00037, 0.239],
        [10.287_079_286, -0.602_861_424, -3.212_386_647],
    );
    check_one(
        [5.812, -3.706, -0.42, 0.01208, 0.751],
        [11.484_014_178, -0.412_045_184, -3.190_743_180],
    );
    check_one([2.433, 5.292, 1.14, 0.00111, 0.489], [5.196_905_220, 0.022_848_146, 3.142_745_443]);
}

/// A ball that rolls against a force, comes to rest for an instant and rolls back: in a plane, with resistances that are zero.
const TURNED: &str = "system Ball {
    coordinates { x, z, y, α, β, γ }
    parameters { b = 2, μ = 0.6, δ = 0, σ = 0 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + (α̇^2 + β̇^2 + γ̇^2)/5;
    potential = 9.81*y;
    force z = b;
    contact floor {
        gap = y; slip = [ẋ - β̇, ż + α̇]; friction = μ; roll = [α̇, β̇]; rolling = δ; spin = γ̇; spinning = σ;
        impact = plastic;
    }
}";

#[test]
fn what_has_no_friction_turns_without_a_stop() {
    // (1 + 2/5) z̈ = b while it rolls, z̈ = b where it slides without friction.
    for (μ, inertia, spin) in [(0.6, 1.4, -1.7), (0.0, 1.0, -1.7), (0.0, 1.0, 0.0)] {
        let ball = system(TURNED, &[2.0, μ]);
        for method in [Method::RungeKutta, Method::Radau, Method::Automatic] {
            let options = Options { until_time: Some(3.0), method, ..Options::default() };
            let start = State::new(0.0, [0.0; 6], [0.0, -1.7, 0.0, -spin, 0.0, 0.0]);
            let run = simulate(&ball, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("the start is possible");
            let a = 2.0 / inertia;
            check("speed", complete(&run).v[1], -1.7 + 3.0 * a, 1e-12);
            check("place", complete(&run).q[1], -1.7 * 3.0 + 4.5 * a, 1e-12);
        }
    }
}
