//! Impacts at which a guide with friction takes an impulse.

use super::{check, complete, run, system, systems};
use eom_core::{Event, EventKind, Trajectory};

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
            let (event, found) = strike(&trajectory);
            check("impulse", found, impulse, 1e-13 * impulse);
            check("slide", event.v_plus()[0], impulse * moves, 1e-13 * impulse);
            check("ball", event.v_plus()[3], v[1] + 0.5 * impulse * n[1], 1e-13 * impulse);
            assert_eq!(event.v_plus()[1], 0.0);
            assert!(last.v[0] >= 0.0);
        }
    }
}

/// A slide in a channel, struck by a ball along n: the channel takes both other components.
const CHANNEL: &str = "system Channel {
    coordinates { x, y, z, X, Y, Z }
    parameters { a = 1, b = 1, c = 1, μ = 0.2, e = 0.5, m = 2 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + m/2*(Ẋ^2 + Ẏ^2 + Ż^2);
    holonomic { channel: [y, z] = [0, 0]; }
    row channel { slip = ẋ; friction = μ; }
    contact face { gap = (a*(X - x) + b*(Y - y) + c*(Z - z))/sqrt(a^2 + b^2 + c^2); impact = restitution(e); }
}";

#[test]
fn a_slide_in_a_channel_is_slowed_by_the_length_of_its_impulse() {
    let law = "slip = Ẋ - ẋ; friction = 0; impact = poisson(e)";
    for source in [CHANNEL.to_owned(), CHANNEL.replace("impact = restitution(e)", law)] {
        for n in [[-1.0, 0.4, 0.3], [-0.3, 1.0, -2.0], [-0.6, 0.0, 0.8], [-1.0, 0.0, 0.0_f64]] {
            for μ in [0.0, 0.2, 0.9, 4.0] {
                let e = 0.5;
                let struck = system(&source, &[n[0], n[1], n[2], μ, e, 2.0]);
                let length = f64::sqrt(n.iter().map(|n| n * n).sum());
                let n = n.map(|n| n / length);
                let v = [1.5, -0.5, -0.2].map(|v| v * n[1].signum());
                let v = [v[0].abs(), v[1] * n[1].signum() * n[1], v[2] * n[2]];
                let closing: f64 = n.iter().zip(&v).map(|(n, v)| n * v).sum();
                assert!(closing < 0.0, "{n:?} {v:?}");
                let start = [0.0, 0.0, 0.0, -v[0], -v[1], -v[2]];
                let speeds = [0.0, 0.0, 0.0, v[0], v[1], v[2]];
                let trajectory = run(&struck, &start, &speeds, 1.0 + 1e-6);
                complete(&trajectory);
                // The slide takes −n Λ, its channel μ Λ √(n_y² + n_z²) of that.
                let moves = (-n[0] - μ * n[1].hypot(n[2])).max(0.0);
                let impulse = -(1.0 + e) * closing / (0.5 - n[0] * moves);
                let (event, found) = strike(&trajectory);
                check("impulse", found, impulse, 1e-13 * impulse);
                check("slide", event.v_plus()[0], impulse * moves, 1e-13 * impulse);
                check("ball", event.v_plus()[5], v[2] + 0.5 * impulse * n[2], 1e-13 * impulse);
                assert_eq!(event.v_plus()[1..3], [0.0; 2]);
            }
        }
    }
}

/// The first impact, and its impulse.
fn strike(trajectory: &Trajectory) -> (&Event, f64) {
    let impact = trajectory.events.iter().find_map(|event| match &event.kind {
        EventKind::Impact { impulse, .. } => Some((event, *impulse)),
        _ => None,
    });
    impact.expect("the ball strikes")
}
