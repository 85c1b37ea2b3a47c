//! One text through everything that a user can have done to it: parsed, resolved, derived, its claims
//! decided, emitted, interpreted, evaluated and run with small budgets. Nothing of it may panic, and
//! what comes out as a number is finite or comes with a reason.

use eom_codegen::diagnostic::Diagnostic;
use eom_codegen::{derive_source, expand, rust_source};
use eom_core::{
    Contacts, Mode, Options, StartPolicy, State, System, Trajectory, run_scenario, simulate,
};
use eom_interpreter::Interpreted;
use eom_interpreter::drawing::{Drawing, Instant};
use proc_macro2::TokenStream;
use std::ops::ControlFlow;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was refused, with reasons.
    Refused,
    /// It is a system, of which this many runs began.
    Accepted { runs: usize },
}

/// Takes a text through the engine; panics where the engine does, or where a promise is broken.
pub(crate) fn exercise(text: &str) -> Outcome {
    let derivation = match derive_source(text) {
        Ok(derivation) => derivation,
        Err(mistakes) => {
            check_mistakes(text, &mistakes);
            if let Ok(tokens) = text.parse::<TokenStream>() {
                assert!(!expand(tokens).is_empty(), "a refusal is a compile error");
            }
            return Outcome::Refused;
        }
    };
    assert!(!derivation.text().to_latex().is_empty() && !derivation.listings().is_empty());
    let rust = rust_source(text).expect("what derives can be written");
    assert!(syn::parse_file(&rust).is_ok(), "what is written is Rust");
    let system = Interpreted::of(derivation, text);
    Outcome::Accepted { runs: run(&system) }
}

/// Each mistake says something, at a place in the text.
#[allow(unexpected_cfgs, reason = "only cargo-fuzz sets it")]
fn check_mistakes(text: &str, mistakes: &[Diagnostic]) {
    assert!(!mistakes.is_empty(), "a refusal has a reason");
    let lines = text.lines().count().max(1);
    for mistake in mistakes {
        assert!(!mistake.message.trim().is_empty(), "a message has words");
        // Where cargo-fuzz builds the lexer, its tokens have no places.
        if !cfg!(fuzzing) {
            let (line, _) = mistake.at.line_column();
            assert!((1..=lines + 1).contains(&line), "line {line} of {lines}: {mistake}");
            assert!(mistake.at.byte_range().start <= text.len() + 1, "a place is in the text");
        }
    }
}

/// A few steps of each scenario, and from states of all zeros and all ones.
fn run(system: &Interpreted) -> usize {
    if system.check_parameters().is_err() {
        return 0;
    }
    let info = system.info();
    let options = Options { steps_max: 60, events_max: 10, ledger: true, ..Options::default() };
    let scenarios = info.scenarios.iter().take(3);
    let mut runs = 0;
    for scenario in scenarios {
        if let Ok(trajectory) = run_scenario(system, scenario.name, &options) {
            check(&trajectory);
            runs += 1;
        }
    }
    for value in [0.0, 1.0] {
        let mut q = vec![value; info.positions()];
        for quaternion in q[info.coordinates.len()..].chunks_exact_mut(4) {
            quaternion.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
        }
        let start = State { t: 0.0, q, v: vec![value; info.speeds()] };
        let inputs = vec![value; info.inputs.len()];
        evaluate(system, &start, &inputs);
        look(system, &start, &inputs);
        let options =
            Options { until_time: Some(0.1), start: StartPolicy::Project, ..options.clone() };
        let goes_on = &mut |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
        if let Ok(trajectory) = simulate(system, &start, &inputs, &options, goes_on) {
            check(&trajectory);
            runs += 1;
        }
    }
    runs
}

/// A trajectory holds finite states only, and says why it ended.
fn check(trajectory: &Trajectory) {
    let finite = |state: &State| {
        state.t.is_finite() && state.q.iter().chain(&state.v).all(|number| number.is_finite())
    };
    assert!(trajectory.samples.iter().all(finite), "a sample is not finite: {}", trajectory.end);
    let times = trajectory.samples.windows(2).all(|pair| pair[0].t <= pair[1].t);
    assert!(times, "samples stand in the order of time");
    assert!(!trajectory.end.to_string().is_empty() && trajectory.end.t().is_finite());
}

/// What is drawn of a declaration that derives can be evaluated: numbers, curves, heights.
fn look(system: &Interpreted, state: &State, inputs: &[f64]) {
    let drawing = Drawing::new(system.info().source).expect("what derives can be drawn");
    let mode = Mode::default();
    let at = Instant { system, functions: &[], inputs, state, mode: &mode };
    let mut numbers = vec![0.0; drawing.count()];
    drawing.numbers(&at, &mut numbers);
    for shape in 0..drawing.shapes().len().min(8) {
        let range = [[-1.0, 1.0]; 2];
        let lines = drawing.curve(shape, &at, range, 4);
        assert!(lines.iter().flatten().flatten().all(|number| number.is_finite()));
        assert_eq!(drawing.heights(shape, &at, range, 2).len(), 9);
    }
}

/// Every function of the system at a state, none of which may panic.
fn evaluate(system: &Interpreted, State { t, q, v }: &State, u: &[f64]) {
    let info = system.info();
    let (m, k, c) = (info.speeds(), info.rows.len(), info.contacts.len());
    let (mut a, mut λ) = (vec![0.0; m], vec![0.0; k]);
    system.accelerations(*t, q, v, u, &mut a, &mut λ);
    let mut mass = vec![0.0; m * m];
    system.mass_matrix(*t, q, &mut mass);
    let (mut rows, mut drift) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows(*t, q, &mut rows, &mut drift);
    let mut gaps = vec![0.0; c];
    system.gaps(*t, q, &mut gaps);
    let mut outputs = vec![0.0; info.outputs.len()];
    system.outputs(*t, q, v, u, &mut outputs);
    let _ = system.energy(*t, q, v).total();
}
