//! A slip that stops at the instant of an impact: the velocity is that after the impact, as by hand.

use super::{check, complete, run, system};
use eom_core::{EventKind, Method, Options, State, run_scenario, simulate};
use std::ops::ControlFlow;

/// A block that slides with a = 1/2, before a wall that comes with V = 3/10. From the impact at rest it slides with 2V, and
/// stops after 2V/a where the wall, half as fast, is again: 2V²/a for both.
const WALL: &str = "contact wall { gap = 1 + 0.3*(2 - t) - x; impact = elastic; } }";

/// By dry friction, and on a floor.
const BLOCKS: [(&str, usize); 2] = [
    ("system Block { coordinates { x } kinetic = ẋ^2/2; dissipation = abs(ẋ)/2;", 1),
    (
        "system Block { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
         contact floor { gap = y; slip = ẋ; friction = 0.05; impact = plastic; }",
        2,
    ),
];

#[test]
fn a_block_that_stops_at_a_wall_takes_its_impact() {
    for (block, m) in BLOCKS {
        let block = system(&format!("{block}{WALL}"), &[]);
        for method in [Method::RungeKutta, Method::Taylor] {
            let options = Options { until_time: Some(7.0), method, ..Options::default() };
            let (q, mut v) = (vec![0.0; m], vec![0.0; m]);
            v[0] = 1.0;
            let start = State::new(0.0, q, v);
            let made = simulate(&block, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let made = made.expect("the start is possible");
            let impacts = made.events.iter();
            let impacts = impacts.filter(|e| matches!(e.kind, EventKind::Impact { .. }));
            let impacts: Vec<_> = impacts.collect();
            assert_eq!(impacts.len(), 5, "{}", made.end);
            for (k, impact) in impacts.iter().enumerate() {
                check("t", impact.t, 2.0 + 1.2 * k as f64, 1e-12);
                check("x", impact.q_plus()[0], 1.0 - 0.36 * k as f64, 1e-12);
                check("ẋ", impact.v_plus()[0], -0.6, 1e-12);
            }
            // 0.2 after the last.
            check("x", complete(&made).q[0], -0.44 - 0.6 * 0.2 + 0.25 * 0.04, 1e-12);
        }
    }
}

/// An event at the turns of what slides: its guard is the slip, and it stays at the last of them.
#[test]
fn an_event_of_the_slip_is_one_event_where_it_stops() {
    // ẍ = −x ∓ μ g: half swings of π, each 2 μ g shorter, till |x| ≤ μ g.
    let source = "system Swing {
        coordinates { x, y }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = x^2/2 + 9.81*y;
        contact floor { gap = y; slip = ẋ; friction = 0.2; impact = plastic; }
        event turn { guard = ẋ; both; }
    }";
    let swing = system(source, &[]);
    for start in [10.0_f64, -30.0, 3.0] {
        let halves = ((start.abs() / (0.2 * 9.81) - 1.0) / 2.0).ceil();
        let trajectory = run(&swing, &[start, 0.0], &[0.0, 0.0], 60.0);
        let last = complete(&trajectory);
        let place = start.abs() - halves * 2.0 * 0.2 * 9.81;
        let side = if halves % 2.0 == 0.0 { start.signum() } else { -start.signum() };
        check("place", last.q[0], side * place, 1e-11);
        assert_eq!(last.v, [0.0; 2]);
        let declared = |e: &&eom_core::Event| matches!(e.kind, EventKind::Declared { .. });
        let turns: Vec<f64> = trajectory.events.iter().filter(declared).map(|e| e.t).collect();
        assert_eq!(turns.len() as f64, halves, "{turns:?}");
        for (turn, t) in (1..).zip(&turns) {
            check("turn", *t, std::f64::consts::PI * f64::from(turn), 1e-11);
        }
    }
}

/// The upper of two blocks is pulled, F = c t, and both give way at the floor as one: the forces on the lower one cancel there
/// to rounding, and it has none of its own. t₁ = μ(m + n)g/c, x = c (t − t₁)³/(6(m + n)); in a plane along the pull.
#[test]
fn what_is_held_by_another_gives_way_at_its_limit() {
    let line = "system Stack {
        coordinates { a, b, y, z } parameters { c = 5, m = 1, n = 2, μ = 0.1, ν = 0.2 where ν > 0, g = 9.81 }
        kinetic = m/2*(ȧ^2 + ẏ^2) + n/2*(ḃ^2 + ż^2); potential = m*g*y + n*g*z;
        force b = c*t;
        contact floor { gap = y; slip = ȧ; friction = μ; impact = plastic; }
        contact between { gap = z - y; slip = ḃ - ȧ; friction = ν; impact = plastic; }
    }";
    let plane = "system Stack {
        coordinates { a, b, y, z, d, e } parameters { c = 5, m = 1, n = 2, μ = 0.1, ν = 0.2 where ν > 0, g = 9.81 }
        kinetic = m/2*(ȧ^2 + ḋ^2 + ẏ^2) + n/2*(ḃ^2 + ė^2 + ż^2); potential = m*g*y + n*g*z;
        force b = 0.6*c*t; force e = 0.8*c*t;
        contact floor { gap = y; slip = [ȧ, ḋ]; friction = μ; impact = plastic; }
        contact between { gap = z - y; slip = [ḃ - ȧ, ė - ḋ]; friction = ν; impact = plastic; }
    }";
    for (source, count, part) in [(line, 4, 1.0), (plane, 6, 0.6)] {
        for number in 0..100 {
            let c = 4.0 + 0.0173 * f64::from(number);
            let stack = system(source, &[c]);
            let gives_way = 0.1 * 3.0 * 9.81 / c;
            let until = gives_way + 0.3;
            let made = run(&stack, &vec![0.0; count], &vec![0.0; count], until);
            let last = complete(&made);
            let slip = made.events.iter().find(|e| matches!(e.kind, EventKind::Slip { .. }));
            check("t", slip.expect("it gives way").t, gives_way, 1e-14);
            let way = part * c * 0.3_f64.powi(3) / 18.0;
            check("lower", last.q[0], way, 1e-13);
            check("upper", last.q[1], way, 1e-13);
        }
    }
}

/// A rod that lies all but flat on heaving ground, one of its feet at zero with a slip that is rounding, beside dry friction that
/// holds its place. The foot is struck, and flies off: what turns the rod is the impulse along the normal alone.
#[test]
fn a_foot_that_flies_off_holds_nothing() {
    let rod = system(
        "system Rod { coordinates { x, y, θ }
         parameters { m = 0.951, J = 0.162, l = 0.451, e = 0.374, a = 0.043, ω = 7.249, t_0 = 0.8900811498157104 }
         kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
         potential = m*9.81*y;
         dissipation = 2.683*norm([ẋ]);
         contact foot {
             point = [x - l*cos(θ), y - l*sin(θ)]; surface(X, Y) = Y - a*sin(ω*t); velocity = [0, a*ω*cos(ω*t)];
             friction = 0.409; impact = stronge(e);
         }
         scenario s {
             t = t_0; x = 0.4024216760190751; y = a*sin(ω*t_0) + 1e-14; ẏ = 0.3073110725899353; θ̇ = 8.061_040_188_477_736e-5;
             until t = 0.8900835;
         } }",
        &[],
    );
    let made = run_scenario(&rod, "s", &Options::default()).expect("it starts");
    let mut impacts = made.events.iter().filter_map(|event| match event.kind {
        EventKind::Impact { rate_minus, .. } => Some(rate_minus),
        _ => None,
    });
    let rate = impacts.next().expect("the foot is struck");
    assert_eq!(impacts.count(), 0);
    let impulse = -1.374 * rate / (1.0 / 0.951 + 0.451 * 0.451 / 0.162);
    let turned = 8.061_040_188_477_736e-5 - 0.451 / 0.162 * impulse;
    check("θ̇", complete(&made).v[2], turned, 1e-12);
}

/// A puck on a floor that comes to rest under it along y, V = t − 1, and runs on the other way, driven by F along x. What holds ẏ, and
/// the floor if it stuck, would hold it with different rates: the slip passes through zero. With μg sin p − tan p = F before, and
/// F − μg sin p = tan p behind, ẋ = |V| tan p.
#[test]
fn a_slip_passes_zero_beside_what_sticks() {
    let held = [
        "contact clamp { gap = w; slip = ẏ; friction = 1/2; impact = plastic; }",
        "contact clamp { gap = w; slip = [ẏ, u̇]; friction(0.6, 1/2); impact = plastic; }",
        "dissipation = 30*abs(ẏ);",
    ];
    for (held, turn) in held.into_iter().flat_map(|held| [0.0_f64, 0.7].map(|turn| (held, turn))) {
        let (p, q) = (0.549_885_370_737_371_7_f64, 0.336_374_896_903_450_8_f64);
        let (c, s) = (turn.cos(), turn.sin());
        let source = format!(
            "system Puck {{ coordinates {{ x, y, z, w, u }}
                kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2 + u̇^2)/2; potential = 10*z + 50*w; force x = 2;
                let V = ẏ + t - 1;
                contact floor {{ gap = z; slip = [{c:?}*ẋ - {s:?}*V, {s:?}*ẋ + {c:?}*V]; friction = 1/2; impact = plastic; }}
                {held}
                scenario s {{ ẋ = {:?}; until t = 2; }} }}",
            p.tan()
        );
        for method in [Method::Automatic, Method::RungeKutta, Method::Radau] {
            let options = Options { method, ..Options::default() };
            let made = run_scenario(&system(&source, &[]), "s", &options).expect("it starts");
            let last = complete(&made);
            check("x", last.q[0], f64::midpoint(p.tan(), q.tan()), 1e-11);
            check("ẋ", last.v[0], q.tan(), 1e-11);
            check("y", last.q[1], 0.0, 1e-14);
        }
    }
}
