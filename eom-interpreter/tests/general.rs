//! Lagrangians that are not quadratic in the velocities: M depends on them. Against the closed forms of a relativistic particle.

use eom_core::{Method, Options, System, run_scenario};
use eom_interpreter::Interpreted;

fn read(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]))
}

/// M = ∂²L/∂v∂v = γ (1 + γ² v vᵀ/c²) at v, whatever has been asked before; of t and q alone there is none.
#[test]
fn the_mass_matrix_is_that_at_the_velocity() {
    let system = read(
        "system Particle { coordinates { x, y } parameters { c = 2 where c > 0 }
           lagrangian = -c^2*sqrt(1 - (ẋ^2 + ẏ^2)/c^2) - y; }",
    );
    let (mut m, mut a) = ([0.0; 4], [0.0; 2]);
    for v in [[0.0, 0.0], [1.2, -0.7], [0.3, 1.9], [5.0, 5.0], [0.1, 0.2]] {
        system.accelerations(0.0, &[0.0, 0.0], &v, &[], &mut a, &mut []);
        system.mass_matrix(0.0, &[0.0, 0.0], &mut m);
        assert!(m.iter().all(|entry| entry.is_nan()), "{m:?}");
        system.mass_matrix_at(0.0, &[0.0, 0.0], &v, &mut m);
        let γ = (1.0 - (v[0] * v[0] + v[1] * v[1]) / 4.0).sqrt().recip();
        for (i, entry) in m.iter().enumerate() {
            let unit = f64::from(u8::from(i % 3 == 0));
            let wanted = γ * (unit + γ * γ * v[i / 2] * v[i % 2] / 4.0);
            let same = (entry - wanted).abs() < 1e-13 * γ.powi(3) || γ.is_nan() && entry.is_nan();
            assert!(same, "{v:?}: {m:?}");
        }
    }
}

/// On a rod, from rest beside its pin, γ c² + g y stays: γ = 1 + g/c² at the lowest point, which is left with the part of the
/// velocity that a reset leaves it.
#[test]
fn a_relativistic_pendulum_keeps_its_energy() {
    let system = read(
        "system Pendulum { coordinates { x, y } parameters { c = 2 where c > 0, g = 3 }
           lagrangian = -c^2*sqrt(1 - (ẋ^2 + ẏ^2)/c^2) - g*y;
           holonomic { rod: x^2 + y^2 = 1; }
           event low { guard = x; falling; reset { ẋ = ẋ/2; ẏ = ẋ/4; } }
           scenario aside { x = 1; until t = 2; } }",
    );
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        let run = run_scenario(&system, "aside", &Options { method, ..Options::default() });
        let run = run.unwrap_or_else(|refused| panic!("{method:?}: {refused}"));
        assert!(run.end.is_complete(), "{method:?}: {}", run.end);
        let [(_, before), (q, after)] = run.events[0].sides();
        let γ: f64 = 1.0 + 3.0 / 4.0;
        let speed = 2.0 * (1.0 - (γ * γ).recip()).sqrt();
        assert!((before[0] + speed).abs() < 1e-11, "{method:?}: {before:?}");
        // (ẋ/2, ẋ/4) less M⁻¹ (0, 1)ᵀ, M⁻¹ = (1 − v vᵀ/c²)/γ, so that ẏ = 0.
        let v = [-speed / 2.0, -speed / 4.0];
        let wanted = v[0] + v[1] * (v[0] * v[1] / 4.0) / (1.0 - v[1] * v[1] / 4.0);
        assert!(q[0].abs() < 1e-11 && after[1].abs() < 1e-11, "{method:?}: {after:?}");
        assert!((after[0] - wanted).abs() < 1e-10, "{method:?}: {after:?} for {wanted}");
    }
}
