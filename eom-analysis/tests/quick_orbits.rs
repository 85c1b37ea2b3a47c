//! Periodic orbits in any unit of time.

mod common;

use common::interpreted;
use eom_analysis::{Section, Variations};
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
