//! Slips in a plane that begin while what drives them turns, far faster than they grow.

use super::{G, changes, check, complete, system};
use eom_core::{Method, Options, run_scenario};

/// A puck under a load that turns, and passes its limit at t = 0.
const PUCK: &str = "system Puck {
    coordinates { x, y, z }
    parameters { κ = 0.1, Ω = 300 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    potential = 10*z;
    force x = 5*(1 + κ*t)*cos(Ω*t);
    force y = 5*(1 + κ*t)*sin(Ω*t);
    contact floor { gap = z; slip = [ẋ, ẏ]; friction = 1/2; impact = restitution(0); }
    scenario a { t = -0.2; until t = 0.05; }
}";

/// With w = s e^{i(Ωt + δ)}: ṡ = 5 ((1 + κt) cos δ − 1), s (Ω + δ̇) = −5 (1 + κt) sin δ from s = 5κt²/2, δ = −sΩ/5 on, by SciPy's
/// Radau at 10⁻¹².
#[test]
fn a_load_that_turns() {
    for method in [Method::Automatic, Method::Radau, Method::RungeKutta] {
        let options = Options { method, ..Options::default() };
        let trajectory = run_scenario(&system(PUCK, &[]), "a", &options).expect("it starts");
        let last = complete(&trajectory);
        check("ẋ", last.v[0], -0.000_436_268_145_255, 1e-12);
        check("ẏ", last.v[1], 0.000_400_912_195_159, 1e-12);
        check("x", last.q[0], 1.153_335_66e-6, 1e-13);
    }
}

/// A puck that is pulled over its limit by next to nothing: with the slip along u the load is f(u) + A u, of which A is left, and
/// what is known of it ends with the rounding of f. It arrives at A u t²/2; Newton's method that asks for less
/// than that rounding takes millions of evaluations.
#[test]
fn a_load_just_over_its_limit() {
    let source = "system Puck {
        coordinates { x, y, z }
        parameters { F_x = 5, F_y = 0, μ_x = 1/2, μ_y = 1/2 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
        potential = 10*z;
        force x = F_x;
        force y = F_y;
        contact floor { gap = z; slip = [ẋ, ẏ]; friction([μ_x, μ_y]); impact = plastic; }
        scenario a { until t = 3; }
    }";
    let options = Options { method: Method::Automatic, ..Options::default() };
    for [μ_x, μ_y] in [[0.5, 0.5], [0.3, 0.5]] {
        for γ in [0.2_f64, 0.7, 1.3] {
            for excess in [1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
                let u = [γ.cos(), γ.sin()];
                let size = (μ_x * u[0]).hypot(μ_y * u[1]);
                let load = |μ: f64, u: f64| 10.0 * μ * μ * u / size + excess * u;
                let puck = system(source, &[load(μ_x, u[0]), load(μ_y, u[1]), μ_x, μ_y]);
                let trajectory = run_scenario(&puck, "a", &options).expect("it starts");
                let last = complete(&trajectory);
                check("x", last.q[0], 4.5 * excess * u[0], 1e-10);
                check("y", last.q[1], 4.5 * excess * u[1], 1e-10);
                assert!(trajectory.stats.evaluations < 600_000, "{:?}", trajectory.stats);
            }
        }
    }
}

/// A block that a belt carries along, beside other belts in the same plane whose surfaces end before it.
const BELTS: &str = "system Belts {
    coordinates { x, y, z }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    potential = 9.81*z + 37.04/2*((x - 0.153)^2 + 0.638*y^2);
    force x = 0.887*sin(1.975*t);
    contact inner { gap = z; slip = [ẋ - 0.8, ẏ]; friction = 0.335; when x^2 + y^2 < 0.1, x > 0; impact = plastic; }
    contact outer { gap = z; slip = [ẋ - 0.884, ẏ + 0.676]; friction(0.368, 0.27); when x^2 + y^2 > 0.1; impact = plastic; }
    contact left { gap = z; slip = [ẋ, ẏ]; friction = 0.485; when x < 0, x^2 + y^2 < 0.1; impact = plastic; }
    scenario a { t = 3.4306; x = 0.2374; y = 0.008; ẋ = 0.8; until t = 3.53; }
}";

/// In the polar coordinates of the slip ρ̇ = F·u − μ g, ρ φ̇ = F × u from ρ = ċ τ²/2 on, c = ‖F‖ − μ g, by SciPy's Radau at 10⁻¹².
#[test]
fn a_slip_begins_beside_surfaces_that_end() {
    for method in [Method::Automatic, Method::Radau, Method::RungeKutta] {
        let options = Options { method, ..Options::default() };
        let trajectory = run_scenario(&system(BELTS, &[]), "a", &options).expect("it starts");
        let last = complete(&trajectory);
        check("x", last.q[0], 0.314_639_177_958_029_8, 1e-12);
        check("y", last.q[1], 0.007_907_832_582_005, 1e-12);
        check("ẋ", last.v[0], 0.713_970_314_691_483, 1e-12);
        check("ẏ", last.v[1], -0.003_168_079_037_322, 1e-12);
    }
}

/// Euler's disk, with friction in place of the rows that keep it from sliding.
const DISK: &str = "system Disk {
    coordinates { x, y, z, α, φ, χ }
    parameters { μ = 1, δ = 0.05, g = 9.81 }
    let ω_2 = φ̇*sin(α);
    let ω_3 = χ̇ - 2*φ̇*sin(α/2)^2;
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + (α̇^2 + ω_2^2)/8 + ω_3^2/4;
    potential = g*z;
    contact floor {
        gap = z - sin(α);
        slip = [ẋ - α̇*sin(α)*sin(φ) + ω_3*cos(φ), ẏ + α̇*sin(α)*cos(φ) + ω_3*sin(φ)];
        friction = μ;
        roll = [α̇, (φ̇ - χ̇)*sin(α)];
        rolling = δ;
        impact = plastic;
    }
    scenario spin {
        α = 0.1; z = sin(0.1); φ̇ = sqrt(4*g/sin(0.1)); χ̇ = 2*sqrt(4*g/sin(0.1))*sin(0.05)^2;
        until t = 2.9;
    }
}";

/// Friction holds it down to a tilt, and lets it slide and holds it again from there on; it is on its way to where its tilt is nothing,
/// α = c (t₀ − t)² as without slip.
#[test]
fn a_rough_disk() {
    let trajectory = run_scenario(&system(DISK, &[]), "spin", &Options::default());
    let trajectory = trajectory.expect("it starts");
    let last = complete(&trajectory);
    let slides = changes(&trajectory).iter().filter(|(_, change)| *change < 0).count();
    assert!(slides >= 5, "{slides}");
    let c = 4.0 * G * 0.05 * 0.05 / (9.0 - 8.0 * 0.05 * 0.05);
    check("the time that is left", (last.q[3] / c).sqrt(), 0.13, 0.02);
}
