//! Several contacts at once: corners, grooves, rods, stacks, against closed forms.

mod common;

use common::{Model, describe, run};
use eom_core::contact::ContactForces;
use eom_core::{End, EventKind, Hit, Law, Mode, Options, State, Trajectory};

const G: f64 = 9.81;

fn until(time: f64) -> Options {
    Options { until_time: Some(time), ..Options::default() }
}

/// The closed contacts of the last sample.
fn last_mode(trajectory: &Trajectory) -> &[usize] {
    trajectory.mode_of_sample(trajectory.samples.len() - 1).expect("there is one").closed()
}

/// A point mass between half planes nᵢ·q ≥ 0, in a field.
fn wedge(normals: Vec<[f64; 2]>, field: [f64; 2], law: Law) -> Model {
    let names = ["first", "second", "third"];
    let info = describe("Wedge", &["x", "y"], &[], &names[..normals.len()], &[]);
    let mut model = Model::new(info, &[2.0, 2.0]);
    model.force = Box::new(move |_, _, _, f| f.copy_from_slice(&field.map(|a| 2.0 * a)));
    let rows = normals.clone();
    model.gaps = Box::new(move |_, q, _, g| {
        for (g, n) in g.iter_mut().zip(&normals) {
            *g = n[0] * q[0] + n[1] * q[1];
        }
    });
    model.gap_rows = Box::new(move |_, _, grad, rate| {
        grad.copy_from_slice(rows.as_flattened());
        rate.fill(0.0);
    });
    model.law = law;
    model
}

/// Into the apex of a corner: both gaps are reversed, v⁺ = −e v⁻, where both walls push; beside
/// that only one of them is struck.
#[test]
fn a_corner_reflects_what_hits_its_apex() {
    for angle in [0.5_f64, 1.0, std::f64::consts::FRAC_PI_2, 2.0, 3.0] {
        for e in [0.0, 0.3, 1.0] {
            // The floor, and a wall that rises at this angle from the apex.
            let (sin, cos) = angle.sin_cos();
            let model = wedge(vec![[0.0, 1.0], [sin, -cos]], [0.0; 2], Law::Restitution(e));
            let (half_sin, half_cos) = (angle / 2.0).sin_cos();
            let v = [-half_cos, -half_sin];
            let trajectory = run(&model, &State::new(0.0, [half_cos, half_sin], v), &until(3.0));
            let event = &trajectory.events[0];
            assert!((event.t - 1.0).abs() < 1e-14, "{angle} {e}: {event:?}");
            let EventKind::Impact { contact: 0, others, .. } = &event.kind else {
                panic!("{event:?}")
            };
            let [Hit { contact: 1, is_struck: true, rate_plus, impulse, .. }] = others[..] else {
                panic!("{others:?}")
            };
            // Each wall bears m (1+e) |ġ|/(1 − cos angle) per unit gap.
            let wanted = 2.0 * (1.0 + e) * half_sin / (1.0 - cos);
            assert!((impulse / wanted - 1.0).abs() < 1e-13, "{impulse} for {wanted}");
            assert!((rate_plus - e * half_sin).abs() < 1e-14, "{rate_plus}");
            for (plus, minus) in event.v_plus().iter().zip(v) {
                assert!((plus + e * minus).abs() < 1e-14, "{angle} {e}: {event:?}");
            }
            assert_eq!(trajectory.stats.impacts, 2);
        }
    }
}

/// A ball dropped on the axis of a groove strikes both its sides at once and comes to rest where
/// each bears N = m g/(2 cos β), β the angle of the sides. With e > 0 the sides are later struck one
/// after the other: rounding of ẋ is as large as the bounces become.
#[test]
fn a_ball_comes_to_rest_in_a_groove() {
    let β = 0.6_f64;
    let (sin, cos) = β.sin_cos();
    for e in [0.0, 0.5, 0.8] {
        let sides = vec![[sin, cos], [-sin, cos]];
        let model = wedge(sides, [0.0, -G], Law::Restitution(e));
        let trajectory = run(&model, &State::new(0.0, [0.0, 1.0], [0.0, 0.0]), &until(100.0));
        assert_eq!(trajectory.end, End::ReachedTime { t: 100.0 });
        assert_eq!(last_mode(&trajectory), [0, 1], "e = {e}");
        let first = &trajectory.events[0];
        assert_eq!(first.struck().collect::<Vec<_>>(), [0, 1]);
        assert!((first.v_plus()[1] + e * first.v_minus()[1]).abs() < 1e-15 * G, "{first:?}");
        let last = trajectory.last().unwrap();
        assert_eq!(last.v, [0.0, 0.0]);
        let mut forces = ContactForces::new(&model);
        let mode = Mode::new(vec![0, 1]);
        forces.solve(&model, &mode, (0.0, &last.q, &last.v, &[])).unwrap();
        for force in forces.forces() {
            assert!((force - 2.0 * G / (2.0 * cos)).abs() < 1e-13, "{force}");
        }
    }
}

/// Off the axis a ball in a groove ends there too, whatever it strikes in between.
#[test]
fn a_ball_finds_the_bottom_of_a_groove() {
    for (β, e, x) in [(0.6_f64, 0.5, 0.2), (0.9, 0.7, -0.3), (1.2, 0.3, 0.01)] {
        let (sin, cos) = β.sin_cos();
        let sides = vec![[sin, cos], [-sin, cos]];
        let model = wedge(sides, [0.0, -G], Law::Restitution(e));
        let trajectory = run(&model, &State::new(0.0, [x, 2.0], [0.0, 0.0]), &until(300.0));
        assert_eq!(trajectory.end, End::ReachedTime { t: 300.0 }, "β = {β}");
        assert_eq!(last_mode(&trajectory), [0, 1], "β = {β}");
        let last = trajectory.last().unwrap();
        assert!(last.q.iter().all(|q| q.abs() < 1e-14), "{last:?}");
        assert_eq!(last.v, [0.0, 0.0]);
    }
}

/// A thin rod of mass m, half length a and inertia I about its middle, over a level floor; its ends
/// are the contacts, its height and angle the coordinates.
fn rod(inertia: f64, middle: bool, law: Law) -> Model {
    let contacts: &[&str] = if middle { &["left", "middle", "right"] } else { &["left", "right"] };
    let arms: &[f64] = if middle { &[-1.0, 0.0, 1.0] } else { &[-1.0, 1.0] };
    let info = describe("Rod", &["y", "θ"], &[], contacts, &[]);
    let mut model = Model::new(info, &[1.0, inertia]);
    model.force = Box::new(|_, _, _, f| f.copy_from_slice(&[-G, 0.0]));
    model.gaps = Box::new(move |_, q, _, g| {
        g.iter_mut().zip(arms).for_each(|(g, arm)| *g = q[0] + arm * q[1].sin());
    });
    model.gap_rows = Box::new(move |_, q, grad, rate| {
        rate.fill(0.0);
        for (row, arm) in grad.chunks_exact_mut(2).zip(arms) {
            row.copy_from_slice(&[1.0, arm * q[1].cos()]);
        }
    });
    model.gap_drift = Box::new(move |_, q, v, γ| {
        γ.iter_mut().zip(arms).for_each(|(γ, arm)| *γ = -arm * q[1].sin() * v[1] * v[1]);
    });
    model.law = law;
    model
}

/// Dropped level, both ends strike together, and the rod comes to rest with its weight on them; with
/// a third contact in the middle two of the three bear it.
#[test]
fn a_level_rod_comes_to_rest() {
    for middle in [false, true] {
        let model = rod(1.0 / 3.0, middle, Law::Restitution(0.5));
        let trajectory = run(&model, &State::new(0.0, [1.0, 0.0], [0.0, 0.0]), &until(10.0));
        assert_eq!(trajectory.end, End::ReachedTime { t: 10.0 });
        assert!(trajectory.events[0].struck().count() >= 2);
        let last = trajectory.last().unwrap();
        assert_eq!(last.v, [0.0, 0.0]);
        assert!(last.q.iter().all(|q| q.abs() < 1e-15), "{last:?}");
        let mode = Mode::new(last_mode(&trajectory).to_vec());
        assert_eq!(mode.closed().len(), 2, "{mode:?}");
        let mut forces = ContactForces::new(&model);
        forces.solve(&model, &mode, (0.0, &last.q, &last.v, &[])).unwrap();
        let total: f64 = forces.forces().iter().sum();
        assert!((total - G).abs() < 1e-14 && forces.forces().iter().all(|f| *f >= 0.0));
    }
}

/// A tilted rod lands on its left end without a bounce, turns about it, and strikes with its right.
/// That impulse acts on the left end by 1/m − a²/I: a uniform rod, I = m a²/3, is pressed down
/// and comes to rest, one with its mass beyond its ends, I = 2 m a², rises from it.
#[test]
fn the_second_end_of_a_rod_presses_or_lifts_the_first() {
    for (inertia, lifts) in [(1.0 / 3.0, false), (2.0, true)] {
        let model = rod(inertia, false, Law::Plastic);
        let trajectory = run(&model, &State::new(0.0, [0.5, 0.1], [0.0, 0.0]), &until(0.8));
        let closings: Vec<&EventKind> =
            trajectory.events.iter().map(|event| &event.kind).take(3).collect();
        assert!(matches!(closings[0], EventKind::Impact { contact: 0, .. }), "{closings:?}");
        assert_eq!(closings[1], &EventKind::Closing { contact: 0 });
        let EventKind::Impact { contact: 1, rate_minus, others, .. } = closings[2] else {
            panic!("{closings:?}")
        };
        let event = &trajectory.events[2];
        let energy =
            |q: &[f64], v: &[f64]| G * q[0] + v[0] * v[0] / 2.0 + inertia * v[1] * v[1] / 2.0;
        // Turning about the end, y = sin θ, keeps the energy of the landing.
        let landing = &trajectory.events[0];
        let kept =
            energy(event.q_minus(), event.v_minus()) - energy(landing.q_plus(), landing.v_plus());
        assert!(kept.abs() < 1e-13, "{kept:e}");
        assert!(event.q_plus().iter().all(|q| q.abs() < 1e-14), "{event:?}");
        let mobility = [1.0 + 1.0 / inertia, 1.0 - 1.0 / inertia];
        let rates = [event.v_plus()[0] - event.v_plus()[1], event.v_plus()[0] + event.v_plus()[1]];
        if lifts {
            let wanted = -rate_minus / mobility[0] * mobility[1];
            assert!((rates[0] - wanted).abs() < 1e-14 && rates[1].abs() < 1e-14, "{rates:?}");
            assert!(others.is_empty());
            let next = &trajectory.events[3].kind;
            assert_eq!(next, &EventKind::Opening { contact: 0 });
        } else {
            let [Hit { contact: 0, is_struck: false, impulse, .. }] = others[..] else {
                panic!("{others:?}")
            };
            assert!(impulse > 0.0 && rates.iter().all(|rate| rate.abs() < 1e-14), "{rates:?}");
            assert_eq!(last_mode(&trajectory), [0, 1]);
            assert_eq!(trajectory.last().unwrap().v, [0.0, 0.0]);
        }
    }
}

/// Two balls of masses 1 and 2 on a line over a floor: heights y₁ < y₂, gaps y₁ and y₂ − y₁ − 1.
fn stack(law: Law) -> Model {
    let info = describe("Stack", &["y1", "y2"], &[], &["floor", "balls"], &[]);
    let mut model = Model::new(info, &[1.0, 2.0]);
    model.force = Box::new(|_, _, _, f| f.copy_from_slice(&[-G, -2.0 * G]));
    model.gaps = Box::new(|_, q, _, g| g.copy_from_slice(&[q[0], q[1] - q[0] - 1.0]));
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[1.0, 0.0, -1.0, 1.0]);
        rate.fill(0.0);
    });
    model.law = law;
    model
}

/// Dropped together, touching: the upper ball bears on the lower one at the impact, which keeps
/// them together (ġ = 0 between them has no restitution), so they bounce as one; at rest the floor
/// bears both and the lower ball the upper one. A gap between them makes separate impacts of it.
#[test]
fn two_balls_fall_on_a_floor() {
    let e: f64 = 0.5;
    let model = stack(Law::Restitution(e));
    let touching = run(&model, &State::new(0.0, [1.0, 2.0], [0.0; 2]), &until(10.0));
    let first = &touching.events[0];
    let speed = (2.0 * G).sqrt();
    for (plus, minus) in first.v_plus().iter().zip(first.v_minus()) {
        assert!((minus + speed).abs() < 1e-14 && (plus - e * speed).abs() < 1e-14, "{first:?}");
    }
    assert_eq!(touching.end, End::ReachedTime { t: 10.0 });
    assert_eq!(last_mode(&touching), [0, 1]);
    let rest = touching.last().unwrap();
    assert_eq!((&rest.q[..], &rest.v[..]), (&[0.0, 1.0][..], &[0.0, 0.0][..]));
    let mut forces = ContactForces::new(&model);
    forces.solve(&model, &Mode::new(vec![0, 1]), (0.0, &rest.q, &rest.v, &[])).unwrap();
    for (force, wanted) in forces.forces().iter().zip([3.0 * G, 2.0 * G]) {
        assert!((force - wanted).abs() < 1e-14, "{force}");
    }

    // Apart by 0.1: the lower ball has bounced when they meet, u = (m₁u₁ + m₂u₂ ∓ m e (u₁ − u₂))/M.
    let apart = run(&model, &State::new(0.0, [1.0, 2.1], [0.0; 2]), &until(10.0));
    let meeting = &apart.events[1];
    assert!(matches!(meeting.kind, EventKind::Impact { contact: 1, .. }));
    let (u1, u2) = (meeting.v_minus()[0], meeting.v_minus()[1]);
    let centre = (u1 + 2.0 * u2) / 3.0;
    let wanted = [centre - 2.0 * e * (u1 - u2) / 3.0, centre + e * (u1 - u2) / 3.0];
    for (plus, wanted) in meeting.v_plus().iter().zip(wanted) {
        assert!((plus - wanted).abs() < 1e-14, "{meeting:?}");
    }
    assert_eq!(apart.end, End::ReachedTime { t: 10.0 });
    assert_eq!((last_mode(&apart), &apart.last().unwrap().v[..]), (&[0, 1][..], &[0.0, 0.0][..]));
}

/// A floor that rises under a fixed ceiling squeezes what lies on it: y ≥ t², y ≤ 1.
#[test]
fn what_is_squeezed_ends_the_run() {
    let info = describe("Press", &["y"], &[], &["floor", "ceiling"], &[]);
    let mut model = Model::new(info, &[1.0]);
    model.force = Box::new(|_, _, _, f| f[0] = -G);
    model.gaps = Box::new(|t, q, _, g| g.copy_from_slice(&[q[0] - t * t, 1.0 - q[0]]));
    model.gap_rows = Box::new(|t, _, grad, rate| {
        grad.copy_from_slice(&[1.0, -1.0]);
        rate.copy_from_slice(&[-2.0 * t, 0.0]);
    });
    model.gap_drift = Box::new(|_, _, _, γ| γ.copy_from_slice(&[-2.0, 0.0]));
    model.law = Law::Plastic;
    let trajectory = run(&model, &State::new(0.0, [0.0], [0.0]), &until(10.0));
    let End::ImpossibleContact { t, contacts, .. } = &trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert!((t - 1.0).abs() < 1e-14 && contacts == &["floor", "ceiling"], "{}", trajectory.end);
    assert!((trajectory.last().unwrap().q[0] - 1.0).abs() < 1e-14);
}
