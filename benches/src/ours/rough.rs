//! Runs of bodies with friction: event by event, where the contacts can be followed, and by time steps.

use super::run::{ended, options, run};
use crate::clock::nanoseconds;
use crate::contest::Contestant;
use crate::judge::{BOXES, HOPS_END, HOPS_SPEED, STACK, STACK_END};
use crate::systems::{self, HoppingBox};
use eom_core::{Method, Options, State, System};
use eom_interpreter::Interpreted;

/// Tolerances of the box that is followed.
const TOLERANCES: [f64; 2] = [1e-9, 1e-12];

/// Time steps.
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Those of the stack, whose steps are longer work.
const STEPS_OF_STACK: [f64; 2] = [5e-3, 1e-3];

/// A box that falls flat, hops along and comes to rest.
pub(super) fn hops() -> Vec<Contestant<'static>> {
    let start = || State::new(0.0, [0.0, 1.25, 0.0], [HOPS_SPEED, 0.0, 0.0]);
    let followed = TOLERANCES.map(|tolerance| {
        let options = options(Method::RungeKutta, tolerance, tolerance);
        one("ours, event by event", HoppingBox::default(), start(), HOPS_END, options).at(tolerance)
    });
    let stepped = STEPS.map(|step| {
        one("ours, Moreau steps", HoppingBox::default(), start(), HOPS_END, by_steps(step)).at(step)
    });
    followed.into_iter().chain(stepped).collect()
}

/// Ten boxes, of whose twenty contacts too many sets would have to be tried event by event.
pub(super) fn stack() -> Vec<Contestant<'static>> {
    let [μ, φ] = STACK;
    let source = systems::stack(BOXES, μ, φ);
    let heights = (0..BOXES).map(|i| i as f64 + 0.5);
    let zeros = || std::iter::repeat_n(0.0, BOXES);
    let places: Vec<f64> = zeros().chain(heights).chain(zeros()).collect();
    let of_step = |step: f64| {
        let start = State::new(0.0, places.clone(), vec![0.0; 3 * BOXES]);
        // It is in the tests that the text has no mistake.
        let system = Interpreted::new(&source).ok()?;
        Some(one("ours, Moreau steps", system, start, STACK_END, by_steps(step)).at(step))
    };
    STEPS_OF_STACK.into_iter().filter_map(of_step).collect()
}

fn by_steps(step: f64) -> Options {
    Options { step: Some(step), ..options(Method::Moreau, 1e-9, 1e-9) }
}

/// One run to a time.
fn one(
    name: &str,
    system: impl System + 'static,
    start: State,
    end: f64,
    options: Options,
) -> Contestant<'static> {
    let options = Options { until_time: Some(end), ..options };
    Contestant::ours(name, move || {
        let (ns, run) = nanoseconds(|| run(&system, &start, &options));
        run.map(|run| ended(ns, &run))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Pace, hold};
    use crate::judge::figures;
    use crate::work::Work;
    use std::time::Duration;

    /// What is followed is exact, steps are of first order, and the stack slides as one.
    #[test]
    fn errors_are_those_of_the_methods() {
        for (work, mut contestants) in [(Work::Hops, hops()), (Work::Stack, stack())] {
            let names: Vec<(String, Option<f64>)> =
                contestants.iter().map(|one| (one.name.clone(), one.tolerance)).collect();
            let standings = hold(&mut contestants, Pace { rounds: 1, time: Duration::ZERO });
            assert_eq!(standings.len(), names.len());
            for (figure, (name, tolerance)) in figures(work, &standings).iter().zip(&names) {
                let error = figure.as_ref().ok().and_then(|figure| figure.error);
                let steps = name.contains("steps");
                let most = if steps { tolerance.map(|step| 10.0 * step) } else { Some(1e-9) };
                let fits = error.zip(most).is_some_and(|(error, most)| error <= most);
                assert!(fits, "{work:?}, {name} {tolerance:?}: {figure:?}");
            }
        }
    }
}
