//! Contacts with friction: runs against closed forms, random systems against what no motion may do, messages.
#![allow(
    mixed_script_confusables,
    confusable_idents,
    non_snake_case,
    reason = "the names of the declarations"
)]

mod apex;
mod borne;
mod borne_by_rows;
mod coincidences;
mod directions;
mod disk;
#[path = "../../../tests/drawn.rs"]
mod drawn;
mod forces;
mod from_zero;
mod generated;
mod heaps;
mod impacts;
mod in_planes;
mod jams;
mod launches;
mod messages;
mod points;
mod pushed;
mod random;
mod resistance;
mod servos;
mod several;
mod systems;
mod together;
mod works;

use eom_core::{End, EventKind, Options, Run, State, System, Trajectory, run_scenario, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:?}, wanted {wanted:?}, error {error:e}");
}

/// A system with values of its first parameters.
fn system(source: &str, parameters: &[f64]) -> Interpreted {
    let system = Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let mut values: Vec<Option<f64>> = parameters.iter().copied().map(Some).collect();
    values.resize(system.info().parameters.len(), None);
    system.with_parameters(&values).expect("the parameters are in their bounds")
}

fn run(system: &Interpreted, q: &[f64], v: &[f64], until: f64) -> Trajectory {
    let options = Options { until_time: Some(until), ..Options::default() };
    let start = State::new(0.0, q, v);
    simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
        .expect("the start is possible")
}

fn complete(trajectory: &Trajectory) -> &State {
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory.last().expect("it has run")
}

/// Times at which a term begins to stick (+) and to slide (−), with its number from 1.
fn changes(trajectory: &Trajectory) -> Vec<(f64, isize)> {
    let number = |friction: usize| isize::try_from(friction + 1).expect("few terms");
    let change = |kind: &EventKind| match *kind {
        EventKind::Stick { friction } => Some(number(friction)),
        EventKind::Slip { friction } => Some(-number(friction)),
        _ => None,
    };
    trajectory.events.iter().filter_map(|e| change(&e.kind).map(|change| (e.t, change))).collect()
}

#[test]
fn a_block_on_an_incline_sticks_iff_friction_is_as_steep() {
    for φ in [0.1_f64, 0.3, 0.7, 1.2] {
        for (part, sticks) in [(1e-13, true), (1e-9, true), (-1e-13, false), (-1e-9, false)] {
            let μ = φ.tan() * (1.0 + part);
            let block = system(systems::BLOCK, &[φ, μ]);
            let last = run(&block, &[0.0, 0.0], &[0.0, 0.0], 1.0);
            let last = complete(&last);
            assert_eq!(last.v[0] == 0.0, sticks, "{φ} {part:e}: {:?}", last.v);
            if !sticks {
                let a = G * (φ.sin() - μ * φ.cos());
                check("slide", last.v[0], a, 1e-14);
            }
        }
    }
}

#[test]
fn a_block_thrown_at_the_floor_stops_as_by_hand() {
    for (μ, height, speed) in [(0.4, 1.0_f64, 5.0), (0.7, 0.2, 3.0), (0.05, 2.0, 1.0)] {
        let block = system(systems::BLOCK, &[0.0, μ]);
        let trajectory = run(&block, &[0.0, height], &[speed, 0.0], 20.0);
        let last = complete(&trajectory);
        let fall = (2.0 * height / G).sqrt();
        // The impulse of the floor is that of the fall.
        let after = (speed - μ * G * fall).max(0.0);
        let stop = fall + after / (μ * G);
        let place = speed * fall + 0.5 * after * after / (μ * G);
        check("place", last.q[0], place, 1e-11 * (1.0 + place));
        assert_eq!(last.v, [0.0, 0.0]);
        if after > 0.0 {
            let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
            check("stop", t, stop, 1e-11 * stop);
        }
    }
}

#[test]
fn a_sliding_ball_comes_to_roll() {
    for μ in [0.1, 0.2, 0.9] {
        let ball = system(systems::BALL, &[0.0, μ]);
        let trajectory = run(&ball, &[0.0, 0.1, 0.0], &[5.0, 0.0, 0.0], 3.0 / μ);
        let last = complete(&trajectory);
        check("rolls", last.v[0], 5.0 * 5.0 / 7.0, 1e-13);
        let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("time", t, 2.0 * 5.0 / (7.0 * μ * G), 1e-12);
    }
    // On an incline it rolls iff μ ≥ 2/7 tan φ.
    let (φ, t) = (0.5_f64, 2.0);
    for (part, rolls) in [(1e-12, true), (0.5, true), (-1e-12, false), (-0.3, false)] {
        let μ = 2.0 / 7.0 * φ.tan() * (1.0 + part);
        let ball = system(systems::BALL, &[φ, μ]);
        let trajectory = run(&ball, &[0.0, 0.1, 0.0], &[0.0; 3], t);
        let last = complete(&trajectory);
        let slides = G * (φ.sin() - μ * φ.cos());
        let a = if rolls { 5.0 / 7.0 * G * φ.sin() } else { slides };
        let turn = if rolls { a } else { 2.5 * μ * G * φ.cos() };
        check("down", last.v[0], a * t, 1e-12);
        check("turn", -0.1 * last.v[2], turn * t, 1e-12);
    }
}

#[test]
fn a_billiard_ball_goes_a_parabola_then_a_line() {
    for (v, ω) in [([2.0, 0.0], [10.0, 0.0]), ([1.0, 2.0], [-3.0, 7.0]), ([0.5, 0.0], [0.0, -8.0])]
    {
        let (μ, r) = (0.2, 0.5);
        let ball = system(systems::CUE, &[μ]);
        let (q, w) = ([0.0, 0.0, r, 1.0, 0.0, 0.0, 0.0], [v[0], v[1], 0.0, ω[0], ω[1], 4.0]);
        let trajectory = run(&ball, &q, &w, 3.0);
        let last = complete(&trajectory);
        let s: [f64; 2] = [v[0] - r * ω[1], v[1] + r * ω[0]];
        let speed = s[0].hypot(s[1]);
        let t = 2.0 * speed / (7.0 * μ * G);
        let [(rolls, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("rolls", rolls, t, 1e-11);
        for i in 0..2 {
            let a = -μ * G * s[i] / speed;
            check("velocity", last.v[i], v[i] - 2.0 / 7.0 * s[i], 1e-11);
            let place = v[i] * t + 0.5 * a * t * t + (v[i] + a * t) * (3.0 - t);
            check("place", last.q[i], place, 1e-10);
        }
        check("spin", last.v[5], 4.0, 1e-12);
    }
}

#[test]
fn a_ladder_slips_at_its_angle() {
    for (μ, ν) in [(0.5_f64, 0.3_f64), (0.3, 0.0), (0.2, 0.9)] {
        // At the limit of both ends: N₂ = μN₁, N₁ + νN₂ = mg, moments about the foot.
        let θ = ((1.0 - μ * ν) / (2.0 * μ)).atan();
        for (part, stays) in [(1e-9, true), (-1e-9, false), (0.1, true), (-0.1, false)] {
            let θ = θ + part;
            let ladder = system(systems::LADDER, &[μ, ν]);
            let trajectory = run(&ladder, &[θ.cos(), θ.sin(), θ], &[0.0; 3], 0.1);
            let last = complete(&trajectory);
            assert_eq!(last.v == [0.0; 3], stays, "{μ} {ν} {part:e}: {:?}", last.v);
        }
    }
}

#[test]
fn a_crate_tips_or_slides() {
    // It tips iff μ > b/h.
    for (b, h, μ) in [(0.5, 1.0, 0.4), (0.5, 1.0, 0.499), (0.5, 1.0, 0.501), (0.2, 0.8, 0.6)] {
        let crate_ = system(systems::CRATE, &[b, h, μ]);
        let limit = (G * μ).min(G * b / h);
        let trajectory = run(&crate_, &[0.0, h, 0.0], &[0.0; 3], limit + 0.05);
        let last = complete(&trajectory);
        let first = &trajectory.events[0];
        check("gives way", first.t, limit, 1e-11 * limit);
        if μ < b / h {
            assert_eq!(changes(&trajectory).len(), 2, "{:?}", trajectory.events);
            check("slides", last.v[0], 0.5 * 0.05_f64.powi(2), 1e-10);
            check("upright", last.v[2], 0.0, 1e-12);
        } else {
            assert!(matches!(first.kind, EventKind::Opening { .. }), "{first:?}");
            assert!(last.q[2] < 0.0, "{last:?}");
        }
    }
}

#[test]
fn a_wheel_spins_beyond_what_the_road_holds() {
    let (μ, r, k) = (0.5, 0.3, 0.7);
    let wheel = system(systems::WHEEL, &[μ, r, k]);
    // A disc that rolls takes two thirds of τ/r from the road.
    let t = 1.5 * μ * G * r / k;
    let trajectory = run(&wheel, &[0.0, r, 0.0], &[0.0; 3], t + 1.0);
    let last = complete(&trajectory);
    let [(slips, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
    check("slips", slips, t, 1e-11);
    check("drives", last.v[0], k * t * t / (3.0 * r) + μ * G, 1e-10);
}

#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let (k, u, μ, μ_s) = (10.0_f64, 0.5, 0.2, 0.4);
    let belt = system(systems::BELT, &[k, u, μ, μ_s]);
    let trajectory = run(&belt, &[0.0, 0.0], &[u, 0.0], 10.0);
    complete(&trajectory);
    let ω = k.sqrt();
    let (gives_way, middle) = (μ_s * G / k, μ * G / k);
    let above = gives_way - middle;
    let slip = 2.0 / ω * (std::f64::consts::PI - (ω * above / u).atan());
    let stick = 2.0 * above / u;
    let mut wanted = gives_way / u;
    let found = changes(&trajectory);
    assert!(found.len() >= 8, "{found:?}");
    for (index, (t, change)) in found.into_iter().enumerate() {
        assert_eq!(change, if index % 2 == 0 { -1 } else { 1 });
        check("change", t, wanted, 1e-10);
        wanted += if index % 2 == 0 { slip } else { stick };
    }
}

/// ∇g M⁻¹(∇gᵀ − μJᵀu) = 1 + 3 cos θ (cos θ − μ sin θ) of a uniform rod is negative at tan θ = 2 from μ = 4/3 on.
#[test]
fn painlevés_rod_has_its_critical_coefficient() {
    let θ = 2.0_f64.atan();
    for (part, possible) in [(1e-12, false), (-1e-12, true), (0.1, false), (-0.1, true)] {
        let rod = system(systems::ROD, &[4.0 / 3.0 * (1.0 + part)]);
        let trajectory = run(&rod, &[0.0, θ.sin(), θ], &[-10.0, 0.0, 0.0], 1e-11);
        let paradox = matches!(&trajectory.end, End::FrictionParadox { contacts, several, .. }
            if contacts == &["tip"] && !several);
        assert_eq!(paradox, !possible, "{part:e}: {}", trajectory.end);
    }
    // With g̈ > 0 at rest of the normal force there are two solutions beyond it: it lifts off, or it slides.
    let rod = system(systems::ROD, &[2.0]);
    let trajectory =
        run(&rod, &[0.0, θ.sin(), θ], &[-10.0 - 8.0 * θ.sin(), 8.0 * θ.cos(), 8.0], 0.1);
    let several = matches!(trajectory.end, End::FrictionParadox { several: true, .. });
    assert!(several, "{}", trajectory.end);
}

/// Close to its critical coefficient, μ = (1 − p) 4/3, the normal force has as many digits less as p has zeros: the rod comes to
/// its lift-off all the same. By hand, with δ = θ − arctan 2 and without the cancellation, where the floor carries it
///
/// ```text
/// N D = g − ω² sin θ,  D = 5 sin²δ + 2 p sin 2θ        ω̇ = 3 N (μ sin θ − cos θ)
/// ```
#[test]
fn a_rod_close_to_its_critical_coefficient_goes_on() {
    let (θ, g) = (2.0_f64.atan(), 9.81);
    for p in [1e-3, 1e-5, 1e-7, 1e-9] {
        let μ = 4.0 / 3.0 * (1.0 - p);
        let rate = |[δ, ω]: [f64; 2]| {
            let (sin, cos) = (θ + δ).sin_cos();
            let normal = (g - ω * ω * sin) / (5.0 * δ.sin().powi(2) + 4.0 * p * sin * cos);
            ([ω, 3.0 * normal * (μ * sin - cos)], normal)
        };
        let (h, mut t, mut y) = (1e-5 * p, 0.0, [0.0, 0.0]);
        let lift_off = loop {
            let moved = |k: [f64; 2], part: f64| [y[0] + part * h * k[0], y[1] + part * h * k[1]];
            let (k1, before) = rate(y);
            let (k2, _) = rate(moved(k1, 0.5));
            let (k3, _) = rate(moved(k2, 0.5));
            let (k4, _) = rate(moved(k3, 1.0));
            for i in 0..2 {
                y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
            }
            let (_, after) = rate(y);
            if after <= 0.0 {
                break t + h * before / (before - after);
            }
            t += h;
        };
        let rod = system(systems::ROD, &[μ]);
        let trajectory = run(&rod, &[0.0, θ.sin(), θ], &[-10.0, 0.0, 0.0], 1.0);
        assert!(trajectory.stats.steps < 20_000, "{p:e}: {:?}", trajectory.stats);
        assert!(trajectory.end.is_complete(), "{p:e}: {}", trajectory.end);
        let opened =
            trajectory.events.iter().find(|event| event.kind == EventKind::Opening { contact: 0 });
        let found = opened.unwrap_or_else(|| panic!("{p:e}: {:?}", trajectory.events)).t;
        // μ in doubles is off by ε/p of p.
        let off = (found / lift_off - 1.0).abs();
        assert!(off < 1e-6 + 1e-13 / p, "{p:e}: {found} {lift_off}");
    }
}

/// The impulse of a rod that hits the floor, by hand: Λ and Φ of two equations.
#[test]
fn an_impact_has_friction() {
    let (θ, e) = (1.0_f64, 0.4);
    for (μ, v, ω) in [(0.2, 3.0, 0.0), (5.0, 0.5, 1.0), (0.3, -4.0, 2.0)] {
        let rod = system(systems::ROD, &[μ, e]);
        let start = [v, -2.0, ω];
        let trajectory = run(&rod, &[0.0, θ.sin(), θ], &start, 1e-9);
        let EventKind::Impact { impulse, rate_plus, .. } = trajectory.events[0].kind else {
            panic!("{:?}", trajectory.events)
        };
        let (n, s) = ([0.0, 1.0, -θ.cos()], [1.0, 0.0, θ.sin()]);
        let by = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + 3.0 * a[2] * b[2];
        let along = |a: [f64; 3]| a[0] * start[0] + a[1] * start[1] + a[2] * start[2];
        let rate = along(n);
        // Sticks: both rates are given; else Φ = −μ Λ sign s.
        let det = by(n, n) * by(s, s) - by(n, s).powi(2);
        let (r, c) = (-(1.0 + e) * rate, -along(s));
        let stuck = ((r * by(s, s) - c * by(n, s)) / det, (c * by(n, n) - r * by(n, s)) / det);
        let (normal, along_floor) = if stuck.1.abs() <= μ * stuck.0 {
            stuck
        } else {
            let μ = μ * stuck.1.signum();
            let normal = r / (by(n, n) + μ * by(n, s));
            (normal, μ * normal)
        };
        check("impulse", impulse, normal, 1e-12 * normal);
        check("rate", rate_plus, -e * rate, 1e-12);
        let [_, (_, after)] = trajectory.events[0].sides();
        for i in 0..3 {
            let inertia = [1.0, 1.0, 3.0][i];
            let change = inertia * (n[i] * normal + s[i] * along_floor);
            check("velocity", after[i], start[i] + change, 1e-12);
        }
    }
}

#[test]
fn a_table_on_three_legs_gives_way_at_once() {
    let table = system(systems::TABLE, &[]);
    let (pull, limit) = (1.09_f64.sqrt(), 0.4 * G);
    let t = limit / pull;
    let trajectory = run(&table, &[0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.0], &[0.0; 6], t + 0.5);
    let last = complete(&trajectory);
    let found = changes(&trajectory);
    assert_eq!(found.len(), 3, "{found:?}");
    for (slips, _) in &found {
        check("gives way", *slips, t, 1e-10);
    }
    let speed = 0.5 * pull * (2.0 * t * 0.5 + 0.25) - 0.3 * G * 0.5;
    check("x", last.v[0], speed / pull, 1e-9);
    check("y", last.v[1], 0.3 * speed / pull, 1e-9);
    last.v[2..].iter().for_each(|v| check("no other motion", *v, 0.0, 1e-9));
}

/// A run that is saved while friction holds and restored goes on with the same bits.
#[test]
fn a_run_is_saved_with_its_friction() {
    let belt = system(systems::BELT, &[]);
    let options = Options { until_time: Some(6.0), ..Options::default() };
    let start = State::new(0.0, [0.0, 0.0], [0.5, 0.0]);
    let whole = run(&belt, &start.q, &start.v, 6.0);
    let mut first = Run::new(&belt, &start, &options).expect("it starts");
    for _ in 0..12 {
        assert!(first.step().is_continue());
    }
    let mut rest = Run::restore(&belt, &first.save()).expect("it was saved");
    while rest.step().is_continue() {}
    assert_eq!(rest.state(), whole.last().expect("it has run"));
}

/// The box slides from the start with μg, and stops where its speed is spent.
#[test]
fn the_braked_box_of_the_examples_slides_to_its_rest() {
    let text = include_str!("../../../examples/friction/braked-box.eom");
    let trajectory = run_scenario(&system(text, &[]), "brake", &Options::default());
    let trajectory = trajectory.expect("it starts");
    let last = complete(&trajectory);
    let stop = 12.0 / (0.4 * G);
    check("stop", changes(&trajectory)[0].0, stop, 1e-11);
    check("place", last.q[0], 0.5 * 12.0 * stop, 1e-10);
    assert_eq!(last.v, [0.0; 3]);
}

/// Spun about the vertical a tippe top turns over, and its centre of mass rises; then it rolls. Whatever the friction at the
/// point that touches, L·(R k − a e₃) stays (Jellett 1872), and energy falls until it rolls.
#[test]
fn a_tippe_top_turns_over() {
    let top = system(systems::TIPPE_TOP, &[]);
    let [r, a, inertia, spin] = [0.02, 0.005, 3.2e-6, 160.0];
    let jellett = |State { q, v, .. }: &State| {
        let ω_3 = v[5] + v[3] * q[4].cos();
        r * inertia * (v[3] * q[4].sin().powi(2) + ω_3 * q[4].cos()) - a * inertia * ω_3
    };
    let start = 0.15_f64;
    let stays = inertia * spin * (r - a * start.cos());
    let (q, v) =
        ([0.0, 0.0, r - a * start.cos(), 0.0, start, 0.0], [0.0, 0.0, 0.0, spin, 0.0, 0.0]);
    for method in [eom_core::Method::RungeKutta, eom_core::Method::Radau] {
        let options = Options { until_time: Some(1.5), method, ..Options::default() };
        let mut run = Run::new(&top, &State::new(0.0, q, v), &options).expect("it stands");
        let energy = |state: &State| top.energy(state.t, &state.q, &state.v).total();
        let mut last = energy(run.state());
        let mut rolls = false;
        while run.step().is_continue() {
            let (state, sticks) = (run.state().clone(), run.mode().sticks(0));
            check("Jellett's integral", jellett(&state), stays, 1e-9 * stays);
            let now = energy(&state);
            assert!(now <= last + 1e-12, "{method:?}: {last} to {now} at {}", state.t);
            if rolls {
                check("it rolls", now, last, 1e-12);
            }
            (last, rolls) = (now, sticks);
        }
        let end = run.state();
        assert!(rolls && end.q[4] > 2.7, "{method:?}: {:?}, {}", end.q, end.t);
        assert!(end.q[2] - q[2] > 1.9 * a, "its centre of mass has risen");
    }
}

/// The woodpecker goes down its pole by a cycle of seven changes, with one stroke of its beak each: jammed while the bird
/// swings, it gives way from rest, where rounding of the bird's speed is all that the sleeve has. That ended as undecided. All
/// methods come to the same strokes, whose period settles.
#[test]
fn a_woodpecker_goes_down_its_pole() {
    let toy = system(systems::WOODPECKER, &[]);
    let (q, v) = ([0.0, -0.0006 / 0.0058, -0.2788], [-0.3411, 0.0, -7.4583]);
    let mut all: Vec<Vec<f64>> = Vec::new();
    for method in [eom_core::Method::RungeKutta, eom_core::Method::Radau] {
        let options = Options { until_time: Some(2.0), method, ..Options::default() };
        let start = State::new(0.0, q, v);
        let made = simulate(&toy, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let made = made.expect("it is possible");
        let last = complete(&made);
        assert!(last.q[0] < -0.2, "it goes down: {:?}", last.q);
        let strokes = made.events.iter();
        let strokes = strokes.filter(|e| matches!(e.kind, EventKind::Impact { contact: 0, .. }));
        all.push(strokes.map(|e| e.t).collect());
    }
    assert!(all[0].len() > 12 && all[0].len() == all[1].len(), "{all:?}");
    for (one, other) in all[0].iter().zip(&all[1]) {
        check("a stroke", *one, *other, 1e-9);
    }
    let periods: Vec<f64> = all[0].windows(2).map(|pair| pair[1] - pair[0]).collect();
    for pair in periods.windows(2).skip(8) {
        check("the period", pair[1], pair[0], 1e-4);
    }
}

/// Its sleeve at rest and jammed from the start, the bird swings as S̈ = −(c (S − M) + m_S g l_G)/(J_S + m_S l_G²). Forces of
/// 2·10⁵ act on the inertia of the sleeve, and what rounding left of them was all of its acceleration: steps that began short
/// stayed so, 6,500 of them.
#[test]
fn a_woodpecker_that_begins_with_its_sleeve_at_rest_takes_few_steps() {
    let toy = system(systems::WOODPECKER, &[]);
    let (q, v) = ([0.0, -0.0006 / 0.0058, -0.2788], [0.0, 0.0, -6.0]);
    let inertia = 7e-7 + 4.5e-3 * 0.015 * 0.015;
    let (ω, rest) = ((5.6e-3_f64 / inertia).sqrt(), q[1] - 4.5e-3 * G * 0.015 / 5.6e-3);
    for method in [eom_core::Method::RungeKutta, eom_core::Method::Radau] {
        let options = Options { until_time: Some(0.04), method, ..Options::default() };
        let start = State::new(0.0, q, v);
        let made = simulate(&toy, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let made = made.expect("it is possible");
        let (last, (sin, cos)) = (complete(&made), (ω * 0.04).sin_cos());
        check("S", last.q[2], rest + (q[2] - rest) * cos + v[2] / ω * sin, 1e-12);
        check("Ṡ", last.v[2], v[2] * cos - (q[2] - rest) * ω * sin, 1e-10);
        last.v[..2].iter().for_each(|v| check("the sleeve", *v, 0.0, 1e-25));
        assert!(made.stats.steps < 60, "{method:?}: {:?}", made.stats);
    }
}
