//! λ and friction of a constraint as they are looked at.

use super::{G, check, complete, run, system, systems};
use eom_core::contact::Reactions;
use eom_core::{Mode, Options, Run, Source, State, System};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

fn outputs(system: &Interpreted, state: &State, mode: &Mode) -> Vec<f64> {
    let mut outputs = vec![0.0; system.info().outputs.len()];
    Reactions::new(system).outputs(system, &[], state, mode, &mut outputs);
    outputs
}

#[test]
fn outputs_hold_multiplier_and_friction() {
    for (φ, μ) in [(0.3_f64, 0.2), (0.3, 0.5), (0.8, 0.9)] {
        let wire = system(systems::WIRE, &[φ, μ, μ]);
        let trajectory = run(&wire, &[0.0, 0.0], &[0.0, 0.0], 1.0);
        let last = trajectory.samples.len() - 1;
        let mode = trajectory.mode_of_sample(last).cloned().unwrap_or_default();
        let found = outputs(&wire, complete(&trajectory), &mode);
        let (normal, pull) = (G * φ.cos(), G * φ.sin());
        check("normal", found[0], normal, 1e-13 * normal);
        check("friction", found[1], pull.min(μ * normal), 1e-12 * normal);
        // A state alone does not say whether it sticks.
        let mut alone = [0.0; 2];
        wire.outputs(0.0, &[0.0, 0.0], &[0.0, 0.0], &[], &mut alone);
        assert!(alone.iter().all(|x| x.is_nan()), "{alone:?}");
    }
}

#[test]
fn two_bearings_share_what_they_hold() {
    let clamp = system(systems::CLAMP, &[2.0, 0.2, 0.1, 3.0]);
    let trajectory = run(&clamp, &[0.0; 3], &[0.0; 3], 1.0);
    let last = trajectory.samples.len() - 1;
    let mode = trajectory.mode_of_sample(last).cloned().unwrap_or_default();
    assert_eq!(mode.sticking(), [0, 1]);
    let found = outputs(&clamp, complete(&trajectory), &mode);
    check("normal", found[0].abs(), 3.0 * 2.0 / 0.2, 1e-11);
    check("friction", found[1], -3.0, 1e-11);
}

#[test]
fn the_ledger_balances() {
    let hoop = system(systems::HOOP, &[1.0, 0.1]);
    let options = Options { until_time: Some(3.0), ledger: true, ..Options::default() };
    let start = State::new(0.0, [1.0, 0.0], [0.0, 8.0]);
    let run = eom_core::simulate(&hoop, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    let run = run.expect("the start is possible");
    let ledger = run.ledger.as_ref().expect("it was asked for");
    let last = run.last().expect("it has run");
    let energy = 0.5 * last.v[1].powi(2) - G * last.q[1].cos();
    assert!(ledger.closes(), "{}", ledger.error);
    // All that is spent is spent by the friction of the hoop.
    let spent = ledger.work(Source::Friction(0));
    check("work", spent, energy - (0.5 * 8.0 * 8.0 - G), 1e-10);
}

#[test]
fn a_run_goes_on_from_its_words() {
    let hoop = system(systems::HOOP, &[1.0, 0.1]);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 8.0]);
    for method in super::METHODS {
        let options = Options { until_time: Some(3.0), method, ..Options::default() };
        // Before the pressure changes its side, while it has, and after it has come back.
        for t in [0.2, 0.6, 2.0] {
            let mut first = Run::new(&hoop, &start, &options).expect("the start is possible");
            let _ = first.advance_to(t);
            let mut second = Run::restore(&hoop, &first.save()).expect("it is the same system");
            let _ = (first.advance_to(3.0), second.advance_to(3.0));
            assert_eq!(first.state(), second.state());
        }
    }
}
