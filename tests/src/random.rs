//! Random states and parameters from fixed seeds.

use eom_core::info::SystemInfo;
use eom_core::{State, System};
use fastrand::Rng;

/// How often parameters are drawn again before their bounds count as impossible.
const TRIES_MAX: usize = 1000;

/// A number in (low, high).
pub fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// A state with coordinates, speeds and time in (−2, 2), and unit quaternions.
pub fn state(rng: &mut Rng, info: &SystemInfo) -> State {
    let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| between(rng, -2.0, 2.0)).collect() };
    let (t, mut q) = (draw(1)[0], draw(info.positions()));
    for quaternion in q[info.coordinates.len()..].chunks_exact_mut(4) {
        let length = quaternion.iter().map(|r| r * r).sum::<f64>().sqrt();
        for component in quaternion {
            *component /= length;
        }
    }
    State { t, q, v: draw(info.speeds()) }
}

/// A system with every parameter in (1/2, 2), within its bounds.
///
/// # Panics
/// Where no such parameters are found.
pub fn system(rng: &mut Rng, fixture: &crate::systems::Fixture) -> Box<dyn System> {
    for _ in 0..TRIES_MAX {
        let values: Vec<Option<f64>> =
            fixture.info.parameters.iter().map(|_| Some(between(rng, 0.5, 2.0))).collect();
        if let Ok(system) = (fixture.build)(&values) {
            return system;
        }
    }
    panic!("{}: no parameters in (1/2, 2) satisfy the bounds", fixture.name)
}
