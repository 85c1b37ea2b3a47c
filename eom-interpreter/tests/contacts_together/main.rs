//! Several contacts at one time: bodies that touch without pressing, corners, rings; by both methods.

mod many;
mod support;
mod thrown;
mod turns;

use eom_core::{End, EventKind, Method, State};
use std::f64::consts::PI;
use support::{check, list, run};

/// Balls of these masses on a line, each touching the next; `forces` are added to the declaration.
fn touching(masses: &[f64], speed: f64, forces: impl Fn(usize) -> String) -> String {
    let n = masses.len();
    let gap = |i: usize| format!("gap = x{i} - x{} - 1; impact = elastic;", i - 1);
    format!(
        "system Line {{ coordinates {{ {} }} kinetic = {};\n{}\n{}\n\
         scenario s {{ {} until t = 2; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("{:?}*ẋ{i}^2/2", masses[i])),
        list(0..n, "\n", forces),
        list(1..n, "\n", |i| format!("contact c{i} {{ {} }}", gap(i))),
        list(0..n, " ", |i| format!("x{i} = {i}; ẋ{i} = {speed:?};"))
    )
}

/// Contacts without a force stay what they are: nothing opens, nothing closes, nothing is lost.
#[test]
fn bodies_that_touch_without_pressing_move_on() {
    for masses in [&[1.0; 3][..], &[0.1, 3.0, 2.7, 1.0], &[1.0; 6]] {
        for (speed, force, moved) in [
            (0.0, "", 0.0),
            (1.0, "", 2.0),
            (-1.0 / 3.0, "", -2.0 / 3.0),
            (0.3, "9.81", 0.6 + 9.81 * 2.0),
            // ∬ s = t³/6, ∬ sin 3s = t/3 − sin(3t)/9
            (0.0, "t", 8.0 / 6.0),
            (0.0, "sin(3*t)", 2.0 / 3.0 - 6_f64.sin() / 9.0),
        ] {
            let text = touching(masses, speed, |i| {
                let none = force.is_empty();
                if none {
                    String::new()
                } else {
                    format!("force x{i} = {:?}*({force});", masses[i])
                }
            });
            let error = |last: &State| {
                let place = |(i, x): (usize, &f64)| (x - i as f64 - moved).abs();
                last.q.iter().enumerate().map(place).fold(0.0, f64::max)
            };
            check(&format!("{masses:?} {speed} {force}"), &text, error, 2e-13);
            let events = run(&text, Method::RungeKutta).events;
            assert!(events.is_empty(), "{masses:?} {speed} {force}: {events:?}");
        }
    }
}

/// n beads on a ring that they fill: their gaps have a sum that is 0 and depend on each other.
fn ring(n: usize, speed: f64, first: f64, law: &str) -> String {
    let gap = |i: usize| {
        let next = if i + 1 < n { format!("x{}", i + 1) } else { "x0 + 2*pi".to_owned() };
        format!("contact c{i} {{ gap = {next} - x{i} - 2*pi/{n}; impact = {law}; }}")
    };
    let speed = |i: usize| if i == 0 { first } else { speed };
    format!(
        "system Ring {{ coordinates {{ {} }} kinetic = {};\n{}\nscenario s {{ {} until t = 2; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("ẋ{i}^2/2")),
        list(0..n, "\n", gap),
        list(0..n, " ", |i| format!("x{i} = 2*pi*{i}/{n}; ẋ{i} = {:?};", speed(i)))
    )
}

/// A ring turns as one. A bead that is faster than the others cannot stay so: with e < 1 all have the
/// mean speed from there on, since momentum is kept; with e = 1 it is thrown to and fro for ever.
#[test]
fn a_full_ring_turns_as_one() {
    for n in [3, 5, 8] {
        let off = |mean: f64| {
            move |last: &State| last.v.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max)
        };
        check(&format!("{n}"), &ring(n, 0.3, 0.3, "elastic"), off(0.3), 1e-14);
        for e in ["0", "1/2", "0.9"] {
            let text = ring(n, 0.3, 1.3, &format!("restitution({e})"));
            check(&format!("{n} {e}"), &text, off(0.3 + 1.0 / n as f64), 1e-12);
        }
        for method in [Method::RungeKutta, Method::Taylor] {
            let end = run(&ring(n, 0.3, 1.3, "elastic"), method).end;
            assert!(matches!(end, End::EndlessImpacts { t: 0.0, .. }), "{n}: {end}");
        }
    }
}

/// Into the apex of a corner, from any distance, at any speed: both sides are struck together, and
/// v⁺ = −e v⁻ where both of them push.
#[test]
fn a_corner_is_struck_on_both_sides_by_both_methods() {
    for (turned, corner) in [(0.0, 2.0 * PI / 3.0), (0.3, 2.5), (1.1, 1.0), (0.0, PI / 2.0)] {
        for (part, e) in [(0.5_f64, 1.0), (0.5, 0.5), (0.45, 0.3)] {
            for (distance, speed) in [(1.0, 1.0), (100.0, 1.0), (7.3, 30.0), (1e-3, 0.01)] {
                let (sin, cos) = f64::sin_cos(turned + part * corner);
                let side = |angle: f64| angle.sin_cos();
                let ((s0, c0), (s1, c1)) = (side(turned), side(turned + corner));
                let text = format!(
                    "system Corner {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
                     contact f {{ gap = y*{c0:?} - x*{s0:?}; impact = restitution({e}); }}
                     contact w {{ gap = x*{s1:?} - y*{c1:?}; impact = restitution({e}); }}
                     scenario s {{ x = {:?}; y = {:?}; ẋ = {:?}; ẏ = {:?}; until t = {:?}; }} }}",
                    distance * cos,
                    distance * sin,
                    -speed * cos,
                    -speed * sin,
                    1.5 * distance / speed
                );
                let error = |last: &State| {
                    let wanted = [e * speed * cos, e * speed * sin];
                    let parts = last.v.iter().zip(wanted).map(|(v, wanted)| (v - wanted).abs());
                    parts.fold(0.0, f64::max) / speed
                };
                check(&format!("{turned} {corner} {part} {e} {distance}"), &text, error, 1e-13);
            }
        }
    }
}

/// Balls in a row that touch, but for the first, which comes with velocity 1 from a distance of 1.
fn cradle(masses: &[f64], e: f64, impacts: &str) -> String {
    let n = masses.len();
    let gap = |i: usize| format!("gap = x{i} - x{} - 1; impact = restitution({e:?});", i - 1);
    let place = |i: usize| if i == 0 { -1.0 } else { i as f64 };
    format!(
        "system Cradle {{ coordinates {{ {} }} kinetic = {};\n{}\n{impacts}\n\
         scenario s {{ {} ẋ0 = 1; until t = 1.5; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("{:?}*ẋ{i}^2/2", masses[i])),
        list(1..n, "\n", |i| format!("contact c{i} {{ {} }}", gap(i))),
        list(0..n, " ", |i| format!("x{i} = {:?};", place(i)))
    )
}

/// Impacts of pairs on a line, the fastest first, until none closes; written here anew.
fn in_turn(masses: &[f64], e: f64) -> Vec<f64> {
    let mut v = vec![0.0; masses.len()];
    v[0] = 1.0;
    for _ in 0..100_000 {
        let speed = |i: usize, v: &[f64]| {
            (v[i] - v[i + 1]) / (1.0 / masses[i] + 1.0 / masses[i + 1]).sqrt()
        };
        let fastest = (0..v.len() - 1).rev().max_by(|a, b| speed(*a, &v).total_cmp(&speed(*b, &v)));
        let i = fastest.filter(|i| v[*i] - v[i + 1] > 1e-13);
        let Some(i) = i else { break };
        let impulse = (1.0 + e) * (v[i] - v[i + 1]) / (1.0 / masses[i] + 1.0 / masses[i + 1]);
        v[i] -= impulse / masses[i];
        v[i + 1] += impulse / masses[i + 1];
    }
    v
}

/// Equal masses: the last ball takes it all with e = 1, all share with e = 0 (momentum is kept); other
/// masses and restitutions as in the same law written by hand. Each ends, by both methods.
#[test]
fn cradles_of_three_to_nine_balls() {
    let mut rng = fastrand::Rng::with_seed(0x00C4_AD1E);
    for n in 3..=9 {
        let equal = vec![1.0; n];
        let other: Vec<f64> = (0..n).map(|_| 0.3 + 2.7 * rng.f64()).collect();
        for masses in [&equal, &other] {
            for e in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let wanted = match (masses == &equal, e) {
                    (true, 1.0) => (0..n).map(|i| f64::from(u8::from(i == n - 1))).collect(),
                    (true, 0.0) => vec![1.0 / n as f64; n],
                    _ => in_turn(masses, e),
                };
                let off = |last: &State| {
                    last.v.iter().zip(&wanted).map(|(v, w)| (v - w).abs()).fold(0.0, f64::max)
                };
                let text = cradle(masses, e, "impacts = sequential;");
                check(&format!("{masses:?} e = {e}"), &text, off, 1e-11);
            }
        }
    }
}

/// Struck jointly the others stay together: v₁ = (1 − e μ)/(1 + μ), v = (1 + e)/(1 + μ) with μ their
/// mass over that of the first; the same without a declaration. A group stands above the whole system.
#[test]
fn a_joint_law_keeps_together_what_touched() {
    for (e, n) in [(1.0, 5), (0.4, 3), (0.0, 9)] {
        let μ = (n - 1) as f64;
        let (first, other) = ((1.0 - e * μ) / (1.0 + μ), (1.0 + e) / (1.0 + μ));
        let off = |last: &State| {
            let others = last.v[1..].iter().map(|v| (v - other).abs());
            others.fold((last.v[0] - first).abs(), f64::max)
        };
        let all = list(1..n, ", ", |i| format!("c{i}"));
        for impacts in
            ["", "impacts = joint;", &format!("impacts = sequential; impacts {{ {all} }} = joint;")]
        {
            check(impacts, &cradle(&vec![1.0; n], e, impacts), off, 1e-13);
        }
    }
}

/// Each event of a sequence names its contact and its impulse: of equal elastic balls 1 each.
#[test]
fn events_of_a_sequence_have_their_impulses() {
    let trajectory = run(&cradle(&[1.0; 5], 1.0, "impacts = sequential;"), Method::RungeKutta);
    let impacts: Vec<(usize, f64)> = (trajectory.events.iter())
        .filter_map(|event| match event.kind {
            EventKind::Impact { contact, impulse, .. } => Some((contact, impulse)),
            _ => None,
        })
        .collect();
    assert_eq!(impacts.iter().map(|impact| impact.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(impacts.iter().all(|impact| (impact.1 - 1.0).abs() < 1e-15), "{impacts:?}");
}

/// Where the order decides, what cannot be told is said; where it does not, there is an answer: equal
/// elastic balls that come from both sides, a corner of 90° (v⁺ = −e v⁻), but not one of 120°.
#[test]
fn an_order_that_decides_is_told_or_the_run_ends() {
    let corner = |angle: f64, e: f64| {
        let ((s, c), (sin, cos)) = (angle.sin_cos(), (angle / 2.0).sin_cos());
        format!(
            "system Corner {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; impacts = sequential;
             contact f {{ gap = y; impact = restitution({e:?}); }}
             contact w {{ gap = x*{s:?} - y*{c:?}; impact = restitution({e:?}); }}
             scenario s {{ x = {cos:?}; y = {sin:?}; ẋ = -{cos:?}; ẏ = -{sin:?}; until t = 2; }} }}"
        )
    };
    for e in [0.0, 0.5, 1.0] {
        let off = |last: &State| last.v.iter().map(|v| (v - e * 0.5_f64.sqrt()).abs()).sum();
        check("90°", &corner(PI / 2.0, e), off, 1e-14);
        for method in [Method::RungeKutta, Method::Taylor] {
            let end = run(&corner(2.0 * PI / 3.0, e), method).end;
            let decided = e == 0.0;
            let End::UndecidedOrder { t, contacts } = &end else {
                assert!(decided && matches!(end, End::ReachedTime { .. }), "{e}: {end}");
                continue;
            };
            assert!((t - 1.0).abs() < 1e-14 && contacts == &["f", "w"], "{end}");
        }
    }
    let both = |e: f64| {
        let text = cradle(&[1.0; 5], e, "impacts = sequential;");
        text.replace("x4 = 4.0;", "x4 = 5.0; ẋ4 = -1;")
    };
    let reversed = |last: &State| {
        last.v.iter().zip([-1.0, 0.0, 0.0, 0.0, 1.0]).map(|(v, wanted)| (v - wanted).abs()).sum()
    };
    check("from both sides", &both(1.0), reversed, 1e-14);
}

/// Three planes through one place leave a particle no room: with losses it comes to rest, in whatever order they are struck, of
/// sequences that end where rates are as small as a start may be off.
#[test]
fn what_has_no_room_comes_to_rest_in_any_order() {
    for k in 0..12 {
        let (sin, cos) = (PI / 6.0 * f64::from(k) + 0.05).sin_cos();
        let text = format!(
            "system Wedged {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; impacts = sequential;
             contact a {{ gap = 2*x + y; impact = elastic; }}
             contact b {{ gap = -x - 2*y; impact = restitution(0.5); }}
             contact c {{ gap = 2*y; impact = restitution(0.3); }}
             scenario s {{ ẋ = {cos:?}; ẏ = {sin:?}; until t = 1; }} }}"
        );
        let speed = |last: &State| last.v.iter().map(|v| v.abs()).fold(0.0, f64::max);
        check(&format!("{k}"), &text, speed, 1e-14);
    }
}
