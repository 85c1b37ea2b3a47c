//! Linear systems against published numbers and closed forms.

use eom_analysis::{AnalysisError, CrossingKind, StateSpace, critical_values, eigenvalues};
use eom_core::nalgebra::{Complex, DMatrix};
use eom_core::{State, start_scenario};
use eom_interpreter::Interpreted;

fn interpreted(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}"))
}

fn bicycle() -> Interpreted {
    interpreted(include_str!("systems/bicycle.eom"))
}

/// The bicycle that rolls straight on at a speed.
fn straight(bicycle: &Interpreted, speed: f64) -> State {
    let mut start = start_scenario(bicycle, "straight").expect("a start");
    let scale = speed/5.0;
    start.v.iter_mut().for_each(|v| *v *= scale);
    start
}

/// Of the linear bicycle: lean and steer alone tell its motion beside speed and heading.
const FREE: [&str; 6] = ["ψ", "φ", "δ", "ẋ", "φ̇", "δ̇"];

fn bicycle_matrix(bicycle: &Interpreted, speed: f64) -> Result<DMatrix<f64>, AnalysisError> {
    let space = StateSpace::new(bicycle)?;
    Ok(space.linearise_by(&FREE, &straight(bicycle, speed), &[0.0])?.a)
}

/// The largest distance of each of `expected` to a value found.
fn distance(found: &[Complex<f64>], expected: &[(f64, f64)]) -> f64 {
    let to = |(re, im): &(f64, f64)| {
        found.iter().map(|value| (value.re - re).hypot(value.im - im)).fold(f64::INFINITY, f64::min)
    };
    expected.iter().map(to).fold(0.0, f64::max)
}

/// Table 2 of Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007).
#[test]
fn eigenvalues_of_the_bicycle() {
    let table: [(f64, [(f64, f64); 4]); 3] = [
        (0.0, [
            (3.13164324790656, 0.0),
            (-3.13164324790656, 0.0),
            (5.530_943_717_653_93, 0.0),
            (-5.530_943_717_653_93, 0.0),
        ]),
        (5.0, [
            (-14.078_389_692_798_22, 0.0),
            (-0.322_866_429_004_09, 0.0),
            (-0.775_341_882_195_85, 4.464_867_713_788_23),
            (-0.775_341_882_195_85, -4.464_867_713_788_23),
        ]),
        (10.0, [
            (-23.137_059_340_783_5, 0.0),
            (0.161_053_386_531_72, 0.0),
            (-4.720_877_089_441_81, 9.276_154_084_4),
            (-4.720_877_089_441_81, -9.276_154_084_4),
        ]),
    ];
    let bicycle = bicycle();
    for (speed, expected) in table {
        let found = eigenvalues(&bicycle_matrix(&bicycle, speed).unwrap()).unwrap();
        println!("{speed}: {found:?}");
        let off = distance(&found, &expected);
        assert!(off < 1e-9, "at {speed} m/s: off by {off:e}");
    }
}

#[test]
fn critical_speeds_of_the_bicycle() {
    let bicycle = bicycle();
    let samples: Vec<f64> = (1..=20).map(|i| 0.5 * f64::from(i)).collect();
    let found = critical_values(&samples, |speed| bicycle_matrix(&bicycle, speed)).unwrap();
    println!("{found:?}");
    let [weave, capsize] = found[..] else { panic!("{found:?}") };
    assert!((weave.at - 4.292_382_536_341).abs() < 1e-12, "{weave:?}");
    assert!((capsize.at - 6.024_262_015_388).abs() < 1e-12, "{capsize:?}");
    assert!(matches!(weave.kind, CrossingKind::Oscillatory { .. }));
    assert_eq!(capsize.kind, CrossingKind::Real);
}
