//! Derivatives of motions under forces that jump, against closed forms; where there are none.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, Section, StateSpace, Variations};
use eom_core::nalgebra::DVector;
use eom_core::{Options, State, System};
use std::f64::consts::PI;

/// ∂(x, ẋ)/∂p for parameters of these names, and the same by gradients backwards.
fn check(source: &str, start: &State, t: f64, by: &[(&str, [f64; 2])]) {
    let system = interpreted(source);
    let variations = Variations::new(&system).unwrap();
    let names: Vec<&str> = by.iter().map(|(name, _)| *name).collect();
    let options = Options::default();
    let found = variations.sensitivities(start, &[], &options, t, &names).unwrap().matrix;
    let places: Vec<usize> = names
        .iter()
        .map(|name| system.info().parameters.iter().position(|p| p.name == *name).unwrap())
        .collect();
    for i in 0..2 {
        let outcome = DVector::from_fn(2, |row, _| f64::from(u8::from(row == i)));
        let back = variations.gradient(start, &[], &options, t, &outcome).unwrap();
        for (j, (name, expected)) in by.iter().enumerate() {
            for value in [found[(i, j)], back.by_parameters[places[j]]] {
                let off = (value - expected[i]).abs();
                assert!(off < 1e-8, "∂y{i}/∂{name} = {value} for {}", expected[i]);
            }
        }
    }
}

/// From x = a on a force −k: t* = (a − x₀)/ẋ₀, and s = t − t* behind it.
const STEP: &str = "system Step { coordinates { x } parameters { k = 1, a = 1 } kinetic = ẋ^2/2;
    force x = -k*(1 + sign(x - a))/2; }";

#[test]
fn a_force_from_a_place_on() {
    let (start, t) = (State::new(0.0, [0.0], [1.0]), 1.5);
    let (k, s): (f64, f64) = (1.0, 0.5);
    let by = [("k", [-s * s / 2.0, -s]), ("a", [-(1.0 - k * s) + 1.0, k])];
    check(STEP, &start, t, &by);
    let system = interpreted(STEP);
    let found = Variations::new(&system).unwrap();
    let found = found.transition(&start, &[], &Options::default(), t).unwrap().matrix;
    let expected = [[1.0 - k * s, s + (1.0 - k * s)], [-k, 1.0 - k]];
    for (i, row) in expected.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert!((found[(i, j)] - value).abs() < 1e-10, "{found} for {expected:?}");
        }
    }
}

/// Of ẍ = −sign x the period is 4 √(2 x₀).
#[test]
fn a_potential_with_a_corner() {
    let system = interpreted("system V { coordinates { x } kinetic = ẋ^2/2; potential = abs(x); }");
    let variations = Variations::new(&system).unwrap();
    let start = State::new(0.0, [1.0], [0.0]);
    let t = 4.0 * 2.0_f64.sqrt();
    let found = variations.transition(&start, &[], &Options::default(), t).unwrap().matrix;
    assert!((found[(1, 0)] - 2.0 * 2.0_f64.sqrt()).abs() < 1e-9, "{found}");
    assert!(
        (found[(0, 0)] - 1.0).abs() < 1e-9 && (found.determinant() - 1.0).abs() < 1e-9,
        "{found}"
    );
}

/// x = ∫ F sign(sin(w s + φ)) sin(t − s) ds, whose jumps are at w sⱼ + φ = j π.
#[test]
fn a_square_wave() {
    let source = "system W { coordinates { x } parameters { F = 1, w = 2, φ = 0.3 }
        kinetic = ẋ^2/2; potential = x^2/2; force x = F*sign(sin(w*t + φ)); }";
    let (w, φ, t) = (2.0, 0.3, 4.0);
    let (mut by_w, mut by_φ) = ([0.0; 2], [0.0; 2]);
    for (j, jump) in [(1, 2.0), (2, -2.0)] {
        let s = (f64::from(j) * PI - φ) / w;
        let response = [(t - s).sin(), (t - s).cos()];
        for i in 0..2 {
            by_φ[i] += jump * response[i] * (-1.0 / w);
            by_w[i] += jump * response[i] * (-s / w);
        }
    }
    let start = State::new(0.0, [0.0], [0.0]);
    check(source, &start, t, &[("w", by_w), ("φ", by_φ)]);
}

/// A relay with a limit cycle: the multiplier of a section of an independent integration in pieces, also where the force jumps
/// on the section.
#[test]
fn a_relay_with_a_limit_cycle() {
    for (guard, q, v) in [("ẋ", 0.607, 0.0), ("x", 0.0, -1.26)] {
        let system = interpreted(&format!(
            "system R {{ coordinates {{ x }} parameters {{ k = 1, c = 0.2 }} kinetic = ẋ^2/2;
            potential = k*abs(x) + x^2/2; force x = c*(1 - ẋ^2)*ẋ; event top {{ guard = {guard}; falling; }} }}"
        ));
        let variations = Variations::new(&system).unwrap();
        let section = Section::Events { event: 0, count: 1 };
        let guess = State::new(0.0, [q], [v]);
        let orbit = variations.orbit(&guess, &[], &Options::default(), section).unwrap();
        assert!((orbit.multipliers[0].re - 0.573_148).abs() < 1e-6, "{guard}: {orbit:?}");
    }
}

/// Housner's block on a table that shakes rocks about its two edges: the force jumps where it is struck. Two orbits of the period of
/// the table, and their multipliers, by the closed forms of its arcs with 40 digits.
#[test]
fn a_block_that_rocks() {
    let block = interpreted(
        "system Rock { coordinates { θ } parameters { α = 0.25, A = 0.2, w = 9000 } kinetic = θ̇^2/2;
        potential = 9e6*(α*abs(θ) - θ^2/2); force θ = 9e6*α*A*cos(w*t);
        event down { guard = θ; falling; reset { θ̇ = 0.9*θ̇; } } event up { guard = θ; rising; reset { θ̇ = 0.9*θ̇; } } }",
    );
    let variations = Variations::new(&block).unwrap();
    let section = Section::Period(2.0 * PI / 9000.0);
    let orbits = [
        (
            [-0.027_805_648_601_775_386, 179.559_518_303_127_55],
            [(0.145_315_196_137_232, 0.796_858_515_529_324); 2],
        ),
        (
            [0.022_664_988_462_018_86, 111.681_973_069_040_67],
            [(3.639_939_696_584_92, 0.0), (0.180_250_238_929_939, 0.0)],
        ),
    ];
    for ([q, v], expected) in orbits {
        // Newton's method finds it from beside it, too.
        for part in [1.0, 1.000_01] {
            let guess = State::new(0.0, [part * q], [v]);
            let orbit = variations.orbit(&guess, &[], &Options::default(), section).unwrap();
            assert!((orbit.state.q[0] / q - 1.0).abs() < 1e-10, "{orbit:?}");
            for (found, (re, im)) in orbit.multipliers.iter().zip(expected) {
                let off = (found.re - re).abs() + (found.im.abs() - im).abs();
                assert!(off < 1e-7, "{found} for {re} ± {im} i");
            }
        }
    }
}

#[test]
fn where_forces_bend_there_is_no_linear_system() {
    for (potential, is_smooth) in
        [("abs(x) + x^2/2", false), ("x^2/2 + abs(x)*x", false), ("x^2/2 + abs(x)*x^3", true)]
    {
        let system = interpreted(&format!(
            "system K {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = {potential}; force x = -0.1*abs(ẋ)*ẋ; }}"
        ));
        let space = StateSpace::new(&system).unwrap();
        let found = space.linearise(&State::new(0.0, [0.0], [0.0]), &[]);
        let refused = matches!(found, Err(AnalysisError::NotSmooth { .. }));
        assert_eq!(refused, !is_smooth, "{potential}: {found:?}");
    }
}

/// What stays on a jump has no derivative, nor what meets two jumps at one time.
#[test]
fn what_has_no_derivative() {
    for (force, pull) in
        [("-sign(x - 1) - sign(y - 1)", "-sign(x - 1) - sign(y - 1)"), ("0", "-sign(ẏ - 1/2)")]
    {
        let system = interpreted(&format!(
            "system N {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; force x = {force}; force y = {pull}; }}"
        ));
        let variations = Variations::new(&system).unwrap();
        let start = State::new(0.0, [0.0, 0.0], [1.0, 1.0]);
        let found = variations.transition(&start, &[], &Options::default(), 3.0);
        assert!(found.is_err(), "{force}: {found:?}");
    }
}

/// Of what is driven an orbit is one of a period of the drive, also where that is multiplied by what is zero along it.
#[test]
fn orbits_of_what_is_driven() {
    let system = interpreted(
        "system M { coordinates { x } parameters { a = 1, q = 0.3, c = 0.1 } kinetic = ẋ^2/2;
        potential = (a - 2*q*cos(2*t))*x^2/2; dissipation = c/2*ẋ^2; event top { guard = ẋ; falling; } }",
    );
    let variations = Variations::new(&system).unwrap();
    let (rest, options) = (State::new(0.0, [0.0], [0.0]), Options::default());
    let of = |period: f64| variations.orbit(&rest, &[], &options, Section::Period(period));
    assert!(of(PI).is_ok() && of(2.0 * PI).is_ok());
    for period in [1.0, PI / 2.0, 2.5] {
        assert!(matches!(of(period), Err(AnalysisError::NotDriven { .. })), "{period}");
    }
    let section = Section::Events { event: 0, count: 1 };
    let found = variations.orbit(&State::new(0.0, [1.0], [0.0]), &[], &options, section);
    assert!(matches!(found, Err(AnalysisError::Driven { .. })), "{found:?}");
}
