//! Orbits from which motions go off fast, and families of orbits, from guesses that are not on them.

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, Section, Variations};
use eom_core::{Options, State};

/// Van der Pol's oscillator drives ẍ = k²x: multipliers e^(± kT) beside its own. One that is small was lost without a word.
#[test]
fn beside_a_saddle() {
    let period = 6.663_286_859_323_13;
    for k in [1.0_f64, 2.0, 3.0] {
        let system = interpreted(&format!(
            "system Beside {{ coordinates {{ x, y }} parameters {{ k = {k} }}
            kinetic = (ẋ^2 + ẏ^2)/2; potential = -k^2*x^2/2 + y^2/2;
            force x = y + 0.3*ẏ; force y = (1 - y^2)*ẏ; event top {{ guard = ẏ; falling; }} }}"
        ));
        let variations = Variations::new(&system).unwrap();
        let section = Section::Events { event: 0, count: 1 };
        let guess = State::new(0.0, [0.0, 2.0], [0.0; 2]);
        let orbit = variations.orbit(&guess, &[], &Options::default(), section);
        let orbit = orbit.unwrap_or_else(|error| panic!("{k}: {error}"));
        let [large, own] = [(k * period).exp(), 8.596_950_636e-4];
        let found: Vec<f64> = orbit.multipliers.iter().map(|value| value.re).collect();
        assert_eq!(found.len(), 3, "{found:?}");
        let rounding = 1e-12 * large;
        assert!((found[0] / large - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found[1..].iter().any(|value| (value - own).abs() < rounding.max(1e-12)));
        assert!(found[1..].iter().any(|value| (value - 1.0 / large).abs() < rounding.max(1e-12)));
    }
}

/// The problem of three bodies of which one is light.
fn three_bodies(mass: f64) -> String {
    format!(
        "system Three {{ coordinates {{ x, y, z }} parameters {{ μ = {mass} }}
        lagrangian = ((ẋ - y)^2 + (ẏ + x)^2 + ż^2)/2 + (1 - μ)/sqrt((x + μ)^2 + y^2 + z^2)
            + μ/sqrt((x - 1 + μ)^2 + y^2 + z^2);
        event up {{ guard = y; rising; }} event down {{ guard = y; falling; }} }}"
    )
}

/// Arenstorf's orbit has the period 17.0652165601579…; multipliers of a motion with an energy come as μ, 1/μ, and 1.
#[test]
fn arenstorfs_orbit() {
    let system = interpreted(&three_bodies(0.012_277_471));
    let variations = Variations::new(&system).unwrap();
    let start = State::new(0.0, [0.994, 0.0, 0.0], [0.0, -2.001_585_106_379_082_5, 0.0]);
    let section = Section::Events { event: 1, count: 3 };
    let orbit = variations.orbit(&start, &[], &Options::default(), section).unwrap();
    assert!((orbit.period - 17.065_216_560_157_96).abs() < 1e-10, "{orbit:?}");
    let found: Vec<f64> = orbit.multipliers.iter().map(|value| value.re).collect();
    assert_eq!(found.len(), 5, "{found:?}");
    for (one, other) in [(0, 4), (1, 3)] {
        assert!((found[one] * found[other] - 1.0).abs() < 1e-3, "{found:?}");
    }
    assert!((found[2] - 1.0).abs() < 1e-5, "{found:?}");
}

/// A halo orbit, its period by SciPy's DOP853. Beside it, with a multiplier of 2363, Newton's method went along the family of
/// these, and far away, where a return is off by little, told a motion that is none.
#[test]
fn a_halo_orbit_from_beside_it() {
    let system = interpreted(&three_bodies(0.04));
    let variations = Variations::new(&system).unwrap();
    let section = Section::Events { event: 0, count: 1 };
    for off in [0.0, 1e-8, 1e-7, 1e-6] {
        let start =
            State::new(0.0, [0.723_268_394_68 + off, 0.0, 0.04], [0.0, 0.198_019_332_29, 0.0]);
        match variations.orbit(&start, &[], &Options::default(), section) {
            Ok(orbit) => {
                assert!((orbit.period - 2.600_354_28).abs() < 1e-4, "{off:e}: {orbit:?}");
                assert!((orbit.multipliers[0].re - 2363.37).abs() < 1.0, "{off:e}: {orbit:?}");
            }
            Err(error) => panic!("{off:e}: {error}"),
        }
    }
}

/// What flies away from a centre returns nowhere, also where little draws it back.
#[test]
fn what_flies_away_is_no_orbit() {
    let system = interpreted(&three_bodies(0.04));
    let variations = Variations::new(&system).unwrap();
    let section = Section::Events { event: 0, count: 1 };
    let start = State::new(0.0, [-467.44, 0.0, 2744.09], [0.0, 467.44, 0.0]);
    let found = variations.orbit(&start, &[], &Options::default(), section);
    assert!(
        matches!(found, Err(AnalysisError::NotFound { .. } | AnalysisError::NotClosed { .. })),
        "{found:?}"
    );
}
