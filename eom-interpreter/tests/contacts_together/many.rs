//! Many contacts at one time. What does not act on each other moves as each by itself; piles bear their weight; rows
//! that depend on each other bear what is needed.

use crate::support::{Planes, check, list, run};
use eom_core::{End, EventKind, Method, Options, Run, State, System};
use eom_interpreter::Interpreted;

/// Balls of mass 1 above a floor.
fn balls(heights: &[f64], until: f64) -> String {
    let n = heights.len();
    format!(
        "system Floor {{ coordinates {{ {} }} kinetic = ({})/2; potential = 10*({});\n{}\n\
         scenario s {{ {} until t = {until:?}; }} }}",
        list(0..n, ", ", |i| format!("y{i}")),
        list(0..n, " + ", |i| format!("ẏ{i}^2")),
        list(0..n, " + ", |i| format!("y{i}")),
        list(0..n, "\n", |i| format!("contact c{i} {{ gap = y{i}; impact = restitution(1/2); }}")),
        list(0..n, " ", |i| format!("y{i} = {:?};", heights[i]))
    )
}

/// The normal forces at the start of the only scenario, after a time.
fn forces(text: &str, t: f64) -> Vec<f64> {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = system.scenario(0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let mut run = Run::new(&system, &start, &Options::default()).expect("the start is admitted");
    assert!(run.advance_to(t).is_continue(), "it goes on");
    let forces = run.forces();
    (0..system.info().contacts.len()).map(|contact| forces.contacts[contact]).collect()
}

#[test]
fn two_hundred_balls_lie_on_a_floor() {
    let text = balls(&[0.0; 200], 1.0);
    let trajectory = run(&text, Method::RungeKutta);
    assert!(matches!(trajectory.end, End::ReachedTime { t: 1.0 }), "{}", trajectory.end);
    assert_eq!(trajectory.last().expect("a state").q, vec![0.0; 200]);
    assert_eq!(trajectory.modes[0].mode.closed().len(), 200);
    let forces = forces(&text, 0.5);
    assert!(forces.iter().all(|force| (force - 10.0).abs() < 1e-13), "{forces:?}");
}

/// They fall from their heights, one beside the other: √(2h/g)(1 + 2e/(1 − e)) until each lies.
#[test]
fn balls_come_to_lie_each_in_its_time() {
    let heights: Vec<f64> = (0..30).map(|i| 0.1 + 0.007 * f64::from(i)).collect();
    let trajectory = run(&balls(&heights, 2.0), Method::RungeKutta);
    let mut seen = 0;
    for event in &trajectory.events {
        let EventKind::Accumulation { contact, .. } = event.kind else { continue };
        let wanted = (2.0 * heights[contact] / 10.0).sqrt() * 3.0;
        assert!((event.t - wanted).abs() < 1e-12, "{contact}: {}, not {wanted}", event.t);
        seen += 1;
    }
    assert_eq!(seen, 30);
    assert_eq!(trajectory.last().expect("a state").q, vec![0.0; 30]);
}

/// A box of side 1 has the feet l, r on what is below it; a pile of them, and a row.
fn boxes(n: usize, contacts: &str, rest: &str, place: impl Fn(usize) -> [f64; 2]) -> String {
    format!(
        "system Boxes {{ coordinates {{ {} }} kinetic = ({})/2; potential = 10*({});\n{contacts}\n{rest}\n\
         scenario s {{ {} until t = 1; }} }}",
        list(0..n, ", ", |i| format!("x{i}, y{i}, θ{i}")),
        list(0..n, " + ", |i| format!("ẋ{i}^2 + ẏ{i}^2 + θ̇{i}^2/6")),
        list(0..n, " + ", |i| format!("y{i}")),
        list(0..n, " ", |i| {
            let [x, y] = place(i);
            format!("x{i} = {x:?}; y{i} = {y:?};")
        })
    )
}

/// The box at the bottom of a pile of n bears n weights on its two feet.
#[test]
fn a_pile_of_thirty_boxes_stands() {
    let n = 30;
    let foot = |i: usize, sign: &str, other: &str| {
        let below = if i == 0 {
            String::new()
        } else {
            format!("- y{j} - 1/2 {other} sin(θ{j})/2", j = i - 1)
        };
        format!("gap = y{i} {sign} sin(θ{i})/2 - cos(θ{i})/2 {below}; impact = plastic;")
    };
    let contacts = list(0..n, "\n", |i| {
        format!("contact l{i} {{ {} }} contact r{i} {{ {} }}", foot(i, "-", "+"), foot(i, "+", "-"))
    });
    let text = boxes(n, &contacts, "", |i| [0.0, 0.5 + i as f64]);
    let rests = |last: &State| last.v.iter().map(|v| v.abs()).fold(0.0, f64::max);
    check("pile", &text, rests, 0.0);
    for (contact, force) in forces(&text, 0.5).into_iter().enumerate() {
        let wanted = 5.0 * (n - contact / 2) as f64;
        assert!((force - wanted).abs() < 1e-11 * wanted, "{contact}: {force}, not {wanted}");
    }
}

/// A row of boxes on a floor, side by side with two corners each, the last at this distance from a wall.
fn row(n: usize, distance: f64, speed: f64, e: f64, force: f64) -> String {
    let feet = |i: usize| {
        let foot = |name: &str, sign: &str| {
            format!(
                "contact {name}{i} {{ gap = y{i} {sign} sin(θ{i})/2 - cos(θ{i})/2; \
                 impact = restitution({e:?}); }}"
            )
        };
        format!("{} {}", foot("l", "-"), foot("r", "+"))
    };
    let side = |i: usize| {
        let next =
            if i + 1 < n { format!("x{}", i + 1) } else { format!("{:?}", n as f64 + distance) };
        let turn =
            |sign: &str| if i + 1 < n { format!("{sign} θ{}/2", i + 1) } else { String::new() };
        let corner = |name: &str, sign: &str, other: &str| {
            format!(
                "contact {name}{i} {{ gap = {next} - x{i} - 1 {sign} θ{i}/2 {}; \
                 impact = restitution({e:?}); }}",
                turn(other)
            )
        };
        format!("{} {}", corner("a", "-", "+"), corner("b", "+", "-"))
    };
    let contacts = format!("{}\n{}", list(0..n, "\n", feet), list(0..n, "\n", side));
    let text = boxes(n, &contacts, &format!("force x0 = {force:?};"), |i| [i as f64, 0.5]);
    let moving = list(0..n, " ", |i| format!("ẋ{i} = {speed:?};"));
    text.replace("until", &format!("{moving} until"))
}

/// Pushed at one end they move as one: x = F t²/(2 n m). Beside the wall they stay, and each side bears F/2.
#[test]
fn boxes_side_by_side_are_pushed() {
    for n in [2, 3, 8, 30] {
        let push = 1.5;
        let moved = push / (2.0 * n as f64);
        let off = |last: &State| {
            let of = |i: usize| (last.q[3 * i] - i as f64 - moved).abs() + last.q[3 * i + 2].abs();
            (0..n).map(of).fold(0.0, f64::max)
        };
        check(&format!("{n} pushed"), &row(n, 100.0, 0.0, 0.3, push), off, 1e-12);
        let text = row(n, 0.0, 0.0, 0.3, push);
        let stays = |last: &State| last.v.iter().map(|v| v.abs()).fold(0.0, f64::max);
        check(&format!("{n} at the wall"), &text, stays, 1e-14);
        let forces = forces(&text, 0.5);
        for i in 0..n {
            let side = forces[2 * n + 2 * i] + forces[2 * n + 2 * i + 1];
            assert!((side - push).abs() < 1e-11, "{n}, side {i}: {side}");
        }
    }
}

/// Against the wall at once: v⁺ = −e v⁻ for all of them, as one body, by the joint law.
#[test]
fn boxes_side_by_side_run_into_a_wall() {
    for (n, e) in [(2, 0.5), (3, 0.0), (5, 1.0), (10, 0.3), (20, 0.8)] {
        let off = |last: &State| {
            let of = |i: usize| {
                (last.v[3 * i] + e).abs() + last.v[3 * i + 1].abs() + last.v[3 * i + 2].abs()
            };
            (0..n).map(of).fold(0.0, f64::max)
        };
        check(&format!("{n} {e}"), &row(n, 0.25, 1.0, e, 0.0), off, 1e-12);
    }
}

/// Particles in corners of random planes, more planes than dimensions: four of them in one system, with all their contacts at one time,
/// do what one does by itself, whose sets of contacts are all tried.
#[test]
fn copies_move_as_one_by_itself() {
    let mut rng = fastrand::Rng::with_seed(0x00C0_FFEE);
    let mut moved = 0;
    for case in 0..60 {
        let (n, planes) = (2 + case % 2, 4 + case % 3);
        let mut random = |scale: f64| scale * (2.0 * rng.f64() - 1.0);
        let mut normal = || -> Vec<f64> {
            let mut normal: Vec<f64> = (0..n).map(|_| random(1.0)).collect();
            normal[0] = normal[0].abs() + 0.2;
            normal
        };
        let normals: Vec<Vec<f64>> = (0..planes).map(|_| normal()).collect();
        let force: Vec<f64> = (0..n).map(|i| if i == 0 { -1.0 } else { random(0.7) }).collect();
        let v: Vec<f64> = (0..n).map(|_| random(1.0)).collect();
        let v = if case % 4 == 0 { vec![0.0; n] } else { v };
        let planes = Planes { normals: &normals, force: &force, e: random(0.5).abs() };
        let start = vec![0.0; n];
        let alone = run(&planes.declare(1, [&start, &v], 1.0), Method::RungeKutta);
        let last = alone.last().expect("a state").clone();
        if !matches!(alone.end, End::ReachedTime { .. }) {
            continue;
        }
        moved += usize::from(last.v.iter().any(|v| v.abs() > 1e-3));
        let off = |all: &State| {
            let q = all.q.chunks_exact(n).flat_map(|q| q.iter().zip(&last.q));
            let v = all.v.chunks_exact(n).flat_map(|v| v.iter().zip(&last.v));
            q.chain(v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let text = planes.declare(4, [&start, &v], 1.0);
        check(&format!("case {case}: {text}"), &text, off, 1e-11);
    }
    assert!(moved > 10, "{moved}");
}

/// Wheels that roll where they touch, each with a row of its own in force: a torque makes a = T/(r m) (1 + I/m r²)⁻¹.
#[test]
fn contacts_with_rows_of_their_own_are_many_too() {
    let n = 20;
    let text = format!(
        "system Wheels {{ coordinates {{ {} }} kinetic = ({})/2; potential = 10*({});\n{}\n{}\n\
         scenario s {{ {} until t = 1; }} }}",
        list(0..n, ", ", |i| format!("x{i}, y{i}, θ{i}")),
        list(0..n, " + ", |i| format!("ẋ{i}^2 + ẏ{i}^2 + θ̇{i}^2/2")),
        list(0..n, " + ", |i| format!("y{i}")),
        list(0..n, "\n", |i| format!("force θ{i} = {i}/10;")),
        list(0..n, "\n", |i| format!(
            "contact c{i} {{ gap = y{i} - 1; impact = plastic; constraints {{ roll: ẋ{i} - θ̇{i} = 0; }} }}"
        )),
        list(0..n, " ", |i| format!("y{i} = 1;"))
    );
    let off = |last: &State| {
        let wanted = |i: usize| i as f64 / 10.0 / 1.5;
        (0..n).map(|i| (last.v[3 * i] - wanted(i)).abs()).fold(0.0, f64::max)
    };
    check("wheels", &text, off, 1e-12);
}
