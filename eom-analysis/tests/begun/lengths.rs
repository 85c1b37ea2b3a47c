//! Friction that grows with the length of several multipliers.

use crate::check;
use crate::common::interpreted;
use eom_analysis::{StateSpace, Variations};
use eom_core::{Options, State};

/// A wheel on a pin whose load turns: it slides, stops, and gives way.
#[test]
fn a_wheel_on_a_pin() {
    check(
        "/// A wheel. \n system W { coordinates { x, y, θ } parameters { μ = 0.2, μ_s = 0.3, r = 0.05, k = 0.4, m = 2, J = 0.3, h = 0.1 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2; potential = m*9.81*y; force x = 3*sin(t); force θ = k*t;
        holonomic { pin: [x, y - h] = [0, 0]; } row pin { slip = r*θ̇; friction(μ_s, μ); }
        scenario a { θ̇ = 0.2; y = h; until t = 2; } }",
        1.5,
    );
}

/// Two rods on pins, lengths and all, with the friction of both.
#[test]
fn two_rods_on_pins() {
    check(
        "/// Rods. \n system D { coordinates { x, y, X, Y, α, β } parameters { μ = 0.3, ν = 0.2, r = 0.2, m = 1.3, J = 0.2, l = 0.9 }
        kinetic = (ẋ^2 + ẏ^2)/2 + m/2*(Ẋ^2 + Ẏ^2) + J/2*(α̇^2 + β̇^2); potential = 9.81*(y + m*Y);
        holonomic {
            pin: [x - l*sin(α), y + l*cos(α)] = [0, 0];
            knee: [X - x - l*(sin(α) + sin(β)), Y - y + l*(cos(α) + cos(β))] = [0, 0];
        }
        row pin { slip = r*α̇; friction = μ; } row knee { slip = r*(β̇ - α̇); friction = ν; }
        scenario a { α = 1.2; β = -0.4; α̇ = 0.3; β̇ = 0.5; solve x, y, X, Y, ẋ, ẏ, Ẋ, Ẏ; until t = 10; } }",
        0.6,
    );
}

/// A pendulum on a rough pin that a wall throws back: through the impact, in which the pin has friction, too.
#[test]
fn through_an_impact() {
    check(
        "/// A pendulum. \n system P { coordinates { x, y, θ } parameters { μ = 0.3, r = 0.1, J = 0.2, l = 0.9, e = 0.6, w = 0.3 }
        kinetic = (ẋ^2 + ẏ^2)/2 + J/2*θ̇^2; potential = 9.81*y;
        holonomic { pin: [x - l*sin(θ), y + l*cos(θ)] = [0, 0]; } row pin { slip = r*θ̇; friction = μ; }
        contact wall { gap = w + x; impact = restitution(e); }
        scenario a { θ = 0.4; θ̇ = -2; solve x, y, ẋ, ẏ; until t = 2; } }",
        0.6,
    );
}

/// A pin with friction against a load turns as its equations say: J θ̈ = k − μ r √(m² g² + F²), linear in θ̇ there.
#[test]
fn a_linear_system() {
    let wheel = interpreted(
        "/// A wheel. \n system W { coordinates { x, y, θ } parameters { μ = 0.2, r = 0.05, c = 0.4, J = 0.3 } inputs { k, F }
        kinetic = ẋ^2 + ẏ^2 + J/2*θ̇^2; force x = F; force y = -4; force θ = k; dissipation = c*θ̇^2/2;
        holonomic { pin: [x, y] = [0, 0]; } row pin { slip = r*θ̇; friction = μ; } }",
    );
    // k = μ r 5 + c θ̇ with F = 3.
    let (start, inputs) = (State::new(0.0, [0.0; 3], [0.0, 0.0, 2.0]), [0.05 + 0.8, 3.0]);
    let space = StateSpace::new(&wheel).unwrap();
    let linear = space.linearise(&start, &inputs).unwrap();
    assert!((linear.a[(0, 0)] + 0.4 / 0.3).abs() < 1e-13, "{}", linear.a);
    assert!((linear.b[(0, 1)] + 0.2 * 0.05 * 0.6 / 0.3).abs() < 1e-13, "{}", linear.b);
}

/// Without a load there is a kink.
#[test]
fn no_load() {
    let bead = interpreted(
        "/// A bead. \n system B { coordinates { x, y, z } parameters { μ = 0.2 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
        holonomic { guide: [y, z] = [0, 0]; } row guide { slip = ẋ; friction = μ; } }",
    );
    let start = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]);
    let found = Variations::new(&bead).unwrap().transition(&start, &[], &Options::default(), 0.5);
    let said = found.map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("the friction of guide has no force to grow with"), "{said}");
}
