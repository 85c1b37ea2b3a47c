//! Impacts at which a guide with friction takes an impulse.

use super::{check, complete, run, system, systems};
use eom_core::EventKind;

#[test]
fn a_slide_that_is_struck_is_slowed_by_its_guide() {
    slide_is_struck(systems::STRUCK);
}

/// By Poisson's law the guide slows in both phases as in one: the slide moves on in its direction.
#[test]
fn poissons_law_counts_the_impulse_of_the_guide() {
    let law = "slip = cos(β)*(Ẏ - ẏ) + sin(β)*(Ẋ - ẋ); friction = 0; impact = poisson(e)";
    slide_is_struck(&systems::STRUCK.replace("impact = restitution(e)", law));
}

fn slide_is_struck(source: &str) {
    let e = 0.5;
    for β in [0.3_f64, 0.6, 1.2] {
        for μ in [0.0, 0.2, 0.8, 3.0] {
            let struck = system(source, &[β, μ, e, 2.0]);
            // n·v of the ball, n = (−cos β, sin β).
            let (n, v) = ([-β.cos(), β.sin()], [2.0, -1.0]);
            let closing = n[0] * v[0] + n[1] * v[1];
            let start = [0.0, 0.0, -v[0] - n[0] * 0.0, -v[1]];
            let trajectory = run(&struck, &start, &[0.0, 0.0, v[0], v[1]], 1.0 + 1e-6);
            let last = complete(&trajectory);
            let moves = (β.cos() - μ * β.sin()).max(0.0);
            let impulse = -(1.0 + e) * closing / (0.5 + β.cos() * moves);
            let impact = trajectory.events.iter().find_map(|event| match &event.kind {
                EventKind::Impact { impulse, .. } => Some((event, *impulse)),
                _ => None,
            });
            let (event, found) = impact.expect("the ball strikes");
            check("impulse", found, impulse, 1e-13 * impulse);
            check("slide", event.v_plus()[0], impulse * moves, 1e-13 * impulse);
            check("ball", event.v_plus()[3], v[1] + 0.5 * impulse * n[1], 1e-13 * impulse);
            assert_eq!(event.v_plus()[1], 0.0);
            assert!(last.v[0] >= 0.0);
        }
    }
}
