//! A run: from a start state to a trajectory.

use crate::end::End;
use crate::error::StartError;
use crate::hybrid::automaton::Automaton;
use crate::options::Options;
use crate::singular::SingularMass;
use crate::start::admit;
use crate::state::State;
use crate::stats::Stats;
use crate::system::System;
use crate::trajectory::Trajectory;
use std::ops::ControlFlow;

/// What an observer sees after each accepted step and each instant.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// The work done so far.
    pub stats: Stats,
}

/// Integrates a system from a start state with constant inputs, until the time or the number of
/// impacts that the options give, until the observer breaks, or until it cannot go on.
///
/// # Errors
/// A start that is not admitted: wrong lengths, numbers that are not finite, options without a
/// meaning, a state that violates a constraint or penetrates a contact. Whatever happens later is
/// the [`End`] of the trajectory, which keeps what was computed before.
pub fn simulate(
    system: &dyn System,
    start: &State,
    inputs: &[f64],
    options: &Options,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<Trajectory, StartError> {
    let mut start = start.clone();
    admit(system, &mut start, inputs, options).map_err(|error| named(system, &start, error))?;
    let mut run = Automaton::new(system, &start, inputs, options);
    let end = drive(&mut run, observer);
    let end = explained(system, &run, &start, end);
    let (stats, rest, ledger) = (run.stats(), run.rest, run.close_books());
    let (samples, events, modes) = run.finish();
    Ok(Trajectory { samples, events, modes, end, rest, stats, ledger })
}

/// A metric that is lost at the start, by its state and velocities.
fn named(system: &dyn System, start: &State, error: StartError) -> StartError {
    match error {
        StartError::Metric(lost) => {
            SingularMass::find(system, (start.t, &start.q), None, f64::INFINITY)
                .map_or(StartError::Metric(lost), StartError::Singular)
        }
        error => error,
    }
}

/// Where a mass matrix is as good as singular when a run gets stuck, it is why.
const SINGULAR: f64 = 1e-10;

/// The end of a run that got stuck, by its reason.
fn explained(system: &dyn System, run: &Automaton<'_>, start: &State, end: End) -> End {
    let stuck = match &end {
        End::NonFinite { .. } | End::StepUnderflow { .. } => true,
        End::OffConstraints { residuals, .. } => residuals.is_empty(),
        _ => false,
    };
    let t = run.t();
    let lost = || SingularMass::find(system, (t, run.parts().0), Some(start), SINGULAR);
    match stuck.then(lost).flatten() {
        Some(mass) => End::SingularMass { t, mass },
        None => end,
    }
}

/// Arc after arc, until something ends the run.
fn drive(
    run: &mut Automaton<'_>,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> End {
    let mut outcome = run.begin();
    loop {
        if let Err(end) = outcome {
            return end;
        }
        outcome = run.advance();
        let (q, v) = run.parts();
        let progress = Progress { t: run.t(), q, v, stats: run.stats() };
        if observer(&progress).is_break() && outcome.is_ok() {
            return End::Interrupted { t: run.t() };
        }
    }
}
