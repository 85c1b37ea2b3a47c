//! Periodic orbits in any unit of time, and what returns quickly since it stands still.

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, Section, Variations, latest_return};
use eom_core::{Options, State};

/// Van der Pol's oscillator with μ = 1 has the period 6.66328685932313 T and the amplitude 2.00861986087484, to the digits of
/// the literature, whatever T is.
#[test]
fn van_der_pols_orbit_in_any_unit_of_time() {
    for t in [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12] {
        let oscillator = interpreted(&format!(
            "/// An oscillator. \n system V {{ coordinates {{ x }} parameters {{ T = {t:e} }} kinetic = ẋ^2/2;
            potential = x^2/(2*T^2); force x = (1 - x^2)*ẋ/T; event top {{ guard = ẋ; falling; }} }}"
        ));
        let variations = Variations::new(&oscillator).unwrap();
        let options = Options { until_time: Some(100.0 * t), ..Options::default() };
        let section = Section::Events { event: 0, count: 1 };
        let found = variations.orbit(&State::new(0.0, [1.9], [0.0]), &[], &options, section);
        let orbit = found.unwrap_or_else(|error| panic!("{t:e}: {error}"));
        assert!((orbit.period / t - 6.663_286_859_323_13).abs() < 1e-9, "{t:e}: {orbit:?}");
        assert!((orbit.state.q[0] - 2.008_619_860_874_843).abs() < 1e-9, "{t:e}: {orbit:?}");
        assert!(orbit.is_stable() == Some(true), "{t:e}: {orbit:?}");
    }
}

/// Of ẍ + ẋ/10 + x = 1 + cos ωt the orbit is 1 + Re e^{iωt}/(1 − ω² + iω/10): far from x = 2, which in a period that is short
/// beside the motion's own nearly stays.
#[test]
fn a_period_far_shorter_than_the_motion() {
    for period in [1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 1e-11] {
        let oscillator = interpreted(&format!(
            "/// An oscillator. \n system D {{ coordinates {{ x }} parameters {{ T = {period:e} }} kinetic = ẋ^2/2;
            potential = x^2/2 - x; dissipation = ẋ^2/20; force x = cos(2*pi*t/T); }}"
        ));
        let variations = Variations::new(&oscillator).unwrap();
        let (start, section) = (State::new(0.0, [2.0], [0.0]), Section::Period(period));
        let found = variations.orbit(&start, &[], &Options::default(), section);
        let ω = std::f64::consts::TAU / period;
        let expected = 1.0 + (1.0 - ω * ω) / ((1.0 - ω * ω).powi(2) + 0.01 * ω * ω);
        // A return is known to a rounding of 1, and an orbit to that over the period.
        let is_right = |x: f64| (x - expected).abs() < 1e-13 / period;
        match &found {
            Ok(orbit) => assert!(is_right(orbit.state.q[0]), "{period:e}: {orbit:?}"),
            // Or it says that there is too little to go by.
            Err(AnalysisError::NotFound { .. }) if period < 1e-6 => (),
            Err(error) => panic!("{period:e}: {error}"),
        }
    }
}

/// A period that is longer than a return is waited for elsewhere, 1e4: of ẍ + ẋ/T + x/T² = cos(2πt/T)/T² the orbit begins at
/// x = (1 − 4π²)/((1 − 4π²)² + 4π²).
#[test]
fn a_long_period() {
    for time in [1e3, 1e5, 1e7] {
        let oscillator = interpreted(&format!(
            "/// An oscillator. \n system D {{ coordinates {{ x }} parameters {{ T = {time:e} }} kinetic = ẋ^2/2;
            potential = x^2/T^2/2; dissipation = ẋ^2/T/2; force x = cos(2*pi*t/T)/T^2; }}"
        ));
        let variations = Variations::new(&oscillator).unwrap();
        let options = Options { until_time: Some(1.0), ..Options::default() };
        let start = State::new(0.0, [0.0], [0.0]);
        let orbit = variations.orbit(&start, &[], &options, Section::Period(time)).unwrap();
        let detuned = 1.0 - std::f64::consts::TAU.powi(2);
        let expected = detuned / (detuned * detuned + std::f64::consts::TAU.powi(2));
        assert!((orbit.state.q[0] - expected).abs() < 1e-11, "{time:e}: {orbit:?}");
    }
}

/// A rimless wheel with friction. Two of its spokes on a slope stand still: from θ̇ = 1.2 Newton's method went to a rattle of
/// 2.2e-5 s that missed its start by a thousandth of its own speeds, 1.5e-8 beside states of 3. Where θ is an angle, which may
/// return after a turn, it strays.
#[test]
fn standing_still_is_no_orbit() {
    let wheel =
        "/// A wheel. \n system W { coordinates { x, y, θ } parameters { l = 1, J = 0.3, γ = 0.15, α = 0.35, μ = 0.9, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2 + J*θ̇^2/2; potential = g*(y*cos(γ) - x*sin(γ)) + BIAS;
        contact one { gap = y - l*cos(θ); slip = ẋ - l*cos(θ)*θ̇; friction = μ; impact = restitution(0); }
        contact two { gap = y - l*cos(θ - 2*α); slip = ẋ - l*cos(θ - 2*α)*θ̇; friction = μ; impact = restitution(0); } }";
    let (s, c) = (-0.2_f64).sin_cos();
    let start = State::new(0.0, [0.0, c, -0.2], [1.2 * c, -1.2 * s, 1.2]);
    let section = Section::Impacts { contact: 1, count: 1 };
    let said = |bias: &str| {
        let wheel = interpreted(&wheel.replace("BIAS", bias));
        let variations = Variations::new(&wheel).unwrap();
        variations.orbit(&start, &[], &Options::default(), section).unwrap_err().to_string()
    };
    for (bias, words) in
        [("1e-13*θ", "near there it stands still"), ("0", "to where there is no return")]
    {
        assert!(said(bias).contains(words), "{}", said(bias));
    }
}

/// From a motion that is chaotic Newton's method leads far off: it is kept near, and answers, whatever it finds.
#[test]
fn a_guess_in_chaos() {
    let duffing = interpreted(
        "/// Duffing's oscillator. \n system D { coordinates { x } kinetic = ẋ^2/2; potential = -x^2/2 + x^4/4;
        dissipation = 0.15*ẋ^2; force x = cos(1.2*t)/2; }",
    );
    let variations = Variations::new(&duffing).unwrap();
    let section = Section::Period(std::f64::consts::TAU / 1.2);
    for x in [0.0, 1.0, 1.3] {
        let start = State::new(0.0, [x], [0.0]);
        match variations.orbit(&start, &[], &Options::default(), section) {
            Ok(orbit) => assert!(orbit.residual < 1e-9, "{orbit:?}"),
            Err(error) => assert!(matches!(error, AnalysisError::NotFound { .. }), "{error}"),
        }
    }
}

/// A slow one does not return for as long as is waited where nothing is said, and is told so.
#[test]
fn how_long_a_return_is_waited_for() {
    let oscillator = interpreted(
        "/// An oscillator. \n system V { coordinates { x } kinetic = ẋ^2/2; potential = 1e-12*x^2/2;
        event top { guard = ẋ; falling; } }",
    );
    let variations = Variations::new(&oscillator).expect("a system with programs");
    let section = Section::Events { event: 0, count: 1 };
    let start = State::new(0.0, [1.0], [0.0]);
    let mut options = Options::default();
    options.until_time = Some(latest_return(0.0, &options));
    let error = variations.orbit(&start, &[], &options, section).expect_err("a short wait");
    let said = "it is waited for as long as the scenario lasts, at least 10000";
    assert!(error.to_string().contains(said), "{error}");
    options.until_time = Some(1e7);
    let orbit = variations.orbit(&start, &[], &options, section).expect("an orbit");
    assert!((orbit.period / 1e6 - std::f64::consts::TAU).abs() < 1e-9, "{orbit:?}");
}

/// Kepler's orbit from an apsis at L with 0.94 and 1.3 of the speed of the circle returns as it is: of a family the start itself is
/// what is found, whatever the units are. T = 2π (2 − v²)^(−3/2).
#[test]
fn a_start_that_returns_is_the_orbit() {
    for (length, time) in
        [(1.0, 1.0), (1.0, 1e3), (1e3, 1e3), (1e4, 1e4), (1e11, 1e7), (1e-6, 1.0), (7e6, 1e3)]
    {
        for part in [0.94, 1.3] {
            let kepler = interpreted(&format!(
                "/// Kepler. \n system K {{ coordinates {{ x, y }} parameters {{ L = {length:e}, T = {time:e} }}
                kinetic = (ẋ^2 + ẏ^2)/2; potential = -L^3/T^2/sqrt(x^2 + y^2);
                event apsis {{ guard = y; rising; }} }}"
            ));
            let variations = Variations::new(&kepler).unwrap();
            let options = Options { until_time: Some(100.0 * time), ..Options::default() };
            let section = Section::Events { event: 0, count: 1 };
            let start = State::new(0.0, [length, 0.0], [0.0, part * length / time]);
            let found = variations.orbit(&start, &[], &options, section);
            let orbit =
                found.unwrap_or_else(|error| panic!("{length:e}, {time:e}, {part}: {error}"));
            let period = std::f64::consts::TAU * (2.0 - part * part).powf(-1.5) * time;
            assert!(
                (orbit.period / period - 1.0).abs() < 1e-11,
                "{length:e}, {time:e}, {part}: {orbit:?}"
            );
        }
    }
}
