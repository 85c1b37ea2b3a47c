//! Runs with dry friction: stopping, staying, giving way.
#![allow(non_snake_case, reason = "the names of the documents: L")]

use eom_core::{End, EventKind, Options, State, Trajectory};
use eom_tests::systems::{BeltBlock, Dumbbell, Puck};
use eom_tests::{run, run_with, until};

/// Sticks (+) and slips (−), with the number of the term from 1.
fn changes(trajectory: &Trajectory) -> Vec<(f64, isize)> {
    let number = |friction: usize| isize::try_from(friction + 1).expect("few terms");
    let change = |kind: &EventKind| match *kind {
        EventKind::Stick { friction } => Some(number(friction)),
        EventKind::Slip { friction } => Some(-number(friction)),
        _ => None,
    };
    trajectory.events.iter().filter_map(|e| change(&e.kind).map(|change| (e.t, change))).collect()
}

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:?}, wanted {wanted:?}, error {error:e}");
}

/// The numbers of a table, below its line of versions and its header.
fn rows(table: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect();
    table.lines().skip(2).map(numbers).collect()
}

fn complete(trajectory: &Trajectory) {
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
}

#[test]
fn a_particle_on_a_plane_stops_as_by_hand() {
    let puck = Puck { μ: 0.3, ..Puck::default() };
    let α = 0.3 * 9.81;
    for (v, end) in [([3.0, 4.0], 5.0), ([1e-6, 0.0], 1.0), ([-20.0, 1e-3], 100.0)] {
        let start = State::new(0.0, [1.0, 2.0], v);
        let trajectory = run(&puck, &start, &until(end));
        complete(&trajectory);
        let speed = v[0].hypot(v[1]);
        let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("stop", t, speed / α, 1e-11 * speed / α);
        let last = trajectory.last().expect("it has run");
        assert_eq!(last.v, [0.0, 0.0]);
        for i in 0..2 {
            let wanted = start.q[i] + speed / (2.0 * α) * v[i];
            check("distance", last.q[i], wanted, 1e-12 * (1.0 + wanted.abs()));
        }
    }
}

#[test]
fn a_particle_on_an_incline_turns_or_stays() {
    let (μ, φ, g) = (0.5, 0.6_f64, 9.81);
    let puck = Puck { μ, φ, ..Puck::default() };
    let trajectory = run(&puck, &State::new(0.0, [0.0, 0.0], [0.0, 2.0]), &until(3.0));
    complete(&trajectory);
    let (up, down) = (g * (μ * φ.cos() + φ.sin()), g * (μ * φ.cos() - φ.sin()));
    let (t0, top) = (2.0 / up, 2.0 / up);
    let last = trajectory.last().expect("it has run");
    check("down", last.v[1], down * (3.0 - t0), 1e-10);
    check("down", last.q[1], top + 0.5 * down * (3.0 - t0).powi(2), 1e-10);

    for μ in [0.7, 0.6_f64.tan()] {
        let puck = Puck { μ, φ, ..Puck::default() };
        let trajectory = run(&puck, &State::new(0.0, [0.0, 0.0], [0.0, 2.0]), &until(3.0));
        complete(&trajectory);
        let last = trajectory.last().expect("it has run");
        assert_eq!(last.v, [0.0, 0.0], "{μ}");
        let up = g * (μ * φ.cos() + φ.sin());
        check("top", last.q[1], 2.0 / up, 1e-12);
    }
}

#[test]
fn a_block_gives_way_to_a_growing_pull() {
    let block = BeltBlock { k: 0.0, r: 0.25, ..BeltBlock::default() };
    let trajectory = run(&block, &State::new(0.0, [1.0], [0.0]), &until(6.0));
    complete(&trajectory);
    let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
    check("gives way", t, 4.0, 1e-11);
    let last = trajectory.last().expect("it has run");
    check("v", last.v[0], 0.25 * (36.0 - 16.0) / 2.0 - 2.0, 1e-10);
}

/// Two particles on a light rod: one stops first and becomes the pivot, or both at once.
#[test]
fn a_dumbbell_turns_about_what_stops_first() {
    for row in rows(include_str!("../data/dry/dumbbell.csv")) {
        let [θ, vx, vy, ω, t1, first, t2, x, y, θ2] = row[..] else { panic!("ten columns") };
        let body = Dumbbell { m1: 1.0, m2: 2.0, L: 1.0, μ: 0.3, ..Dumbbell::default() };
        let start = State::new(0.0, [0.0, 0.0, θ], [vx, vy, ω]);
        let trajectory = run_with(&body, &start, &[0.0], &until(3.0));
        complete(&trajectory);
        let [(pivot, term), (end, other)] = changes(&trajectory)[..] else {
            panic!("{:?}", trajectory.events)
        };
        assert_eq!((term as f64, other), (first, 3 - term), "{θ} {vx} {vy} {ω}");
        check("pivot", pivot, t1, 1e-10);
        check("rest", end, t2, 1e-10);
        let last = trajectory.last().expect("it has run");
        assert_eq!(last.v, [0.0; 3]);
        for (found, wanted) in last.q.iter().zip([x, y, θ2]) {
            check("place", *found, wanted, 1e-10);
        }
    }
}

/// Thrown obliquely on an incline that holds, μ > tan φ: the direction turns ever faster to the line
/// of fall while the particle stops.
#[test]
fn a_particle_thrown_obliquely_stops() {
    for row in rows(include_str!("../data/dry/incline.csv")) {
        let [μ, φ, vx, vw, t, x, w] = row[..] else { panic!("seven columns") };
        let puck = Puck { μ, φ, ..Puck::default() };
        let trajectory = run(&puck, &State::new(0.0, [0.0, 0.0], [vx, vw]), &until(10.0));
        complete(&trajectory);
        let [(stop, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("stop", stop, t, 1e-10);
        let last = trajectory.last().expect("it has run");
        assert_eq!(last.v, [0.0, 0.0]);
        check("x", last.q[0], x, 1e-10);
        check("w", last.q[1], w, 1e-10);
    }
}

#[test]
fn nothing_happens_to_a_body_at_rest() {
    let puck = Puck { μ: 0.7, φ: 0.6, ..Puck::default() };
    let trajectory = run(&puck, &State::new(0.0, [1.0, 2.0], [0.0, 0.0]), &until(1e9));
    complete(&trajectory);
    assert_eq!(trajectory.stats.steps, 0);
    assert_eq!(trajectory.last().map(|s| s.q.clone()), Some(vec![1.0, 2.0]));
    let options = Options { until_impacts: Some(1), ..Options::default() };
    let trajectory = run(&puck, &State::new(0.0, [1.0, 2.0], [0.0, 0.0]), &options);
    assert!(matches!(trajectory.end, End::AtRest { .. }), "{}", trajectory.end);
}
