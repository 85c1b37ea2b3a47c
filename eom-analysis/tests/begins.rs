//! A run begins with the steady motion that is found.

mod common;

use common::interpreted;
use eom_analysis::{StateSpace, SteadyOptions};
use eom_core::{Options, Run, State};

/// On a sphere, and on two feet on a belt: what Newton's method left of speeds, 1e-33, was off the rows, or struck the belt.
#[test]
fn what_is_found_is_where_a_run_stays() {
    let cases: [(&str, [f64; 3]); 3] = [
        (
            "/// A charge. \n system S { coordinates { x, y, z } parameters { l = 1.637, k = 4.365, g = 9.81, B = -0.964 }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z + k*(x - 0.3)^2/2; force x = B*ẏ - 0.153*ẋ;
            force y = -B*ẋ - 0.153*ẏ; holonomic { sphere: x^2 + y^2 + z^2 = l^2; } }",
            [-0.038, 0.114, -1.0],
        ),
        (
            "/// The same in nanometres. \n system S { coordinates { x, y, z } parameters { l = 1.637e-9, k = 4.365, g = 9.81e-9, B = -0.964 }
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z + k*(x - 0.3e-9)^2/2; force x = B*ẏ - 0.153*ẋ;
            force y = -B*ẋ - 0.153*ẏ; holonomic { sphere: x^2 + y^2 + z^2 = l^2; } }",
            [-0.038e-9, 0.114e-9, -1e-9],
        ),
        (
            "/// A crate. \n system C { coordinates { x, y, θ } parameters { m = 1.529, h = 0.562, k = 2.819, μ = 0.581, V = 0.933 }
            kinetic = m/2*(ẋ^2 + ẏ^2) + 0.121*θ̇^2; potential = 9.81*m*y + k*(x - 0.2*sin(θ))^2/2; dissipation = 0.218*θ̇^2;
            contact l { gap = y - h*cos(θ) + 0.5*sin(θ); slip = ẋ - V + h*θ̇; friction = μ; impact = plastic; }
            contact r { gap = y - h*cos(θ) - 0.5*sin(θ); slip = ẋ - V + h*θ̇; friction = μ; impact = plastic; } }",
            [0.172, 0.562, 0.0],
        ),
    ];
    for (source, guess) in cases {
        let system = interpreted(source);
        let space = StateSpace::new(&system).unwrap();
        let guess = State::new(0.0, guess, [0.0; 3]);
        let found = space.steady(&guess, &[], &SteadyOptions::default()).unwrap();
        let options = Options { until_time: Some(2.0), ..Options::default() };
        let mut run = Run::new(&system, &found.state, &options).unwrap();
        assert!(run.advance_to(1.0).is_continue() && run.events_since(0).is_empty(), "{source}");
        let size = found.state.q.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
        for (q, found) in run.state().q.iter().zip(&found.state.q) {
            assert!((q - found).abs() < 1e-9 * size, "{source} {:?} {found:?}", run.state());
        }
    }
}
