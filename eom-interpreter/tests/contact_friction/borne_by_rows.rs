//! Forces with λ of a row beside contacts: what contacts add to the multiplier acts as well, at impacts their impulses.

use super::{G, check, complete, run, system};
use eom_core::contact::Reactions;
use eom_core::{End, EventKind, Mode, State, Trajectory};
use eom_interpreter::Interpreted;

/// A slide on a rail, pushed against a wall that leans: λ_rail = g + b N, N = (F + c g)/(1 − c b).
fn slide(more: &str, law: &str, p: &[f64]) -> Interpreted {
    let source = format!(
        "system Slide {{ coordinates {{ x, y, z }} parameters {{ c, b, F = 0, k = 0, μ = 0, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y;
            holonomic {{ rail: y = 0; }}
            force x = F - k*t + c*λ(rail);
            contact wall {{ gap = -x - b*y; {more} impact = {law}; }}
            output normal = λ(wall); output rail = λ(rail); }}"
    );
    system(&source, p)
}

fn first_impact(trajectory: &Trajectory) -> [f64; 3] {
    let mut events = trajectory.events.iter();
    let impact = events.find_map(|event| match event.kind {
        EventKind::Impact { impulse, rate_minus, rate_plus, .. } => {
            Some([impulse, rate_minus, rate_plus])
        }
        _ => None,
    });
    impact.expect("it is struck")
}

/// Λ_rail = b Λ, so that Δẋ = −(1 − c b) Λ.
#[test]
fn an_impulse_of_a_row_brings_along_what_acts_with_it() {
    for (c, b, e) in [(0.4, 0.7, 0.5), (-1.5, 0.9, 0.8), (0.3, -2.0, 1.0), (0.8, 0.5, 0.0)] {
        let law = format!("restitution({e})");
        let trajectory = run(&slide("", &law, &[c, b]), &[-0.5, 0.0, 0.0], &[5.0, 0.0, 0.0], 0.3);
        let [impulse, before, after] = first_impact(&trajectory);
        // v² = 25 + 2 c g 0.5 before it.
        check("ġ⁻", before, -(25.0 + c * G).sqrt(), 1e-12);
        check("ġ⁺", after, -e * before, 1e-12);
        check("Λ", impulse, -(1.0 + e) * before / (1.0 - c * b), 1e-12);
    }
}

#[test]
fn what_a_contact_adds_to_a_multiplier_acts_while_it_is_closed() {
    for (c, b) in [(0.4, 0.7), (-1.5, 0.9), (0.3, -2.0)] {
        let rail = slide("", "plastic", &[c, b, 40.0]);
        let mut found = [0.0; 2];
        let state = State::new(0.0, [0.0; 3], [0.0; 3]);
        Reactions::new(&rail).outputs(&rail, &[], &state, &Mode::new(vec![0]), &mut found);
        let normal = (40.0 + c * G) / (1.0 - c * b);
        check("N", found[0], normal, 1e-13);
        check("λ", found[1], G + b * normal, 1e-13);
        // It opens where the forces have fallen to F + c g = 0.
        let falling = slide("", "plastic", &[c, b, 40.0, 60.0]);
        let trajectory = run(&falling, &[0.0; 3], &[0.0; 3], 2.0);
        let opens = |kind: &EventKind| matches!(kind, EventKind::Opening { .. });
        let opening = trajectory.events.iter().find(|event| opens(&event.kind));
        check("opens", opening.expect("it opens").t, (40.0 + c * G) / 60.0, 1e-12);
    }
}

/// Beside friction of the contact, which grows with its normal force: z̈ = −μ N, and Δż = −μ Λ.
#[test]
fn friction_of_a_contact_stands_beside_it() {
    let (c, b, μ) = (0.4, 0.7, 0.25);
    let rough = slide("slip = ż; friction = μ;", "restitution(0.5)", &[c, b, 5.0, 0.0, μ]);
    let trajectory = run(&rough, &[0.0; 3], &[0.0, 0.0, 2.0], 0.4);
    let normal = (5.0 + c * G) / (1.0 - c * b);
    check("ż", complete(&trajectory).v[2], 2.0 - μ * normal * 0.4, 1e-12);
    let rough = slide("slip = ż; friction = μ;", "restitution(0.5)", &[c, b, 0.0, 0.0, μ]);
    let trajectory = run(&rough, &[-0.5, 0.0, 0.0], &[3.0, 0.0, 9.0], 0.2);
    let impulse = 1.5 * (9.0 + c * G).sqrt() / (1.0 - c * b);
    check("Λ", first_impact(&trajectory)[0], impulse, 1e-12);
    check("ż", complete(&trajectory).v[2], 9.0 - μ * impulse, 1e-12);
}

/// 1 − c b ≤ 0: the harder the wall presses, the harder it is pressed against.
#[test]
fn what_presses_harder_than_it_is_held_has_no_solution() {
    let trajectory =
        run(&slide("", "plastic", &[2.0, 0.6]), &[-0.5, 0.0, 0.0], &[3.0, 0.0, 0.0], 1.0);
    assert!(matches!(trajectory.end, End::FrictionParadox { .. }), "{}", trajectory.end);
    let told = trajectory.end.to_string();
    assert!(told.contains("wall"), "{told}");
}
