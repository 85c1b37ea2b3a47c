//! The same bytes on every run: equations, listings, generated Rust, trajectories.

use eom_codegen::{derive_source, rust_source};
use eom_core::{Options, State};
use eom_tests::systems::{Fixture, every_system};
use eom_tests::{random, run, start_of, until};
use fastrand::Rng;

/// What a source is turned into, twice; the second time in a thread with hash tables of its own.
fn check<T: PartialEq + std::fmt::Debug + Send>(show: impl Fn(&Fixture) -> T + Sync) {
    for fixture in every_system() {
        let again = std::thread::scope(|scope| scope.spawn(|| show(&fixture)).join());
        assert_eq!(again.expect("no panic"), show(&fixture), "{}", fixture.name);
    }
}

#[test]
fn equations_and_listings() {
    check(|fixture| {
        let derivation = derive_source(fixture.info.source)
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", fixture.name));
        [derivation.equations_text(), derivation.text().to_latex(), derivation.listings()]
    });
}

#[test]
fn generated_rust() {
    check(|fixture| {
        rust_source(fixture.info.source)
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", fixture.name))
    });
}

/// A run from the first scenario, where a system has one without inputs.
fn start(fixture: &Fixture) -> Option<(Box<dyn eom_core::System>, State)> {
    if fixture.info.scenarios.is_empty() || !fixture.info.inputs.is_empty() {
        return None;
    }
    let system = (fixture.build)(&vec![None; fixture.info.parameters.len()]).ok()?;
    let (start, _) = start_of(&*system, 0);
    Some((system, start))
}

#[test]
fn trajectories() {
    let mut runs = 0;
    for fixture in every_system() {
        let Some((system, start)) = start(&fixture) else { continue };
        // Beyond its scenario a ball of dry friction comes to rest, where its equations jump.
        let steps_max = 20_000;
        let options = Options { until_impacts: Some(10), steps_max, ..until(start.t + 1.5) };
        let first = run(&*system, &start, &options);
        assert_eq!(first, run(&*system, &start, &options), "{}", fixture.name);
        runs += 1;
    }
    assert!(runs >= 8, "{runs} systems have a scenario");
}

/// A function leaves nothing behind that another call could see.
#[test]
fn functions_do_not_depend_on_what_was_called_before() {
    for fixture in every_system() {
        let mut rng = Rng::with_seed(3);
        let system = random::system(&mut rng, &fixture);
        let (n, k) = (fixture.info.speeds(), fixture.info.rows.len());
        let inputs = vec![0.5; fixture.info.inputs.len()];
        let states: Vec<State> = (0..8).map(|_| random::state(&mut rng, fixture.info)).collect();
        let evaluate = |state: &State| {
            let (mut a, mut λ) = (vec![0.0; n], vec![0.0; k]);
            system.accelerations(state.t, &state.q, &state.v, &inputs, &mut a, &mut λ);
            [a, λ].concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        let forwards: Vec<_> = states.iter().map(evaluate).collect();
        let backwards: Vec<_> = states.iter().rev().map(evaluate).collect();
        assert!(forwards.iter().eq(backwards.iter().rev()), "{}", fixture.name);
    }
}
