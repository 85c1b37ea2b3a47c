//! Bodies that come to rest in a plane, and that begin to slide in it.

use crate::common::interpreted;
use crate::{case, check, check_all, options};
use eom_analysis::Variations;
use eom_core::nalgebra::{DMatrix, DVector};
use eom_core::{State, System};

/// A puck comes to rest on a floor, and on a belt to the rest of the belt, whatever its slip turns through on the way.
#[test]
fn a_puck_comes_to_rest_in_the_plane() {
    let puck = "/// A puck. \n system P { coordinates { x, y, z } parameters { k = 0, g = 10, V = 0.5, μ = 0.3, ν = 0.3 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = k/2*(x^2 + y^2) + g*z;
        contact belt { gap = z; slip = [ẋ - V, ẏ]; FRICTION impact = restitution(0); } }";
    let start = || State::new(0.0, [0.1, 0.2, 0.2], [-1.0, 2.0, 0.1]);
    let round = puck.replace("FRICTION", "friction = μ;");
    check_all(&case(&round, start(), 1.5, "ics"));
    check_all(&case(&round.replace("k = 0", "k = 1.5"), start(), 1.0, "ics"));
    let other = puck.replace("FRICTION", "friction([μ, ν]);").replace("ν = 0.3", "ν = 0.25");
    check_all(&case(&other, start(), 1.5, "ics"));
}

/// What acts with a normal force, on a place that is curved, and with its impulse.
#[test]
fn what_a_contact_bears_varies_with_the_motion() {
    let puck = "/// A puck that is dragged. \n system P { coordinates { x, y, z } parameters { g = 10, V = 0.5, c = 0.3, s = 0.7, h = 0.2 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z;
        force x = -c*λ(belt)*(ẋ - V); force y = -c*λ(belt)*tanh(ẏ/s)*(1 + x^2);
        contact belt { gap = z - h*x*y; impact = LAW; } }";
    let start = || State::new(0.0, [0.1, 0.2, 0.2], [-1.0, 2.0, 0.1]);
    check_all(&case(&puck.replace("LAW", "plastic"), start(), 0.9, "ic"));
    check_all(&case(&puck.replace("LAW", "restitution(0.4)"), start(), 0.3, "i"));
}

/// What acts with the multiplier of a row, which a contact adds to, and with its impulse.
#[test]
fn what_a_row_bears_varies_with_the_motion() {
    let slide = "/// A slide on a rail. \n system S { coordinates { x, y, z } parameters { g = 10, c = 0.4, b = 0.7, h = 0.3, μ = 0.2 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y; holonomic { rail: y = 0; }
        force x = 2 + z^2 + c*λ(rail)*(1 + x^2 + tanh(ẋ)/2); force z = -c*λ(rail)*ż;
        contact wall { gap = -x - b*y + h*z^2; SLIPS impact = LAW; } }";
    let start = || State::new(0.0, [-0.2, 0.0, 0.3], [1.5, 0.0, 0.9]);
    // Along the rail.
    let along = DMatrix::from_fn(6, 4, |i, j| f64::from(u8::from(i == [0, 2, 3, 5][j])));
    for (slips, law, t, events) in [
        ("", "restitution(0.5)", 0.25, "i"),
        ("", "plastic", 0.5, "ic"),
        ("slip = ż; friction = μ;", "restitution(0.5)", 0.25, "i"),
        ("slip = ż; friction = μ;", "plastic", 0.4, "ic"),
    ] {
        let source = slide.replace("SLIPS", slips).replace("LAW", law);
        check(&case(&source, start(), t, events), &along);
    }
}

/// What acts with the friction of a contact where it slides, sticks and is struck, along a slip and across it.
#[test]
fn what_a_friction_bears_varies_with_the_motion() {
    let brake = "/// A brake with a servo. \n system B { coordinates { x, y, z } parameters { g = 10, k = 0.7, h = 0.3, j = 0.4, μ = 0.3, F = 1 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y + z^2;
        force x = F*sin(3*t) + k*friction(floor)*(1 + x^2 + tanh(ż)); force y = -j*friction(floor);
        force z = h*friction(floor)*(1 + z) - ż/2;
        contact floor { gap = y - 0.1*x*z; slip = ẋ; friction(2*μ, μ); impact = LAW; } }";
    let start = || State::new(0.0, [0.1, 0.2, 0.2], [1.5, 0.1, 0.4]);
    check_all(&case(&brake.replace("LAW", "plastic"), start(), 0.4, "ics"));
    check_all(&case(&brake.replace("LAW", "restitution(0.4)"), start(), 0.3, "i"));
    let puck = "/// A puck that is turned aside. \n system P { coordinates { x, y, z } parameters { g = 10, h = 0.4, μ = 0.3, ν = 0.25 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z; let f = friction(ice);
        force x = -h*f[2]*(1 + y^2); force y = h*f[1];
        contact ice { gap = z; slip = [ẋ, ẏ]; FRICTION impact = LAW; } }";
    let start = || State::new(0.0, [0.1, 0.2, 0.1], [-1.0, 2.0, 0.1]);
    for friction in ["friction = μ;", "friction([μ, ν]);"] {
        let puck = puck.replace("FRICTION", friction);
        check_all(&case(&puck.replace("LAW", "plastic"), start(), 0.4, "ic"));
        check_all(&case(&puck.replace("LAW", "restitution(0.4)"), start(), 0.2, "i"));
    }
}

/// The same of a constraint.
#[test]
fn what_the_friction_of_a_row_bears_varies_with_the_motion() {
    let bead = "/// A bead on a bent wire. \n system B { coordinates { x, y, z } parameters { g = 10, k = 0.7, h = 0.3, c = 0.2, μ = 0.3 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y; holonomic { wire: y - z*x/5 = 0; }
        row wire { slip = ẋ; friction = μ; }
        force x = k*friction(wire)*(1 + x^2); force y = -c*friction(wire); force z = h*friction(wire)*ż - z; }";
    let start = State::new(0.0, [0.1, 0.004, 0.2], [1.5, 0.068, 0.4]);
    // Along the wire: δy = (x δz + z δx)/5, and its rate.
    let along = DMatrix::from_row_slice(
        6,
        4,
        &[
            1.0, 0.0, 0.0, 0.0, //
            0.04, 0.02, 0.0, 0.0, //
            0.0, 1.0, 0.0, 0.0, //
            0.0, 0.0, 1.0, 0.0, //
            0.08, 0.3, 0.04, 0.02, //
            0.0, 0.0, 0.0, 1.0,
        ],
    );
    check(&case(bead, start.clone(), 0.15, ""), &along);
    check(&case(bead, start, 0.6, "s"), &along);
}

/// What sticks in a plane begins to slide, in the direction that the forces have there.
const SLIDES: &str = "/// A puck on a plane that is tilted. \n system S {
    coordinates { x, y, z } parameters { g = 10, μ_s = 0.5, μ = 0.25, r = 4, a = 0.6, s = 0, k = 0, A = 0 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2 + A*ẋ*ẏ)/2; potential = g*z + k/2*(x^2 + 2*y^2);
    force x = r*t*cos(a) + s; force y = r*t*sin(a) + k*t^2;
    contact floor { gap = z; slip = [ẋ, ẏ]; friction(μ_s, μ); impact = restitution(0); } }";

#[test]
fn a_puck_begins_to_slide_in_the_plane() {
    let start = || State::new(0.0, [0.02, -0.03, 0.0], [0.0; 3]);
    // Along its place, which the load depends on.
    let moves = DMatrix::from_fn(6, 2, |i, j| f64::from(u8::from(i == j)));
    let of = |changes: &[(&str, &str)]| {
        let set = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        let source = changes.iter().fold(SLIDES.to_owned(), set);
        check(&case(&source, start(), 2.2, "g"), &moves);
    };
    of(&[("s = 0", "s = 1"), ("k = 0", "k = 3")]);
    of(&[("s = 0", "s = 1"), ("k = 0", "k = 3"), ("A = 0", "A = 0.8")]);
    of(&[("s = 0", "s = 1"), ("k = 0", "k = 3"), ("friction(μ_s, μ)", "friction([μ_s, μ])")]);
    of(&[("k = 0", "k = 3"), ("friction(μ_s, μ)", "friction = μ_s")]);
    // A ball that rolls until it slides.
    let ball = "/// A ball. \n system S { coordinates { x, y, z } rotation R { space: ω_1, ω_2, ω_3 }
        parameters { g = 10, r = 0.5, I = 0.1 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + I/2*(ω_1^2 + ω_2^2 + ω_3^2); potential = g*z;
        force x = 3.3*t + x; force y = 2.2*t;
        contact floor { gap = z - r; slip = [ẋ - r*ω_2, ẏ + r*ω_1]; friction(0.35, 0.25); impact = restitution(0); } }";
    let start_of_ball = State::new(0.0, [0.1, 0.2, 0.5, 1.0, 0.0, 0.0, 0.0], [0.0; 6]);
    let along = DMatrix::from_fn(13, 2, |i, j| f64::from(u8::from(i == j)));
    check(&case(ball, start_of_ball, 3.0, "g"), &along);
    // That nothing bears, with a bar that turns beside it, and stops behind it.
    let free = "/// A brush. \n system S { coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2*(1 + x^2);
        potential = -2*sin(t)*x - 3*sin(2*t)*y*cos(θ); dissipation = 2*norm([ẋ, ẏ]); }";
    let moves = DMatrix::identity(6, 6).select_columns(&[0, 1, 2, 5]);
    check(&case(free, State::new(0.0, [0.1, 0.2, 0.3], [0.0, 0.0, 0.4]), 1.2, "g"), &moves);
    check(&case(free, State::new(0.0, [0.1, 0.2, 0.3], [0.0, 0.0, 0.4]), 7.2, "gsg"), &moves);
}

/// Closed forms: F = r t e, e = (cos a, sin a), t* = μ_s g/r, u = e, τ = t − t*; α = (μ_s − μ) g, k = μ g = α:
///
/// ```text
/// w = α τ + r τ²/2, ξ = α τ²/2 + r τ³/6
/// ∂/∂a: (ξ, w) e⊥             ∂/∂μ_s, ∂/∂μ, ∂/∂r: along e, by t* and w
/// ∂/∂s: δẇ⊥ = −(k/w) δw⊥ + e⊥₁     δw⊥ = e⊥₁ ((α + c τ)/τ) ∫ σ/(α + c σ) dσ, c = r/2
///       along e: δt* = −e₁/r, δw = e₁ τ − α δt*
/// ```
#[test]
fn an_onset_in_the_plane_is_that_of_the_closed_form() {
    let system = interpreted(SLIDES);
    let start = State::new(0.0, [0.0; 3], [0.0; 3]);
    let (g, μ_s, μ, r, a, t) = (10.0_f64, 0.5, 0.25, 4.0, 0.6_f64, 2.2);
    let (α, k, τ, c) = ((μ_s - μ) * g, μ * g, t - μ_s * g / r, r / 2.0);
    assert_eq!(α, k);
    let (along, across) = ([a.cos(), a.sin()], [-a.sin(), a.cos()]);
    let (w, ξ) = (α * τ + c * τ * τ, α * τ * τ / 2.0 + r * τ.powi(3) / 6.0);
    // ẇ = r t − μ g from t* on: δw = −(r t* − μ g) δt* + δr (t² − t*²)/2 − δμ g τ, and δξ its integral.
    let (δt_s, δt_r) = (g / r, -μ_s * g / (r * r));
    let t_0 = t - τ;
    let speed_r = (t * t - t_0 * t_0) / 2.0 - α * δt_r;
    let place_r = t.powi(3) / 6.0 - t_0.powi(3) / 6.0 - t_0 * t_0 * τ / 2.0 - α * δt_r * τ;
    let integral = τ / c - α / (c * c) * (1.0 + c * τ / α).ln();
    let across_s = across[0] * (α + c * τ) / τ * integral;
    let by = |one: f64, other: f64| {
        [one * along[0] + other * across[0], one * along[1] + other * across[1]]
    };
    let table = [
        ("a", by(0.0, ξ), by(0.0, w)),
        ("μ_s", by(-α * δt_s * τ, 0.0), by(-α * δt_s, 0.0)),
        ("μ", by(-g * τ * τ / 2.0, 0.0), by(-g * τ, 0.0)),
        ("r", by(place_r, 0.0), by(speed_r, 0.0)),
        ("s", [f64::NAN; 2], by(along[0] * τ + α * along[0] / r, across_s)),
    ];
    let variations = Variations::new(&system).unwrap();
    let names: Vec<&str> = table.iter().map(|row| row.0).collect();
    let found = variations.sensitivities(&start, &[], &options(), t, &names).unwrap();
    for (j, (name, places, speeds)) in table.iter().enumerate() {
        for i in 0..2 {
            let pairs = [(found.matrix[(i, j)], places[i]), (found.matrix[(3 + i, j)], speeds[i])];
            for (found, expected) in pairs.into_iter().filter(|(_, expected)| expected.is_finite())
            {
                let off = (found - expected).abs();
                assert!(off < 1e-10, "{name}, {i}: {found} is not {expected}, by {off:e}");
            }
        }
    }
    // The gradient goes the same way.
    let outcome = DVector::from_row_slice(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let gradient = variations.gradient(&start, &[], &options(), t, &outcome).unwrap();
    let place = system.info().parameters.iter().position(|known| known.name == "s").unwrap();
    assert!((gradient.by_parameters[place] - table[4].2[1]).abs() < 1e-10, "{gradient:?}");
}
