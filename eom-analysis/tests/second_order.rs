//! Linear systems of second order beside what rounding leaves.

mod common;

use common::interpreted;
use eom_analysis::{StateSpace, SteadyOptions};
use eom_core::State;

/// A cart with a spring, a damper and a pendulum on a rod, declared by its place, which a wind of 0.5 holds at tan θ = 0.5/(m g):
/// C has the damper's coefficient and nothing else, however the accelerations share it.
#[test]
fn what_cancels_is_0() {
    let system = interpreted(
        "system C { coordinates { s, x, y } inputs { F, w } kinetic = ṡ^2 + (ẋ^2 + ẏ^2)/4;
        potential = 0.5*9.81*y + 3/2*s^2; dissipation = 0.4/2*ṡ^2; force s = F; force x = w;
        holonomic { rod: (x - s)^2 + y^2 = 0.64; } }",
    );
    let space = StateSpace::new(&system).unwrap();
    for wind in [0.0, 0.5, 2.0] {
        let tangent: f64 = wind / (0.5 * 9.81);
        let y = -0.8 / (1.0 + tangent * tangent).sqrt();
        let s = (0.1 + wind) / 3.0;
        let guess = State::new(0.0, [s, s - y * tangent, y], [0.0; 3]);
        let found = space.steady(&guess, &[0.1, wind], &SteadyOptions::default()).unwrap();
        let linear = space.linearise(&found.state, &[0.1, wind]).unwrap();
        let second = linear.second_order(&system, &found.state).unwrap();
        let c = &second.damping;
        assert!((c[(0, 0)] - 0.4).abs() < 1e-14, "{wind}: {c}");
        assert_eq!([c[(0, 1)], c[(1, 0)], c[(1, 1)]], [0.0; 3], "{wind}: {c}");
    }
}
