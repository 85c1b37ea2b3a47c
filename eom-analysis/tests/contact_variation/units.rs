//! Impacts with friction in other units of length and time: the same variations, which at 1 are those of differences.

use crate::common::interpreted;
use crate::options;
use eom_analysis::Variations;
use eom_core::nalgebra::DMatrix;
use eom_core::{AbsoluteTolerance, Options, State};

/// ∂y(t)/∂y(0) of a rod that falls turning, in units of a length and a time.
fn rod(laws: [&str; 2], [l, s]: [f64; 2]) -> DMatrix<f64> {
    let [left, right] = laws;
    let system = interpreted(&format!(
        "/// A rod. \n system R {{ coordinates {{ x, y, θ }} parameters {{ L = {l:e}, S = {s:e}, μ = 0.345 }}
        kinetic = (ẋ^2 + ẏ^2)/2 + L^2*θ̇^2/24; potential = L/S^2*y;
        contact left {{ gap = y - L/2*sin(θ); slip = ẋ + L/2*sin(θ)*θ̇; friction = μ; impact = {left}; }}
        contact right {{ gap = y + L/2*sin(θ); slip = ẋ - L/2*sin(θ)*θ̇; friction = μ; impact = {right}; }} }}"
    ));
    let start = State::new(0.0, [0.0, 0.603 * l, 0.006], [0.797 * l / s, 0.0, -1.677 / s]);
    let absolute_tolerance = AbsoluteTolerance::All(1e-16 * l.min(l / s).min(1.0));
    let options = Options { absolute_tolerance, ..options() };
    let found = Variations::new(&system).unwrap().transition(&start, &[], &options, 1.5 * s);
    let found = found.unwrap_or_else(|why| panic!("{laws:?}, {l:e}, {s:e}: {why}"));
    let units = [l, l, 1.0, l / s, l / s, 1.0 / s];
    DMatrix::from_fn(6, 6, |i, j| found.matrix[(i, j)] * units[j] / units[i])
}

/// A slip was told from zero beside the length of all speeds: in micrometres θ̇ is by far the largest, and what slid was taken for what
/// rests. Such an impact had "a law without a derivative", or none was found in minutes.
#[test]
fn a_rod_in_any_units() {
    for laws in [
        ["stronge(0.36)", "restitution(0)"],
        ["restitution(0)", "stronge(0.36)"],
        ["poisson(0.36)", "poisson(0.36)"],
        ["restitution(0.6)", "restitution(0.6)"],
    ] {
        let expected = rod(laws, [1.0, 1.0]);
        for units in [[1e-9, 1.0], [1e-6, 1e-6], [1e6, 1.0]] {
            let off = (rod(laws, units) - &expected).amax();
            assert!(off < 1e-6 * expected.amax(), "{laws:?}, {units:?}: {off:e}");
        }
    }
}
