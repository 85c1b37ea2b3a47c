//! A model in a file, `models/pendulum.eom`, in a crate that uses it. The build script compiles it to
//! Rust: the same type that the macro would write.

/// What the build script wrote.
mod pendulum {
    include!(concat!(env!("OUT_DIR"), "/pendulum.rs"));
}

use eom_core::{Options, ScenarioError, Trajectory, run_scenario};
use pendulum::Pendulum;
use std::io::{self, Write as _};

/// The swing from the side into the wall.
fn swing(pendulum: &Pendulum) -> Result<Trajectory, ScenarioError> {
    run_scenario(pendulum, "swing", &Options::default())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", Pendulum::INFO.equations)?;
    for (_, impact) in swing(&Pendulum::default())?.impacts() {
        writeln!(out, "hits the wall at t = {}", impact.t)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_core::nalgebra::{SMatrix, SVector};

    /// At the wall, x = 0, the bob hangs straight down: its speed there is √(2 g l), then e of it.
    #[test]
    fn the_bob_comes_back_with_the_restitution() {
        let pendulum = Pendulum { e: 0.8, ..Pendulum::default() };
        let run = swing(&pendulum).unwrap();
        let speeds: Vec<f64> = run.impacts().map(|(_, impact)| impact.v_plus()[0]).collect();
        assert_eq!(speeds.len(), 5);
        let mut speed = (2.0 * pendulum.g * pendulum.l).sqrt();
        for found in speeds {
            speed *= pendulum.e;
            assert!((found - speed).abs() < 1e-10 * speed, "{found}, {speed}");
        }
    }

    /// λ = m (g y − v²)/(2 r²) and v̇ = (0, −g) + 2 λ q/m, off the circle, too.
    #[test]
    fn derivatives_are_those_of_the_closed_form() {
        let pendulum = Pendulum { m: 2.0, ..Pendulum::default() };
        let Pendulum { m, g, .. } = pendulum;
        let (q, v) = (SVector::from([0.7, -0.8]), SVector::from([0.4, 0.3]));
        let (r2, u) = (q.norm_squared(), SVector::zeros());
        let λ = m * (g * q[1] - v.norm_squared()) / (2.0 * r2);
        let near = |found: &[f64], wanted: &[f64]| {
            let mut pairs = found.iter().zip(wanted);
            assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-13), "{found:?}, {wanted:?}");
        };
        let (a, reaction, a_by_q, a_by_v, reaction_by_q, reaction_by_v) =
            pendulum.derivatives(0.0, &q, &v, &u);
        let λ_by_q =
            -q.transpose() * (2.0 * λ / r2) + SMatrix::<f64, 1, 2>::from([0.0, m * g / (2.0 * r2)]);
        let λ_by_v = -v.transpose() * (m / r2);
        near(&[reaction[0]], &[λ]);
        near(reaction_by_q.as_slice(), λ_by_q.as_slice());
        near(reaction_by_v.as_slice(), λ_by_v.as_slice());
        near(a.as_slice(), (SVector::from([0.0, -g]) + q * (2.0 * λ / m)).as_slice());
        let along = SMatrix::<f64, 2, 2>::identity() * (2.0 * λ / m) + q * λ_by_q * (2.0 / m);
        near(a_by_q.as_slice(), along.as_slice());
        near(a_by_v.as_slice(), (q * λ_by_v * (2.0 / m)).as_slice());
        // M v̇ − Q = Aᵀλ, A = 2 q; by m it is v̇ + (0, g), by g (0, m).
        let forces = pendulum.inverse_dynamics(0.0, &q, &v, &u, &a);
        near(forces.as_slice(), (q * (2.0 * λ)).as_slice());
        let by = pendulum.regressor(0.0, &q, &v, &u, &a);
        near(by.column(0).as_slice(), &[a[0], a[1] + g]);
        near(by.column(2).as_slice(), &[0.0, m]);
        let (a_by_p, reaction_by_p) = pendulum.parameter_derivatives(0.0, &q, &v, &u);
        near(reaction_by_p.as_slice(), &[λ / m, 0.0, m * q[1] / (2.0 * r2), 0.0]);
        near(a_by_p.column(0).as_slice(), &[0.0, 0.0]);
        near(pendulum.coriolis_matrix(0.0, &q, &v).as_slice(), &[0.0; 4]);
        // That of λ alone, and how it changes along (δq, δv).
        let (δq, δv) = (SVector::from([0.3, -0.5]), SVector::from([-0.2, 0.9]));
        let direction = SVector::from([0.3, -0.5, -0.2, 0.9]);
        let weights = SVector::from([0.0, 0.0, 1.0]);
        let (gradient, product) = pendulum.hessian_product(0.0, &q, &v, &u, &weights, &direction);
        near(&gradient.as_slice()[..2], λ_by_q.as_slice());
        near(&gradient.as_slice()[2..], λ_by_v.as_slice());
        let (δλ, δr2) = ((λ_by_q * δq + λ_by_v * δv)[0], 2.0 * q.dot(&δq));
        let fall = SVector::from([0.0, m * g / 2.0]);
        let of_q = q * (2.0 * λ * δr2 / (r2 * r2))
            - (q * δλ + δq * λ) * (2.0 / r2)
            - fall * (δr2 / (r2 * r2));
        near(&product.as_slice()[..2], of_q.as_slice());
        let of_v = v * (m * δr2 / (r2 * r2)) - δv * (m / r2);
        near(&product.as_slice()[2..], of_v.as_slice());
    }
}
