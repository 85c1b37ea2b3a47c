//! Forces with λ of a contact: what acts with its normal force, in motion and at impacts, against closed forms.

use super::{G, check, complete, run, system};
use eom_core::contact::Reactions;
use eom_core::{
    End, EventKind, ForceCheck, Mode, Options, State, Trajectory, run_scenario, simulate,
};
use std::ops::ControlFlow;

/// A block in the plane with some force, and an impact law.
fn block(force: &str, law: &str) -> String {
    format!(
        "system Block {{ coordinates {{ x, y }} parameters {{ c = 0.3, s = 1, a = 0, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; {force}
            contact floor {{ gap = y + a*x; impact = {law}; }} }}"
    )
}

/// Friction without a corner: sinh(v/s) falls as exp(−c g t/s).
#[test]
fn what_slides_is_slowed_in_proportion_to_what_presses() {
    let source = block("force x = -c*λ(floor)*tanh(ẋ/s);", "plastic");
    for (c, s) in [(0.3, 1.0), (0.5, 0.1), (0.2, 1e-3)] {
        let block = system(&source, &[c, s]);
        let trajectory = run(&block, &[0.0, 0.0], &[2.0, 0.0], 0.8);
        let exponent = 2.0_f64 / s - c * G * 0.8 / s;
        // sinh(v₀/s) e^(−c g t/s), of which the decaying part counts where s is small.
        let sinh = 0.5 * (exponent.exp() - (-2.0 / s - c * G * 0.8 / s).exp());
        check("ẋ", complete(&trajectory).v[0], s * sinh.asinh(), 1e-9);
    }
}

/// Friction that falls with the speed: its corner is friction, the rest a force. With u = v/s it stops after
/// (s/g) ∫ du/(a − b tanh u) = (s/g) (a u + b ln(cosh u − (b/a) sinh u))/(a² − b²), and stays.
#[test]
fn friction_that_falls_with_the_speed_is_a_corner_and_a_force() {
    let source = format!(
        "system Block {{ coordinates {{ x, y }} parameters {{ a = 0.6, b = 0.3, s = 0.2, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; force x = b*λ(floor)*tanh(ẋ/s);
            contact floor {{ gap = y; slip = ẋ; friction = a; impact = plastic; }} }}"
    );
    for (a, b, s) in [(0.6, 0.3, 0.2), (0.5, 0.45, 1.0), (0.6, 0.3, 0.02)] {
        let trajectory = run(&system(&source, &[a, b, s]), &[0.0, 0.0], &[-3.0, 0.0], 10.0);
        let u: f64 = 3.0 / s;
        // ln(cosh u − (b/a) sinh u) without what overflows.
        let log = u + (0.5 * (1.0 - b / a) + 0.5 * (1.0 + b / a) * (-2.0 * u).exp()).ln();
        let stops = s / G * (a * u + b * log) / (a * a - b * b);
        assert_eq!(complete(&trajectory).v[0], 0.0);
        let sticks =
            trajectory.events.iter().find(|event| matches!(event.kind, EventKind::Stick { .. }));
        check("t", sticks.map_or(f64::NAN, |event| event.t), stops, 1e-11);
    }
}

/// In a ring the normal force grows with ω²: dω²/dθ + 2μ ω² = −2 g/R (sin θ + μ cos θ).
#[test]
fn in_a_ring_the_normal_force_is_that_of_the_motion() {
    let ring = system(
        &format!(
            "system Ring {{ coordinates {{ r, θ }} parameters {{ μ = 0.2, R = 0.7, g = {G} }}
                kinetic = (ṙ^2 + r^2*θ̇^2)/2; potential = -g*r*cos(θ);
                force θ = -μ*r*λ(ring); contact ring {{ gap = R - r; impact = plastic; }} }}"
        ),
        &[],
    );
    let (μ, k, ω) = (0.2_f64, G / 0.7, 9.0_f64);
    let trajectory = run(&ring, &[0.7, 0.1], &[0.0, ω], 0.11);
    let State { q, v, .. } = complete(&trajectory);
    let a = (2.0 * k - 4.0 * k * μ * μ) / (1.0 + 4.0 * μ * μ);
    let b = -2.0 * k * μ - 2.0 * μ * a;
    let forced = |θ: f64| a * θ.cos() + b * θ.sin();
    let wanted = forced(q[1]) + (ω * ω - forced(0.1)) * (-2.0 * μ * (q[1] - 0.1)).exp();
    check("ω²", v[1] * v[1], wanted, 1e-9);
    check("r", q[0], 0.7, 1e-14);
}

/// λ_w = F + j λ_f and λ_f = g + k λ_w, of a block pressed into a corner.
#[test]
fn two_normal_forces_act_on_each_other() {
    let corner = system(
        "system Corner { coordinates { x, y } parameters { F = 3, j = 0.4, k = 0.5, g = 9.81 }
            kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
            force x = F + j*λ(floor); force y = -k*λ(wall);
            contact floor { gap = y; impact = plastic; }
            contact wall { gap = -x; impact = plastic; }
            output floor = λ(floor); output wall = λ(wall); }",
        &[],
    );
    let trajectory = run(&corner, &[0.0, 0.0], &[0.0, 0.0], 1.0);
    assert_eq!(complete(&trajectory).q, [0.0, 0.0]);
    let mut found = [0.0; 2];
    let state = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    Reactions::new(&corner).outputs(&corner, &[], &state, &Mode::new(vec![0, 1]), &mut found);
    let floor = (G + 0.5 * 3.0) / (1.0 - 0.4 * 0.5);
    check("floor", found[0], floor, 1e-13);
    check("wall", found[1], 3.0 + 0.4 * floor, 1e-13);
}

/// What holds down in proportion to the normal force makes that larger, and lets go at the same instant.
#[test]
fn a_table_throws_off_what_it_presses_against() {
    let source = "system Table { coordinates { y } parameters { k = 0, A = 0.1, w = 12, g = 9.81 }
        kinetic = ẏ^2/2; potential = g*y; force y = -k*λ(table);
        contact table { gap = y - A*sin(w*t); impact = plastic; } }";
    let thrown = |k: f64| {
        let options = Options { until_time: Some(0.1), ..Options::default() };
        let start = State::new(0.0, [0.0], [1.2]);
        let table = system(source, &[k]);
        let trajectory =
            simulate(&table, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap();
        let opens = |kind: &EventKind| matches!(kind, EventKind::Opening { .. });
        trajectory.events.iter().find(|event| opens(&event.kind)).expect("it is thrown").t
    };
    let wanted = (G / (0.1 * 144.0)).asin() / 12.0;
    for k in [0.0, 0.5, -0.7] {
        check("opens", thrown(k), wanted, 1e-12);
    }
}

fn struck(trajectory: &Trajectory) -> usize {
    trajectory.events.iter().filter(|e| matches!(e.kind, EventKind::Impact { .. })).count()
}

/// On a slope g = y + a x with Q_x = c λ: Λ = −(1 + e) ġ/(1 + a² + a c), Δẋ = (a + c) Λ, Δẏ = Λ.
#[test]
fn an_impulse_brings_along_what_acts_with_it() {
    for (c, a, e) in [(0.3, 0.0, 0.5), (-0.6, 0.4, 0.8), (2.0, -0.3, 0.0)] {
        let law = if e == 0.0 { "plastic".to_owned() } else { format!("restitution({e})") };
        let slope = system(&block("force x = c*λ(floor);", &law), &[c, 1.0, a]);
        let (x, y, v) = (0.0, 0.05, [1.0, -2.0]);
        let trajectory = run(&slope, &[x, y], &v, 0.04);
        let last = complete(&trajectory);
        assert_eq!(struck(&trajectory), 1, "{:?}", trajectory.events);
        let EventKind::Impact { impulse, rate_minus, rate_plus, .. } = trajectory
            .events
            .iter()
            .find(|e| matches!(e.kind, EventKind::Impact { .. }))
            .map(|event| event.kind.clone())
            .expect("it is struck")
        else {
            unreachable!()
        };
        let wanted = -(1.0 + e) * rate_minus / (1.0 + a * a + a * c);
        check("Λ", impulse, wanted, 1e-12);
        check("ġ⁺", rate_plus, -e * rate_minus, 1e-12);
        if e > 0.0 {
            check("ẋ", last.v[0], v[0] + (a + c) * wanted, 1e-12);
        }
    }
}

/// The root of ẋ + Λ c tanh(ẋ/s) = ẋ⁻, by halves.
fn slowed(from: f64, strength: f64, s: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, from);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle + strength * (middle / s).tanh() > from { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// The steeper the force, the nearer to friction that ends a slip: never does it turn round.
#[test]
fn at_an_impact_a_force_is_that_of_the_velocity_after_it() {
    for s in [1.0, 0.1, 1e-3, 1e-6, 1e-9] {
        for (c, slip) in [(0.3, 2.0), (0.9, 0.7), (0.9, 1e-3), (0.3, 0.0)] {
            let source = block("force x = -c*λ(floor)*tanh(ẋ/s);", "elastic");
            let block = system(&source, &[c, s]);
            let trajectory = run(&block, &[0.0, 0.05], &[slip, -2.0], 0.04);
            let fall = (4.0 + 2.0 * G * 0.05_f64).sqrt();
            let wanted = slowed(slip, 2.0 * c * fall, s);
            check(&format!("ẋ, s = {s}"), complete(&trajectory).v[0], wanted, 1e-12);
        }
    }
}

/// In two directions the force against the velocity keeps its direction.
#[test]
fn in_a_plane_it_acts_along_the_slip() {
    let puck = system(
        &format!(
            "system Puck {{ coordinates {{ x, y, z }} parameters {{ c = 0.4, s = 1e-4, g = {G} }}
                kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z;
                let v = sqrt(ẋ^2 + ẏ^2 + s^2);
                force x = -c*λ(ice)*ẋ/v; force y = -c*λ(ice)*ẏ/v;
                contact ice {{ gap = z; impact = restitution(0.5); }} }}"
        ),
        &[],
    );
    for size in [2.0_f64, 0.2] {
        let along = [0.6 * size, -0.8 * size];
        let trajectory = run(&puck, &[0.0, 0.0, 0.05], &[along[0], along[1], -2.0], 0.04);
        let strength = 0.4 * 1.5 * (4.0 + 2.0 * G * 0.05_f64).sqrt();
        let (mut low, mut high) = (0.0_f64, size);
        for _ in 0..200 {
            let w = 0.5 * (low + high);
            if w + strength * w / (w * w + 1e-8).sqrt() > size { high = w } else { low = w }
        }
        let v = &complete(&trajectory).v;
        check("ẋ", v[0], 0.6 * low, 1e-12);
        check("ẏ", v[1], -0.8 * low, 1e-12);
    }
}

/// 1 + a² + a c ≤ 0: what acts with the impulse drives the bodies together.
#[test]
fn what_drives_together_faster_than_it_is_held_has_no_solution() {
    let slope = system(&block("force x = c*λ(floor);", "plastic"), &[-3.0, 1.0, 0.5]);
    let trajectory = run(&slope, &[0.0, 0.05], &[0.0, -2.0], 1.0);
    let End::FrictionParadox { contacts, coefficients, .. } = &trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert_eq!((contacts.as_slice(), coefficients.len()), (&["floor"][..], 0));
    let told = trajectory.end.to_string();
    assert!(told.contains("what acts with the normal force of `floor`"), "{told}");
}

/// Beside friction of the same contact, and the ledger closes: the force's work is its own line.
#[test]
fn books_are_kept_of_it() {
    let source = format!(
        "system Both {{ coordinates {{ x, y }} parameters {{ c = 0.2, μ = 0.3, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; force x = -c*λ(floor)*ẋ;
            contact floor {{ gap = y; slip = ẋ; friction = μ; impact = restitution(0.4); }}
            scenario slide {{ ẋ = 3; until t = 0.4; }}
            scenario bounce {{ y = 0.2; ẋ = 3; until t = 0.9; }} }}"
    );
    let both = system(&source, &[]);
    let options = Options { ledger: true, ..Options::default() };
    for scenario in ["slide", "bounce"] {
        let trajectory = run_scenario(&both, scenario, &options).expect("it has this scenario");
        let ledger = trajectory.ledger.as_ref().expect("it is asked for");
        assert!(ledger.closes(), "{scenario}: {ledger:?}");
        if scenario == "slide" {
            // ẍ = −μ g − c g ẋ.
            let (k, end) = (0.2 * G, 0.3 / 0.2);
            let wanted = (3.0 + end) * (-k * 0.4_f64).exp() - end;
            check("ẋ", complete(&trajectory).v[0], wanted, 1e-10);
        }
    }
}

/// A patch of the ground that is narrower than a step, of friction and of what is declared: both are seen.
#[test]
fn a_narrow_patch_is_not_stepped_over() {
    let patch = "(0.1 + 50*exp(-((x - 1)/w)^2))";
    for (force, more) in [
        (format!("force x = -{patch}*λ(floor);"), String::new()),
        (String::new(), format!("slip = ẋ; friction = {patch};")),
    ] {
        let source = format!(
            "system Patch {{ coordinates {{ x, y }} parameters {{ w = 1e-4, g = {G} }}
                kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; {force}
                contact floor {{ gap = y; {more} impact = plastic; }} }}"
        );
        let (ground, start) = (system(&source, &[]), State::new(0.0, [0.0, 0.0], [5.0, 0.0]));
        let options =
            Options { until_time: Some(0.5), forces: ForceCheck::Bounded, ..Options::default() };
        let trajectory =
            simulate(&ground, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap();
        let State { q, v, .. } = complete(&trajectory);
        let lost = G * (0.1 * q[0] + 50.0 * 1e-4 * std::f64::consts::PI.sqrt());
        check("ẋ²", v[0] * v[0], 25.0 - 2.0 * lost, 1e-8);
    }
}
