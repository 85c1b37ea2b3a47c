//! Starts that are admitted, with the room of their runs; starts and ends with the reason that is behind them.

use super::options::Options;
use super::start::admit;
use crate::error::StartError;
use crate::hybrid::automaton::Automaton;
use crate::linear::singular::SingularMass;
use crate::state::State;
use crate::system::System;
use crate::trajectory::end::End;

/// Where a mass matrix is as good as singular when a run gets stuck, it is why.
const SINGULAR: f64 = 1e-10;

/// The room of a run.
pub(crate) type Room<'a> = Option<Box<Automaton<'a>>>;

/// A start that [`check`](super::start::check) let pass, with the room for its run: this one where there is
/// one. A start that is refused leaves it.
pub(crate) fn admitted<'a>(
    system: &'a dyn System,
    start: &State,
    inputs: &[f64],
    options: &Options,
    room: &mut Room<'a>,
) -> Result<(State, Box<Automaton<'a>>), StartError> {
    let mut start = start.clone();
    let mut automaton =
        room.take().unwrap_or_else(|| Box::new(Automaton::new(system, inputs, options)));
    match admit(system, automaton.manifold(), &mut start, inputs, options) {
        Ok(()) => Ok((start, automaton)),
        Err(error) => {
            *room = Some(automaton);
            Err(named(system, &start, error))
        }
    }
}

/// A metric that is lost at the start, by its state and velocities.
pub(crate) fn named(system: &dyn System, start: &State, error: StartError) -> StartError {
    match error {
        StartError::Metric(lost) => {
            SingularMass::find(system, (start.t, &start.q, &start.v), None, f64::INFINITY)
                .map_or(StartError::Metric(lost), StartError::Singular)
        }
        error => error,
    }
}

/// The end of a run that got stuck, by its reason.
pub(crate) fn explained(run: &mut Automaton<'_>, start: &State, end: End) -> End {
    let stuck = match &end {
        End::NonFinite { .. } | End::StepUnderflow { .. } => true,
        End::OffConstraints { residuals, .. } => residuals.is_empty(),
        _ => false,
    };
    let (system, t) = (run.system(), run.t());
    let lost = || {
        let (q, v) = run.parts();
        SingularMass::find(system, (t, q, v), Some(start), SINGULAR)
    };
    match stuck.then(lost).flatten() {
        Some(mass) => End::SingularMass { t, mass },
        None => end,
    }
}
