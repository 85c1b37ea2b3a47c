//! Several bodies on moving ground: what one of them is held by is not told by another that gives way.

use super::{changes, check, complete, system};
use eom_core::{Method, Options, run_scenario};

/// A trunk on two feet, at the height of its centre, and a block, on ground that goes faster and faster, ẍ = t.
const GROUND: &str = "system Ground {
    coordinates { x, y, θ, z, w }
    parameters { μ_1 = 0.1, μ_2 = 0.7, μ = 0.1 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/20 + (ż^2 + ẇ^2)/2;
    potential = 10*(y + w);
    contact block { gap = w; slip = ż - t^2/2; friction = μ; impact = plastic; }
    contact rear { gap = y + sin(θ)/2; slip = ẋ - t^2/2; friction = μ_1; impact = plastic; }
    contact front { gap = y - sin(θ)/2; slip = ẋ - t^2/2; friction = μ_2; impact = plastic; }
    scenario s { until t = 5; }
}";

/// The same along (0.6, 0.8).
const PLANE: &str = "system Ground {
    coordinates { x, y, θ, z, w, p, r }
    parameters { μ_1 = 0.1, μ_2 = 0.7, μ = 0.1 }
    kinetic = (ẋ^2 + ẏ^2 + ṗ^2)/2 + θ̇^2/20 + (ż^2 + ẇ^2 + ṙ^2)/2;
    potential = 10*(y + w);
    let s = [ẋ - 0.3*t^2, ṗ - 0.4*t^2];
    contact block { gap = w; slip = [ż - 0.3*t^2, ṙ - 0.4*t^2]; friction = μ; impact = plastic; }
    contact rear { gap = y + sin(θ)/2; slip = s; friction = μ_1; impact = plastic; }
    contact front { gap = y - sin(θ)/2; slip = s; friction = μ_2; impact = plastic; }
    scenario s { until t = 5; }
}";

/// The block gives way at t = μ g, the trunk at (μ₁ + μ₂) g/2 with both feet, and then goes on with that acceleration.
#[test]
fn a_trunk_is_held_while_a_block_gives_way() {
    for [μ_1, μ_2, μ] in
        [[0.1, 0.7, 0.1], [0.7, 0.1, 0.1], [0.3, 0.5, 0.2], [0.1, 0.4, 0.2], [0.7, 0.1, 0.35]]
    {
        let cases =
            [GROUND, PLANE].map(|source| [Method::RungeKutta, Method::Radau].map(|m| (source, m)));
        for (source, method) in cases.concat() {
            let options = Options { method, ..Options::default() };
            let ground = system(source, &[μ_1, μ_2, μ]);
            let made = run_scenario(&ground, "s", &options).expect("it starts");
            let (block, trunk) = (10.0 * μ, 5.0 * (μ_1 + μ_2));
            let found = changes(&made);
            let terms: Vec<isize> = found.iter().map(|(_, term)| *term).collect();
            assert_eq!(terms, [-1, -2, -3], "{found:?}");
            for ((t, _), wanted) in found.iter().zip([block, trunk, trunk]) {
                check("gives way", *t, wanted, 1e-11);
            }
            let (last, left) = (complete(&made), 5.0 - trunk);
            let x = trunk.powi(3) / 6.0 + trunk.powi(2) / 2.0 * left + trunk * left * left / 2.0;
            let part = if source == PLANE { 0.6 } else { 1.0 };
            check("trunk", last.q[0], part * x, 1e-10);
        }
    }
}
