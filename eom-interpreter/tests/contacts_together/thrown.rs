//! Several contacts that lose their forces at one time: a stack that is thrown off by what carries it.

use crate::support::{list, run};
use eom_core::{End, EventKind, Method};

/// Plates of these masses lie on each other, on a table y = A sin ωt; the contact below plate i is declared as this order says.
/// With friction each may slide on the one below, and moves along with it.
fn stack(masses: &[f64], [a, ω, g, μ]: [f64; 4], order: &[usize], until: f64) -> String {
    let n = masses.len();
    let names = |v: &str| list(0..n, ", ", |i| format!("{v}{i}"));
    let kinetic = |v: &str| list(0..n, " + ", |i| format!("{:?}/2*{v}{i}_dot^2", masses[i]));
    let below = |v: &str, i: usize, table: String| {
        if i == 0 { table } else { format!("{v}{}", i - 1) }
    };
    let contact = |i: usize| {
        let table = below("y", i, format!("{a:?}*sin({ω:?}*t)"));
        let slip = if i == 0 { String::new() } else { format!(" - x{}_dot", i - 1) };
        format!(
            "contact c{i} {{ gap = y{i} - {table}; slip = x{i}_dot{slip}; friction = {μ:?}; impact = plastic; }}"
        )
    };
    format!(
        "system Stack {{ coordinates {{ {}, {} }} kinetic = {} + {}; potential = {g:?}*({});\n{}\n\
         scenario s {{ {} until t = {until:?}; }} }}",
        names("x"),
        names("y"),
        kinetic("x"),
        kinetic("y"),
        list(0..n, " + ", |i| format!("{:?}*y{i}", masses[i])),
        list(0..n, "\n", |k| contact(order[k])),
        list(0..n, " ", |i| format!("y{i}_dot = {:?};", a * ω))
    )
}

/// They leave the table where its acceleration is −g, and fly on side by side: only the lowest contact opens.
#[test]
fn a_stack_is_thrown_off_as_one() {
    let check = |masses: &[f64], law: [f64; 4], order: &[usize]| {
        let [a, ω, g, _] = law;
        let leaves = (g / (a * ω * ω)).asin() / ω;
        let until = 2.0 / ω;
        let flight = until - leaves;
        let y = a * (ω * leaves).sin() + a * ω * (ω * leaves).cos() * flight
            - g / 2.0 * flight * flight;
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let found = run(&stack(masses, law, order, until), method);
            let name = format!("{masses:?} {law:?} {order:?} {method:?}");
            assert!(matches!(found.end, End::ReachedTime { .. }), "{name}: {}", found.end);
            let kinds: Vec<EventKind> =
                found.events.iter().map(|event| event.kind.clone()).collect();
            let lowest = order.iter().position(|i| *i == 0).expect("a lowest one");
            assert_eq!(kinds, [EventKind::Opening { contact: lowest }], "{name}");
            assert!((found.events[0].t - leaves).abs() < 1e-10, "{name}: {}", found.events[0].t);
            for q in &found.last().expect("a state").q[masses.len()..] {
                assert!((q - y).abs() < 1e-12, "{name}: {q} for {y}");
            }
        }
    };
    for μ in [0.0, 0.4] {
        check(&[1.837, 2.466], [0.079, 8.177, 1.694, μ], &[1, 0]);
        check(&[1.837, 2.466], [0.079, 8.177, 1.694, μ], &[0, 1]);
        check(&[1.0, 1.0, 1.0], [0.1, 12.0, 9.81, μ], &[0, 1, 2]);
        check(&[0.3, 2.7, 1.1], [0.25, 6.5, 9.81, μ], &[2, 0, 1]);
        check(&[2.0, 0.7, 0.9, 1.3], [0.05, 15.0, 9.81, μ], &[3, 1, 0, 2]);
    }
}

/// Wagons of these masses in touch, pushed against a wall by a force in proportion to them that turns at t = 2/3: they leave the
/// wall as one where all forces are zero at once.
#[test]
fn wagons_leave_a_wall_as_one() {
    for (masses, push) in [(&[1.0, 1.0][..], 0.04), (&[1.0, 1.0], 0.3), (&[2.0, 2.0], 0.04)] {
        let n = masses.len();
        let gap =
            |i: usize| if i == 0 { "x0".to_owned() } else { format!("x{i} - x{} - 1", i - 1) };
        let text = format!(
            "system Train {{ coordinates {{ {} }} kinetic = {}; potential = 0;\n{}\n{}\n\
             scenario s {{ {} until t = 2; }} }}",
            list(0..n, ", ", |i| format!("x{i}")),
            list(0..n, " + ", |i| format!("{:?}/2*ẋ{i}^2", masses[i])),
            list(0..n, "\n", |i| format!("force x{i} = {:?}*{push:?}*(3/2*t - 1);", masses[i])),
            list(0..n, "\n", |i| format!("contact c{i} {{ gap = {}; impact = plastic; }}", gap(i))),
            list(0..n, " ", |i| format!("x{i} = {i};"))
        );
        // ∬ p (3/2 s − 1) from 2/3 on is p τ³/4.
        let moved = push * (2.0 - 2.0 / 3.0_f64).powi(3) / 4.0;
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let found = run(&text, method);
            assert!(matches!(found.end, End::ReachedTime { .. }), "{masses:?}: {}", found.end);
            assert!(found.stats.steps < 200, "{masses:?} {method:?}: {:?}", found.stats);
            for (i, q) in found.last().expect("a state").q.iter().enumerate() {
                let off = (q - i as f64 - moved).abs();
                assert!(off < 1e-12, "{masses:?} {method:?}: {q} of {i}, {moved}");
            }
        }
    }
}
