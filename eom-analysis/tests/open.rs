//! Derivatives of free motion where constraints have friction, against closed forms and differences.

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, OpenJacobian};
use eom_core::contact::open_accelerations;
use eom_core::{State, System};

const SLIDE: &str = "system Slide {
    coordinates { x, y } parameters { μ = 0.3 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
    holonomic { g: y = 0; }
    row g { slip = ẋ; friction = μ; }
    force x = -2*ẋ; force y = 3*ẋ;
}";

const PLANE: &str = "system Plane {
    coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*z + x^2;
    holonomic { h: z = x*y/2; }
    row h { slip = [ẋ, ẏ]; friction = 0.3; }
}";

const PIN: &str = "system Pin {
    coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = 9.81*y;
    holonomic { pin: [x - sin(θ), y + cos(θ)] = [0, 0]; }
    row pin { slip = 0.1*θ̇; friction = 0.2; }
}";

/// v̇ and its derivatives by rows.
fn derived(system: &dyn System, state: &State) -> Result<Vec<f64>, AnalysisError> {
    let d = state.q.len() + state.v.len();
    let mut rows = vec![0.0; d * d];
    OpenJacobian::new(system)?.evaluate(state, &[], &mut rows)?;
    Ok(rows.split_off(d * state.q.len()))
}

#[test]
fn of_a_slide_that_is_pressed() {
    // ẍ = −2ẋ − μ|10 − 3ẋ| sign ẋ; at rest nothing tells to which side it slides.
    let slide = interpreted(SLIDE);
    for (speed, slope) in [(1.5, -1.1), (-1.5, -2.9), (7.5, -2.9), (-7.5, -2.9), (0.0, -2.0)] {
        let rows = derived(&slide, &State::new(0.0, [0.2, 0.0], [speed, 0.0])).unwrap();
        let wanted = [0.0, 0.0, slope, 0.0];
        let error = rows.iter().zip(wanted).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(error < 1e-14, "{speed}: {rows:?}");
    }
}

#[test]
fn are_limits_of_differences() {
    let (sin, cos) = 0.4_f64.sin_cos();
    let table: [(&str, &[f64], &[f64]); 2] = [
        (PLANE, &[0.3, 0.2, 0.03], &[0.5, 0.15, 0.0525]),
        (PIN, &[sin, -cos, 0.4], &[0.7 * cos, 0.7 * sin, 0.7]),
    ];
    for (text, q, v) in table {
        let system = interpreted(text);
        let (n, d) = (q.len(), q.len() + v.len());
        let at = |place: usize, step: f64| {
            let mut y = [q, v].concat();
            y[place] += step;
            let (mut a, mut λ) = (vec![0.0; v.len()], vec![0.0; system.info().rows.len()]);
            open_accelerations(&system, (0.0, &y[..n], &y[n..], &[]), &mut a, &mut λ);
            a
        };
        let rows = derived(&system, &State::new(0.0, q, v)).unwrap();
        for j in 0..d {
            let (after, before) = (at(j, 1e-5), at(j, -1e-5));
            for (i, (after, before)) in after.iter().zip(&before).enumerate() {
                let quotient = (after - before) / 2e-5;
                let error = (rows[i * d + j] - quotient).abs();
                assert!(error < 1e-7, "{text} ∂{i}/∂{j}: {} {quotient}", rows[i * d + j]);
            }
        }
    }
}

#[test]
fn where_there_are_none_the_reason_is_told() {
    let text = SLIDE.replace("-2*ẋ;", "-integral(exp(-s^2*ẋ^2), s in 0..1);");
    let told = derived(&interpreted(&text), &State::new(0.0, [0.2, 0.0], [1.0, 0.0]));
    assert!(matches!(told, Err(AnalysisError::NoProgram { .. })), "{told:?}");
}
