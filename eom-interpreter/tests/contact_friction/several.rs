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

/// A table on two feet, 1 apart along x, each with half of the weight, under a load that grows and turns, and a moment.
const TABLE: &str = "system Table {
    coordinates { x, y, z, h, p }
    parameters { Ω = 8, F = 3, κ = 0.1, N = 0.8 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + ḣ^2/8 + ṗ^2/10;
    potential = 10*z;
    force x = F*(1 + κ*t)*cos(Ω*t);
    force y = F*(1 + κ*t)*sin(Ω*t);
    force h = N;
    contact a { gap = z + p/2; slip = [ẋ - sin(h)*ḣ/2, ẏ + cos(h)*ḣ/2]; friction = 1/2; impact = plastic; }
    contact b { gap = z - p/2; slip = [ẋ + sin(h)*ḣ/2, ẏ - cos(h)*ḣ/2]; friction = 1/2; impact = plastic; }
    scenario s { until t = 6; }
}";

/// Across the table each foot has (F_y ± 2N)/2, along it they share F_x as they can: both hold as long as
/// √(L² − (F_y + 2N)²/4) + √(L² − (F_y − 2N)²/4) ≥ |F_x|, L = 5/2, which a step at rest may see at both of its ends.
#[test]
fn a_table_gives_way_within_a_step_at_rest() {
    let loads = [
        [5.0, 3.0, 0.1, 0.8],
        [20.0, 3.0, 0.1, 0.8],
        [20.0, 3.0, 0.2, 0.5],
        [20.0, 3.5, 0.05, 0.6],
    ];
    for [Ω, F, κ, N] in loads {
        let room = |t: f64| {
            let (load, (sin, cos)) = (F * (1.0 + κ * t), (Ω * t).sin_cos());
            let along = |across: f64| {
                let left = 6.25 - across * across / 4.0;
                if left < 0.0 { f64::NEG_INFINITY } else { left.sqrt() }
            };
            along(load * sin + 2.0 * N) + along(load * sin - 2.0 * N) - (load * cos).abs()
        };
        let first = (1..60_000).map(|i| 1e-4 * f64::from(i)).find(|t| room(*t) < 0.0);
        let [mut low, mut high] = first.map(|t| [t - 1e-4, t]).expect("it gives way");
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *if room(middle) < 0.0 { &mut high } else { &mut low } = middle;
        }
        for method in [Method::Automatic, Method::RungeKutta, Method::Radau] {
            let options = Options { method, until_time: Some(high + 1e-3), ..Options::default() };
            let made = run_scenario(&system(TABLE, &[Ω, F, κ, N]), "s", &options);
            let found = changes(&made.expect("it starts"));
            check("gives way", found.first().map_or(f64::NAN, |change| change.0), high, 1e-11);
        }
    }
}

/// A box that stands on a tray, which swings: both are one pendulum, θ̈ = −k sin θ, whose feet hold one slip. The implicit method asks for
/// forces beside the manifold, where they seem to hold two.
#[test]
fn a_box_swings_with_its_tray_by_every_method() {
    let source = "system Tray {
        coordinates { θ, x, y, h }
        kinetic = θ̇^2 + (ẋ^2 + ẏ^2)/2 + ḣ^2/12;
        potential = 9.81*(y - 2*cos(θ));
        let L = [x - 0.4*cos(h) + 0.1*sin(h), y - 0.4*sin(h) - 0.1*cos(h)];
        let R = [x + 0.4*cos(h) + 0.1*sin(h), y + 0.4*sin(h) - 0.1*cos(h)];
        contact a { gap = L[2]*cos(θ) - L[1]*sin(θ); slip = L̇[1]*cos(θ) + L̇[2]*sin(θ); friction = 0.6; impact = plastic; }
        contact b { gap = R[2]*cos(θ) - R[1]*sin(θ); slip = Ṙ[1]*cos(θ) + Ṙ[2]*sin(θ); friction = 0.6; impact = plastic; }
        scenario s { y = 0.1; θ̇ = 1; ẋ = -0.1; ḣ = 1; until t = 3; }
    }";
    let k = 9.81 * (2.0 - 0.1) / (2.0 + 1.0 / 6.0 + 0.01);
    let (mut θ, mut ω, step) = (0.0_f64, 1.0_f64, 1e-3_f64);
    for _ in 0..3000 {
        // Runge and Kutta's rule of order 4.
        let rate = |[θ, ω]: [f64; 2]| [ω, -k * θ.sin()];
        let beside = |[a, b]: [f64; 2], part: f64| [θ + part * step * a, ω + part * step * b];
        let first = rate([θ, ω]);
        let second = rate(beside(first, 0.5));
        let third = rate(beside(second, 0.5));
        let fourth = rate(beside(third, 1.0));
        let sum = |i: usize| first[i] + 2.0 * (second[i] + third[i]) + fourth[i];
        (θ, ω) = (θ + step / 6.0 * sum(0), ω + step / 6.0 * sum(1));
    }
    for method in [Method::Automatic, Method::RungeKutta, Method::Radau, Method::Taylor] {
        let options = Options { method, ..Options::default() };
        let made = run_scenario(&system(source, &[]), "s", &options).expect("it starts");
        let end = complete(&made);
        let wanted = [θ, -0.1 * θ.sin(), 0.1 * θ.cos(), θ, ω];
        for (found, wanted) in end.q.iter().chain(&end.v[..1]).zip(wanted) {
            check("swings as one", *found, wanted, 1e-8);
        }
        assert!(made.stats.steps < 1000, "{method:?}: {:?}", made.stats);
    }
}
