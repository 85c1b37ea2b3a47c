//! A bead on a vertical hoop, whose pressure changes its side.
//!
//! With u = v² and θ̇ > 0, λ = −(u + g r cos θ)/r,
//!
//! ```text
//! du/dθ = −2 g r sin θ − 2μ σ (u + g r cos θ)        σ = ±1, the sign of the bracket
//! u = (2 g r (1 − 2μ²) cos θ − 6 σ μ g r sin θ)/(1 + 4μ²) + C e^(−2σμθ)
//! ```

use super::{G, METHODS, check, complete, run_by, system, systems};
use eom_core::EventKind;

/// u at θ from u₀ at θ₀ with one σ.
fn moved(μ: f64, σ: f64, (θ0, u0): (f64, f64), θ: f64) -> f64 {
    let particular = |θ: f64| {
        let sum = 2.0 * (1.0 - 2.0 * μ * μ) * θ.cos() - 6.0 * σ * μ * θ.sin();
        G * sum / (1.0 + 4.0 * μ * μ)
    };
    particular(θ) + (u0 - particular(θ0)) * (-2.0 * σ * μ * (θ - θ0)).exp()
}

/// The first θ in (a, b) at which u + g cos θ changes its sign, by bisection.
fn turn(μ: f64, σ: f64, from: (f64, f64), (mut a, mut b): (f64, f64)) -> f64 {
    let bracket = |θ: f64| σ * (moved(μ, σ, from, θ) + G * θ.cos());
    assert!(bracket(a) > 0.0 && bracket(b) < 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        if bracket(middle) > 0.0 { a = middle } else { b = middle }
    }
    a
}

#[test]
fn pressure_changes_its_side_and_comes_back() {
    for (μ, speed) in [(0.1, 8.0_f64), (0.02, 6.6), (0.2, 9.6)] {
        let hoop = system(systems::HOOP, &[1.0, μ]);
        let start = (0.0, speed * speed);
        let top = std::f64::consts::PI;
        let out = turn(μ, 1.0, start, (0.5 * top, top));
        let at_out = (out, moved(μ, 1.0, start, out));
        let back = turn(μ, -1.0, at_out, (top, 1.5 * top));
        let at_back = (back, moved(μ, -1.0, at_out, back));
        for method in METHODS {
            let trajectory = run_by(&hoop, method, (&[1.0, 0.0], &[0.0, speed]), 3.0);
            let last = complete(&trajectory);
            let turned = trajectory.events.iter();
            let turned: Vec<f64> = turned
                .filter(|event| matches!(event.kind, EventKind::Declared { .. }))
                .map(|event| event.q_plus()[1])
                .collect();
            check("out", turned[0], out, 1e-11);
            check("back", turned[1], back, 1e-11);
            for sample in &trajectory.samples {
                let θ = sample.q[1];
                if sample.v[1] <= 0.0 || θ > 2.0 * top {
                    break;
                }
                let wanted = if θ <= out {
                    moved(μ, 1.0, start, θ)
                } else if θ <= back {
                    moved(μ, -1.0, at_out, θ)
                } else {
                    moved(μ, 1.0, at_back, θ)
                };
                check("v²", sample.v[1].powi(2), wanted, 1e-10 * speed * speed);
            }
            assert!(last.v.iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn the_bead_comes_to_rest_within_the_cone() {
    for μ in [0.1_f64, 0.5, 1.5] {
        let hoop = system(systems::HOOP, &[1.0, μ]);
        let trajectory = run_by(&hoop, METHODS[0], (&[1.0, 0.3], &[0.0, 5.0]), 60.0);
        let last = complete(&trajectory);
        assert_eq!(last.v, [0.0, 0.0]);
        assert!(last.q[1].tan().abs() <= μ * (1.0 + 1e-12), "{}", last.q[1]);
        // Energy never grows.
        let energy = |q: &[f64], v: &[f64]| 0.5 * v[1] * v[1] - G * q[1].cos();
        let energies: Vec<f64> = trajectory.samples.iter().map(|s| energy(&s.q, &s.v)).collect();
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] + 1e-11));
    }
}
