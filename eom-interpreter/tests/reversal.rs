//! Motions that run backwards: a run, its end turned by R, a run from there, which ends at R of the start.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::{Options, Run, State, System, start_scenario};
use eom_interpreter::Interpreted;
use eom_symbolic::mechanics::conserved::reversal::{Reversal, reversal};

/// (−t, S q, −S v) of a system whose v are rates of q, S from the signs that are said to turn.
fn turned(state: &State, signs: &[bool]) -> State {
    let side = |entry: &f64, turned: &bool| if *turned { -entry } else { *entry };
    let q: Vec<f64> = state.q.iter().zip(signs).map(|(q, s)| side(q, s)).collect();
    let v: Vec<f64> = state.v.iter().zip(signs).map(|(v, s)| -side(v, s)).collect();
    State::new(-state.t, q, v)
}

/// What of the start is missed, and the signs; S = 1 where it is said not to be kept.
fn missed(source: &str, span: f64) -> (f64, Option<Vec<bool>>) {
    let system = Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}: {source}"));
    let derivation = system.derivation();
    let mut model = derivation.model.clone();
    let positions = model.positions();
    let found = match reversal(&mut model, &derivation.equations) {
        Reversal::Kept { turned, .. } => {
            Some(positions.iter().map(|symbol| turned.contains(symbol)).collect::<Vec<bool>>())
        }
        _ => None,
    };
    let signs = found.clone().unwrap_or_else(|| vec![false; positions.len()]);
    let name = system.info().scenarios[0].name;
    let start = start_scenario(&system, name).unwrap();
    let options = Options { relative_tolerance: 1e-12, ..Options::default() };
    let to = |state: &State| {
        let mut run = Run::new(&system, state, &options).unwrap();
        let _ = run.advance_to(state.t + span);
        assert_eq!(run.t(), state.t + span, "{source}: {:?}", run.end());
        run.state().clone()
    };
    let end = to(&start);
    let back = to(&turned(&end, &signs));
    let image = turned(&start, &signs);
    let apart =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (apart(&back.q, &image.q).max(apart(&back.v, &image.v)), found)
}

#[test]
fn runs_come_back() {
    let cases = [
        ("coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ); scenario s { θ = 2; until t = 3; }", "+"),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x^4 + y^2 + x^2*y;
            force x = 3*ẏ; force y = -3*ẋ; scenario s { x = 1; y = 0.2; ẏ = 0.7; until t = 3; }",
            "-+",
        ),
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^4; force x = sin(2*t);
            scenario s { x = 1; ẋ = 0.4; t = 0.3; until t = 3; }",
            "-",
        ),
        (
            "coordinates { x, y, θ } parameters { a = 0.3 }
            kinetic = ((ẋ - a*sin(θ)*θ̇)^2 + (ẏ + a*cos(θ)*θ̇)^2 + θ̇^2)/2; potential = x;
            constraints { blade: ẏ*cos(θ) = ẋ*sin(θ); } scenario s { ẋ = 1; θ̇ = 2; until t = 3; }",
            "+++",
        ),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
            contact floor { gap = y - 0.1*x^2; impact = elastic; } scenario s { y = 1; ẋ = 0.3; until t = 3; }",
            "++",
        ),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x^2;
            constraints { blade: sin(t)*dx - cos(t)*dy; } scenario s { x = 0.4; ẋ = 1; until t = 3; }",
            "-+",
        ),
    ];
    for (items, signs) in cases {
        let (missed, found) = missed(&format!("system S {{ {items} }}"), 3.0);
        let expected = signs.chars().map(|sign| sign == '-').collect::<Vec<bool>>();
        assert_eq!(found, Some(expected), "{items}");
        assert!(missed < 1e-9, "{items}: {missed}");
    }
}

/// What is said to be broken does not come back.
#[test]
fn what_is_lost_stays_lost() {
    for items in [
        "coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = 0.1*ẋ^2; scenario s { x = 1; until t = 3; }",
        "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = (x + y^2)^2 + y + x^2 + y^4;
        force x = 3*ẏ; force y = -3*ẋ; scenario s { x = 1; y = 0.2; ẏ = 0.7; until t = 3; }",
    ] {
        let (missed, found) = missed(&format!("system S {{ {items} }}"), 3.0);
        assert_eq!(found, None, "{items}");
        assert!(missed > 1e-2, "{items}: {missed}");
    }
}
