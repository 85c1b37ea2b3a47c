//! Steady motions whose equations have a multiple root, and families of them: the linear system decides nothing there; multipliers
//! that are there several times.

use eom_analysis::{LinearAnswer, LinearQuestion, Section, SteadyOptions, UNCLEAR, Variations};
use eom_core::nalgebra::Complex;
use eom_core::{Options, State};
use std::f64::consts::TAU;

mod common;
use common::interpreted;

/// The motion that is found in a potential from (x, y), with more of the declaration.
fn found(potential: &str, more: &str, start: [f64; 2]) -> LinearAnswer {
    let system = interpreted(&format!(
        "/// Of two coordinates.
        system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {potential}; {more} }}"
    ));
    let question = LinearQuestion { find: Some(SteadyOptions::default()), ..Default::default() };
    let answer = question.ask(&system, State::new(0.0, start, [0.0; 2]), Vec::new());
    answer.unwrap_or_else(|error| panic!("{potential}: {error}"))
}

/// Each is known to be at a place, by hand; the uncertainty is that of the place; what else there is may decide.
#[test]
fn multiple_roots() {
    let of_y = "y^2/2";
    let table: [(&str, &str, [f64; 2], Option<bool>); 10] = [
        ("-x^4", "", [0.0; 2], None),
        ("x^4", "", [0.0; 2], None),
        ("x^3", "", [0.0; 2], None),
        ("-(x - 1)^6", "", [1.0, 0.0], None),
        ("-(x - 2)^4", "dissipation = ẋ^2/2;", [2.0, 0.0], None),
        ("1 - cos(x) - x^2/2", "", [0.0; 2], None),
        ("-x^4*(1 + x)", "", [0.0; 2], None),
        ("-(x^4 + x^2*y^2 + y^4) + 2*x^3*y", "", [0.0; 2], None),
        ("-x^4 - y^2", "", [0.0; 2], Some(false)),
        ("-x^3 - (x - 2*y)^2", "", [0.0; 2], Some(false)),
    ];
    for (of_x, more, place, expected) in table {
        let potential =
            if of_x.contains('y') { of_x.to_owned() } else { format!("{of_x} + {of_y}") };
        let answer = found(&potential, more, [place[0] + 0.3, 0.2]);
        let uncertainty =
            answer.uncertainty.as_ref().unwrap_or_else(|| panic!("{potential}: {answer:?}"));
        for (entry, place) in place.into_iter().enumerate() {
            let off = (answer.state.q[entry] - place).abs();
            assert!(
                off <= uncertainty[entry] + f64::EPSILON,
                "{potential}: off by {off:e}, {answer:?}"
            );
            assert!(uncertainty[entry] < 1e-9, "{potential}: {answer:?}");
        }
        assert_eq!(answer.linear.is_stable().unwrap(), expected, "{potential}: {answer:?}");
        assert_eq!(answer.linear.unstable().unwrap(), usize::from(expected.is_some()));
    }
}

/// A zero eigenvalue of a family comes as the root of a rounding, of either sign; what is unstable beside it is.
#[test]
fn families() {
    let table = [
        ("(x^2 + y^2 - 1)^2", None),
        ("(3*x + 7*y - 1)^2/3", None),
        ("-(x^2 + y^2 - 1)^2", Some(1)),
        ("-1e-6*x^2 - 3e-6*y^2", Some(2)),
    ];
    for (potential, expected) in table {
        for start in [[0.3, 0.4], [0.7, -0.2], [0.1, 0.9]] {
            let linear = found(potential, "", start).linear;
            assert_eq!(
                linear.is_stable().unwrap(),
                expected.map(|_| false),
                "{potential}: {linear:?}"
            );
            assert_eq!(
                linear.unstable().unwrap(),
                expected.unwrap_or(0),
                "{potential}: {linear:?}"
            );
        }
    }
}

/// Near a double root that is two: Newton's method comes as to a multiple one, and ends as to one that is not.
#[test]
fn nearly_multiple() {
    for small in [1e-2, 1e-4] {
        let answer = found(&format!("x^4/4 + {small:e}^2*x^2/2 + y^2/2"), "", [0.3, 0.2]);
        assert!(answer.uncertainty.is_none() && answer.state.q[0].abs() < 1e-12, "{answer:?}");
        let modes = answer.linear.modes().unwrap();
        let slow = modes.iter().map(|mode| mode.value.im.abs()).fold(f64::MAX, f64::min);
        assert!((slow / small - 1.0).abs() < 1e-9, "{small}: {modes:?}");
    }
}

/// A force that dies out far away has no equilibrium there, however small it is.
#[test]
fn none_at_infinity() {
    for potential in ["exp(-x)", "atan(x)", "tanh(x)", "exp(-x) + y^2*exp(-x)"] {
        for dissipation in ["", "dissipation = ẋ^2/2;"] {
            let system = interpreted(&format!(
                "/// Far. \n system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
                potential = {potential} + y^2/2; {dissipation} }}"
            ));
            let question =
                LinearQuestion { find: Some(SteadyOptions::default()), ..Default::default() };
            let start = State::new(0.0, [0.7, 0.1], [0.0; 2]);
            let answer = question.ask(&system, start, Vec::new());
            assert!(answer.is_err(), "{potential} {dissipation}: {answer:?}");
        }
    }
}

/// Of linear oscillators that are driven the multipliers are e^(2πλ); of those that are there several times with one vector it is
/// said how far they are known, and simple ones are known to rounding.
#[test]
fn multiple_multipliers() {
    let (simple, other) = ((-0.5, 0.75_f64.sqrt()), (-0.3, 0.91_f64.sqrt()));
    let table = [
        ("force x = -ẋ - x + cos(t); force y = -0.6*ẏ - y;", [simple, other], false),
        ("force x = -0.2*ẋ - x/100 + cos(t); force y = -ẏ - y;", [(-0.1, 0.0), simple], true),
        (
            "force x = -0.2*ẋ - x/100 + cos(t); force y = -0.2*ẏ - y/100 + x;",
            [(-0.1, 0.0); 2],
            true,
        ),
        ("force x = -ẋ - x + cos(t); force y = -ẏ - y + x;", [simple; 2], true),
    ];
    for (forces, exponents, is_multiple) in table {
        let system = interpreted(&format!(
            "/// Driven. \n system D {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; {forces} }}"
        ));
        let (start, options) = (State::new(0.0, [0.3, 0.2], [0.0; 2]), Options::default());
        let variations = Variations::new(&system).unwrap();
        let orbit = variations.orbit(&start, &[], &options, Section::Period(TAU)).unwrap();
        let exact = exponents.map(|(re, im)| Complex::from_polar((TAU * re).exp(), TAU * im));
        let all = orbit.multipliers.iter().zip(&orbit.uncertainties);
        for (value, known) in all.clone() {
            let off = exact.iter().flat_map(|exact| [*exact, exact.conj()]);
            let off = off.map(|exact| (exact - value).norm_sqr().sqrt()).fold(f64::MAX, f64::min);
            assert!(off <= 3.0 * known && *known < 5e-3, "{forces}: {off:e}, {orbit:?}");
        }
        let largest = all.map(|(_, known)| *known).fold(0.0, f64::max);
        assert_eq!(largest > UNCLEAR, is_multiple, "{forces}: {orbit:?}");
    }
}
