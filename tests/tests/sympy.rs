//! Generated Rust against equations that were derived and solved without this project, in 40 digits
//! (`data/sympy`, made by its `generate.py`).

use eom_tests::systems::{Fixture, fixtures};
use serde_json::Value;
use std::path::Path;

/// Units of rounding, relative to the largest term that a result is added up from. The solve
/// amplifies roundings by the condition of the mass matrix, below 40 in these states.
const TOLERANCE: f64 = 1e-12;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/sympy/{name}.json"));
    let text = std::fs::read_to_string(&path).expect("the data are there");
    serde_json::from_str(&text).expect("the data are JSON")
}

fn system(name: &str) -> Fixture {
    fixtures().into_iter().find(|fixture| fixture.name == name).expect("a fixture of that name")
}

/// Largest |found − wanted| over the largest |wanted| of its kind.
fn compare(what: &str, found: &[f64], wanted: &[f64], scale: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let error = (found - wanted).abs();
        assert!(
            error <= TOLERANCE * scale.max(wanted.abs()),
            "{what}[{i}]: {found:e}, {wanted:e} in 40 digits, error {error:e}"
        );
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// Every state of a file, on its constraints and off.
fn check(file: &str, fixture: &str) {
    let data = read(file);
    let fixture = system(fixture);
    let parameter = |name: &str| data["parameters"].get(name).and_then(Value::as_f64);
    let parameters: Vec<_> = fixture.info.parameters.iter().map(|p| parameter(p.ascii)).collect();
    assert!(parameters.iter().all(Option::is_some), "{file}: every parameter is in the file");
    let system = (fixture.build)(&parameters).expect("the parameters are within their bounds");
    let (n, k) = (fixture.info.speeds(), fixture.info.rows.len());
    let states = data["states"].as_array().expect("states");
    assert!(states.len() >= 5, "{file}");
    for (index, state) in states.iter().enumerate() {
        let at = format!("{file}, state {index}");
        let t = state["t"].as_f64().expect("a time");
        let (q, v) = (numbers(&state["q"]), numbers(&state["v"]));
        let (mut a, mut λ) = (vec![0.0; n], vec![0.0; k]);
        system.accelerations(t, &q, &v, &[], &mut a, &mut λ);
        let accelerations = numbers(&state["accelerations"]);
        let multipliers = numbers(&state["multipliers"]);
        compare(&format!("{at}: v̇"), &a, &accelerations, largest(&accelerations));
        compare(&format!("{at}: λ"), &λ, &multipliers, largest(&multipliers));
        let energy = system.energy(t, &q, &v);
        let kinetic = state["kinetic"].as_f64().expect("a number");
        let potential = state["potential"].as_f64().expect("a number");
        compare(&format!("{at}: T"), &[energy.kinetic], &[kinetic], kinetic.abs());
        // V of the double pendulum is a sum of three heights that may cancel: its scale is g·3.
        let heights = parameter("g").map_or(0.0, |g| 3.0 * g.abs());
        compare(&format!("{at}: V"), &[energy.potential], &[potential], heights);
    }
}

#[test]
fn rolling_penny() {
    check("penny", "rolling_penny");
}

#[test]
fn double_pendulum() {
    check("double_pendulum", "double_pendulum");
}

#[test]
fn particle_on_a_surface() {
    check("particle", "particle");
}

/// The same surface as a declared function with its default.
#[test]
fn particle_on_a_declared_surface() {
    check("particle", "surface");
}

#[test]
fn chaplygin_sleigh() {
    check("chaplygin_sleigh", "sleigh");
}

#[test]
fn rheonomic_pendulum() {
    check("rheonomic_pendulum", "rheonomic_pendulum");
}

#[test]
fn knife_edge() {
    check("knife_edge", "knife_edge");
}
