//! Samples of a fixed interval change nothing of a run, nor the step with which a slip in a plane begins.

use eom_core::{Method, Options, Sampling, Trajectory, run_scenario};
use eom_interpreter::Interpreted;

const G: f64 = 9.81;

/// A body that is pulled along a rough floor, with tolerances of 10⁻⁶.
fn run(pull: [&str; 2], method: Method, sampling: Sampling) -> Trajectory {
    let [x, y] = pull;
    let text = format!(
        "system S {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = {G}*z;
         force x = {x}; force y = {y};
         contact floor {{ gap = z; slip = [ẋ, ẏ]; friction = 0.2; impact = plastic; }}
         scenario s {{ until t = 2; }} }}"
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let options = Options { method, sampling, relative_tolerance: 1e-6, ..Options::default() };
    let run = run_scenario(&system, "s", &options).expect("it starts");
    assert!(run.end.is_complete(), "{method:?}: {}\n{text}", run.end);
    run
}

/// Pulled by 5t along (0.6, 0.8): s = 5 (t − t₁)³/6 behind t₁ = μ g/5.
#[test]
fn a_slip_that_begins_is_sampled_as_it_is() {
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        let run = run(["3*t", "4*t"], method, Sampling::Every(0.003));
        assert!(run.samples.len() > 660);
        for state in &run.samples {
            let way = 5.0 * (state.t - 0.2 * G / 5.0).max(0.0).powi(3) / 6.0;
            let error = (state.q[0] - 0.6 * way).hypot(state.q[1] - 0.8 * way);
            assert!(error < 1e-8, "{method:?} {error:e} {state:?}");
        }
    }
}

#[test]
fn a_slip_that_begins_and_turns_is_the_same_however_it_is_sampled() {
    let pulls =
        [["1.9*t*cos(3.1*t)", "2.3*t*sin(2.2*t)"], ["2.6*t*cos(1.3*t)", "1.4*t*sin(4.7*t)"]];
    for pull in pulls {
        for method in [Method::RungeKutta, Method::Radau] {
            let alone = run(pull, method, Sampling::Ends);
            for interval in [0.01, 0.0007] {
                let sampled = run(pull, method, Sampling::Every(interval));
                assert_eq!(alone.last(), sampled.last(), "{pull:?} {method:?} {interval}");
            }
        }
    }
}
